"""The command `bench` and its tables."""
