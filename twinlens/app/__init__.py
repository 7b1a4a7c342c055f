"""The program: its use cases, the command line and the window."""
