"""Looking for good parameters of hash methods on somebody's own vectors, within a budget."""
