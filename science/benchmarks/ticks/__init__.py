"""Benchmark of the window's ticks: how long a person waits for the window while it works."""
