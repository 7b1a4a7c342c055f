"""What holds for every picture that is read: used by the tests of reading and its parts."""

from __future__ import annotations

import numpy as np
from PIL import Image

from twinlens.features.pictures.picture import WORKING_SIDE, Picture
from twinlens.features.reading.reading import read
from twinlens.features.reading.reading_limits import Limits, UnreadableError


def check(picture: Picture) -> None:
    """Check what holds for every picture."""
    height, width = picture.rgb.shape[:2]
    facts = picture.facts
    assert picture.rgb.dtype == np.uint8
    assert picture.rgb.shape == (height, width, 3)
    assert picture.rgb.flags.c_contiguous
    assert not picture.rgb.flags.writeable
    assert max(height, width) <= min(WORKING_SIDE, max(facts.width, facts.height))
    assert (width >= height) == (facts.width >= facts.height)
    assert 1 <= facts.orientation <= 8
    if picture.mask is not None:
        assert picture.mask.dtype == np.bool_
        assert picture.mask.shape == (height, width)
        assert not picture.mask.all()


def check_outcome(data: bytes, limits: Limits | None = None) -> None:
    """Check that bytes end as a sound picture or as a reason: nothing else is raised."""
    try:
        picture: Picture | None = read(data, limits=limits or Limits())
    except UnreadableError:
        picture = None
    if picture is not None:
        check(picture)


def distance(one: Picture | Image.Image, other: Picture | Image.Image) -> float:
    """Return the mean difference of two pictures' channels."""
    a, b = (np.asarray(x.rgb if isinstance(x, Picture) else x.convert("RGB"), np.float64) for x in (one, other))
    assert a.shape == b.shape
    return float(np.abs(a - b).mean())
