"""One question asked of several indexes, side by side."""
