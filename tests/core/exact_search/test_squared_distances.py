"""Compiled and plain, squared distances are the same bits, whatever the length of rows and the kind of numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from twinlens.core.compilation import compilation
from twinlens.core.exact_search.squared_distances import SmallestValues, squared_distances

KINDS = ("f4", "f8", "f2", "u1", "i8")


@given(
    st.integers(0, 300),
    st.lists(st.integers(0, 5), max_size=4),
    st.sampled_from(KINDS),
    st.sampled_from(KINDS),
    st.integers(0, 2**31),
)
@example(20_000, [2, 1], "f4", "f4", 0)
@settings(max_examples=80, deadline=None)
def test_both_ways_give_the_same_bits(d: int, counts: list[int], kind: str, asked: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    of_each = np.array(counts, np.int64)
    x = (100 * rng.random((of_each.sum(), d)) ** 3).astype(kind)
    queries = (100 * rng.random((len(counts), d)) ** 3).astype(asked)
    compiled = squared_distances(queries, of_each, x)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(compilation, "worth", lambda work: False)
        plain = squared_distances(queries, of_each, x)
    assert compiled.tolist() == plain.tolist()
    one_by_one = [
        float(np.square(row.astype(float) - query).sum())
        for row, query in zip(x, np.repeat(queries.astype(float), of_each, axis=0), strict=True)
    ]
    assert plain.tolist() == one_by_one


def test_rows_may_lie_apart() -> None:
    x = np.arange(60, dtype=np.float32).reshape(6, 10)[::2, ::3]
    expected = np.square(x.astype(float) - x[1]).sum(axis=1)
    assert squared_distances(x[1:2], np.array([3]), x).tolist() == expected.tolist()


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
