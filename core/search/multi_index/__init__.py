"""Multi-index hashing, compiled and plain."""
