"""Decoders: what Pillow lacks or does too slowly, each for one format, in the manner of Pillow's classes."""
