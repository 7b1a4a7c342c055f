"""``twinlens duplicates`` and the commands in it."""
