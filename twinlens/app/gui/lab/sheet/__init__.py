"""The sheet of an experiment: what was found, curves, table, and the pictures of a chosen line."""
