"""Bilinear ITQ beside a plain reference, its objective, and what it gains over random projections."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twinlens.core.arrays import Float64Matrix
from twinlens.core.errors import TwinlensError
from twinlens.core.hashing.bilinear_hashing import BilinearEncoder, squarest
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.hashing.packed_codes import unpack_bits
from twinlens.core.hashing.shift_invariant_hashing import BilinearShiftInvariantEncoder
from twinlens.core.methods.bilinear_itq import BilinearItq, Matrices, learn_rotations, mean_squares, sides
from twinlens.core.methods.lsh import BilinearLsh
from twinlens.core.methods.sik import BilinearSik


def pictures(n: int, shape: tuple[int, int] = (12, 16), seed: int = 0, groups: int = 40) -> Float64Matrix:
    """Make groups of matrices that are smooth along rows and columns, with a little of what is not."""
    rng = np.random.default_rng(seed)

    def smooth(count: int) -> Float64Matrix:
        waves = np.stack([np.cos(np.pi * k * (np.arange(count) + 0.5) / count) for k in range(count)], axis=1)
        return np.asarray(waves * np.where(np.arange(count) < count / 2, 1.0, 0.2))

    middles = rng.standard_normal((groups, *shape))
    single = middles[rng.integers(0, groups, n)] + 0.3 * rng.standard_normal((n, *shape))
    return np.asarray(smooth(shape[0]) @ single @ smooth(shape[1]).T + 3).reshape(n, -1)


def matrices(x: Float64Matrix) -> Matrices:
    return Matrices(x, x.mean(axis=0), np.arange(len(x)), squarest(x.shape[1]))


# ---- the rotations ---------------------------------------------------------------------------------------------------
def plain_turn(
    centred: Float64Matrix, left: Float64Matrix, right: Float64Matrix
) -> tuple[Float64Matrix, Float64Matrix]:
    """Turn once, by the paper's letter, a matrix at a time."""

    def polar(towards: Float64Matrix) -> Float64Matrix:
        # (A A')^(-1/2) A by eigenvectors, another way to the same factor.
        values, vectors = np.linalg.eigh(towards.T @ towards)
        return np.asarray(towards @ vectors @ np.diag(values**-0.5) @ vectors.T)

    towards = np.zeros_like(left)
    for x in centred:
        towards += x @ right @ np.sign(left.T @ x @ right).T
    left = polar(towards)
    towards = np.zeros_like(right)
    for x in centred:
        towards += x.T @ left @ np.sign(left.T @ x @ right)
    return left, polar(towards)


def test_a_turn_is_that_of_the_plain_formula() -> None:
    data = matrices(pictures(300))
    centred = (data.x - data.mean).reshape(-1, 12, 16)
    left, right = learn_rotations(data, (5, 7), 0, np.random.default_rng(4))
    for turns in (1, 2, 5):
        left, right = plain_turn(centred, left, right)
        if turns < 5:
            learned = learn_rotations(data, (5, 7), turns, np.random.default_rng(4))
            np.testing.assert_allclose(learned[0], left, atol=1e-9)
            np.testing.assert_allclose(learned[1], right, atol=1e-9)


def test_it_starts_in_the_leading_space_of_rows_and_columns() -> None:
    data = matrices(pictures(200))
    centred = (data.x - data.mean).reshape(-1, 12, 16)
    left, right = learn_rotations(data, (3, 4), 0, np.random.default_rng(0))
    for found, square in ((left, np.einsum("nrc,nsc->rs", centred, centred)),
                          (right, np.einsum("nrc,nrd->cd", centred, centred))):  # fmt: skip
        values = np.linalg.eigvalsh(square)
        np.testing.assert_allclose(np.trace(found.T @ square @ found), values[-found.shape[1] :].sum(), rtol=1e-9)


