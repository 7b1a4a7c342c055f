"""The geometric check: known maps are found again, pictures of other things are rejected."""

from __future__ import annotations

import math
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from twinlens.core.arrays import UInt8Pixels
from twinlens.features.keypoints.geometric_check import ACCEPTED, NOTHING, Agreement, Matches, agreement, match
from twinlens.features.keypoints.keypoints import Keypoints, inverted_roots, mirrored_roots
from twinlens.features.keypoints.sift import LENGTH, local_features
from twinlens.features.pictures.picture import Picture, PictureFacts

COUNT = 300


def painted(seed: int, width: int = 480, height: int = 360) -> UInt8Pixels:
    """Paint blobs of many sizes, so that there are keypoints at every scale."""
    return _painted(seed, width, height).copy()


@cache
def _painted(seed: int, width: int, height: int) -> UInt8Pixels:
    rng = np.random.default_rng(seed)
    paper = np.zeros((height, width, 3), np.float32)
    for deviation in (2, 5, 12, 30):
        layer = cv2.GaussianBlur(rng.normal(0, 1, paper.shape).astype(np.float32), (0, 0), deviation)
        paper += layer / layer.std()
    return np.clip(128 + 35 * paper, 0, 255).astype(np.uint8)


@cache
def known(seed: int) -> Keypoints:
    """Return the keypoints of what is painted."""
    return keypoints(painted(seed))


def keypoints(rgb: npt.NDArray[np.generic], count: int = COUNT) -> Keypoints:
    return Keypoints.of(Picture(np.ascontiguousarray(rgb, np.uint8), None, PictureFacts("PNG", 1, 1)), count)


def check(query: Keypoints, candidate: Keypoints) -> Agreement:
    return agreement(query, candidate, match(query.roots @ candidate.roots.T))


def off(found: Agreement, homography: npt.NDArray[np.float64], scene: UInt8Pixels, seen: UInt8Pixels) -> float:
    """Return the largest distance, in pixels of what is seen, of where both maps bring points of the scene."""
    assert found.homography is not None
    height, width = scene.shape[:2]
    points = np.array([[(x, y) for x in (0.3, 0.5, 0.7) for y in (0.3, 0.5, 0.7)]], np.float64) * (width, height)
    true = cv2.perspectiveTransform(points, homography)
    mine = cv2.perspectiveTransform((points + 0.5) / max(scene.shape), found.homography) * max(seen.shape) - 0.5
    return float(np.linalg.norm(mine - true, axis=2).max())


def similarity(scale: float, degrees: float) -> npt.NDArray[np.float64]:
    return np.vstack((cv2.getRotationMatrix2D((240, 180), degrees, scale), (0, 0, 1)))


ASLANT = np.array([[0.9, 0.1, 5.0], [-0.05, 0.95, 20.0], [2e-4, 3e-4, 1.0]])


@pytest.mark.parametrize(
    "homography", [similarity(1, 20), similarity(0.6, -100), similarity(1.7, 180), ASLANT], ids=str
)
def test_a_known_map_is_found(homography: npt.NDArray[np.float64]) -> None:
    scene = painted(1)
    seen = np.asarray(cv2.warpPerspective(scene, homography, (480, 360)), np.uint8)
    found = check(keypoints(scene), keypoints(seen))
    assert found.accepted
    assert len(found) >= 20
    assert off(found, homography, scene, seen) < 4


@pytest.mark.parametrize("seed", range(2, 12))
def test_other_pictures_are_rejected(seed: int) -> None:
    query, candidate = known(1), known(seed)
    for asked in (query, query.mirrored(), query.inverted(), query.inverted().mirrored()):
        assert check(asked, candidate).score < ACCEPTED / 2


def test_a_part_is_found_in_the_whole_and_pasted_into_another() -> None:
    scene, host = painted(1), painted(2)
    small = cv2.resize(scene, (240, 180), interpolation=cv2.INTER_AREA)
    host[100:280, 150:390] = small
    found = check(keypoints(host), keypoints(scene))
    assert found.accepted
    x, y = found.query.T * 480
    assert ((x > 148) & (x < 392) & (y > 98) & (y < 282)).all()
    assert check(keypoints(scene[90:270, 120:360]), keypoints(scene)).accepted


