"""Binary codes: how they are packed, and how they lie in memory for searching.

A code of ``bits`` bits is kept as ``ceil(bits / 8)`` bytes, bit 0 in the lowest bit of byte 0, with the bits past the
end zero, so that two codes differ only where their bits do. For searching, many codes are held *planar*: word ``w`` of
all codes lies together, which lets a scan read memory in long straight runs.

Examples
--------
>>> import numpy as np
>>> codes = pack_bits(np.array([[1, 0, 0, 0, 0, 0, 0, 0, 1, 1], [1, 0, 1, 0, 0, 0, 0, 0, 0, 1]]))
>>> codes
array([[1, 3],
       [5, 2]], dtype=uint8)
>>> planar(codes)
array([[769, 517]], dtype=uint64)
>>> int(hamming(codes[0], codes[1]))
2
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import UInt64Words

Bytes = npt.NDArray[np.uint8]

WORD_BYTES = 8
LARGEST_BITS = 65_472
"""1,023 words: every distance is below 65,535, which scans of 16-bit distances write where a code may not be found."""

_ROWS_AT_A_TIME = 8_192
"""Rows turned at once: what is read and what is written then both stay in the cache (twice as fast as all at once)."""


def bytes_of(bits: int) -> int:
    """Bytes that a code of so many bits takes."""
    return -(-bits // 8)


def words_of(bits: int) -> int:
    """64-bit words that a code of so many bits takes when it is planar."""
    return -(-bits // 64)


def pack_bits(bits: npt.NDArray[Any]) -> Bytes:
    """Pack one bit per element into codes.

    Parameters
    ----------
    bits : bool or 0/1 array, (n, b)
        Anything that is not zero counts as 1.

    Returns
    -------
    uint8 array, (n, ceil(b / 8))
        Bit ``i`` of a code is bit ``i % 8``, counted from the lowest, of byte ``i // 8``; bits past ``b`` are zero.

    Raises
    ------
    ValueError
        If the array is not two-dimensional.
    """
    if bits.ndim != 2:
        raise ValueError(f"bits must be (n, b), not {bits.shape}")
    return np.packbits(bits, axis=1, bitorder="little")


def unpack_bits(codes: Bytes, bits: int) -> npt.NDArray[np.bool_]:
    """Undo :func:`pack_bits`.

    Parameters
    ----------
    codes : uint8 array, (n, ceil(bits / 8))
    bits : int
        Number of bits of a code.

    Returns
    -------
    bool array, (n, bits)

    Raises
    ------
    ValueError
        If codes of so many bits have another number of bytes.
    """
    _check_width(codes, bits)
    return np.unpackbits(codes, axis=1, count=bits, bitorder="little").astype(np.bool_)


def planar(codes: Bytes) -> UInt64Words:
    """Lay codes out for searching: word ``w`` of all codes in one run.

    Parameters
    ----------
    codes : uint8 array, (n, bytes)
        May be memory-mapped; it is read once, in order.

    Returns
    -------
    uint64 array, (ceil(bytes / 8), n), C-contiguous
        ``planar[w, i]`` holds bytes ``8 w`` to ``8 w + 7`` of code ``i``, the first in the lowest byte; bytes past the
        end are zero.

    Raises
    ------
    ValueError
        If the array is not two-dimensional.
    """
    if codes.ndim != 2:
        raise ValueError(f"codes must be (n, bytes), not {codes.shape}")
    n, width = codes.shape
    words = -(-width // WORD_BYTES)
    turned = np.empty((words, n), np.uint64)
    padded = np.zeros((min(n, _ROWS_AT_A_TIME), words * WORD_BYTES), np.uint8)
    for start in range(0, n, _ROWS_AT_A_TIME):
        stop = min(start + _ROWS_AT_A_TIME, n)
        rows = padded[: stop - start]
        rows[:, :width] = codes[start:stop]
        turned[:, start:stop] = rows.view("<u8").T
    return turned


def from_planar(words: UInt64Words, bits: int) -> Bytes:
    """Undo :func:`planar`.

    Parameters
    ----------
    words : uint64 array, (ceil(bits / 64), n)
    bits : int
        Number of bits of a code.

    Returns
    -------
    uint8 array, (n, ceil(bits / 8))

    Raises
    ------
    ValueError
        If codes of so many bits have another number of words.
    """
    if words.ndim != 2 or words.shape[0] != words_of(bits):
        raise ValueError(f"{bits} bits take {words_of(bits)} words, but the planar codes are {words.shape}")
    rows = np.ascontiguousarray(words.T, dtype="<u8")
    return np.ascontiguousarray(rows.view(np.uint8)[:, : bytes_of(bits)])


def hamming(a: Bytes, b: Bytes) -> npt.NDArray[np.int64]:
    """Count the bits in which codes differ, the plain way.

    Parameters
    ----------
    a, b : uint8 arrays, (..., bytes)
        The leading axes broadcast: ``hamming(a[:, None], b)`` is the whole table.

    Returns
    -------
    int64 array, (...)
    """
    counts: npt.NDArray[np.int64] = np.bitwise_count(np.bitwise_xor(a, b)).sum(axis=-1, dtype=np.int64)
    return counts


def _check_width(codes: Bytes, bits: int) -> None:
    if not 1 <= bits <= LARGEST_BITS:
        raise ValueError(f"bits must be from 1 to {LARGEST_BITS}, not {bits}")
    if codes.ndim != 2 or codes.shape[1] != bytes_of(bits):
        raise ValueError(f"{bits} bits take {bytes_of(bits)} bytes, but the codes are {codes.shape}")