def projected(data: Matrices, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.asarray(np.einsum("ra,nrc,cb->nab", left, (data.x - data.mean).reshape(-1, 12, 16), right))


@settings(max_examples=10, deadline=None)
@given(st.integers(1, 12), st.integers(1, 16), st.integers(0, 99))
def test_the_objective_never_falls_and_columns_stay_orthonormal(first: int, second: int, seed: int) -> None:
    data = matrices(pictures(150, seed=seed))
    reached = []
    for turns in range(5):
        left, right = learn_rotations(data, (first, second), turns, np.random.default_rng(seed))
        np.testing.assert_allclose(left.T @ left, np.eye(first), atol=1e-9)
        np.testing.assert_allclose(right.T @ right, np.eye(second), atol=1e-9)
        reached.append(float(np.abs(projected(data, left, right)).sum()))
    assert all(later >= earlier * (1 - 1e-12) for earlier, later in pairwise(reached))
    if first > 1 and second > 1:
        assert reached[-1] > reached[0]


def test_mean_squares_are_those_of_the_projections() -> None:
    data = matrices(pictures(50))
    left, right = learn_rotations(data, (5, 7), 1, np.random.default_rng(4))
    values = projected(data, left, right)
    np.testing.assert_allclose(mean_squares(data, left, right), np.square(values).mean(axis=0), rtol=1e-9)


@given(st.integers(1, 300), st.integers(1, 300), st.data())
def test_sides_suffice_and_fit(rows: int, columns: int, data: st.DataObject) -> None:
    bits = data.draw(st.integers(1, rows * columns))
    first, second = sides((rows, columns), bits)
    assert 1 <= first <= rows
    assert 1 <= second <= columns
    assert bits <= first * second < bits + first


# ---- the method ------------------------------------------------------------------------------------------------------
def test_bits_are_the_entries_of_greatest_variance() -> None:
    x = pictures(300)
    encoder = BilinearItq(bits=33).fit(x)
    assert (encoder.left.shape, encoder.right.shape) == ((12, 5), (16, 7))
    centred = (x - x.mean(axis=0)).reshape(-1, 12, 16)
    values = np.einsum("ra,nrc,cb->nba", encoder.left, centred, encoder.right).reshape(len(x), -1)
    kept = np.sort(np.argsort(-np.square(values).mean(axis=0))[:33])
    np.testing.assert_array_equal(encoder.kept, kept)
    np.testing.assert_allclose(encoder.project(x), values[:, kept], rtol=1e-4, atol=1e-5)


def test_only_the_drawn_items_are_learned_from() -> None:
    x = pictures(400)
    mean = x.mean(axis=0)
    method = BilinearItq(bits=20, training_items=50)
    drawn = np.sort(np.random.default_rng(0).choice(400, 50, replace=False))
    others = np.setdiff1d(np.arange(400), drawn)
    changed = x.copy()
    changed[others] = changed[others][::-1]  # the same mean, in another order
    assert method.sample_size == 50
    np.testing.assert_allclose(method.fit(changed).left, method.fit(x).left, atol=1e-5)
    changed[others] = mean
    assert np.abs(BilinearItq(bits=20).fit(changed).left - BilinearItq(bits=20).fit(x).left).max() > 1e-3


def test_every_number_of_bits_up_to_the_dimensions() -> None:
    x = pictures(60, (4, 6))
    for bits in range(1, 25):
        assert BilinearItq(bits=bits).fit(x).bits == bits
    with pytest.raises(TwinlensError, match="here 24, not 25") as caught:
        BilinearItq(bits=25).fit(x)
    assert "bilinear-itq:bits=24" in str(caught.value.advice)
    with pytest.raises(TwinlensError, match="vectors are matrices"):
        BilinearItq().check(256)
    with pytest.raises(TwinlensError, match="here 8,192, not 9,000"):
        BilinearItq(bits=9_000).check(8192, (64, 128))
    BilinearItq().check(8192, (64, 128))
    with pytest.raises(TwinlensError, match="7 dimensions cannot"):
        BilinearItq().fit(np.eye(7))


def overlap(method: HashMethod, x: Float64Matrix, queries: Float64Matrix) -> float:
    """Share of the ten nearest among the ten of fewest differing bits; ties in the order of rows."""
    encoder = method.fit(x)
    codes, asked = (2.0 * (encoder.project(some) >= 0) - 1 for some in (x, queries))
    near = np.argsort(-asked @ codes.T, axis=1, kind="stable")[:, :10]
    true = np.argsort(np.square(x).sum(axis=1) - 2 * queries @ x.T, axis=1)[:, :10]
    return float(np.mean([np.isin(found, right).mean() for found, right in zip(near, true, strict=True)]))


@pytest.mark.parametrize("bits", [20, 32])
def test_it_ranks_clustered_matrices_better_than_random_projections(bits: int) -> None:
    x = pictures(1_700, groups=150)
    learned, drawn = (
        np.mean([overlap(cls(bits=bits, seed=seed), x[200:], x[:200]) for seed in range(3)])
        for cls in (BilinearItq, BilinearLsh)
    )
    assert learned > drawn + 0.02


@pytest.mark.parametrize("bits", [16, 32, 50])
def test_it_ranks_written_digits_better_than_random_projections(bits: int) -> None:
    from sklearn.datasets import load_digits

    x = np.random.default_rng(0).permutation(load_digits().data)
    learned, drawn = (
        np.mean([overlap(cls(bits=bits, seed=seed), x[300:], x[:300]) for seed in range(3)])
        for cls in (BilinearItq, BilinearLsh)
    )
    assert learned > drawn + 0.03


@pytest.mark.parametrize("method", [BilinearLsh, BilinearSik])
@pytest.mark.parametrize(
    ("bits", "rows", "left", "shape", "counts"),
    [
        (30, None, None, (4, 6), (12, 12)),
        (30, 2, None, (2, 12), (12, 12)),
        (30, 3, 10, (3, 8), (20, 6)),
        (7, 24, 1, (24, 1), (2, 14)),
    ],
)
def test_the_shape_and_the_sides_are_as_declared(
    method: type[BilinearLsh | BilinearSik], bits: int, rows: int | None, left: int | None, shape: tuple[int, int],
    counts: tuple[int, int],
) -> None:  # fmt: skip
    x = np.random.default_rng(0).standard_normal((50, 24)).astype(np.float32)
    encoder = method(bits=bits, rows=rows, left=left, oversampling=2).fit(x)
    assert isinstance(encoder, BilinearEncoder | BilinearShiftInvariantEncoder)
    assert encoder.left.shape == (shape[0], counts[0])
    assert encoder.right.shape == (shape[1], counts[1])
    assert len(np.unique(encoder.kept)) == encoder.bits == bits
    if isinstance(encoder, BilinearEncoder):
        # What is computed is W'XV, entry by entry.
        matrices = (x - encoder.mean).reshape(-1, *shape).astype(np.float64)
        whole = np.einsum("rv,nqr,qw->nvw", encoder.right.astype(float), matrices, encoder.left.astype(float))
        expected = whole.reshape(len(x), -1)[:, encoder.kept]
        np.testing.assert_allclose(encoder.project_block(x), expected, atol=1e-4)
        sure = np.abs(expected) > 1e-4
        assert (unpack_bits(encoder.encode(x), bits) == (expected > 0))[sure].all()


def test_what_is_declared_as_before_is_drawn_as_before() -> None:
    x = np.random.default_rng(1).standard_normal((30, 64)).astype(np.float32)
    plain, said = (BilinearLsh(bits=16, rows=rows, left=left).fit(x) for rows, left in ((None, None), (8, 4)))
    np.testing.assert_array_equal(plain.encode(x), said.encode(x))


def test_rows_that_do_not_divide_the_dimensions_are_refused() -> None:
    x = np.ones((4, 24), np.float32)
    with pytest.raises(TwinlensError, match="24 dimensions cannot be laid out as a matrix of 5 rows"):
        BilinearLsh(rows=5).fit(x)
    with pytest.raises(TwinlensError, match="of 5 rows"):
        BilinearSik(rows=5).check(24, (4, 6))
