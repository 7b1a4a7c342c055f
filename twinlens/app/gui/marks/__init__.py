"""Marks in the window: the signs and words of a verdict, and the controls that mark a result."""
