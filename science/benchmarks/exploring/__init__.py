"""Benchmark of the explorer: how long figures take after a parameter was turned."""
