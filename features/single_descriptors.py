"""The descriptors that are no fusion of others."""

from __future__ import annotations

from features.colour import Colour
from features.colour_layout import ColourLayout
from features.colour_moments import ColourMoments
from features.compact_vlad import CompactVlad
from features.descriptor import Descriptor
from features.edges import Edges
from features.gist import Gist
from features.hog import Hog
from features.lab import Lab
from features.network import Network
from features.pixels import Pixels
from features.pyramid_match import PyramidMatch
from features.sift_words import SiftWords
from features.vlad import Vlad

SINGLE_DESCRIPTORS: tuple[type[Descriptor], ...] = (
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
)
