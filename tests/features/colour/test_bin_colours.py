"""The colour in the middle of a bin is counted in that bin."""

from __future__ import annotations

import numpy as np
import pytest

from features.colour.colour_histogram import HsvHistogram, bin_colours
from features.pictures.picture import Picture, PictureFacts


@pytest.mark.parametrize(
    "declared", [HsvHistogram(levels=1), HsvHistogram(hue=6, saturation=2, value=2, greys=5, levels=1)]
)
def test_a_picture_in_the_colour_of_a_bin_is_counted_there(declared: HsvHistogram) -> None:
    colours = bin_colours(declared)
    assert colours.shape == (declared.dimensions, 3)
    assert len(np.unique(colours, axis=0)) == len(colours)
    extractor = declared.fit(list)
    hued = declared.dimensions - declared.greys
    for place, colour in enumerate(colours):
        flat = Picture(np.broadcast_to(colour, (4, 4, 3)), None, PictureFacts("PNG", 4, 4))
        shares = extractor.extract(flat)
        family = shares[:hued] if place < hued else shares[hued:]  # what is dark and pale is half counted as grey
        assert family.argmax() == place % hued or (colour.max() < 64 and shares[place] > 0.2)
