"""What is selected block by block is the smallest of each whole line."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.exact_search.squared_distances import SmallestValues


@settings(max_examples=80, deadline=None)
@given(
    lines=st.integers(1, 4),
    n=st.integers(0, 400),
    count=st.sampled_from([0, 1, 3, 40]),
    block=st.sampled_from([1, 7, 100, 1_000]),
    seed=st.integers(0, 2**20),
    ties=st.booleans(),
    falling=st.booleans(),
)
def test_the_smallest_are_kept(
    lines: int, n: int, count: int, block: int, seed: int, ties: bool, falling: bool
) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 5, (lines, n)).astype(np.float32) if ties else rng.random((lines, n), np.float32)
    if falling:  # every block displaces what was kept
        values = np.sort(values, axis=1)[:, ::-1].copy()
    values[rng.random((lines, n)) < 0.1] = np.inf
    selection = SmallestValues(lines, count)
    for start in range(0, n, block):
        selection.add(values[:, start : start + block], start)
    kept = selection.below(np.full(lines, np.inf))
    for number, rows in enumerate(kept):
        near, finite = values[number][rows], np.sort(values[number][np.isfinite(values[number])])
        np.testing.assert_array_equal(np.sort(near)[:count], finite[:count])
        assert (np.diff(rows) > 0).all()
        left = np.setdiff1d(np.flatnonzero(np.isfinite(values[number])), rows)
        if count and len(left):
            assert values[number][left].min() >= selection.limits[number]
    if count:
        limits = selection.nearest(count)
        for number, rows in enumerate(selection.below(limits)):
            expected = np.sort(values[number])[count - 1] if n >= count else np.inf
            assert limits[number] == expected
            assert rows.tolist() == [row for row in kept[number] if values[number][row] < expected]
