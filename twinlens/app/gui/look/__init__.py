"""The appearance of the window: theme, style sheet, and the small parts that all views share."""
