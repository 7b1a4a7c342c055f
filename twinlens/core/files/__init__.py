"""Files at the border: reading what comes from outside, and writing what is private."""
