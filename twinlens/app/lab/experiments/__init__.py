"""Experiments on a library: planned, run step by step, kept and exported."""
