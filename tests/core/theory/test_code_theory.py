"""Shares of differing bits, against plain computations."""

from __future__ import annotations

import numpy as np
import pytest

from twinlens.core.errors import Cancelled
from twinlens.core.evaluation.method_evaluation import evaluate_ranking
from twinlens.core.evaluation.plan import HeldOutSplits
from twinlens.core.hashing.packed_codes import unpack_bits
from twinlens.core.hashing.shift_invariant_hashing import expected_share_bilinear
from twinlens.core.kernels.radial_kernels import Gaussian
from twinlens.core.methods.itq import Itq
from twinlens.core.methods.klsh import Klsh
from twinlens.core.methods.sik import Sik
from twinlens.core.projections.kernel_components import Spectrum
from twinlens.core.theory.code_theory import (
    COLUMNS,
    R,
    column_means,
    density,
    error,
    largest_eigenvalues,
    lost,
    near_border,
    pair_differences,
    rank_grid,
    rank_recall,
    rank_theory,
    rotation_steps,
    shared_covariance,
    shares,
    spread_pairs,
    stretch_of,
    theorem_3,
)


def _items() -> np.ndarray:
    return np.random.default_rng(0).normal(size=(80, 12)).astype(np.float32)


def test_pairs_are_different_items_each_once_and_few_of_each_stretch() -> None:
    x, kernel = _items(), Gaussian(gamma=0.03)
    found = spread_pairs(x, kernel, 7, seed=1)
    drawn = found.of(False)
    assert (drawn.rows[:, 0] < drawn.rows[:, 1]).all()
    assert len({tuple(row) for row in drawn.rows.tolist()}) == len(drawn.rows)
    assert np.bincount(stretch_of(drawn.kernel), minlength=COLUMNS).max() == 7
    far = ((x[drawn.rows[:, 0]].astype(float) - x[drawn.rows[:, 1]]) ** 2).sum(axis=1)
    assert drawn.kernel == pytest.approx(np.exp(-0.03 * far))
    assert len(found.of(True).rows) == 56
    again = spread_pairs(x, kernel, 7, seed=1)
    assert np.array_equal(again.rows, found.rows)


def test_shares_and_density_count_bits_and_pairs() -> None:
    x = _items()
    encoder = Sik(bits=13, kernel=Gaussian(gamma=0.03)).fit(x)
    rows = np.array([[0, 1], [5, 9], [3, 70]])
    bits = unpack_bits(encoder.encode(x), 13)
    found = shares(encoder, x, rows)
    assert found.tolist() == [(bits[a] != bits[b]).mean() for a, b in rows]
    borders, heights, counts = density(np.array([0.1, 0.1, 1.0]), np.array([0.2, 0.2, 0.0]), 10)
    assert counts.sum() == 3
    assert counts[np.searchsorted(heights, 0.2, "right") - 1, np.searchsorted(borders, 0.1, "right") - 1] == 2
    assert counts[0, -1] == 1


def test_means_of_stretches_leave_out_what_has_few_pairs() -> None:
    kernel, values = np.array([0.1, 0.12, 0.15, 0.9]), np.array([1.0, 2.0, 6.0, 5.0])
    at, mean, deviation = column_means(kernel, values, least=3, columns=2)
    assert at == pytest.approx([0.37 / 3])
    assert mean == pytest.approx([3.0])
    assert deviation == pytest.approx([np.std([1, 2, 6])])


def test_largest_eigenvalues_are_those_of_the_scaled_difference() -> None:
    x, rows = _items(), np.array([[0, 1], [5, 9]])
    for found, (a, b) in zip(largest_eigenvalues(x, rows, (3, 4), 0.2), rows, strict=True):
        delta = np.sqrt(0.4) * (x[a].astype(float) - x[b]).reshape(3, 4)
        assert found == pytest.approx(np.linalg.eigvalsh(delta @ delta.T)[-1])


def test_covariance_of_bits_that_share_is_that_of_a_plain_simulation() -> None:
    x, gamma, rows = _items(), 0.02, np.array([[0, 1], [2, 3]])
    found, expected = shared_covariance(x, rows, (3, 4), gamma, seed=4, draws=300, side=12)
    assert expected == pytest.approx(expected_share_bilinear(pair_differences(x, rows, (3, 4)), gamma))

    rng, n = np.random.default_rng(9), 400_000
    for value, (a, b) in zip(found, rows, strict=True):
        one, other = (np.sqrt(2 * gamma) * x[row].astype(float).reshape(3, 4) for row in (a, b))
        v, w = rng.normal(size=(n, 4)), rng.normal(size=(2, n, 3))
        differ = []
        for left in w:
            offset, threshold = rng.uniform(0, 2 * np.pi, n), rng.uniform(-1, 1, n)
            bits = [
                np.cos(np.einsum("ni,ij,nj->n", left, item, v, optimize=True) + offset) + threshold >= 0
                for item in (one, other)
            ]
            differ.append(bits[0] != bits[1])
        assert value == pytest.approx(np.cov(*differ)[0, 1], abs=0.004)
        assert value > 0.002


