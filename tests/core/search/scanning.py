"""All the ways to put a question to the Hamming scan, and the plain reference that they must agree with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from unittest.mock import patch

import numpy as np

from twinlens.core.arrays import OptionalMask, UInt64Words
from twinlens.core.compilation import compilation
from twinlens.core.search import hamming_scan

Found = tuple[list[int], list[int]]


def reference(planes: UInt64Words, query: UInt64Words, mask: OptionalMask = None) -> Found:
    """Order all rows that may be found by (distance, row), with nothing but Python."""
    found = _every_row(planes.tobytes(), planes.shape[1], query.tobytes())
    pairs = found if mask is None else [pair for pair in found if mask[pair[1]]]
    return [distance for distance, _ in pairs], [row for _, row in pairs]


@lru_cache(maxsize=16)  # many tests ask again with another k or mask
def _every_row(planes: bytes, n: int, query: bytes) -> list[tuple[int, int]]:
    sought = np.frombuffer(query, np.uint64).tolist()
    codes = np.frombuffer(planes, np.uint64).reshape(len(sought), n).T.tolist()
    return sorted(
        (sum((a ^ b).bit_count() for a, b in zip(code, sought, strict=True)), row) for row, code in enumerate(codes)
    )


@contextmanager
def every_boundary_nearby() -> Iterator[None]:
    """Shrink blocks, room and turns, so that small data cross all of them."""
    with (
        patch.object(hamming_scan, "_block", lambda words: 7),
        patch.object(hamming_scan, "_ROOM", 1),
        patch.object(hamming_scan, "_PLAIN_BLOCK", 7),
        patch.object(hamming_scan, "WORDS_PER_THREAD", 1),
        patch.object(hamming_scan, "_KEYS_AT_ONCE", 4),
    ):
        yield


def ways() -> Iterator[tuple[str, int]]:
    """Go through compiled and plain, one and several threads."""
    for name in ("compiled", "plain"):
        for threads in (1, 3):
            with patch.object(compilation, "worth", lambda words, name=name: name == "compiled"):
                yield name, threads


def assert_nearest(planes: UInt64Words, queries: UInt64Words, k: int, mask: OptionalMask = None) -> None:
    """Ask in all ways, and compare with the reference."""
    expected = [reference(planes, query, mask) for query in queries]
    allowed = planes.shape[1] if mask is None else int(mask.sum())
    for way in ways():
        found = hamming_scan.nearest_by_hamming(planes, queries, k, mask, threads=way[1])
        assert found.rows.shape == found.distances.shape == (len(queries), min(k, allowed)), way
        assert found.rows.dtype == np.int64
        assert found.distances.dtype == np.uint16
        for j, (distances, rows) in enumerate(expected):
            assert found.distances[j].tolist() == distances[:k], way
            assert found.rows[j].tolist() == rows[:k], way


def assert_within(planes: UInt64Words, query: UInt64Words, radius: int, mask: OptionalMask = None) -> None:
    """Ask in all ways, and compare with the reference."""
    distances, rows = reference(planes, query, mask)
    near = [i for i, distance in enumerate(distances) if distance <= radius]
    for way in ways():
        found = hamming_scan.within_hamming(planes, query, radius, mask, threads=way[1])
        assert found.distances.tolist() == [distances[i] for i in near], way
        assert found.rows.tolist() == [rows[i] for i in near], way


def numbers(keys: UInt64Words) -> list[int]:
    """Return keys of hash tables, (words, n), as numbers."""
    return [sum(word << 64 * place for place, word in enumerate(reversed(key))) for key in keys.T.tolist()]


def words_of(keys: Iterable[int], bits: int) -> UInt64Words:
    """Return numbers of so many bits as keys of hash tables, (words, n)."""
    shifts = range(-(-bits // 64) - 1, -1, -1)
    return np.array([[key >> 64 * shift & (1 << 64) - 1 for key in keys] for shift in shifts], np.uint64)
