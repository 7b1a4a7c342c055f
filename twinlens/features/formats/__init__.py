"""Formats of pictures: which one a file is, and what its header, tags and boxes say."""
