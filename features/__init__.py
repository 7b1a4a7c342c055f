"""Pictures to vectors: safe reading, descriptors, vocabularies."""

from __future__ import annotations

from core.declaration.family import Family
from features.descriptor import SINGLE_DESCRIPTORS, Descriptor

DESCRIPTORS: Family[Descriptor] = Family(
    "descriptor", Descriptor, {**SINGLE_DESCRIPTORS.own, "fusion": "features.fusion:Fusion"}
)
"""Every descriptor that can be chosen."""
