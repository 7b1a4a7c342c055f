"""The projections: compiled, plain and by BLAS; the first two give the same bits."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinlens.core.arrays import Float64Matrix
from twinlens.core.compilation import compilation
from twinlens.core.metrics import log_det
from twinlens.core.metrics.log_det import Constraints, ProjectionResult, project_on_constraints


def made(seed: int, pairs: int, dimensions: int) -> tuple[Float64Matrix, Constraints]:
    rng = np.random.default_rng(seed)
    v = rng.standard_normal((pairs, dimensions)) / np.sqrt(dimensions)
    v[rng.random(pairs) < 0.1] = 0
    similar = rng.random(pairs) < 0.5
    return v, Constraints(similar, np.where(similar, 0.7, 3.0) * rng.uniform(0.9, 1.1, pairs))


def projected(
    v: Float64Matrix, constraints: Constraints, slack: float, by_pairs: bool, sweeps: int = 30
) -> ProjectionResult:
    if by_pairs:
        return project_on_constraints(constraints, slack, sweeps, 1e-6, gram=v @ v.T)
    return project_on_constraints(constraints, slack, sweeps, 1e-6, differences=v)


@given(
    st.integers(0, 2**31),
    st.integers(1, 20),
    st.one_of(st.integers(1, 20), st.sampled_from([31, 64, 127, 128])),
    st.sampled_from([0.01, 1.0, 100.0, np.inf]),
    st.booleans(),
)
def test_plain_loops_give_the_bits_of_the_compiled_ones(
    seed: int, pairs: int, dimensions: int, slack: float, by_pairs: bool
) -> None:
    v, constraints = made(seed, pairs, dimensions)
    assert compilation.ready()
    compiled = projected(v, constraints, slack, by_pairs)
    with patch.object(compilation, "worth", return_value=False):
        plain = projected(v, constraints, slack, by_pairs)
    np.testing.assert_array_equal(plain.duals, compiled.duals)
    np.testing.assert_array_equal(plain.squared, compiled.squared)
    assert (plain.sweeps, plain.converged) == (compiled.sweeps, compiled.converged)


@pytest.mark.parametrize("by_pairs", [True, False])
def test_what_becomes_compiled_on_the_way_changes_nothing(by_pairs: bool) -> None:
    v, constraints = made(1, 100, 128)
    expected = projected(v, constraints, 1.0, by_pairs)
    with patch.object(compilation, "worth", side_effect=[False] * 3 + [True] * 100):
        found = projected(v, constraints, 1.0, by_pairs)
    assert expected.sweeps > 3
    np.testing.assert_array_equal(found.duals, expected.duals)


@pytest.mark.parametrize("by_pairs", [True, False])
def test_many_are_gone_through_likewise(by_pairs: bool) -> None:
    v, constraints = made(2, 80, 30)
    expected = projected(v, constraints, 1.0, by_pairs)
    with patch.object(log_det, "COMPILED", 0):
        found = projected(v, constraints, 1.0, by_pairs)
    assert np.abs(expected.duals).max() > 0
    np.testing.assert_allclose(found.duals, expected.duals, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.squared, expected.squared, rtol=1e-9, atol=1e-12)
