"""Keys: some bits of a code, which say in which bucket of a hash table it lies.

A key is a number of one 64-bit word or of several, the highest first: (words,), and of many (words, n), a row a word.
"""

from __future__ import annotations

import functools
import itertools

import numpy as np
import numpy.typing as npt

from core.arrays import Int64Rows, UInt64Words

LONGEST_KEY = 256
"""Bits of a key at most: four words. So long a key, two items share only where their codes are almost the same."""

_BLOCK = 16_384
"""Rows whose keys are made at once: they stay in the cache while bit after bit is added."""


def draw_bits(bits: int, key_bits: int, tables: int, seed: int) -> npt.NDArray[np.int64]:
    """Draw which bits of a code are the key of each table.

    Parameters
    ----------
    bits : int
        Length of a code, at least 1.
    key_bits : int
        From 1 to ``bits``.
    tables, seed : int

    Returns
    -------
    int64 array, (tables, key_bits)
        Distinct within a table; tables share no bit until the code has not enough unused ones left for another table.
    """
    rng = np.random.default_rng(seed)
    drawn = np.empty((tables, key_bits), np.int64)
    left = np.empty(0, np.int64)
    for chosen in drawn:
        if len(left) < key_bits:
            left = rng.permutation(bits)
        chosen[:], left = left[:key_bits], left[key_bits:]
    return drawn


def keys_of(planes: UInt64Words, chosen: npt.NDArray[np.int64]) -> UInt64Words:
    """Make keys of some bits of codes.

    Parameters
    ----------
    planes : uint64 array, (words, n)
    chosen : int64 array, (key_bits,)
        Numbers of bits; the first becomes the highest of the key.

    Returns
    -------
    uint64 array, (ceil(key_bits / 64), n)
    """
    n = planes.shape[1]
    parts = _words(len(chosen))
    keys = np.zeros((len(parts), n), np.uint64)
    one = np.uint64(1)
    for start in range(0, n, _BLOCK):
        block = planes[:, start : start + _BLOCK]
        for word, bits in enumerate(parts):
            made = keys[word, start : start + _BLOCK]
            for bit in chosen[bits].tolist():
                made <<= one
                made |= (block[bit // 64] >> np.uint64(bit % 64)) & one
    return keys


def keys_of_one(code: UInt64Words, chosen: npt.NDArray[np.int64]) -> UInt64Words:
    """Make the keys of one code, (words,), in all tables, (tables, key_bits): what :func:`keys_of` makes of each.

    Returns
    -------
    uint64 array, (tables, ceil(key_bits / 64))
    """
    ones = (code[chosen // 64] >> (chosen % 64).astype(np.uint64)) & np.uint64(1)
    parts = _words(chosen.shape[1])
    keys = np.empty((len(chosen), len(parts)), np.uint64)
    for word, bits in enumerate(parts):
        own = ones[:, bits]
        (own << np.arange(own.shape[1], dtype=np.uint64)[::-1]).sum(axis=1, out=keys[:, word])
    return keys


@functools.cache
def _words(bits: int) -> tuple[slice, ...]:
    """Cut the bits of a key, the highest first, into its words: all but the first have 64."""
    ends = range(bits, 0, -64)
    return tuple(slice(max(0, end - 64), end) for end in reversed(ends))


@functools.lru_cache(64)
def ring(bits: int, distance: int) -> UInt64Words:
    """Return all keys of so many bits with ``distance`` ones, (words, n)."""
    chosen = np.array(list(itertools.combinations(range(bits), distance)), np.int64)
    keys = np.zeros((len(_words(bits)), len(chosen)), np.uint64)
    for bit in chosen.reshape(len(chosen), distance).T:
        keys[-1 - bit // 64, np.arange(len(chosen))] |= np.uint64(1) << (bit % 64).astype(np.uint64)
    return keys


def key_place(keys: UInt64Words, wanted: UInt64Words) -> int:
    """Find the first of ascending keys, (words, n), that is not below another, (words,)."""
    if len(keys) == 1:
        return int(keys[0].searchsorted(wanted[0]))
    first, last = 0, keys.shape[1]
    for word, own in zip(keys, wanted, strict=True):
        among = word[first:last]
        first, last = first + int(among.searchsorted(own)), first + int(among.searchsorted(own, "right"))
    return first


def key_places(keys: UInt64Words, wanted: UInt64Words) -> Int64Rows:
    """Find the first of ascending keys, (words, n), that is not below each of others, (words, m) -> (m,)."""
    if len(keys) == 1:
        return np.asarray(keys[0].searchsorted(wanted[0]), np.int64)
    n = keys.shape[1]
    first, last = np.zeros(wanted.shape[1], np.int64), np.full(wanted.shape[1], n, np.int64)
    for _ in range(n.bit_length()):
        middle = (first + last) // 2
        below = (middle < last) & _is_below(keys[:, np.minimum(middle, n - 1)], wanted)
        first, last = np.where(below, middle + 1, first), np.where(below, last, middle)
    return first


def _is_below(keys: UInt64Words, others: UInt64Words) -> npt.NDArray[np.bool_]:
    """Compare keys word by word, the highest first, (words, n) -> (n,)."""
    below = np.zeros(keys.shape[1], np.bool_)
    for word, other in zip(keys[::-1], others[::-1], strict=True):
        below = (word < other) | ((word == other) & below)
    return below
