"""Descriptors of pictures, written into files."""
