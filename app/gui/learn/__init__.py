"""The Learn view: marks, the metrics learned from them, and the ranking before and after."""
