"""Distances of pictures are the same by every space, and of two pictures either finds the other."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twinlens.app.duplicates.comparing import picture_space
from twinlens.app.duplicates.comparing.picture_space import (
    Distances,
    PictureRows,
    PictureSpace,
    _Codes,
    _Images,
    _Measured,
    near,
    within_reach,
)
from twinlens.core.arrays import UInt64Words
from twinlens.core.exact_search.measure import Measure
from twinlens.core.exact_search.measure_images import Images
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.vectors import Vectors


@dataclass
class Structure:
    """Codes in memory."""

    planes: UInt64Words

    def codes(self, rows: PictureRows) -> UInt64Words:
        return self.planes[:, rows]


@dataclass
class Index:
    """What of an index tells how far codes lie apart."""

    @dataclass
    class Row:
        id: int = 1
        model_id: int = 1

    ids: PictureRows
    structure: Structure
    row: Row


def of_codes(vectors: Vectors) -> PictureSpace:
    signs = np.packbits(vectors > 0, axis=1, bitorder="little")
    planes = np.ascontiguousarray(np.pad(signs, ((0, 0), (0, 8 - signs.shape[1]))).view("<u8").T)
    ids = np.arange(len(vectors)) * 3 + 1
    return _Codes(Index(ids, Structure(planes), Index.Row()), ids)  # type: ignore[arg-type]


def of_images(vectors: Vectors) -> PictureSpace:
    images = Images.of(Measure(Linear()), vectors)
    assert images is not None
    return _Images("images", np.arange(len(vectors)), images)


def of_measure(vectors: Vectors) -> PictureSpace:
    measure: Measure | FittedMetric = Measure(Linear())
    return _Measured("measured", np.arange(len(vectors)), measure, vectors)


SPACES = (of_codes, of_images, of_measure)


def at_once(space: PictureSpace, count: int) -> set[tuple[int, int]]:
    return {(a, b) for _, pairs, _ in near(space, space.telling, count) for a, b in pairs.tolist()}


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SPACES), st.integers(2, 40), st.integers(1, 6), st.integers(0, 1000), st.data())
def test_what_comes_later_is_found_too(make, n: int, count: int, seed: int, data: st.DataObject) -> None:  # type: ignore[no-untyped-def]
    vectors = np.random.default_rng(seed).normal(0, 1, (n, 24)).astype(np.float32)
    space = make(vectors)
    cuts = sorted({0, n, *data.draw(st.lists(st.integers(1, n), max_size=4))})
    reach: Distances = np.full(n, np.nan)
    found: set[tuple[int, int]] = set()
    for start, stop in itertools.pairwise(cuts):
        present = make(vectors[:stop])
        old, fresh = np.arange(start), np.arange(start, stop)
        found |= {(a, b) for a, b in within_reach(present, fresh, old, reach[:start], count).tolist()}
        for some, pairs, far in near(present, fresh, count):
            reach[some] = far
            found |= {(a, b) for a, b in pairs.tolist()}
    assert at_once(space, count) <= found


@pytest.mark.parametrize("make", SPACES)
def test_the_nearest_are_nearest(make) -> None:  # type: ignore[no-untyped-def]
    vectors = np.random.default_rng(0).normal(0, 1, (30, 24)).astype(np.float32)
    made = make(vectors)
    every, far = made.nearest(made.telling, made.telling, 30)
    table = np.empty((30, 30))
    np.put_along_axis(table, every, far, axis=1)
    assert np.allclose(table, table.T, atol=1e-4)
    assert np.allclose(made.distances(made.telling[:7], made.telling), table[:7], atol=1e-4)
    few, near_by = made.nearest(made.telling, made.telling[::-1].copy(), 4)
    assert np.allclose(np.sort(near_by), np.sort(table)[:, :4], atol=1e-4)
    assert (few[np.arange(30), near_by.argmin(axis=1)] == np.arange(30)).all()


def test_of_very_many_pictures_lists_find_the_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    crowds = rng.normal(0, 1, (20, 64)).repeat(40, axis=0)
    vectors = (crowds + rng.normal(0, 0.2, crowds.shape)).astype(np.float32)
    scanned = at_once(of_codes(vectors), 5)
    monkeypatch.setattr(picture_space, "LISTED_FROM", 800)
    monkeypatch.setattr(picture_space, "_SCANS", 513)  # the first 512 queries are scans
    with monkeypatch.context() as without_scans:
        space = of_codes(vectors)
        some = space.telling[:512]
        space.nearest(some, space.telling, 6)
        without_scans.setattr(picture_space, "nearest_by_hamming", None)
        listed = {(a, b) for _, pairs, _ in near(space, space.telling, 5) for a, b in pairs.tolist()}
    assert len(listed & scanned) > 0.95 * len(scanned)
