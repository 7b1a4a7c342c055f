"""The program: use cases, command line, window."""
