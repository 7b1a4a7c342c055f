"""Figures drawn in the window, which mouse and keys work on."""
