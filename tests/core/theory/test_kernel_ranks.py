"""What is said of ranks, against plain computations."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import Cancelled
from core.evaluation.method_evaluation import evaluate_ranking
from core.evaluation.plan import HeldOutSplits
from core.kernels.radial_kernels import Gaussian
from core.methods.klsh import Klsh
from core.projections.kernel_components import Spectrum
from core.theory.code_theory import R, rank_grid, rank_recall, rank_theory, theorem_3


def _items(n: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.asarray(rng.normal(size=(n, 6)) * [3, 2, 1, 0.5, 0.3, 0.1], np.float32)


def _plain(x: np.ndarray, z: np.ndarray, scale: float | None) -> np.ndarray:
    far = ((x[:, None].astype(float) - z[None]) ** 2).sum(axis=2)
    values = np.exp(-0.1 * far)
    return np.asarray(values if scale is None else np.exp(scale * (values - 1)))


@pytest.mark.parametrize("scale", [None, 3.0])
def test_residuals_are_those_of_a_plain_projection_in_the_space_of_the_kernel(scale: float | None) -> None:
    x, others = _items(40, 0), _items(25, 1)
    found = rank_theory(x, others, Gaussian(gamma=0.1), scale, 40, 0)

    k = _plain(x, x, scale)
    h = np.eye(40) - 1 / 40
    values, vectors = np.linalg.eigh(h @ k @ h)
    values, vectors = values[::-1], vectors[:, ::-1]
    assert found.spectrum.eigenvalues == pytest.approx(values[: len(found.spectrum.eigenvalues)] / 40, abs=1e-9)
    assert found.total == pytest.approx(np.trace(h @ k @ h) / 40)
    beside = _plain(others, x, scale)
    length = 1 - 2 * beside.mean(axis=1) + k.mean()
    for rank in (1, 5, 20):
        coordinates = (beside - k.mean(axis=0)) @ h @ vectors[:, :rank] / np.sqrt(values[:rank])
        outside = length - (coordinates**2).sum(axis=1)
        assert found.outside[rank - 1] == pytest.approx(outside.mean(), abs=1e-6)
        assert found.spectrum.residual[rank - 1] == pytest.approx(values[rank:].sum() / 40, abs=1e-9)
        assert found.satisfied >= (np.sqrt(np.maximum(outside, 0)) <= np.sqrt(values[rank - 1] / 40)).mean() - 1e-12
    assert found.length == pytest.approx(length.mean(), abs=1e-6)


def test_the_landmarks_themselves_lie_outside_by_the_mean_residual() -> None:
    x = _items(30, 0)
    found = rank_theory(x, x, Gaussian(gamma=0.1), None, 30, 0)
    assert found.outside == pytest.approx(found.spectrum.residual, abs=1e-5)


def test_theorem_3_is_its_expression_and_says_nothing_where_there_is_no_gap() -> None:
    told = Spectrum(np.array([0.5, 0.2, 0.2]), np.array([0.4, 0.2, 0.0]), np.array([2 / (0.3 * 10), np.inf, 1.0]))
    bounds = theorem_3(told, 100, best=0.9, epsilon=0.5, xi=2.0)
    eta = 2 / (0.15 * 10) * 2
    root = np.sqrt(0.5)
    assert len(bounds) == 2
    assert bounds[0] == pytest.approx(1.5 * (1 - root - eta) * 0.9 - 0.5 - 2.5 * (root + eta) ** 2)


def test_recall_at_every_rank_is_that_of_klsh_fitted_with_this_rank() -> None:
    x, kernel = _items(150, 2), Gaussian(gamma=0.1)
    declared = Klsh(kernel=kernel, bits=20, landmarks=60, samples=10, seed=3)
    held = HeldOutSplits(x, kernel.text(), 25, 5)
    found = rank_recall(held, declared, [2, 8, 59], 2)
    for one in found:
        each = [
            evaluate_ranking(declared.changed(rank=one.rank, seed=3 + split), held.task(split, held.most)).recall[R]
            for split in range(2)
        ]
        assert one.mean == pytest.approx(np.mean(each))
        assert (one.low, one.high) == pytest.approx((min(each), max(each)))


def test_it_can_be_stopped() -> None:
    declared = Klsh(kernel=Gaussian(gamma=0.1), landmarks=20, samples=5, bits=8)
    held = HeldOutSplits(_items(60, 2), declared.kernel.text(), 10, 0)

    def stop(done: float, total: float, text: object = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        rank_recall(held, declared, [2], 1, stop)


def test_ranks_rise_and_end_with_the_largest() -> None:
    for largest in (1, 2, 3, 7, 100, 499):
        ranks = rank_grid(largest)
        assert ranks == sorted(set(ranks))
        assert ranks[-1] == largest
