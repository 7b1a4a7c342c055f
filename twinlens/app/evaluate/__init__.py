"""Evaluation: the share of edited copies for which an index finds the original photograph."""
