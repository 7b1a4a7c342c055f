"""Tests of the package that an installation has."""
