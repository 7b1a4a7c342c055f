"""Pictures to vectors: safe reading, descriptors, vocabularies."""

from __future__ import annotations

from features.descriptor import Descriptor
from features.fusion import Fusion
from features.single_descriptors import SINGLE_DESCRIPTORS

DESCRIPTORS: tuple[type[Descriptor], ...] = (*SINGLE_DESCRIPTORS, Fusion)
"""Every descriptor that can be chosen."""
