"""What bounds spare and lose, against plain counts."""

from __future__ import annotations

import numpy as np
import pytest

from core.kernels.dot_product_kernels import Linear, Polynomial
from core.theory.distance_theory import pair_bounds, spared_by_k, spared_by_radius


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
