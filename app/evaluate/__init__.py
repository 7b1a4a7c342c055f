"""How well indexes find photographs again from edited copies."""
