"""Descriptors of brightness: edges, gradients, textures, pixels."""
