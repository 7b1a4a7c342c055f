"""The command line: parses, calls the use cases, and prints what they give."""
