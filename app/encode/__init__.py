"""Codes of any vectors, with the encoder that made them."""
