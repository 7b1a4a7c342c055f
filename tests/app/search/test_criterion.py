"""Several examples together, against the plain formula, item by item."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from app.search.query_distance import DistanceMeasure, Distances, QueryDistance
from core.arrays import Float32Vectors
from core.exact_search.measure import Measure
from core.kernels import KERNELS
from core.kernels.dot_product_kernels import Linear
from core.kernels.histogram_kernels import Hellinger
from core.kernels.kernel import Kernel
from tests.core.contracts import made

DIMENSIONS = 5
weight = st.floats(-4, 4).filter(lambda value: abs(value) > 0.01)
weights = st.lists(weight, min_size=1, max_size=4).filter(lambda values: max(values) > 0)


def tables(rows: int) -> st.SearchStrategy[Float32Vectors]:
    return arrays(np.float32, (rows, DIMENSIONS), elements=st.sampled_from([0.0, 0.25, 0.5, 1.0, 2.0]))


def counted(weights: list[float]) -> list[float]:
    """Say what examples count for: those that are liked their weight, the others together a fifth of all that."""
    liked = [w for w in weights if w > 0]
    unlike = len(weights) - len(liked)
    return [w if w > 0 else w * sum(liked) / (5 * unlike) for w in weights]


def plain_score(kernel: Kernel, vectors: Float32Vectors, weights: list[float], item: Float32Vectors) -> float:
    """Score one item by the formula, a sum at a time."""

    def normal(one: Float32Vectors, other: Float32Vectors) -> float:
        def k(x: Float32Vectors, z: Float32Vectors) -> float:
            return float(kernel.pairs(x[None], z[None])[0])

        value = k(one, other) / math.sqrt(k(one, one) * k(other, other))
        return min(1.0, value)  # a sigmoid may give more, and the measure no more than 1

    counts = counted(weights)
    total = sum(w * normal(vector, item) for vector, w in zip(vectors, counts, strict=True))
    return total / sum(abs(w) for w in counts)


@pytest.mark.parametrize("kernel", [made(cls, np.eye(DIMENSIONS)) for cls in KERNELS], ids=lambda kernel: kernel.key)
@settings(max_examples=20)  # for each kernel
@given(weights=weights, x=tables(6), asked=tables(4))
def test_the_score_is_the_weighted_sum(
    kernel: Kernel, weights: list[float], x: Float32Vectors, asked: Float32Vectors
) -> None:
    vectors = asked[: len(weights)]
    vectors[:, 0] += 1  # none is blank
    criterion = QueryDistance.of(Measure(kernel), list(vectors), weights)
    assert criterion.examples == tuple(range(len(weights)))
    for item, distance, similarity in zip(x, criterion.distances(x), criterion.similarities(x), strict=True):
        if item.any():
            score = plain_score(kernel, vectors, weights, item)
            assert distance == pytest.approx(math.sqrt(max(0, 2 - 2 * score)), abs=2e-6)
            assert similarity == pytest.approx(max(0, score), abs=1e-9)
        else:
            assert (distance, similarity) == (2.0, 0.0)


@given(weight=st.floats(0.01, 100), x=tables(6), asked=tables(1))
def test_one_example_is_the_measure_itself(weight: float, x: Float32Vectors, asked: Float32Vectors) -> None:
    measure = Measure(Hellinger())
    criterion = QueryDistance.of(measure, [asked[0]], [weight])
    np.testing.assert_array_equal(criterion.distances(x), measure.distances(asked[0], x))


@given(weights=weights, x=tables(6), asked=tables(4))
def test_an_item_has_one_distance_alone_and_beside_others(
    weights: list[float], x: Float32Vectors, asked: Float32Vectors
) -> None:
    criterion = QueryDistance.of(Measure(Linear()), list(asked[: len(weights)]), weights)
    together = criterion.distances(x)
    alone = np.concatenate([criterion.distances(x[i : i + 1]) for i in range(len(x))])
    np.testing.assert_array_equal(together, alone)
    assert ((together >= 0) & (together <= 2)).all()


def test_a_blank_example_does_not_count_where_another_tells() -> None:
    blank, red = np.zeros(3, np.float32), np.array([1, 0, 0], np.float32)
    measure = Measure(Hellinger())
    assert QueryDistance.of(measure, [blank, red, red], [1, 2, 0]).examples == (1,)
    assert QueryDistance.of(measure, [red, blank], [1, -1]).examples == (0,)
    alone = QueryDistance.of(measure, [red, blank], [-1, 1])
    assert alone.blank
    assert alone.examples == (1,)


def test_more_weight_draws_nearer() -> None:
    red, blue = np.eye(2, dtype=np.float32)
    x = np.array([[0.8, 0.2], [0.2, 0.8]], np.float32)
    measure = Measure(Linear())
    near_red = QueryDistance.of(measure, [red, blue], [2, 1]).distances(x)
    near_blue = QueryDistance.of(measure, [red, blue], [1, 2]).distances(x)
    unlike_red = QueryDistance.of(measure, [blue, red], [1, -1]).distances(x)
    assert near_red[0] < near_red[1]
    assert near_blue[1] < near_blue[0]
    assert unlike_red[1] < unlike_red[0]


def test_much_that_is_unlike_does_not_drown_what_is_liked() -> None:
    """Marked answers, of which the question shall not be like five, still come from near the question."""
    rng = np.random.default_rng(0)
    middles = rng.standard_normal((6, 20))
    labels = np.repeat(np.arange(6), 30)
    x = (middles[labels] + 1.5 * rng.standard_normal((180, 20))).astype(np.float32)
    measure = Measure(Linear())
    better = 0.0
    for query in range(0, 180, 7):
        alone = QueryDistance.of(measure, [x[query]], [1.0]).distances(x)
        first = [row for row in np.argsort(alone, kind="stable").tolist() if row != query]
        unlike = [row for row in first if labels[row] != labels[query]][:5]
        fed = QueryDistance.of(measure, [x[query], *x[unlike]], [1.0, *[-1.0] * 5]).distances(x)

        def precision(distances: Distances, query: int = query, unlike: list[int] = unlike) -> float:
            rest = [row for row in np.argsort(distances, kind="stable").tolist() if row not in {query, *unlike}]
            return float(np.mean(labels[rest[:10]] == labels[query]))

        better += precision(fed) - precision(alone)
    assert better > 0


def longer(place: int, distances: Distances) -> Distances:
    """Take the distance from all alternatives but the first longer."""
    return distances if place == 0 else distances * 1.12


def nearest(measure: DistanceMeasure, pair: Float32Vectors, item: Float32Vectors) -> float:
    return min(float(longer(place, measure.distances(one, item[None]))[0]) for place, one in enumerate(pair))


@given(weight=st.floats(0.01, 100), x=tables(6), asked=tables(4))
def test_an_example_is_as_near_as_the_nearest_of_its_alternatives(
    weight: float, x: Float32Vectors, asked: Float32Vectors
) -> None:
    measure = Measure(Linear())
    criterion = QueryDistance.of(measure, [asked], [weight])
    telling = [row for row in asked if row.any()] or [asked[0]]
    expected = np.min([longer(place, measure.distances(row, x)) for place, row in enumerate(telling)], axis=0)
    np.testing.assert_array_equal(criterion.distances(x), expected)
    assert criterion.blank == (not asked.any())


@given(weights=weights, x=tables(6), asked=tables(8))
def test_alternatives_and_weights_together(weights: list[float], x: Float32Vectors, asked: Float32Vectors) -> None:
    asked[:, 0] += 1  # none is blank
    pairs = asked.reshape(4, 2, DIMENSIONS)[: len(weights)]
    measure = Measure(Linear())
    distances = QueryDistance.of(measure, list(pairs), weights).distances(x)
    for item, distance in zip(x, distances, strict=True):
        near = [nearest(measure, pair, item) for pair in pairs]
        counts = counted(weights)
        score = sum(w * (1 - d**2 / 2) for w, d in zip(counts, near, strict=True)) / sum(abs(w) for w in counts)
        assert distance == pytest.approx(math.sqrt(max(0, 2 - 2 * score)) if item.any() else 2, abs=2e-6)


@given(weights=weights, item=tables(1), asked=tables(8))
def test_the_nearest_is_a_liked_one(weights: list[float], item: Float32Vectors, asked: Float32Vectors) -> None:
    asked[:, 0] += 1
    pairs = asked.reshape(4, 2, DIMENSIONS)[: len(weights)]
    criterion = QueryDistance.of(Measure(Linear()), list(pairs), weights)
    example, alternative = criterion.nearest(item[0])
    assert weights[example] > 0
    found = longer(alternative, criterion.measure.distances(pairs[example][alternative], item))[0]
    liked = [pair for pair, w in zip(pairs, weights, strict=True) if w > 0]
    assert found == min(nearest(criterion.measure, pair, item[0]) for pair in liked)
