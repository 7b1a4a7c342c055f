"""How the window looks: theme, style sheet, and small parts that all views share."""
