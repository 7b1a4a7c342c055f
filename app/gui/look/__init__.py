"""Appearance of the window: theme, style sheet, and small parts that all views share."""
