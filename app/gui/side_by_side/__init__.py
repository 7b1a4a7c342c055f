"""Two to four photographs side by side, in full resolution, at the same place."""
