"""The command line: it parses arguments, calls the use cases, and prints their results."""
