"""Evaluation of rankings: truth, measures, and comparison of methods."""
