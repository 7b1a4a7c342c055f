"""Formats of pictures: which one a file is, its header and tags, and the decoders that Pillow lacks."""
