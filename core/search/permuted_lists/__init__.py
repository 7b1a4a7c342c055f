"""Permuted sorted lists, compiled and plain."""
