"""Bilinear projections of matrices of any shape, with as many projections of rows and columns as are asked for."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import TwinlensError
from core.hashing.bilinear_hashing import BilinearEncoder
from core.hashing.packed_codes import unpack_bits
from core.hashing.shift_invariant_hashing import BilinearShiftInvariantEncoder
from core.methods.lsh import BilinearLsh
from core.methods.sik import BilinearSik


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
