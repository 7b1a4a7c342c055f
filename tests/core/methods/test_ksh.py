"""Supervised hashing with kernels against its paper, written out plainly."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import eigh
from scipy.optimize import approx_fprime

from tests.core.methods.test_supervised_itq import kinds
from twinlens.core.arrays import Float64Values
from twinlens.core.hashing.packed_codes import hamming
from twinlens.core.hashing.supervision import Supervision
from twinlens.core.kernels.radial_kernels import Gaussian
from twinlens.core.methods.klsh import KpcaItq
from twinlens.core.methods.ksh import Ksh, _objective, smoothed
from twinlens.core.metrics.metric import MetricPairs

SMALL = Ksh(bits=8, landmarks=60, kernel=Gaussian(gamma=0.02))


def plainly(k: npt.NDArray[np.float64], s: npt.NDArray[np.float64], bits: int) -> npt.NDArray[np.float64]:
    """Return H of the paper's Algorithm 1 with the spectral relaxation alone, (l, bits)."""
    residual, found = bits * s, []
    for _ in range(bits):
        a = eigh(k.T @ residual @ k, k.T @ k)[1][:, -1]
        h = np.where(k @ a >= 0, 1.0, -1.0)
        residual = residual - np.outer(h, h)
        found.append(h)
    return np.array(found).T


def test_spectral_bits_are_those_of_the_paper() -> None:
    x, labels = kinds(200, 20)
    encoder = SMALL.changed(iterations=0, ridge=0, landmarks=30).fit_with(x, Supervision.of_labels(labels))
    k = encoder.measure.against(encoder.landmarks).values(x) - encoder.offset  # type: ignore[union-attr, attr-defined]
    expected = plainly(k, np.where(labels[:, None] == labels, 1.0, -1.0), 8)
    agreement = ((encoder.project(x) >= 0) == (expected > 0)).mean(axis=0)
    assert (np.maximum(agreement, 1 - agreement) > 0.99).all()  # of an eigenvector the sign is anybody's choice


@given(st.integers(0, 50))
def test_the_gradient_is_that_of_the_objective(seed: int) -> None:
    rng = np.random.default_rng(seed)
    k, r, a = rng.standard_normal((12, 5)), rng.standard_normal((12, 12)), rng.standard_normal(5)
    r = r + r.T
    _, slope = _objective(k, r, a)

    def objective(at: Float64Values) -> float:
        return _objective(k, r, at)[0]

    assert np.allclose(slope, approx_fprime(a, objective, 1e-7), rtol=1e-3, atol=1e-4)


@given(st.integers(0, 50), st.integers(0, 60))
def test_steps_never_lead_up(seed: int, steps: int) -> None:
    rng = np.random.default_rng(seed)
    k, r, a = rng.standard_normal((20, 6)), rng.standard_normal((20, 20)), rng.standard_normal(6)
    r = r + r.T
    values = [_objective(k, r, smoothed(k, r, a, count))[0] for count in (0, steps, steps + 5)]
    assert values[0] >= values[1] >= values[2]


def loss(method: Ksh) -> float:
    """Return the paper's eq. 6 of all labelled items."""
    x, labels = kinds(150, 20)
    h = np.where(method.fit_with(x, Supervision.of_labels(labels)).project(x) >= 0, 1.0, -1.0)
    return float(np.square(h @ h.T / method.bits - np.where(labels[:, None] == labels, 1.0, -1.0)).mean())


def test_smoothing_fits_pairs_better_than_the_relaxation() -> None:
    assert loss(SMALL) < loss(SMALL.changed(iterations=0))


def test_judged_pairs_are_taken_as_they_are() -> None:
    x, labels = kinds(200, 20)
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 100, (800, 2))
    rows = rows[rows[:, 0] != rows[:, 1]]
    pairs = MetricPairs(rows, labels[rows[:, 0]] == labels[rows[:, 1]])
    codes = SMALL.fit_with(x, Supervision.of_pairs(pairs, len(x))).encode(x)
    far = hamming(codes[:, None], codes)
    same = labels[:, None] == labels
    assert far[~same].mean() > far[same].mean() + 0.5
    plain = KpcaItq(bits=8, landmarks=60, kernel=SMALL.kernel).fit(x).encode(x)
    apart = hamming(plain[:, None], plain)
    assert far[~same].mean() - far[same].mean() > apart[~same].mean() - apart[same].mean()


def test_without_anything_known_bits_are_those_of_kpca_itq() -> None:
    x, _ = kinds()
    plain = KpcaItq(bits=8, landmarks=60, kernel=SMALL.kernel).fit(x)
    np.testing.assert_array_equal(SMALL.fit(x).encode(x), plain.encode(x))
