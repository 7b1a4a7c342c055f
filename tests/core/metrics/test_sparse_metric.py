"""Sparse vectors: what is taken, what is refused, directions made when asked for, codes and distances of them."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import kolmogorov, ndtr

from twinlens.core.declaration.fitted import Packed
from twinlens.core.errors import TwinlensError
from twinlens.core.hashing import sparse_encoder
from twinlens.core.hashing import sparse_encoder as lazy
from twinlens.core.hashing.sparse_encoder import KeptDirections, LazyDirections, SparseEncoder, normal_table
from twinlens.core.metrics.metric import FARTHEST
from twinlens.core.metrics.metric_forms import ImplicitMetric
from twinlens.core.metrics.sparse_metric import SparseMetric, as_sparse, is_sparse, products, squared_norms
from twinlens.testing.declarations import blas_threads

D = 60


def rows_of(n: int = 300, d: int = D, share: float = 0.2, seed: int = 0) -> scipy.sparse.csr_array[Any]:
    rng = np.random.default_rng(seed)
    dense = rng.standard_normal((n, d)) * (rng.random((n, d)) < share)
    return scipy.sparse.csr_array(dense.astype(np.float32))


def weights(c: int, seed: int = 1) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).standard_normal((c, c)) / (2 * c)


# ---- at the border ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "lil", "bsr", "dia", "dok"])
def test_every_layout_is_taken(layout: Any) -> None:
    x = rows_of(20)
    for given_x in (x.asformat(layout), scipy.sparse.csr_matrix(x).asformat(layout), x.toarray()):
        taken = as_sparse(given_x)
        assert taken.has_canonical_format
        np.testing.assert_array_equal(taken.toarray(), x.toarray())
    assert is_sparse(x.asformat(layout))
    assert not is_sparse(x.toarray())


def test_what_is_stored_twice_or_zero_is_one_value_or_none() -> None:
    odd = scipy.sparse.csr_array(
        (np.array([1.0, 2.0, 0.0, 5.0, -5.0, 3.0]), np.array([4, 4, 1, 2, 2, 0]), np.array([0, 3, 6])), shape=(2, 6)
    )
    before = odd.data.copy(), odd.indices.copy()
    taken = as_sparse(odd)
    assert taken.nnz == 2
    np.testing.assert_array_equal(taken.toarray(), [[0, 0, 0, 0, 3, 0], [3, 0, 0, 0, 0, 0]])
    np.testing.assert_array_equal(odd.data, before[0])
    np.testing.assert_array_equal(odd.indices, before[1])
    encoder = SparseEncoder.of(6, 32)
    np.testing.assert_array_equal(encoder.project(odd), encoder.project(odd.toarray()))


def test_bad_rows_get_a_sentence() -> None:
    x = rows_of()
    encoder = SparseEncoder.of(D, 8)
    for bad in (np.nan, np.inf, 1e300):
        spoilt = x.astype(np.float64)
        spoilt.data[spoilt.indptr[217]] = bad
        for use in (as_sparse, encoder.encode, encoder.project, encoder.metric.fitted_to):
            with pytest.raises(TwinlensError, match=r"Row 217\b"):
                use(spoilt)
    with pytest.raises(TwinlensError, match="61 dimensions, but 60"):
        encoder.encode(rows_of(d=61))
    with pytest.raises(TwinlensError, match="61 dimensions, but 60"):
        encoder.encode(np.ones((2, 61)))
    with pytest.raises(TwinlensError, match="complex"):
        as_sparse(x * 1j)
    with pytest.raises(TwinlensError, match="shape"):
        as_sparse(scipy.sparse.coo_array(np.ones(3)))


def test_a_damaged_file_does_not_lead_outside() -> None:
    x = rows_of(20)
    x.indices[3] = 10_000_000
    with pytest.raises(TwinlensError, match="damaged"):
        as_sparse(x)
    x.indices[3] = -5
    with pytest.raises(TwinlensError, match="damaged"):
        as_sparse(x)


def test_products_and_norms_are_plain() -> None:
    x, z = as_sparse(rows_of(40)), as_sparse(rows_of(7, seed=3))
    np.testing.assert_allclose(products(x, z), x.toarray() @ z.toarray().T, atol=1e-12)
    np.testing.assert_allclose(squared_norms(x), np.square(x.toarray()).sum(axis=1), rtol=1e-12)
    nothing = as_sparse(np.zeros((2, D)))
    assert not products(x, nothing).any()
    assert not products(nothing, x).any()
    assert not squared_norms(nothing).any()


# ---- directions ------------------------------------------------------------------------------------------------------
def test_a_product_is_the_same_whichever_is_the_smaller() -> None:
    x = as_sparse(rows_of())
    whole = products(x, x)
    for row in range(0, x.shape[0], 7):
        alone = x[[row]]
        assert np.array_equal(products(alone, x)[0], whole[row])
        assert np.array_equal(products(x, alone)[:, 0], whole[:, row])
        assert products(alone, x[:0]).shape == (1, 0)


def test_the_table_is_normal() -> None:
    table = normal_table()
    assert len(table) == 65_536
    assert (np.diff(table) >= 0).all()
    assert table.mean() == 0
    assert table.var() == pytest.approx(1, abs=1e-5)
    assert np.mean(table**4) == pytest.approx(3, abs=2e-3)
    np.testing.assert_array_equal(table * 2**14, np.round(table * 2**14))
    steps = (np.arange(65_536) + 0.5) / 65_536
    assert np.abs(ndtr(table) - steps).max() < 2**-15


@pytest.mark.parametrize("seed", [0, 1, 2, 2**31 - 1])
@pytest.mark.parametrize("stride", [1, 4_096, 2**32 + 1])
def test_entries_are_normal_and_independent(seed: int, stride: int) -> None:
    d, bits = 4_000, 64
    entries = LazyDirections(bits, seed).entries(np.arange(d) * stride)
    count = entries.size
    assert abs(entries.mean()) < 4.5 / np.sqrt(count)
    assert abs(entries.var() - 1) < 4.5 * np.sqrt(2 / count)
    assert abs(np.mean(entries**3)) < 4.5 * np.sqrt(15 / count)
    assert abs(np.mean(entries**4) - 3) < 4.5 * np.sqrt(96 / count)
    steps = np.arange(count + 1) / count
    normal = ndtr(np.sort(entries.ravel()))
    apart = max((steps[1:] - normal).max(), (normal - steps[:-1]).max())  # of Kolmogorov and Smirnov
    assert kolmogorov(np.sqrt(count) * apart) > 1e-4
    # A bit with every other, a dimension with those after it; the same of their squares.
    for values in (entries, (np.square(entries) - 1) / np.sqrt(2)):
        between = values.T @ values / d - np.eye(bits)
        assert np.abs(between[~np.eye(bits, dtype=bool)]).max() < 7 / np.sqrt(d)
        for lag in (1, 2, 3, 4, 8, 64, 1_024):
            assert abs((values[lag:] * values[:-lag]).mean()) < 5.5 / np.sqrt(count - lag * bits)
    other = LazyDirections(bits, seed ^ 1).entries(np.arange(d) * stride)
    assert abs((entries * other).mean()) < 4.5 / np.sqrt(count)


def test_an_entry_depends_on_seed_bit_and_dimension_alone() -> None:
    dimensions = np.array([5, 0, 1_999_999, 5, 2**40])
    entries = LazyDirections(70, 3).entries(dimensions)
    assert entries.shape == (5, 70)
    np.testing.assert_array_equal(entries[0], entries[3])
    for i, dimension in enumerate(dimensions):
        np.testing.assert_array_equal(LazyDirections(70, 3).entries(np.array([dimension]))[0], entries[i])
    for bits in (1, 2, 3, 5, 69):
        np.testing.assert_array_equal(LazyDirections(bits, 3).entries(dimensions), entries[:, :bits])
    assert (LazyDirections(70, 4).entries(dimensions) != entries).mean() > 0.99
    # As they were when codes were first kept: another table or mixer would need another version.
    first = LazyDirections(5, 3).entries(np.array([1_999_999]))[0] * 2**14
    assert first.astype(int).tolist() == [-7453, -23290, 31951, -6658, -783]


def test_the_bits_of_long_codes_are_those_of_no_other_dimension() -> None:
    """The counters of a dimension have room for the longest codes."""
    entries = LazyDirections(40_000, 3).entries(np.arange(4))
    np.testing.assert_array_equal(entries[:, :70], LazyDirections(70, 3).entries(np.arange(4)))
    rows = entries.reshape(4, -1, 4).reshape(-1, 4)
    assert len(np.unique(rows, axis=0)) == len(rows)
    between = entries @ entries.T / 40_000
    assert np.abs(between - np.eye(4)).max() < 4.5 / np.sqrt(40_000) * np.sqrt(2)


@pytest.mark.parametrize("bits", [1, 7, 64, 257])
def test_projections_are_exact(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However the values are cut into parts, and whatever is kept: the same bits as one long sum in any order."""
    x = as_sparse(rows_of(200))
    directions = LazyDirections(bits, 5)
    projected = directions.project(x)
    dense = directions.entries(np.arange(D))
    np.testing.assert_allclose(projected, x.toarray() @ dense, atol=1e-5)
    for entries, least in ((1, 1), (300, 1 << 60), (1 << 20, 1 << 60), (1 << 20, 1)):
        monkeypatch.setattr(lazy, "_ENTRIES", entries)
        monkeypatch.setattr(lazy, "_LEAST_VALUES", least)
        np.testing.assert_array_equal(directions.project(x), projected)
    grid = lazy.on_grid(x)
    for i in range(0, 200, 9):
        mine = slice(x.indptr[i], x.indptr[i + 1])
        backwards = sum((v * dense[j] for v, j in zip(grid[mine][::-1], x.indices[mine][::-1], strict=True)), 0.0)
        np.testing.assert_array_equal(projected[i], backwards)


