"""Tests of the declared actions."""
