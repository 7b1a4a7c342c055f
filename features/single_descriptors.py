"""The descriptors that are no fusion of others."""

from __future__ import annotations

from core.declaration.family import Family
from features.descriptor import Descriptor

SINGLE_DESCRIPTORS: Family[Descriptor] = Family(
    "descriptor",
    Descriptor,
    {
        "colour": "features.colour.colour_histogram:HsvHistogram",
        "lab": "features.colour.colour_histogram:LabHistogram",
        "colour-moments": "features.colour.colour_moments:ColourMoments",
        "colour-layout": "features.colour.colour_layout:ColourLayout",
        "edges": "features.brightness.edge_histogram:Edges",
        "hog": "features.brightness.hog:Hog",
        "gist": "features.brightness.gist:Gist",
        "pixels": "features.brightness.pixels:Pixels",
        "vlad": "features.vocabulary.vlad:Vlad",
        "compact-vlad": "features.vocabulary.vlad:CompactVlad",
        "sift-words": "features.vocabulary.sift_words:SiftWords",
        "pyramid-match": "features.vocabulary.pyramid_match:PyramidMatch",
        "network": "features.network.network:Network",
    },
    reserved=("fusion",),
)
"""Every descriptor that can be part of a fusion."""
