"""The panel at the left of the grids: the tree of folders, the filters, and the facts of the current photograph."""
