"""Mirrored and negative pictures know their local features from those of the picture."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from features.colour.colour_histogram import HsvHistogram
from features.keypoints.sift import local_features
from features.pictures.picture import Picture, PictureFacts
from features.query.query_variants import inverted, mirrored, query_variants
from features.vocabulary.vlad import Vlad
from tests.features.keypoints.test_geometric_agreement import painted


def picture(mask: bool = False) -> Picture:
    rgb = painted(6)
    visible = np.zeros(rgb.shape[:2], np.bool_)
    visible[:, 40:] = True
    return Picture(rgb, visible if mask else None, PictureFacts("PNG", 480, 360))


def test_sift_runs_once_for_all_four(monkeypatch: pytest.MonkeyPatch) -> None:
    one = picture()
    local_features(one, 300)
    monkeypatch.setattr("features.keypoints.sift._find", None)
    assert [len(local_features(variant, 300)) for variant in query_variants(one, [300])] == [300] * 4


@pytest.mark.parametrize("change", [mirrored, inverted])
def test_what_is_known_is_nearly_what_would_be_found(change: Callable[..., Picture]) -> None:
    vlad = Vlad(keypoints=300).fit(lambda: ())
    one = picture()
    known, found = vlad.extract(change(one, [300])), vlad.extract(change(one))
    # SIFT's first step doubles the picture to one side: it finds a few others in the mirror image.
    assert float(known @ found) > 0.7
    assert float(vlad.extract(one) @ found) < 0.4


@pytest.mark.parametrize("change", [mirrored, inverted])
def test_twice_is_the_picture(change: Callable[[Picture], Picture]) -> None:
    one = picture(mask=True)
    twice = change(change(one))
    np.testing.assert_array_equal(twice.rgb, one.rgb)
    np.testing.assert_array_equal(twice.mask, one.mask)


def test_other_descriptors_see_the_pixels() -> None:
    colour = HsvHistogram().fit(lambda: ())
    one = picture()
    plain, other, negative, _ = (colour.extract(variant) for variant in query_variants(one, []))
    assert plain.shape == other.shape
    assert not np.array_equal(plain, negative)
