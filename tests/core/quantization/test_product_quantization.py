"""Product quantization against its formulas, written out plainly, and against faiss."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from twinlens.core.arrays import Float32Vectors
from twinlens.core.compilation import compilation
from twinlens.core.errors import TwinlensError
from twinlens.core.quantization import QUANTIZERS
from twinlens.core.quantization.product_quantization import ProductEncoder, ProductQuantization, allocated
from twinlens.core.quantization.quantizer import Quantizer, nearest_by_table
from twinlens.core.workbench import declare
from twinlens.workbench import bench


def vectors(n: int, d: int = 16, seed: int = 0) -> Float32Vectors:
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(np.random.default_rng(9).normal(size=(d, d)))[0]
    crowds = np.random.default_rng(8).normal(size=(30, d))[rng.integers(0, 30, n)]
    return np.asarray((3 * crowds + rng.normal(size=(n, d))) * np.linspace(3, 0.3, d) @ turn + 5, np.float32)


@pytest.mark.parametrize("cls", QUANTIZERS, ids=lambda cls: cls.key)
def test_what_every_quantizer_holds_to(cls: type[Quantizer]) -> None:
    x = vectors(700)
    encoder = cls(bytes=4).fit(x)
    codes = encoder.encode(x)
    assert (codes.dtype, codes.shape) == (np.dtype(np.uint8), (700, encoder.bytes))
    assert encoder.dimensions == 16
    np.testing.assert_array_equal(codes, np.concatenate([encoder.encode(x[i : i + 1]) for i in range(700)]))
    again = type(encoder).unpack(encoder.pack())
    np.testing.assert_array_equal(again.encode(x), codes)
    np.testing.assert_array_equal(cls(bytes=4).fit(x).encode(x), codes)
    tables = encoder.tables_block(x[:5])
    meant = encoder.decode(codes).astype(np.float64)
    rows, far = encoder.nearest(codes, x[:5], 700)
    for number in range(5):
        by_table = tables[number, np.arange(4), codes].sum(axis=1, dtype=np.float64)
        np.testing.assert_allclose(by_table, np.square(meant - x[number]).sum(axis=1), rtol=1e-3, atol=1e-2)
        assert sorted(rows[number].tolist()) == list(range(700))
        assert (np.diff(far[number]) >= 0).all()
        np.testing.assert_allclose(far[number], by_table[rows[number]], rtol=1e-5)
    with pytest.raises(TwinlensError, match="dimensions"):
        encoder.encode(np.zeros((1, 3)))


@given(
    hnp.arrays(np.uint8, st.tuples(st.integers(1, 9), st.integers(1, 300)), elements=st.integers(0, 5)),
    st.integers(1, 300),
    st.integers(0, 9),
    st.booleans(),
)
def test_the_scan_ranks_by_the_sum_of_the_table(planes: npt.NDArray[np.uint8], k: int, seed: int, whole: bool) -> None:
    rng = np.random.default_rng(seed)
    table = rng.random((len(planes), 256)).astype(np.float32)
    table = np.rint(4 * table) if whole else table
    k = min(k, planes.shape[1])
    far = np.zeros(planes.shape[1], np.float32)
    for run, own in zip(planes, table, strict=True):
        far += own[run]
    expected = np.lexsort((np.arange(len(far)), far))[:k]
    for compiled in (True, False):
        with patch.object(compilation, "worth", lambda work, compiled=compiled: compiled):
            rows, distances = nearest_by_table(planes, table, k)
        assert rows.tolist() == expected.tolist()
        np.testing.assert_array_equal(distances, far[expected])


def test_more_codes_than_a_block_and_more_finds_than_room() -> None:
    rng = np.random.default_rng(0)
    planes, table = (
        rng.integers(0, 256, (5, 9_000), np.uint8),
        -np.sort(-rng.random((5, 256)), axis=1).astype(np.float32),
    )
    planes = planes[:, np.argsort(planes.sum(axis=0))]  # the nearest come last, so that all are kept for a while
    found = []
    for compiled in (True, False):
        with patch.object(compilation, "worth", lambda work, compiled=compiled: compiled):
            found.append(nearest_by_table(planes, table, 30))
    np.testing.assert_array_equal(found[0][0], found[1][0])


def parts_nearest(encoder: ProductEncoder, x: Float32Vectors) -> npt.NDArray[np.int64]:
    """Compare each part with each centre (eq. 8)."""
    turned = (x.astype(np.float64) - encoder.mean) @ encoder.rotation
    parts = turned.reshape(len(x), len(encoder.centres), -1)
    far = np.square(parts[:, :, None] - encoder.centres[None]).sum(axis=3)
    return np.asarray(far.argmin(axis=2))


@pytest.mark.parametrize("rotation", ["none", "balanced", "optimized"])
def test_parts_are_replaced_by_their_nearest_centres(rotation: str) -> None:
    x = vectors(600)
    encoder = ProductQuantization.model_validate({"bytes": 3, "rotation": rotation}).fit(x)
    assert encoder.centres.shape == (3, 256, 6)
    np.testing.assert_allclose(encoder.rotation @ encoder.rotation.T, np.eye(16), atol=1e-5)
    assert (encoder.encode(x) == parts_nearest(encoder, x)).mean() > 0.999


def test_each_rotation_loses_less_than_the_one_before() -> None:
    x = vectors(3_000)
    lost = []
    for rotation in ("none", "balanced", "optimized"):
        encoder = ProductQuantization.model_validate({"bytes": 2, "rotation": rotation}).fit(x)
        lost.append(float(np.square(encoder.decode(encoder.encode(x)) - x).mean()))
    assert lost == sorted(lost, reverse=True)


@given(st.lists(st.floats(0.1, 100), min_size=4, max_size=24), st.integers(1, 4))
def test_every_component_is_given_to_one_part_with_room(variances: list[float], parts: int) -> None:
    given = allocated(np.array(sorted(variances, reverse=True)), parts)
    assert sorted(np.concatenate(given).tolist()) == list(range(len(variances)))
    assert max(len(one) for one in given) <= -(-len(variances) // parts)


def test_it_finds_what_faiss_finds() -> None:
    faiss = pytest.importorskip("faiss")
    x, queries = vectors(4_000), vectors(100, seed=1)
    true = np.square(queries[:, None].astype(np.float64) - x).sum(axis=2).argsort(axis=1)[:, :10]
    index = faiss.IndexPQ(16, 4, 8)
    index.train(x)
    index.add(x)
    theirs = index.search(queries, 10)[1]
    encoder = ProductQuantization(bytes=4, rotation="none").fit(x)
    ours = encoder.nearest(encoder.encode(x), queries, 10)[0]
    overlap = [np.mean([len(set(a) & set(b)) / 10 for a, b in zip(one, true, strict=True)]) for one in (ours, theirs)]
    assert abs(overlap[0] - overlap[1]) < 0.03


def test_it_is_measured_as_any_candidate_is() -> None:
    x = vectors(1_500)
    by_tables, by_codes = bench(x, 50, ["pq:bytes=4", "itq:bits=16"], ["scan:candidates=100"])
    assert by_tables["bytes codes"] == 4 * 1_500
    assert by_tables["recall@10"] > by_codes["recall@10"]
    assert by_tables["looked_at"] == 100
    assert declare("pq:bytes=4", "quantizer").bits == 32


def test_more_bytes_than_dimensions_are_refused() -> None:
    with pytest.raises(TwinlensError, match="as many bytes as the vectors have dimensions, here 16, not 17"):
        ProductQuantization(bytes=17).fit(vectors(300))
