"""Promises of every kernel: one value for a pair, whichever way it is computed, and the properties that it names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from twinlens.core.compilation import compilation
from twinlens.core.declaration.parameters import ParameterKind
from twinlens.core.errors import TwinlensError
from twinlens.core.kernels.kernel import Kernel, MonotoneTransform, UnitRange
from twinlens.core.vectors import Vectors
from twinlens.testing.declarations import blas_threads, other_values, training_data


def made(cls: type[Kernel], x: Vectors, **values: Any) -> Kernel:
    """Make a kernel with what is ``auto`` found from data."""
    return cls(**values).fitted_to(x, np.random.default_rng(0))


def kernel_variants(cls: type[Kernel]) -> list[Kernel]:
    """Return the kernel as it is and with each of its choices and switches, with what is ``auto`` found from data."""
    x = training_data(n=200, d=130)
    others = [
        {about.name: other}
        for about in cls.parameters()
        if about.kind in {ParameterKind.CHOICE, ParameterKind.SWITCH, ParameterKind.DECLARATION}
        for other in other_values(about)
    ]
    return [made(cls, x, **values) for values in [{}, *others]]


def kernel_matrix_is_its_pairs(kernel: Kernel, x: Vectors) -> None:
    """The fast way and the steadfast way agree."""
    z = x[:7]
    matrix = kernel.matrix(x, z)
    assert matrix.shape == (len(x), len(z))
    assert matrix.dtype == np.float64
    for j in range(len(z)):
        np.testing.assert_allclose(matrix[:, j], kernel.pairs(x, z[j : j + 1]), rtol=1e-9, atol=1e-12)


def kernel_pairs_stand_alone(kernel: Kernel, x: Vectors) -> None:
    """A pair has one value, whatever is evaluated beside it, in either order; the diagonal is that of equal items."""
    for threads in (1, 2):
        with blas_threads(threads):
            together = kernel.pairs(x, x[:1])
            for i in range(0, len(x), 5):
                assert kernel.pairs(x[i : i + 1], x[:1])[0] == together[i]
                assert kernel.pairs(x[:1], x[i : i + 1])[0] == together[i]
            np.testing.assert_array_equal(kernel.diagonal(x), kernel.pairs(x, x.copy()))


def kernel_against_is_its_pairs(kernel: Kernel, x: Vectors) -> None:
    """What encoders compute agrees with the other ways as far as float32 does."""
    x = x.astype(np.float32)
    values = kernel.against(x[:7]).values(x)
    assert values.shape == (len(x), 7)
    assert values.dtype == np.float64
    for j in range(7):
        expected = kernel.pairs(x, x[j : j + 1])
        np.testing.assert_allclose(values[:, j], expected, rtol=2e-4, atol=1e-5 * np.abs(expected).max())


def kernel_against_stands_alone(kernel: Kernel, x: Vectors) -> None:
    """A row and a landmark have one value: alone, in a batch, with any threads, compiled or plain."""
    z = x[: len(x) // 4]
    against = kernel.against(z)
    together = against.values(x)
    order = np.random.default_rng(3).permutation(len(x))
    # A landmark alone, too: what an encoder keeps of it does not depend on the others.
    np.testing.assert_array_equal(kernel.against(z[5:6]).values(x)[:, 0], together[:, 5])
    for threads in (1, 2):
        for is_compiled in (True, False):
            with blas_threads(threads), patch.object(compilation, "worth", lambda work, answer=is_compiled: answer):
                np.testing.assert_array_equal(against.values(x[order]), together[order])
                np.testing.assert_array_equal(against.values(np.asfortranarray(x)), together)
                for i in range(0, len(x), 37):
                    np.testing.assert_array_equal(against.values(x[i : i + 1])[0], together[i])
                    np.testing.assert_array_equal(against.values(x[i : i + 1 + i % 70]), together[i : i + 1 + i % 70])
    rows = [rows for rows, block in against.blocks(x) if np.array_equal(block, together[rows])]
    assert [row for part in rows for row in range(part.start, part.stop)] == list(range(len(x)))
    assert against.values(x[:0]).shape == (0, len(z))


def kernel_is_as_definite_as_it_says(kernel: Kernel, x: Vectors) -> None:
    """The matrix of a positive definite kernel has no negative eigenvalue, for histograms."""
    if kernel.positive_definite:
        values = np.linalg.eigvalsh(kernel.matrix(x[:300], x[:300]))
        assert values[0] >= -1e-9 * values[-1]


def kernel_keeps_its_range(kernel: Kernel, x: Vectors) -> None:
    """Values lie in [0, 1] of the rows of which it says so; and the transform is for these alone."""
    x = x.astype(np.float64)
    if kernel.unit_range is UnitRange.NO_ROWS:
        with pytest.raises(TwinlensError, match=kernel.key):
            kernel.check_unit_range(x)
        return
    if kernel.unit_range is UnitRange.UNIT_SUMS:
        with pytest.raises(TwinlensError, match=r"row 3 .*normalise=true"):
            kernel.check_unit_range(np.concatenate([np.zeros((3, x.shape[1])), x]))
        x /= x.sum(axis=1, keepdims=True)
    kernel.check_unit_range(x)
    values = kernel.matrix(x, x[:20])
    assert values.min() >= 0
    assert values.max() <= 1 + 1e-12
    transformed = kernel.against(x[:20], MonotoneTransform(2.0)).values(x)
    np.testing.assert_array_equal(transformed, MonotoneTransform(2.0).of(kernel.against(x[:20]).values(x)))
    np.testing.assert_allclose(transformed, np.exp(2 * (values - 1)), rtol=1e-4)


def kernel_stays_where_it_is(kernel: Kernel, x: Vectors) -> None:
    """Only a translation-invariant kernel gives the same when both items are moved alike."""
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    values, moved = kernel.matrix(x[:50], x[:20]), kernel.matrix(x[:50] + x[20], x[:20] + x[20])
    assert np.allclose(values, moved, rtol=1e-6, atol=1e-12) == kernel.translation_invariant


def kernel_normalises(kernel: Kernel, x: Vectors) -> None:
    """Normalised, every item is 1 to itself, and an item of no length is 0 to all."""
    kernel = kernel.changed(normalise=True)
    np.testing.assert_allclose(kernel.diagonal(x), 1, rtol=1e-12)
    np.testing.assert_allclose(np.diag(kernel.against(x[:30]).values(x[:30])), 1, rtol=1e-5)
    blank = np.zeros((1, x.shape[1]))
    if kernel.norms(blank)[0] == 0:
        for values in (kernel.matrix(x, blank), kernel.against(blank).values(x), kernel.pairs(x, blank)):
            assert not values.any()
    plain = kernel.changed(normalise=False)
    expected = plain.matrix(x, x[:5]) / np.sqrt(plain.diagonal(x)[:, None] * plain.diagonal(x[:5]))
    np.testing.assert_allclose(kernel.matrix(x, x[:5]), expected, rtol=1e-9)


KernelContract = Callable[[Kernel, Vectors], None]
KERNEL_CONTRACTS: tuple[KernelContract, ...] = (
    kernel_matrix_is_its_pairs,
    kernel_pairs_stand_alone,
    kernel_against_is_its_pairs,
    kernel_against_stands_alone,
    kernel_is_as_definite_as_it_says,
    kernel_keeps_its_range,
    kernel_stays_where_it_is,
    kernel_normalises,
)
