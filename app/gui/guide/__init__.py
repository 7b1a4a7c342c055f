"""Guide window: the pages that explain the program, and every key, searched together."""
