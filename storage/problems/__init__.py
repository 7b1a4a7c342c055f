"""Files that could not be read, and files that are no pictures."""
