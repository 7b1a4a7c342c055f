"""Tests of the catalogue of declarations."""
