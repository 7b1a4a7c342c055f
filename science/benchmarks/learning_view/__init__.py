"""Benchmark of the Learn view's waiting times."""
