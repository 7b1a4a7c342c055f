"""The map: a library laid out in two dimensions."""
