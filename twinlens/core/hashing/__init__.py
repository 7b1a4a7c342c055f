"""Foundations of hash methods: their interface, encoders, packed codes, estimates, and metrics before a method."""
