"""How good a ranking is: truth, measures, and what is compared with what."""
