"""Pictures to vectors: safe reading, descriptors, vocabularies."""

from __future__ import annotations

from features.colour import Colour
from features.compact_vlad import CompactVlad
from features.descriptor import Descriptor
from features.edges import Edges
from features.vlad import Vlad

DESCRIPTORS: tuple[type[Descriptor], ...] = (Colour, Edges, Vlad, CompactVlad)
"""Every descriptor that can be chosen."""
