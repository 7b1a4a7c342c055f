"""The question of a search and its answer's truth: widgets that are given plain data and speak by signals."""
