"""The explorer: one parameter turned at a time, its effect shown at once."""
