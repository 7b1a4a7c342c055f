"""Shares of differing bits, against plain computations."""

from __future__ import annotations

import numpy as np
import pytest

from core.hashing.packed_codes import unpack_bits
from core.hashing.shift_invariant_hashing import expected_share_bilinear
from core.kernels.radial_kernels import Gaussian
from core.methods.sik import Sik
from core.theory.code_theory import (
    COLUMNS,
    column_means,
    density,
    largest_eigenvalues,
    pair_differences,
    shared_covariance,
    shares,
    spread_pairs,
    stretch_of,
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
