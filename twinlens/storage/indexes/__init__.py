"""Indexes and what they are made of: metrics, models, codes in segments."""

from __future__ import annotations
