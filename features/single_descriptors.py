"""The descriptors that are no fusion of others."""

from __future__ import annotations

from core.declaration.family import Family
from features.brightness.edge_histogram import Edges
from features.brightness.gist import Gist
from features.brightness.hog import Hog
from features.brightness.pixels import Pixels
from features.colour.colour_layout import ColourLayout
from features.colour.colour_moments import ColourMoments
from features.colour.hsv_histogram import Colour
from features.colour.lab_histogram import Lab
from features.descriptor import Descriptor
from features.network.network import Network
from features.vocabulary.compact_vlad import CompactVlad
from features.vocabulary.pyramid_match import PyramidMatch
from features.vocabulary.sift_words import SiftWords
from features.vocabulary.vlad import Vlad

SINGLE_DESCRIPTORS: Family[Descriptor] = Family(
    "descriptor",
    Descriptor,
    (
        Colour,
        Lab,
        ColourMoments,
        ColourLayout,
        Edges,
        Hog,
        Gist,
        Pixels,
        Vlad,
        CompactVlad,
        SiftWords,
        PyramidMatch,
        Network,
    ),
    reserved=("fusion",),
)