@pytest.mark.parametrize(("alike", "apart", "copied"), [(57, 0, True), (25, 25, False), (100, 50, True)])
def test_a_copy_is_told_by_how_much_agrees_of_what_both_show(alike: int, apart: int, copied: bool) -> None:
    one, other = known(1), known(2)
    chosen = np.random.default_rng(0).permutation(min(len(one), len(other)))
    places, levels, sizes, angles = other.places.copy(), other.levels.copy(), other.sizes.copy(), other.angles.copy()
    both, moved = chosen[: alike + apart], chosen[alike : alike + apart]
    levels[both], sizes[both], angles[both], places[both] = (
        part[both] for part in (one.levels, one.sizes, one.angles, one.places)
    )
    places[moved] = np.random.default_rng(1).uniform((0, 0), (1, 0.75), (apart, 2))
    found = check(one, Keypoints(1, 0.75, places, sizes, angles, levels))
    assert found.agrees
    assert found.accepted == copied


def test_the_mirror_image_is_found_mirrored_only() -> None:
    scene = painted(1)
    query, candidate = keypoints(scene[:, ::-1]), keypoints(scene)
    assert not check(query, candidate).accepted
    found = check(query.mirrored(), candidate)
    assert found.accepted
    np.testing.assert_allclose(found.query, found.candidate, atol=0.02)


def test_the_negative_is_found_inverted_only() -> None:
    scene = painted(1)
    query, candidate = keypoints(255 - scene), keypoints(scene)
    assert not check(query, candidate).accepted
    found = check(query.inverted(), candidate)
    assert found.accepted
    np.testing.assert_allclose(found.query, found.candidate, atol=0.02)


def test_the_negatives_keypoints_are_known_without_it() -> None:
    scene = painted(3)
    known, seen = keypoints(scene).inverted(), keypoints(255 - scene)
    near = np.linalg.norm(known.places[:, None] - seen.places[None], axis=2) < 1e-3
    near &= np.abs((known.angles[:, None] - seen.angles[None] + 180) % 360 - 180) < 3
    assert near.any(axis=1).mean() > 0.97
    alike = (known.roots @ seen.roots.T)[near]
    assert np.median(alike) > 0.99


def test_changing_twice_changes_nothing() -> None:
    one = known(4)
    for again in (one.mirrored().mirrored(), one.inverted().inverted()):
        np.testing.assert_array_equal(again.levels, one.levels)
        np.testing.assert_allclose(again.places, one.places, atol=1e-6)
        np.testing.assert_allclose(np.cos(np.radians(again.angles - one.angles)), 1, atol=1e-6)


def test_descriptions_are_changed_as_keypoints_are() -> None:
    one = known(4)
    np.testing.assert_array_equal(mirrored_roots(one.roots), one.mirrored().roots)
    np.testing.assert_array_equal(inverted_roots(one.roots), one.inverted().roots)
    assert sorted(mirrored_roots(np.arange(LENGTH, dtype=np.float32)[None])[0]) == list(range(LENGTH))


def test_keypoints_do_not_depend_on_the_size_at_which_a_picture_is_read() -> None:
    scene = painted(5, 640, 480)
    half = cv2.resize(scene, (320, 240), interpolation=cv2.INTER_AREA)
    found = check(keypoints(scene), keypoints(half))
    np.testing.assert_allclose(found.query, found.candidate, atol=0.01)
    assert (keypoints(half).width, keypoints(half).height) == (1.0, 0.75)


def test_the_answer_is_the_same_each_time() -> None:
    scene = painted(1)
    seen = np.asarray(cv2.warpPerspective(scene, ASLANT, (480, 360)), np.uint8)
    cv2.setRNGSeed(1)
    one = check(keypoints(scene), keypoints(seen))
    cv2.setRNGSeed(2)
    other = check(keypoints(scene), keypoints(seen))
    assert one.score == other.score
    assert one.homography is not None
    np.testing.assert_array_equal(one.homography, other.homography)
    np.testing.assert_array_equal(one.query, other.query)


