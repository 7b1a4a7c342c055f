"""Duplicates: related contents, decisions of a person, and files moved away."""
