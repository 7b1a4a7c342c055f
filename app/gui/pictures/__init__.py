"""Small pictures of photographs: asked for when they are first drawn, loaded in jobs, bounded in bytes."""