@given(st.integers(1, 5_000), st.floats(1e-30, 1e30), st.integers(0, 1_000))
def test_rounding_is_that_of_float32_or_little_more(count: int, scale: float, seed: int) -> None:
    values = np.random.default_rng(seed).standard_normal((1, count)) * scale
    x = as_sparse(values)
    rounded = lazy.on_grid(x)
    digits = 24 if count <= 4_096 else 23
    assert np.abs(rounded - x.data).max() <= np.abs(x.data).max() * 2.0**-digits
    assert np.abs(rounded).max() <= np.abs(x.data).max() * (1 + 2.0**-digits)


# ---- encoder ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("c", [0, 1, 12])
def test_bits_are_those_of_the_explicit_metric(c: int) -> None:
    x = rows_of()
    metric = SparseMetric.of(x[:c], weights(c)) if c else SparseMetric.plain(D)
    encoder = SparseEncoder.of(metric, 90, seed=4)
    phi = x[:c].toarray().T.astype(np.float64)
    g = np.eye(D) + phi @ metric.s @ phi.T
    expected = x.toarray().astype(np.float64) @ g.T @ LazyDirections(90, 4).entries(np.arange(D))
    projected = encoder.project(x)
    np.testing.assert_allclose(projected, expected, atol=1e-4)
    assert (encoder.bits, encoder.dimensions) == (90, D)
    codes = encoder.encode(x)
    assert codes.shape == (300, 12)
    unpacked = np.unpackbits(codes, axis=1, bitorder="little")
    np.testing.assert_array_equal(unpacked[:, :90], projected >= 0)
    assert not unpacked[:, 90:].any()


