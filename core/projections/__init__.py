"""What vectors are projected on: principal components, of kernels too, and rotations that are learned."""
