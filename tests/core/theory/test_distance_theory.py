"""What bounds spare and lose, against plain counts."""

from __future__ import annotations

import numpy as np
import pytest

from twinlens.core.kernels.dot_product_kernels import Linear, Polynomial
from twinlens.core.kernels.radial_kernels import Gaussian
from twinlens.core.metrics.kernel_metric import KernelMetric
from twinlens.core.metrics.metric import MetricPairs
from twinlens.core.metrics.metric_forms import ExplicitMetric
from twinlens.core.theory.distance_theory import (
    area,
    kernel_pair_distances,
    pair_bounds,
    spared_by_k,
    spared_by_radius,
    stretch,
    stretched_pair_distances,
)


def _items() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 2)) * rng.uniform(0.1, 5, 300)[:, None]
    return x[:260].astype(np.float32), x[260:].astype(np.float32)


def test_the_true_bound_spares_and_loses_nothing_the_heuristic_loses_what_a_plain_search_misses() -> None:
    x, queries = _items()
    kernel = Polynomial()
    (true,) = spared_by_k(x, queries, kernel, [5], "norms")
    (heuristic,) = spared_by_k(x, queries, kernel, [5], "heuristic")
    assert true.lost == 0
    assert 0 < true.spared < 1

    def k(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.asarray((kernel.a * a.astype(float) @ b.astype(float).T + kernel.c) ** kernel.p)

    own, lost = np.diag(k(x, x)), 0
    for query in queries:
        asked = float(k(query[None], query[None])[0, 0])
        distances = asked + own - 2 * k(x, query[None])[:, 0]
        kept: list[tuple[float, int]] = []
        for start in range(0, 260, 32):
            worst = kept[4][0] if len(kept) >= 5 else np.inf
            block = [row for row in range(start, min(start + 32, 260)) if (asked - own[row]) / 2 < worst]
            kept = sorted([*kept, *((float(distances[row]), row) for row in block)])[:5]
        missing = len(set(np.argsort(distances, kind="stable")[:5].tolist()) - {row for _, row in kept})
        lost += missing
    assert lost > 0
    assert heuristic.lost == pytest.approx(lost / (5 * len(queries)))


def test_within_a_radius_the_true_bound_loses_none_and_counts_are_plain() -> None:
    x, queries = _items()
    squares, bounds = pair_bounds(x, queries, Linear())
    plain = ((queries[:, None].astype(float) - x[None]) ** 2).sum(axis=2).ravel()
    assert squares == pytest.approx(plain, abs=1e-4)
    lengths = np.linalg.norm(queries.astype(float), axis=1)[:, None], np.linalg.norm(x.astype(float), axis=1)[None]
    radius = np.array([0.5, 2.0])
    true = spared_by_radius(squares, bounds["norms"], radius)
    apart = np.abs(lengths[0] - lengths[1]).ravel()
    assert true.spared == pytest.approx([(apart > one).mean() for one in radius], abs=1e-4)
    assert not true.lost.any()
    wrong = spared_by_radius(squares, bounds["heuristic"], radius)
    half = ((lengths[0] ** 2 - lengths[1] ** 2) / 2).ravel()
    for one, spared, lost in zip(radius**2, wrong.spared, wrong.lost, strict=True):
        assert spared == pytest.approx((half > one).mean(), abs=1e-4)
        assert lost == pytest.approx(((plain <= one) & (half > one)).sum() / (plain <= one).sum(), abs=2e-3)
    assert wrong.lost.max() > 0


def test_directions_are_counted_beside_the_usual_one() -> None:
    g = np.diag([2.0, 1.0, 1.0, 1.0, 0.5, 0.0])
    turned = np.linalg.qr(np.random.default_rng(0).normal(size=(6, 6)))[0]
    found = stretch(ExplicitMetric.of(g @ turned))
    assert found.eigenvalues == pytest.approx([4, 1, 1, 1, 0.25, 0], abs=1e-5)
    assert (found.stretched, found.shrunk, found.nothing) == (1, 2, 1)


def test_distances_are_multiples_of_those_of_chance_whatever_the_scale() -> None:
    x = np.random.default_rng(1).normal(size=(120, 5)).astype(np.float32)
    pairs = MetricPairs(np.array([[0, 1], [2, 3], [4, 5]]), np.array([True, False, True]))
    found, larger = stretched_pair_distances(x, pairs, 0), stretched_pair_distances(8 * x, pairs, 0)
    every = np.linalg.norm(x[:, None].astype(float) - x[None], axis=2)[~np.eye(120, dtype=bool)].mean()
    assert found.similar == pytest.approx([np.linalg.norm(x[a] - x[b]) / every for a, b in ((0, 1), (4, 5))], rel=0.03)
    assert found.different == pytest.approx([np.linalg.norm(x[2] - x[3]) / every], rel=0.03)
    assert larger.similar == pytest.approx(found.similar)


def test_the_area_counts_ties_half() -> None:
    similar, different = np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0])
    plain = np.mean([(a < b) + (a == b) / 2 for a in similar for b in different])
    assert area(similar, different) == pytest.approx(plain)
    assert np.isnan(area(similar, np.empty(0)))


def test_a_metric_of_a_kernel_is_measured_in_the_kernels_space() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(60, 4)).astype(np.float32)
    kernel = Gaussian(gamma=0.3)
    k = kernel.matrix(x, x).astype(float)
    items = x[:6]
    axes = np.linalg.inv(np.linalg.cholesky(k[:6, :6])).T[:, :3]
    metric = KernelMetric.of(kernel, items, axes, np.array([4.0, 1.0, 0.25]), x)
    found = stretch(metric)
    assert found.eigenvalues == pytest.approx([4, 1, 0.25])  # all others are at 1, whatever the median of these
    assert (found.stretched, found.shrunk, found.others) == (1, 1, True)
    learned = k + (k[:, :6] @ axes) @ np.diag([3.0, 0.0, -0.75]) @ (k[:, :6] @ axes).T
    pairs = MetricPairs(np.array([[0, 1], [2, 9], [40, 50]]), np.array([True, True, False]))
    for table, under in ((k, False), (learned, True)):
        lengths = np.sqrt(np.maximum(np.diag(table)[:, None] + np.diag(table) - 2 * table, 0))
        told = kernel_pair_distances(metric, x, pairs, 0, under)
        ratio = np.concatenate([told.similar, told.different]) / [lengths[0, 1], lengths[2, 9], lengths[40, 50]]
        assert ratio == pytest.approx(np.full(3, ratio[0]), rel=1e-5)  # of one scale: the mean of pairs by chance
        assert 1 / ratio[0] == pytest.approx(lengths[~np.eye(60, dtype=bool)].mean(), rel=0.05)
