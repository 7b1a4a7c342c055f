"""Small pictures of photographs, requested when first painted, loaded in jobs, bounded in bytes."""
