"""One photograph asked of several indexes, side by side: columns, the paths between them, and how each search went."""
