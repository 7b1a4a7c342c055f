"""How long the Learn view waits."""
