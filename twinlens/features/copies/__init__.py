"""Whether two pictures are one: the same picture, an edited version of it, or another one that is merely similar."""
