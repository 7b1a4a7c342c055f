"""Indexes and what they are made of: metrics, models, codes in segments."""
