"""Every measure is what it is on average over all orders of tied items."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.evaluation.hamming_ranking import (
    RECALL_LEVELS,
    average_precision,
    chance_among_first,
    hamming_histograms,
    majority,
    overlap_at,
    precision_at_recall,
    precision_recall,
)
from core.hashing.packed_codes import pack_bits, planar

_items = st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=6)


def orders(items: list[tuple[int, bool]]) -> list[list[int]]:
    """Return every order of the items that is sorted by distance."""
    return [
        list(order)
        for order in permutations(range(len(items)))
        if all(items[a][0] <= items[b][0] for a, b in pairwise(order))
    ]


def histograms(items: list[tuple[int, bool]]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    far = np.array([one for one, _ in items])
    told = np.array([one for _, one in items])
    return np.bincount(far, minlength=4)[None, :], np.bincount(far[told], minlength=4)[None, :]


@settings(max_examples=60)
@given(_items, st.integers(1, 7))
def test_recall_is_the_share_of_orders(items: list[tuple[int, bool]], first: int) -> None:
    counts, _ = histograms(items)
    expected = np.mean([0 in order[:first] for order in orders(items)])
    assert chance_among_first(counts, first)[0, items[0][0]] == pytest.approx(expected)


@settings(max_examples=60)
@given(_items, st.integers(1, 7))
def test_overlap_is_the_mean_over_orders(items: list[tuple[int, bool]], first: int) -> None:
    counts, relevant = histograms(items)
    wanted = {place for place, (_, told) in enumerate(items) if told}
    expected = np.mean([len(wanted & set(order[:first])) for order in orders(items)]) / len(wanted) if wanted else 1.0
    assert overlap_at(counts, relevant, first)[0] == pytest.approx(expected)


@settings(max_examples=80)
@given(_items)
def test_average_precision_is_the_mean_over_orders(items: list[tuple[int, bool]]) -> None:
    counts, relevant = histograms(items)
    got = average_precision(counts, relevant)[0]
    if not any(told for _, told in items):
        assert np.isnan(got)
        return
    values = []
    for order in orders(items):
        told = np.array([items[place][1] for place in order])
        precision = np.cumsum(told) / np.arange(1, len(told) + 1)
        values.append(precision[told].mean())
    assert got == pytest.approx(np.mean(values))


def test_precision_and_recall_by_radius() -> None:
    counts, relevant = np.array([[1, 3, 0, 4], [2, 2, 2, 2]]), np.array([[1, 1, 0, 0], [0, 0, 0, 0]])
    recall, precision = precision_recall(counts, relevant)
    np.testing.assert_allclose(recall, [0.5, 1, 1, 1])
    np.testing.assert_allclose(precision, [1, 0.5, 0.5, 0.25])
    assert np.isnan(precision_recall(counts, np.zeros_like(counts))[0]).all()


@settings(max_examples=60)
@given(_items, st.integers(0, 2))
def test_precision_at_recall_is_over_the_mean_place_of_all_orders(items: list[tuple[int, bool]], lost: int) -> None:
    counts, relevant = histograms(items)
    there = int(relevant.sum()) + lost
    got = precision_at_recall(counts, relevant, np.array([lost]))
    if not there:
        assert np.isnan(got).all()
        return
    expected = []
    for level in RECALL_LEVELS:
        wanted = max(1, int(np.ceil(level * there - 1e-9)))
        if wanted > there - lost:
            expected.append(0.0)
            continue
        places = [[at for at, place in enumerate(order, 1) if items[place][1]][wanted - 1] for order in orders(items)]
        expected.append(wanted / float(np.mean(places)))
    np.testing.assert_allclose(got, expected)


def test_queries_are_averaged_at_equal_recall() -> None:
    """One finds at once, one late, one has nothing to find: neither radius nor length of a list mixes them."""
    counts = np.array([[2, 0, 0, 6], [0, 0, 4, 4], [1, 1, 1, 5]])
    relevant = np.array([[2, 0, 0, 0], [0, 0, 4, 0], [0, 0, 0, 0]])
    np.testing.assert_allclose(precision_at_recall(counts, relevant), 1.0)  # by radius 1 the second counted as nothing
    relevant = np.array([[2, 0, 0, 0], [0, 0, 0, 4], [0, 0, 0, 0]])
    plain = [(1 + k / (4 + k)) / 2 for k in np.maximum(np.ceil(4 * RECALL_LEVELS - 1e-9), 1)]
    np.testing.assert_allclose(precision_at_recall(counts, relevant), plain)


def test_the_mean_over_recalls_is_near_average_precision() -> None:
    """The curve and the number that stands beside it tell the same."""
    rng = np.random.default_rng(0)
    far = rng.integers(0, 200, (20, 400))
    right = rng.random((20, 400)) < np.exp(-far / 40)
    counts = np.array([np.bincount(row, minlength=200) for row in far])
    relevant = np.array([np.bincount(row[own], minlength=200) for row, own in zip(far, right, strict=True)])
    area = np.trapezoid(precision_at_recall(counts, relevant), RECALL_LEVELS)
    assert area == pytest.approx(float(average_precision(counts, relevant).mean()), abs=0.02)


@given(st.integers(0, 10_000), st.integers(1, 130), st.sampled_from([1, 17, 90, 1 << 16]))
@settings(max_examples=30)
def test_histograms_are_those_of_plain_bits(seed: int, bits: int, at_once: int) -> None:
    """However many distances a table has."""
    rng = np.random.default_rng(seed)
    base, asked = rng.integers(0, 2, (40, bits)), rng.integers(0, 2, (3, bits))
    asked[1] = base[7]
    relevant = [rng.permutation(40)[: rng.integers(0, 6)] for _ in asked]
    own = np.array([-1, 7, -1])
    kept = rng.random(40) < 0.8 if seed % 2 else None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.evaluation.hamming_ranking._TABLE", at_once)
        words = np.ascontiguousarray(planar(pack_bits(asked)).T)
        found = hamming_histograms(planar(pack_bits(base)), words, relevant, bits, own, kept=kept)
    for number, query in enumerate(asked):
        far = (base != query).sum(axis=1)
        there = (np.arange(40) != own[number]) & (True if kept is None else kept)
        others = relevant[number][relevant[number] != own[number]]
        rows = others[there[others]]
        assert found.lost[number] == len(others) - len(rows)
        np.testing.assert_array_equal(found.counts[number], np.bincount(far[there], minlength=bits + 1))
        np.testing.assert_array_equal(found.relevant[number], np.bincount(far[rows], minlength=bits + 1))
        first = far[others[0]] if len(others) and there[others[0]] else -1
        assert found.nearest[number] == (first if len(others) else 0)


def test_a_tied_vote_goes_to_the_nearer() -> None:
    labels = np.array([[1, 2, 2, 1], [3, 1, 1, 3], [-1, -1, -1, -1]])
    distances = np.array([[0.0, 1.0, 2.0, 9.0], [0.0, 1.0, 2.0, 2.5], [np.inf] * 4])
    assert majority(labels, distances, 4).tolist() == [2, 3, -1]
    assert majority(labels, distances, 1).tolist() == [1, 3, -1]
