"""Pictures to vectors: safe reading, descriptors, vocabularies."""

from __future__ import annotations

from twinlens.core.declaration.family import Family
from twinlens.features.descriptor import SINGLE_DESCRIPTORS, Descriptor

DESCRIPTORS: Family[Descriptor] = Family(
    "descriptor",
    Descriptor,
    {**SINGLE_DESCRIPTORS.own, "fusion": "twinlens.features.fusion:Fusion"},
    reserved=("concepts",),
)
"""Every descriptor that can be chosen."""

KEPT_DESCRIPTORS: Family[Descriptor] = Family(
    "descriptor", Descriptor, {**DESCRIPTORS.own, "concepts": "twinlens.features.concepts.concepts:Concepts"}
)
"""Every descriptor that a library keeps: those that can be chosen, and the concepts, by which words search."""
