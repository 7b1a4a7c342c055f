"""The guide window: pages that explain the program, and all keys, in one search."""
