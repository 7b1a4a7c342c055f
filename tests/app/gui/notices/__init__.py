"""Tests of About Twinlens."""
