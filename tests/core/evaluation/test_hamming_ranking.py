"""Every figure beside a second implementation that knows nothing of the first: plain numpy, orders of ties drawn.

Vectors and codes are of few values, so that distances, codes and votes tie all the time. What depends on the order of
ties is the mean over many orders drawn at random; the figures must be that mean, and must not change with the order
of the base.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twinlens.core.evaluation.evaluation_task import EvaluationTask, Figures
from twinlens.core.evaluation.hamming_ranking import hamming_histograms
from twinlens.core.evaluation.measures import by_count
from twinlens.core.evaluation.method_evaluation import GivenRanking, encode_task, evaluate_method, judged_rankings
from twinlens.core.evaluation.plan import MeasurementPlan
from twinlens.core.evaluation.tables import Tables
from twinlens.core.evaluation.tied_rankings import (
    RECALL_LEVELS,
    any_among_first,
    average_precision,
    chance_among_first,
    majority,
    overlap_at,
    precision_at_recall,
    precision_recall,
    vote_chance,
)
from twinlens.core.evaluation.truth import Euclidean, sharing_label, true_neighbours
from twinlens.core.hashing.packed_codes import hamming, pack_bits, planar
from twinlens.core.methods.lsh import Lsh
from twinlens.core.progress import silent
from twinlens.core.search.linear_scan import Exact, Scan

ORDERS = 400
METHOD = Lsh(bits=5)


@dataclass(frozen=True)
class Data:
    x: npt.NDArray[np.float32]
    labels: npt.NDArray[np.int64]
    own: npt.NDArray[np.int64]


def data(seed: int, n: int = 260) -> Data:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 3, (n, 4)).astype(np.float32)
    labels = (x.sum(axis=1) + rng.integers(0, 2, n)).astype(np.int64)
    return Data(x, labels, np.sort(rng.choice(n, 12, replace=False)))


def in_another_order(given: Data, seed: int) -> Data:
    order = np.random.default_rng(seed).permutation(len(given.x))
    return Data(given.x[order], given.labels[order], np.argsort(order)[given.own])


def figures(given: Data, by_label: bool, k: int = 3, exact: bool = False) -> Figures:
    x, own = given.x, given.own
    found = true_neighbours(Euclidean(), x, x[own], 100, own)
    asked = given.labels[own]
    relevant = sharing_label(given.labels, asked, own) if by_label else found.first(20)
    task = EvaluationTask(
        x, x[own], found.rows, relevant, Euclidean(), own, given.labels, asked, k, found.first(1), candidates=30
    )  # fmt: skip
    return evaluate_method(METHOD, Exact() if exact else Scan(), task)


def plain(given: Data, by_label: bool) -> dict[str, Any]:
    """Compute everything again, order by order."""
    rng = np.random.default_rng(1)
    bits = METHOD.fit(given.x).project(given.x) >= 0
    projected = METHOD.fit(given.x).project(given.x)
    recall: dict[int, list[float]] = {1: [], 10: [], 100: []}
    at_recall: list[npt.NDArray[np.float64]] = []
    precisions, of_candidates, votes = [], [], []
    radii: list[tuple[list[float], list[float]]] = [([], []) for _ in range(METHOD.bits + 1)]
    for row in given.own:
        others = np.flatnonzero(np.arange(len(given.x)) != row)
        true = np.square(given.x[others].astype(float) - given.x[row]).sum(axis=1)
        hamming = (bits[others] != bits[row]).sum(axis=1)
        best = true == true.min()
        relevant = given.labels[others] == given.labels[row] if by_label else true <= np.sort(true)[19]
        for _ in range(ORDERS):
            order = np.lexsort((rng.random(len(others)), hamming))
            places = np.flatnonzero(best[order])
            for count, values in recall.items():
                values.append(float((places < count).any()))  # any that is as near
            precisions.append(_precision(relevant[order]))
        found = [np.flatnonzero(relevant[np.lexsort((rng.random(len(others)), hamming))]) + 1 for _ in range(ORDERS)]
        wanted = np.maximum(np.ceil(np.linspace(0, 1, 51) * relevant.sum() - 1e-9), 1).astype(int)
        at_recall.append(wanted / np.mean(found, axis=0)[wanted - 1])
        near = np.flatnonzero(hamming <= np.sort(hamming)[29])
        far = np.square(projected[others[near]] - projected[row]).sum(axis=1)
        for _ in range(ORDERS):
            order = near[np.lexsort((rng.random(len(near)), far))]
            of_candidates.append(_precision(relevant[order], int(relevant.sum())))
            order = np.lexsort((rng.random(len(others)), true))[:3]
            votes.append(_vote(given.labels[others[order]], true[order]) == given.labels[row])
        for radius, (recalls, shares) in enumerate(radii):
            inside = hamming <= radius
            recalls.append(float(relevant[inside].sum() / relevant.sum()))
            shares.append(float(relevant[inside].mean()) if inside.any() else 1.0)
    return {
        "recall": {count: np.mean(values) for count, values in recall.items()},
        "map": np.mean(precisions),
        "map_candidates": np.mean(of_candidates),
        "accuracy": np.mean(votes),
        "precision_at": np.mean(at_recall, axis=0),
        "curve": [(np.mean(recalls), np.mean(shares)) for recalls, shares in radii],
    }


def _precision(relevant: npt.NDArray[np.bool_], total: int | None = None) -> float:
    places = np.flatnonzero(relevant)
    return float(sum((i + 1) / (place + 1) for i, place in enumerate(places)) / (total or len(places)))


def _vote(labels: npt.NDArray[np.int64], distances: npt.NDArray[np.float64]) -> int:
    votes: Counter[int] = Counter(labels.tolist())
    sums = {label: float(distances[labels == label].sum()) for label in votes}
    return min(votes, key=lambda label: (-votes[label], sums[label], label))


@pytest.mark.parametrize("by_label", [True, False], ids=["by label", "by distance"])
@pytest.mark.parametrize("seed", [0, 1])
def test_every_figure_is_the_mean_over_orders(seed: int, by_label: bool) -> None:
    given = data(seed)
    got, expected = figures(given, by_label), plain(given, by_label)
    assert got.values["map"] == pytest.approx(expected["map"], abs=0.01)
    assert got.values["map_candidates"] == pytest.approx(expected["map_candidates"], abs=0.01)
    assert got.values["accuracy"] == pytest.approx(expected["accuracy"], abs=0.03)
    for count, value in expected["recall"].items():
        assert got.values[f"recall@{count}"] == pytest.approx(value, abs=0.02)
    np.testing.assert_allclose(got.curve, expected["curve"], atol=1e-12)
    np.testing.assert_allclose([value for _, value in got.precision_at], expected["precision_at"], atol=0.01)
    # Everything is a candidate, so nothing that is as near is missed.
    assert by_count(got.values, "overlap@") == {"10": 1.0, "100": 1.0}
    assert got.values["looked_at"] == len(given.x) - 1


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("by_label", [True, False], ids=["by label", "by distance"])
def test_no_figure_depends_on_the_order_of_the_base(by_label: bool, exact: bool) -> None:
    given = data(2)
    first = figures(given, by_label, exact=exact)
    for seed in (1, 2, 3):
        again = figures(in_another_order(given, seed), by_label, exact=exact)
        assert by_count(again.values, "recall@") == pytest.approx(by_count(first.values, "recall@"))
        assert by_count(again.values, "overlap@") == pytest.approx(by_count(first.values, "overlap@"))
        assert (again.values["map"], again.values["map_candidates"], again.values["accuracy"]) == pytest.approx(
            (first.values["map"], first.values["map_candidates"], first.values["accuracy"])
        )
        np.testing.assert_allclose(again.curve, first.curve)
        np.testing.assert_allclose(again.precision_at, first.precision_at)


def test_a_query_is_never_its_own_answer() -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((60, 8)).astype(np.float32)  # of single items of their own label: nothing to be found
    given = Data(x, np.arange(60), np.arange(0, 60, 5))
    got = figures(given, by_label=True)
    assert got.values["accuracy"] == 0.0
    assert "map" not in got.values
    assert "map_candidates" not in got.values
    assert figures(given, by_label=False).values["recall@1"] < 1


_items = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=0, max_size=8)


@settings(max_examples=150)
@given(_items, st.integers(1, 9), st.integers(0, 3))
def test_a_vote_is_the_share_of_choices_among_the_tied(items: list[tuple[int, int]], k: int, wanted: int) -> None:
    items = sorted(items)
    distances, labels = np.array([d for d, _ in items], float), np.array([one for _, one in items], np.int64)
    got = vote_chance(labels, distances, k, wanted)
    if not items:
        assert got == 0.0
        return
    count = min(k, len(items))
    last = distances[count - 1]
    sure = [place for place in range(len(items)) if distances[place] < last]
    tied = [place for place in range(len(items)) if distances[place] == last]
    outcomes = []
    for some in combinations(tied, count - len(sure)):
        chosen = np.array([*sure, *some])
        outcomes.append(_vote(labels[chosen], distances[chosen]) == wanted)
    assert got == pytest.approx(float(Fraction(sum(outcomes), len(outcomes))))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 60))
def test_all_that_are_as_near_are_known(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 2, (300, 3)).astype(np.float32)  # 8 points, each about 37 times
    own = rng.choice(300, 4, replace=False)
    found = true_neighbours(Euclidean(), x, x[own], k, own)
    for number, row in enumerate(own):
        far = np.square(x - x[row]).sum(axis=1).astype(float)
        far[row] = np.inf
        assert set(found.first(k)[number]) == set(np.flatnonzero(far <= np.sort(far)[k - 1]))
        assert set(found.first(1)[number]) == set(np.flatnonzero(far == far.min())) & set(found.level[number])


RNG = np.random.default_rng(3)
BASE, QUERIES = RNG.normal(size=(300, 12)), RNG.normal(size=(20, 12))


def test_it_is_judged_as_codes_are() -> None:
    method, search = Lsh(bits=24), Scan(candidates=120)
    task = MeasurementPlan(Tables("x", BASE, QUERIES), [method], [search], truth="l2").load().task
    expected = evaluate_method(method, search, task)
    encoder = encode_task(method, task).encoder
    codes, asked = encoder.encode(BASE), encoder.encode(QUERIES)
    assert planar(codes).shape[1] == 300
    rows = np.stack([np.lexsort((np.arange(300), hamming(codes, one))) for one in asked])
    given = GivenRanking(rows, {120: 0.5}, 300)
    (found,) = judged_rankings(Figures(), given, [search], task, silent)
    assert by_count(found.values, "overlap@") == by_count(expected.values, "overlap@")
    assert (found.values["looked_at"], found.values["scanned"]) == (120, 300)
    assert found.values["seconds search"] > 0.5
    true = [np.argsort(Euclidean().exactly(query, BASE), kind="stable")[0] for query in QUERIES]
    for count, share in by_count(found.values, "recall@").items():
        assert share == np.mean([one in ranked[: int(count)] for one, ranked in zip(true, rows, strict=True)])


def test_queries_of_the_base_are_not_their_own_results_and_lists_may_be_short() -> None:
    own = np.arange(5)
    task = MeasurementPlan(Tables("x", BASE, BASE[own], own), [Lsh()], [Scan(candidates=100)], truth="l2").load().task
    rows = np.full((5, 4), -1)
    rows[:, 0], rows[:, 1] = own, task.neighbours[:, 0]
    (found,) = judged_rankings(Figures(), GivenRanking(rows, {100: 0}, 7), [Scan(candidates=100)], task, silent)
    assert by_count(found.values, "recall@") == {"1": 1.0}
    assert (found.values["looked_at"], found.values["overlap@10"]) == (1, 0.1)


_tied_items = st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=6)


def orders(items: list[tuple[int, bool]]) -> list[list[int]]:
    """Return every order of the items that is sorted by distance."""
    return [
        list(order)
        for order in permutations(range(len(items)))
        if all(items[a][0] <= items[b][0] for a, b in pairwise(order))
    ]


def histograms(items: list[tuple[int, bool]]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    far = np.array([one for one, _ in items])
    relevance_given = np.array([one for _, one in items])
    return np.bincount(far, minlength=4)[None, :], np.bincount(far[relevance_given], minlength=4)[None, :]


@settings(max_examples=60)
@given(_tied_items, st.integers(1, 7))
def test_recall_is_the_share_of_orders(items: list[tuple[int, bool]], first: int) -> None:
    counts, _ = histograms(items)
    expected = np.mean([0 in order[:first] for order in orders(items)])
    assert chance_among_first(counts, first)[0, items[0][0]] == pytest.approx(expected)


@settings(max_examples=60)
@given(_tied_items, st.integers(1, 7))
def test_overlap_is_the_mean_over_orders(items: list[tuple[int, bool]], first: int) -> None:
    counts, relevant = histograms(items)
    wanted = {place for place, (_, relevance_given) in enumerate(items) if relevance_given}
    expected = np.mean([len(wanted & set(order[:first])) for order in orders(items)]) / len(wanted) if wanted else 1.0
    assert overlap_at(counts, relevant, first)[0] == pytest.approx(expected)


@settings(max_examples=60)
@given(_tied_items, st.integers(1, 7))
def test_any_of_those_equally_near_is_enough(items: list[tuple[int, bool]], first: int) -> None:
    counts, relevant = histograms(items)
    wanted = {place for place, (_, relevance_given) in enumerate(items) if relevance_given}
    expected = np.mean([bool(wanted & set(order[:first])) for order in orders(items)]) if wanted else 1.0
    assert any_among_first(counts, relevant, first)[0] == pytest.approx(expected)
    assert any_among_first(counts, np.zeros_like(counts), first, np.array([2])) == [0.0]


@settings(max_examples=80)
@given(_tied_items)
def test_average_precision_is_the_mean_over_orders(items: list[tuple[int, bool]]) -> None:
    counts, relevant = histograms(items)
    got = average_precision(counts, relevant)[0]
    if not any(relevance_given for _, relevance_given in items):
        assert np.isnan(got)
        return
    values = []
    for order in orders(items):
        relevance_given = np.array([items[place][1] for place in order])
        precision = np.cumsum(relevance_given) / np.arange(1, len(relevance_given) + 1)
        values.append(precision[relevance_given].mean())
    assert got == pytest.approx(np.mean(values))


def test_precision_and_recall_by_radius() -> None:
    counts, relevant = np.array([[1, 3, 0, 4], [2, 2, 2, 2]]), np.array([[1, 1, 0, 0], [0, 0, 0, 0]])
    recall, precision = precision_recall(counts, relevant)
    np.testing.assert_allclose(recall, [0.5, 1, 1, 1])
    np.testing.assert_allclose(precision, [1, 0.5, 0.5, 0.25])
    assert np.isnan(precision_recall(counts, np.zeros_like(counts))[0]).all()


@settings(max_examples=60)
@given(_tied_items, st.integers(0, 2))
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
        patch.setattr("twinlens.core.evaluation.hamming_ranking._TABLE", at_once)
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
