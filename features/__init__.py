"""Pictures to vectors: safe reading, descriptors, vocabularies."""
