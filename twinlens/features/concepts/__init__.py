"""Concepts in photographs: the classes of the network that comes along, and the words for them."""
