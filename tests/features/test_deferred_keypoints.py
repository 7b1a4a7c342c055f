"""What is described of a reduced picture is what is described of the picture, bit by bit."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from twinlens import features
from twinlens.core.declaration.declaration import read_declaration
from twinlens.features.deferred_keypoints import reduce, restored
from twinlens.features.descriptor import Extractor
from twinlens.features.keypoints.keypoints import keypoint_bytes
from twinlens.features.keypoints.sift import NO_LOCAL_FEATURES, Cap, keep_local_features
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.testing.descriptors import picture

SMALL = "compact-vlad:dimensions=32,keypoints=200,side=256"
TEXTS = (
    SMALL,
    "vlad:side=300",
    "sift-words:spread=0.5",
    "pyramid-match",
    "fusion:first=compact-vlad(keypoints=200,side=256),third=edges,fourth=pixels",
)


@cache
def extractor(text: str) -> Extractor:
    return read_declaration(features.DESCRIPTORS, text).fit(lambda: ())


def caps(*texts: str) -> list[Cap]:
    return [cap for text in texts for cap in read_declaration(features.DESCRIPTORS, text).caps]


def fresh() -> Picture:
    """Return a picture of which nothing was computed yet."""
    return Picture(picture().rgb, None, PictureFacts("PNG", 1, 1))


@pytest.mark.parametrize("text", TEXTS)
def test_equal_to_the_last_bit(text: str) -> None:
    one = extractor(text)
    reduced = restored(reduce(fresh(), caps(text), [one]), caps(text), [one])
    assert one.extract(reduced).tobytes() == one.extract(fresh()).tobytes()
    assert one.extract(reduced).any()


def test_keypoints_are_those_of_the_picture() -> None:
    (cap,) = caps(SMALL)
    assert keypoint_bytes(restored(reduce(fresh(), [cap], []), [cap], []), cap) == keypoint_bytes(fresh(), cap)


def test_what_was_described_without_local_features_before_makes_no_difference() -> None:
    text = TEXTS[-1]
    one, shown = extractor(text), fresh()
    for cap in caps(text):
        keep_local_features(shown, cap, NO_LOCAL_FEATURES)
    first = one.extract(shown)
    reduced = restored(reduce(shown, caps(text), [one]), caps(text), [one])
    whole = one.extract(fresh())
    assert one.extract(reduced).tobytes() == whole.tobytes()
    assert not first[:256].any()
    assert whole[:256].any()
    assert np.linalg.norm(first) == pytest.approx(1, abs=1e-6)


def test_one_made_for_something_else_is_refused() -> None:
    text = TEXTS[-1]
    data = reduce(fresh(), caps(SMALL), [])
    for wanted, by in (([Cap(300, side=300)], []), (caps(text), [extractor(text)])):
        with pytest.raises(ValueError, match="made without"):
            restored(data, wanted, by)


def test_a_damaged_one_is_refused() -> None:
    data = reduce(fresh(), caps(SMALL), [])
    for damaged in (b"", data[:100], data[:-1], data[:50] + b"x" + data[51:], b"x" * len(data)):
        with pytest.raises(ValueError, match="damaged"):
            restored(damaged, caps(SMALL), [])
