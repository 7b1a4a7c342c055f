"""Local features: the cap, the mask, small pictures, RootSIFT."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from twinlens.features.keypoints.sift import (
    CELLS,
    LENGTH,
    SIDE,
    STEP,
    Cap,
    keep_local_features,
    local_features,
    root_sift,
    spread_out,
)
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.testing.descriptors import picture

FACTS = PictureFacts("PNG", 1, 1)


def of(rgb: npt.NDArray[np.uint8], mask: npt.NDArray[np.bool_] | None = None) -> Picture:
    return Picture(rgb, mask, FACTS)


def noise(side: int = 400, seed: int = 0) -> npt.NDArray[np.uint8]:
    """Make a picture full of keypoints."""
    rng = np.random.default_rng(seed)
    blurred = cv2.GaussianBlur(rng.uniform(0, 255, (side, side, 3)).astype(np.float32), (0, 0), 2)
    return cv2.normalize(blurred, None, 0, 255, cv2.NORM_MINMAX).astype(np.uint8)  # type: ignore[call-overload,no-any-return]


def test_several_descriptors_share_one_run() -> None:
    one = picture()
    assert local_features(one, 500) is local_features(one, 500)
    assert local_features(one, 500) is not local_features(one, 40)


@pytest.mark.parametrize("cap", [16, 77, 500])
def test_the_cap_holds_exactly(cap: int) -> None:
    assert len(local_features(of(noise()), cap)) == cap


def faint(rgb: npt.NDArray[np.uint8], factor: float = 0.1) -> npt.NDArray[np.uint8]:
    """Take nearly all contrast away."""
    return np.rint(128 + factor * (rgb.astype(np.float64) - 128)).astype(np.uint8)


def test_smooth_pictures_have_faint_keypoints_and_not_many() -> None:
    usual = cv2.SIFT.create(contrastThreshold=0.02).detect(cv2.cvtColor(faint(noise()), cv2.COLOR_RGB2GRAY), None)
    assert len(usual) < 20
    assert len(local_features(of(faint(noise())), 500)) == 100
    assert len(local_features(of(faint(noise())), 40)) == 40
    assert len(local_features(of(np.full((300, 300, 3), 90, np.uint8)), 500)) == 0


def test_faint_keypoints_do_not_count_where_enough_are_clear() -> None:
    half = np.concatenate((noise(), faint(noise(seed=1))), axis=1)
    found = local_features(of(half), 3000)
    assert 100 < len(found) < 3000
    assert (found.places[:, 0] < 410).all()


def test_places_sizes_and_angles_are_of_the_picture() -> None:
    one = picture(0, 640, 400)
    found = local_features(one, 1000)
    assert found.places.shape == (len(found), 2)
    assert found.roots.shape == (len(found), LENGTH)
    assert (found.places >= 0).all()
    assert (found.places <= (640, 400)).all()
    assert (found.sizes > 0).all()
    assert ((found.angles >= 0) & (found.angles <= 360)).all()


def test_small_pictures_are_enlarged_and_their_places_are_their_own() -> None:
    large = noise(SIDE)
    small = cv2.resize(large, (80, 80), interpolation=cv2.INTER_AREA).astype(np.uint8)
    found = local_features(of(small), 1000)
    alone = cv2.SIFT.create().detect(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), None)
    assert len(found) > len(alone)
    assert found.places.max() < 80


def test_a_dot_is_found_where_it_is() -> None:
    for side in (100, 600):
        rgb = np.zeros((side, side, 3), np.uint8)
        cv2.circle(rgb, (side // 4, side // 2), side // 20, (255, 255, 255), -1)
        rgb = np.asarray(cv2.GaussianBlur(rgb, (0, 0), side / 30), np.uint8)
        places = local_features(of(rgb), 100).places
        assert np.hypot(*(places - (side / 4, side / 2)).T).min() < side / 50


def test_nothing_is_found_in_the_outline_against_what_is_transparent() -> None:
    rgb = np.full((300, 300, 3), 128, np.uint8)
    mask = np.zeros((300, 300), np.bool_)
    mask[80:220, 80:220] = True
    rgb[mask] = 255
    assert len(local_features(of(rgb), 100)) > 0
    assert len(local_features(of(rgb, mask), 100)) == 0
    rgb[mask] = noise(140).reshape(-1, 3)
    found = local_features(of(rgb, mask), 50)
    assert len(found) == 50
    assert ((found.places > 80) & (found.places < 220)).all()


def test_a_mask_that_hides_nothing_near_changes_nothing() -> None:
    rgb = noise()
    mask = np.ones((400, 400), np.bool_)
    rgb[:60] = 128
    mask[:5] = False
    with_mask, without = (local_features(of(rgb, hidden), 300) for hidden in (mask, None))
    np.testing.assert_array_equal(with_mask.roots, without.roots)
    np.testing.assert_array_equal(with_mask.places, without.places)


def test_a_fully_transparent_picture_has_none() -> None:
    assert len(local_features(of(noise(), np.zeros((400, 400), np.bool_)), 100)) == 0


@settings(max_examples=20)  # of 384 numbers each
@given(npst.arrays(np.float32, (3, LENGTH), elements=st.integers(0, 255).map(float)))
def test_root_sift_is_the_root_of_each_share(sift: npt.NDArray[np.float32]) -> None:
    roots = root_sift(sift)
    totals = sift.sum(axis=1, keepdims=True, dtype=np.float64)
    expected = np.sqrt(np.divide(sift, totals, out=np.zeros(sift.shape), where=totals > 0))
    np.testing.assert_allclose(roots, expected, atol=STEP / 2 + 1e-6)
    np.testing.assert_array_equal(roots, np.rint(roots / STEP) * STEP)
    assert roots.dtype == np.float32


def test_products_of_local_features_are_exact() -> None:
    roots = local_features(of(noise()), 500).roots
    exact = roots.astype(np.float64) @ roots.astype(np.float64).T
    np.testing.assert_array_equal(roots @ roots.T, exact)
    # Half precision, in which samples are kept, holds them too.
    np.testing.assert_array_equal(roots.astype(np.float16).astype(np.float32), roots)


SIZE = (360, 240)
PLACES = npst.arrays(
    np.float32,
    st.tuples(st.integers(0, 120), st.just(2)),
    elements=st.integers(0, 359).map(float),
).map(lambda drawn: drawn * np.array([1, 2 / 3], np.float32))


def cells(places: npt.NDArray[np.float32]) -> list[tuple[int, int]]:
    """Say in which cell each place lies."""
    return [(int(x * CELLS / SIZE[0]), int(y * CELLS / SIZE[1])) for x, y in places.tolist()]


@given(PLACES, st.integers(1, 150), st.floats(0, 1))
def test_spreading_never_gives_more_than_the_cap_and_never_less_than_there_are(
    places: npt.NDArray[np.float32], keypoints: int, spread: float
) -> None:
    chosen = spread_out(places, SIZE, Cap(keypoints, spread))
    assert len(chosen) == min(len(places), keypoints)
    assert (np.diff(chosen) > 0).all()  # none twice, and the strongest first
    np.testing.assert_array_equal(spread_out(places, SIZE, Cap(keypoints, spread)), chosen)


@given(PLACES, st.integers(1, 150), st.floats(0, 1))
def test_of_each_cell_the_strongest_are_kept(places: npt.NDArray[np.float32], keypoints: int, spread: float) -> None:
    chosen = set(spread_out(places, SIZE, Cap(keypoints, spread)).tolist())
    among = cells(places)
    turns = [among[:row].count(among[row]) for row in range(len(among))]
    given_by_turns = sorted(range(len(among)), key=lambda row: (turns[row], row))[: round(spread * keypoints)]
    rest = [row for row in range(len(among)) if row not in given_by_turns]
    expected = {*given_by_turns, *rest[: keypoints - round(spread * keypoints)]}
    if len(places) > keypoints:
        assert chosen == expected
    # What is left out of a cell is weaker than all that is kept of it.
    for cell in set(among):
        mine = [row for row in range(len(among)) if among[row] == cell]
        kept = [row in chosen for row in mine]
        assert kept == sorted(kept, reverse=True)


@given(PLACES, st.integers(1, 150))
def test_without_spread_the_strongest_are_kept(places: npt.NDArray[np.float32], keypoints: int) -> None:
    np.testing.assert_array_equal(spread_out(places, SIZE, Cap(keypoints)), np.arange(len(places))[:keypoints])


def test_a_quiet_half_has_its_share_where_keypoints_are_spread() -> None:
    rgb = noise()
    rgb[:, 200:] = 128 + (rgb[:, 200:].astype(np.int16) - 128) // 4
    shares = []
    for spread in (0.0, 0.5, 1.0):
        found = local_features(of(rgb), Cap(100, spread))
        assert len(found) == 100
        shares.append(float((found.places[:, 0] >= 200).mean()))
    assert shares[0] < 0.1
    assert shares[0] < shares[1] < shares[2]
    assert shares[2] > 0.3


def test_caps_of_other_spread_share_nothing_and_a_number_is_a_cap() -> None:
    one = picture()
    assert local_features(one, Cap(40)) is local_features(one, 40)
    spread = local_features(one, Cap(40, 1.0))
    assert spread is not local_features(one, 40)
    assert spread is local_features(one, Cap(40, 1.0))
    other = picture()
    keep_local_features(other, Cap(40, 1.0), spread)
    assert local_features(other, Cap(40, 1.0)) is spread
    assert local_features(other, 40) is not spread
