"""Tests of encoding vectors."""