def test_blank_pictures_have_nothing_in_common() -> None:
    blank, full = keypoints(np.full((100, 80, 3), 128)), known(1)
    assert len(blank) == 0
    for query, candidate in ((blank, full), (full, blank), (blank, blank)):
        assert check(query, candidate) is NOTHING


def test_keypoints_at_one_place_agree_on_nothing() -> None:
    one = known(1)
    same = Keypoints(1, 0.75, np.full_like(one.places, 0.4), one.sizes, one.angles, one.levels)
    assert not check(same, same).accepted
    assert not check(one, same).accepted


def test_what_is_on_a_line_makes_no_map() -> None:
    one = known(1)
    places = np.column_stack((one.places[:, 0], np.full(len(one), 0.3, np.float32)))
    line = Keypoints(1, 0.75, places, one.sizes, one.angles, one.levels)
    assert check(line, line) is NOTHING


def test_more_that_agrees_scores_higher() -> None:
    scene = painted(1)
    whole, part = keypoints(scene), keypoints(scene[:150, :200])
    assert check(whole, whole).score > check(part, whole).score >= ACCEPTED


def test_matches_are_mutual_and_clear() -> None:
    alike = np.array([[0.95, 0.6, 0.6], [0.9, 0.6, 0.6], [0.5, 0.88, 0.87], [0.6, 0.61, 0.99]], np.float32)
    found = match(alike)
    assert (found.query.tolist(), found.candidate.tolist()) == ([3, 0], [2, 0])
    assert len(match(np.zeros((0, 5), np.float32))) == 0
    assert len(match(np.zeros((5, 0), np.float32))) == 0


def test_places_are_those_of_the_local_features() -> None:
    picture = Picture(painted(1), None, PictureFacts("PNG", 1, 1))
    one, found = Keypoints.of(picture, 50), local_features(picture, 50)
    np.testing.assert_allclose(one.places * 480 - 0.5, found.places, atol=1e-3)
    np.testing.assert_allclose(one.roots, found.roots, atol=2**-10 + 1e-6)


ANY = st.one_of(st.sampled_from((math.nan, math.inf, -math.inf, 2.0**100, -(2.0**100), 0.0, -0.5)), st.floats(width=32))
SHARES = st.one_of(st.sampled_from((0.0, 0.25, 0.5, 1.0)), st.floats(0, 1, width=32))


@st.composite
def degenerate(draw: st.DrawFn) -> Keypoints:
    """Draw keypoints of no picture: at one place, on a line, far off, nowhere."""
    count, elements = draw(st.integers(0, 12)), draw(st.sampled_from((ANY, SHARES)))
    places = draw(arrays(np.float32, (count, 2), elements=elements))
    how = draw(st.sampled_from(("as they are", "one place", "a line")))
    if how != "as they are" and count:
        with np.errstate(invalid="ignore"):
            places = places[:1] * np.linspace(0 if how == "a line" else 1, 1, count, dtype=np.float32)[:, None]
    rest = arrays(np.float32, count, elements=elements)
    sizes, angles = (draw(st.one_of(st.just(np.full(count, 0.1, np.float32)), rest)) for _ in range(2))
    return Keypoints(1, 0.75, places, sizes, angles, np.zeros((count, LENGTH), np.uint8))


@given(degenerate(), degenerate(), st.booleans())
@settings(max_examples=200)
def test_keypoints_of_no_picture_give_nothing_or_a_finite_map(one: Keypoints, other: Keypoints, same: bool) -> None:
    candidate = one if same else other
    rows = np.arange(min(len(one), len(candidate)))
    found = agreement(one, candidate, Matches(rows, rows, np.zeros(len(rows), np.float32)))
    assert np.isfinite(found.score)
    assert found.homography is None or np.isfinite(found.homography).all()
