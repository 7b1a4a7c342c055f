"""Tests of the Map."""
