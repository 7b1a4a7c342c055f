"""What is computed: declarations, kernels, hash methods, searching codes. No pictures, no files, no SQL, no Qt."""
