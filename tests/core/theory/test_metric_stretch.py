"""Directions and distances of a metric, against plain computations."""

from __future__ import annotations

import numpy as np
import pytest

from core.kernels.radial_kernels import Gaussian
from core.metrics.kernel_metric import KernelMetric
from core.metrics.metric import MetricPairs
from core.metrics.metric_forms import ExplicitMetric
from core.theory.distance_theory import area, kernel_pair_distances, stretch, stretched_pair_distances


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
