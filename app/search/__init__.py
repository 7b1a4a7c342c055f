"""Search: from a question to ranked and checked results."""
