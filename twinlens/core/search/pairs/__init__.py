"""All pairs of codes within a distance, compiled and plain."""
