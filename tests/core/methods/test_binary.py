"""Binary quantization against plain signs."""

from __future__ import annotations

import numpy as np
import pytest

from twinlens.core.errors import TwinlensError
from twinlens.core.hashing.packed_codes import unpack_bits
from twinlens.core.methods.binary import Binary

X = np.random.default_rng(0).normal(1.0, [4.0, 1.0, 0.5, 2.0, 1.0, 3.0], size=(900, 6)).astype(np.float32)


def test_bits_are_the_signs_of_the_numbers_less_their_mean() -> None:
    encoder = Binary(bits=5).fit(X)
    signs = (X - X.astype(np.float64).mean(axis=0) >= 0)[:, :5]
    assert (unpack_bits(encoder.encode(X), 5) == signs).mean() > 0.999  # a number next to its mean may be rounded
    assert np.all(np.abs(signs.mean(axis=0) - 0.5) < 0.1)


def test_there_are_no_more_bits_than_numbers() -> None:
    with pytest.raises(TwinlensError, match="at most as many bits"):
        Binary(bits=7).fit(X)
