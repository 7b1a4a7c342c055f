"""Compiled loops: made ready in the background, kept, and done without where they cannot be."""
