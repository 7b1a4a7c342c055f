"""The catalogue of declarations: descriptors, metrics, hash methods, search structures and kernels."""
