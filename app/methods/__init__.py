"""The catalogue of everything that can be chosen: descriptors, kernels, hash methods, metrics, search structures."""
