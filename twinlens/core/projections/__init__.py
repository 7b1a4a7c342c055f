"""Projections: principal components, also of kernels, and learned rotations."""
