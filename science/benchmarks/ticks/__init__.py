"""How long the window keeps a person waiting while it works."""
