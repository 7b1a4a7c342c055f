"""Vocabularies in the window."""
