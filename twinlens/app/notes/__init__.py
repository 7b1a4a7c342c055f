"""Notes on photographs: what files, sidecars and their owner say, field by field the one that counts."""
