"""Arithmetic that comes out the same everywhere: products on which no addition rounds, one thread."""