def test_what_is_kept_are_the_sums_over_the_items(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many bits are kept at once; and an empty row, and one that no item has anything in common with."""
    x, bits = as_sparse(rows_of()), 90
    gamma = np.random.default_rng(4).standard_normal((12, bits)) * 10.0 ** np.linspace(-3, 3, bits)
    kept = KeptDirections(x[:12], gamma)
    projected = kept.project(x)
    sums = x[:12].toarray().T @ gamma
    largest = np.abs(sums).max(axis=0)
    np.testing.assert_allclose(projected / largest, x.toarray() @ (sums / largest), atol=1e-4)
    assert not projected[np.diff(x.indptr) == 0].any()
    for entries in (1, 7 * len(kept.dimensions)):
        monkeypatch.setattr(sparse_encoder, "_KEPT", entries)
        np.testing.assert_array_equal(KeptDirections(x[:12], gamma).project(x), projected)
    monkeypatch.setattr(lazy, "_ENTRIES", 300)
    np.testing.assert_array_equal(KeptDirections(x[:12], gamma).project(x), projected)
    elsewhere = scipy.sparse.csr_array(([1.0], [kept.dimensions.max() + 1], [0, 1]), shape=(1, D + 2))
    assert not kept.project(as_sparse(elsewhere)).any()


def test_a_code_asks_no_item(monkeypatch: pytest.MonkeyPatch) -> None:
    x = rows_of()
    encoder = SparseEncoder.of(SparseMetric.of(x[:50], weights(50)), 60)
    expected = encoder.encode(x)

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(SparseMetric, "coordinates", refuse)
    for i in range(50, 60):
        np.testing.assert_array_equal(encoder.encode(x[[i]])[0], expected[i])


@pytest.mark.parametrize("c", [0, 12])
def test_an_item_has_one_code(c: int) -> None:
    x = rows_of(1_500)
    encoder = SparseEncoder.of(SparseMetric.of(x[:c], weights(c)), 60)
    projected, codes = encoder.project(x), encoder.encode(x)
    order = np.random.default_rng(3).permutation(1_500)
    for threads in (1, 2):
        with blas_threads(threads):
            np.testing.assert_array_equal(encoder.project(x[order]), projected[order])
            np.testing.assert_array_equal(encoder.encode(x.tocsc()), codes)
            np.testing.assert_array_equal(encoder.encode(x.toarray()), codes)
            np.testing.assert_array_equal(encoder.encode(x.astype(np.float64)), codes)
            for i in range(0, 1_500, 41):
                np.testing.assert_array_equal(encoder.encode(x[[i]])[0], codes[i])
                np.testing.assert_array_equal(encoder.project(x[i : i + 1 + i % 70]), projected[i : i + 1 + i % 70])
    assert encoder.encode(x[:0]).shape == (0, 8)


def test_bits_tell_the_angle_under_the_metric() -> None:
    x = rows_of()
    metric = SparseMetric.of(x[:12], weights(12), "kernel")
    codes = SparseEncoder.of(metric, 8_192).encode(x)
    shares = np.unpackbits(codes ^ codes[20], axis=1).mean(axis=1)
    angles = 2 * np.arcsin(metric.distances(x[[20]], x) / 2) / np.pi
    telling = squared_norms(as_sparse(x)) > 0
    assert np.abs(shares - angles)[telling].max() < 4.5 * np.sqrt(0.25 / 8_192)


def test_encoder_and_metric_survive_storage() -> None:
    x = rows_of()
    for metric in (SparseMetric.of(x[:12], weights(12)).fitted_to(x), SparseMetric.plain(D)):
        encoder = SparseEncoder.of(metric, 60, seed=9)
        packed = encoder.pack()
        arrays = {
            name: np.array(np.frombuffer(array.tobytes(), array.dtype)).reshape(array.shape) if array.size else array
            for name, array in packed.arrays.items()
        }
        again = SparseEncoder.unpack(Packed(packed.kind, json.loads(json.dumps(packed.numbers)), arrays))
        assert again.pack().digest() == packed.digest()
        np.testing.assert_array_equal(again.encode(x), encoder.encode(x))
        np.testing.assert_array_equal(again.metric.distances(x[[3]], x), metric.distances(x[[3]], x))


def test_nothing_is_as_long_as_a_vector() -> None:
    """A hundred thousand million dimensions: a single number for each of them would not fit."""
    d, n, each = 10**11, 500, 30
    rng = np.random.default_rng(0)
    places = np.concatenate([np.sort(rng.choice(10**6, each, replace=False)) * 99_999 for _ in range(n)])
    x = scipy.sparse.csr_array((rng.standard_normal(n * each), places, np.arange(0, n * each + 1, each)), shape=(n, d))
    metric = SparseMetric.of(x[:10], weights(10))
    normal_table()
    tracemalloc.start()
    encoder = SparseEncoder.of(metric.fitted_to(x), 256)
    codes = encoder.encode(x)
    distances = encoder.metric.distances(x[[3]], x)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40e6
    assert codes.shape == (n, 32)
    assert distances.argmin() == 3


# ---- distances -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("ranking", ["distance", "kernel"])
@pytest.mark.parametrize("c", [0, 5])
def test_distances_are_those_of_the_dense_form(ranking: str, c: int) -> None:
    x = scipy.sparse.csr_array(np.insert(rows_of().toarray(), [0, 50], 0, axis=0))
    dense = x.toarray()
    items = dense[5 : 5 + c] if c else np.zeros((1, D), np.float32)
    s = weights(len(items))
    metric = SparseMetric.of(items, s, ranking).fitted_to(x)
    same = ImplicitMetric.of(items, s, ranking=ranking).fitted_to(dense)
    assert metric.spread == pytest.approx(same.spread, rel=1e-6)
    for i in (0, 9):
        distances = metric.distances(x[[i]], x)
        np.testing.assert_allclose(distances, same.distances(dense[i], dense), atol=1e-5)
        np.testing.assert_allclose(metric.similarities(distances), same.similarities(distances))
        items_ready = metric.against(x)
        np.testing.assert_array_equal(items_ready.distances(x[[i]]), distances)
        np.testing.assert_allclose(items_ready.kernel(x[[i]]), same.kernel(dense[i], dense), atol=1e-4)
        for j in range(0, len(dense), 17):
            assert metric.distances(x[[i]], x[[j]])[0] == distances[j]
    assert metric.distances(x[[9]], x)[9] == pytest.approx(0, abs=1e-6)
    assert metric.distances(x[[9]], x)[0] == (2 if ranking == "kernel" else FARTHEST)


def test_a_metric_that_does_not_fit_gets_a_sentence() -> None:
    x = rows_of()
    with pytest.raises(TwinlensError, match="5 items"):
        SparseMetric.of(x[:5], np.ones((4, 4)))
    spoilt = np.ones((5, 5))
    spoilt[3, 0] = np.nan
    with pytest.raises(TwinlensError, match="Row 3"):
        SparseMetric.of(x[:5], spoilt)
    with pytest.raises(TwinlensError, match="nothing to learn from"):
        SparseMetric.plain(D).fitted_to(np.zeros((3, D)))
    equal = scipy.sparse.csr_array(np.repeat(x[[0]].toarray(), 5, axis=0))
    fitted = SparseMetric.plain(D).fitted_to(equal)
    assert fitted.spread == pytest.approx(np.linalg.norm(x[[0]].toarray()))
