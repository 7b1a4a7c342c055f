"""Guide: short pages that explain the program, in each language, read from ``resources/guide``."""
