"""Exact neighbours by the measure of an index: scans, bounds that spare comparisons, and smallest values."""
