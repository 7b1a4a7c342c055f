"""Marks: pairs of photographs that a person calls similar or different."""
