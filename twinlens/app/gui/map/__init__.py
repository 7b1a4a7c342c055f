"""The Map: the library in two dimensions."""