def _turned_items() -> np.ndarray:
    rng = np.random.default_rng(0)
    return (rng.normal(size=(200, 8)) * np.arange(8, 0, -1) + 3).astype(np.float32)


def test_looking_on_changes_no_code_and_sees_what_a_plain_fit_does() -> None:
    x, method = _turned_items(), Itq(bits=4, seed=2, iterations=20)
    found = rotation_steps(x, method)
    plain = method.fit(x)
    assert np.array_equal(plain.encode(x), method.learn(x, watch=lambda v, r: None).encode(x))
    assert np.array_equal(plain.project(x) >= 0, found.rotated >= 0)

    centred = x - x.mean(axis=0, dtype=float)
    values = np.linalg.eigvalsh(centred.T @ centred)[::-1]
    assert found.captured == pytest.approx(values[:4].sum() / values.sum())
    assert found.before == pytest.approx(values[:4] / values.sum())
    assert found.after.sum() == pytest.approx(found.captured)
    rotated = plain.project(x)
    assert found.errors[-1] == pytest.approx(np.square(np.where(rotated >= 0, 1, -1) - rotated).sum() / 200, rel=1e-5)
    assert (np.diff(found.errors) <= 1e-9).all()
    assert len(found.errors) > 2
    assert found.errors[-1] < found.errors[0]


def test_every_turn_is_the_plain_one() -> None:
    x = _turned_items()
    found = rotation_steps(x, Itq(bits=3, iterations=2, seed=1))
    short = [rotation_steps(x, Itq(bits=3, iterations=turns, seed=1)).errors[-1] for turns in (0, 1, 2)]
    assert found.errors == pytest.approx(short)
    v, start = found.projected, rotation_steps(x, Itq(bits=3, iterations=0, seed=1)).rotated
    m, _, n = np.linalg.svd(np.where(start >= 0, 1, -1).T @ v)
    assert found.errors[1] == pytest.approx(error(v @ (n.T @ m.T)))


def test_what_signs_lose_is_the_least_over_all_scales() -> None:
    projected = np.random.default_rng(1).normal(size=(50, 3)) * [1, 2, 5]
    signs = np.where(projected >= 0, 1, -1)
    scales = np.linspace(0.1, 6, 6_001)
    least = min(float(np.square(scale * signs - projected).sum()) for scale in scales)
    assert lost(projected) == pytest.approx(least / np.square(projected).sum(), abs=1e-5)
    assert lost(np.zeros((3, 2))) == 0
    assert lost(3.0 * signs) == pytest.approx(0, abs=1e-12)
    assert near_border(np.array([[1.0, -0.1], [1.0, 1.0]])) == 0.25


def _kernel_items(n: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.asarray(rng.normal(size=(n, 6)) * [3, 2, 1, 0.5, 0.3, 0.1], np.float32)


def _plain(x: np.ndarray, z: np.ndarray, scale: float | None) -> np.ndarray:
    far = ((x[:, None].astype(float) - z[None]) ** 2).sum(axis=2)
    values = np.exp(-0.1 * far)
    return np.asarray(values if scale is None else np.exp(scale * (values - 1)))


@pytest.mark.parametrize("scale", [None, 3.0])
def test_residuals_are_those_of_a_plain_projection_in_the_space_of_the_kernel(scale: float | None) -> None:
    x, others = _kernel_items(40, 0), _kernel_items(25, 1)
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
    x = _kernel_items(30, 0)
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
    x, kernel = _kernel_items(150, 2), Gaussian(gamma=0.1)
    declared = Klsh(kernel=kernel, bits=20, landmarks=60, samples=10, seed=3)
    held = HeldOutSplits(x, kernel.text(), 25, 5)
    found = rank_recall(held, declared, [2, 8, 59], 2)
    for one in found:
        some = ((declared.changed(rank=one.rank, seed=3 + split), held.task(split, held.most)) for split in range(2))
        each = [evaluate_ranking(method, task).values[f"recall@{R}"] for method, task in some]
        assert one.mean == pytest.approx(np.mean(each))
        assert (one.low, one.high) == pytest.approx((min(each), max(each)))


def test_it_can_be_stopped() -> None:
    declared = Klsh(kernel=Gaussian(gamma=0.1), landmarks=20, samples=5, bits=8)
    held = HeldOutSplits(_kernel_items(60, 2), declared.kernel.text(), 10, 0)

    def stop(done: float, total: float, text: object = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        rank_recall(held, declared, [2], 1, stop)


def test_ranks_rise_and_end_with_the_largest() -> None:
    for largest in (1, 2, 3, 7, 100, 499):
        ranks = rank_grid(largest)
        assert ranks == sorted(set(ranks))
        assert ranks[-1] == largest
