"""Metrics learned from marks, and kept in the library."""
