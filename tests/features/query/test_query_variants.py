"""Mirrored and negative pictures know their local features from those of the picture."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from tests.features.keypoints.test_geometric_check import painted
from twinlens.features.colour.colour_histogram import HsvHistogram
from twinlens.features.keypoints.sift import local_features
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.features.query.query_variants import FEWEST, inverted, mirrored, query_parts, query_variants
from twinlens.features.vocabulary.vlad import Vlad


def picture(mask: bool = False) -> Picture:
    rgb = painted(6)
    visible = np.zeros(rgb.shape[:2], np.bool_)
    visible[:, 40:] = True
    return Picture(rgb, visible if mask else None, PictureFacts("PNG", 480, 360))


def test_sift_runs_once_for_all_four(monkeypatch: pytest.MonkeyPatch) -> None:
    one = picture()
    local_features(one, 300)
    monkeypatch.setattr("twinlens.features.keypoints.sift._find", None)
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


def test_five_parts_whose_features_are_those_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Picture(painted(1), None, PictureFacts("PNG", 480, 360))
    found = local_features(whole, 300)
    monkeypatch.setattr("twinlens.features.keypoints.sift._find", None)
    cut = query_parts(whole, 300)
    assert len(cut) == 5
    for part, (left, top) in zip(cut, [(0, 0), (240, 0), (120, 90), (0, 180), (240, 180)], strict=True):
        assert part.rgb.shape == (180, 240, 3)
        mine = local_features(part, 300)
        assert FEWEST <= len(mine) < 300
        assert ((mine.places > -1) & (mine.places < (240, 180))).all()
        far = np.linalg.norm((mine.places + np.array((left, top), np.float32))[:, None] - found.places[None], axis=2)
        assert far.min(axis=1).max() < 1e-4


def test_a_part_is_like_what_is_pasted_and_the_whole_like_what_is_around() -> None:
    vlad = Vlad().fit(lambda: ())
    scene, host = painted(1), painted(2)
    sought, around = (vlad.extract(Picture(rgb, None, PictureFacts("PNG", 480, 360))) for rgb in (scene, host.copy()))
    host[10:190, 5:245] = cv2.resize(scene, (240, 180), interpolation=cv2.INTER_AREA)
    asked = Picture(host, None, PictureFacts("PNG", 480, 360))
    whole, first = vlad.extract(asked), vlad.extract(query_parts(asked, 300)[0])
    assert float(whole @ sought) < float(whole @ around)
    assert float(first @ sought) > float(first @ around) + 0.1


def test_a_blank_picture_has_no_parts() -> None:
    assert query_parts(Picture(np.full((90, 90, 3), 7, np.uint8), None, PictureFacts("PNG", 90, 90)), 300) == ()
