"""The Hamming scan of packed codes, compiled and plain, in memory and on disk."""
