"""Marks in the window: their signs, their words, and where they are told of."""
