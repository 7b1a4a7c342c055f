"""The page of files that could not be read."""
