"""The command `lab` and its tables."""
