"""Duplicates: groups with the one that is kept, what goes, and what is left alone."""
