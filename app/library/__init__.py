"""A library of photographs: opening it, adding folders, reading files, problems, browsing."""
