"""The papers' theory evaluated on vectors, beside measurements, as plain numbers."""
