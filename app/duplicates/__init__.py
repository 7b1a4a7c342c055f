"""Photographs that are there more than once."""
