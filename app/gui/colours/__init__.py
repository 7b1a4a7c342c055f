"""Colours to ask with: a palette and a sketch, and what they are chosen from."""
