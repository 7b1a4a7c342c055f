"""Duplicates: what is known of them, and what was done with them."""
