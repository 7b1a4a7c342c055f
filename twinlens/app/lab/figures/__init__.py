"""Figures as plain data, and their drawing for files."""
