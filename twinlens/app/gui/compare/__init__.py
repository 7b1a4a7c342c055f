"""One photograph searched in several indexes, side by side, with the ranks and the course of each search."""
