"""Codes are packed and laid out as documented, and nothing is lost either way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from twinlens.core.hashing.packed_codes import (
    LARGEST_BITS,
    bytes_of,
    from_planar,
    hamming,
    pack_bits,
    planar,
    unpack_bits,
    words_of,
)

BITS = hnp.arrays(np.bool_, st.tuples(st.integers(0, 9), st.integers(1, 300)))


@given(BITS)
def test_packing_and_laying_out_lose_nothing(bits: npt.NDArray[np.bool_]) -> None:
    width = bits.shape[1]
    codes = pack_bits(bits)
    planes = planar(codes)
    assert codes.shape == (len(bits), bytes_of(width))
    assert planes.shape == (words_of(width), len(bits))
    assert planes.flags.c_contiguous
    assert np.array_equal(unpack_bits(codes, width), bits)
    assert np.array_equal(from_planar(planes, width), codes)


@given(BITS)
def test_bits_past_the_end_are_zero(bits: npt.NDArray[np.bool_]) -> None:
    planes = planar(pack_bits(bits))
    assert [sum(int(word).bit_count() for word in code) for code in planes.T] == bits.sum(axis=1).tolist()


def test_bit_0_is_the_lowest_of_the_first_byte_and_word() -> None:
    bits = np.zeros((3, 130), np.bool_)
    bits[0, 0] = bits[1, 9] = bits[2, 129] = True
    codes = pack_bits(bits)
    assert codes[0, 0] == 1
    assert codes[1, 1] == 2
    assert codes[2, 16] == 2
    assert planar(codes).tolist() == [[1, 512, 0], [0, 0, 0], [0, 0, 2]]


@pytest.mark.parametrize("bits", [1, 8, 63, 64, 65, LARGEST_BITS])
def test_the_smallest_and_the_largest_widths(bits: int) -> None:
    ones = np.ones((2, bits), np.uint8)
    codes = pack_bits(ones)
    assert unpack_bits(codes, bits).all()
    assert hamming(codes, np.zeros_like(codes)).tolist() == [bits, bits]
    assert np.array_equal(from_planar(planar(codes), bits), codes)


def test_more_codes_than_are_turned_at_once() -> None:
    codes = np.random.default_rng(0).integers(0, 256, (20_001, 5), np.uint8)
    assert np.array_equal(from_planar(planar(codes), 40), codes)


def test_memory_mapped_codes(tmp_path: Path) -> None:
    codes = np.arange(60, dtype=np.uint8).reshape(6, 10)
    np.save(tmp_path / "codes.npy", codes)
    mapped = np.load(tmp_path / "codes.npy", mmap_mode="r")
    assert np.array_equal(planar(mapped), planar(codes))


@given(BITS, st.data())
def test_hamming_counts_differing_bits(bits: npt.NDArray[np.bool_], data: st.DataObject) -> None:
    others = data.draw(hnp.arrays(np.bool_, (3, bits.shape[1])))
    table = hamming(pack_bits(bits)[:, None], pack_bits(others))
    assert table.tolist() == [[int((a != b).sum()) for b in others] for a in bits]


def test_codes_of_another_width_are_refused() -> None:
    codes = pack_bits(np.ones((2, 9), np.bool_))
    with pytest.raises(ValueError, match="17 bits take 3 bytes"):
        unpack_bits(codes, 17)
    with pytest.raises(ValueError, match="from 1 to"):
        unpack_bits(codes, 0)
    with pytest.raises(ValueError, match="65 bits take 2 words"):
        from_planar(planar(codes), 65)
    with pytest.raises(ValueError, match="must be"):
        planar(codes[0])
    with pytest.raises(ValueError, match="must be"):
        pack_bits(np.ones(9, np.bool_))
