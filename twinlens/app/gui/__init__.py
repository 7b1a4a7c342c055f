"""The window: the only part of the program that imports Qt. It calls the use cases, as the command line does."""
