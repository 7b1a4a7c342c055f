"""Hash methods measured on any vectors, without a library."""
