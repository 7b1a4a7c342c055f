"""Tests of the notices."""
