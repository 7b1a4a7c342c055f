"""The compiled Hamming scan, as :mod:`hamming_scan_plain` does it; how it is compiled is :mod:`compilation`'s."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.arrays import OptionalMask, UInt64Words
from core.compilation.compilation import loops
from core.search.hamming.hamming_scan_plain import Keys

_LOOPS = "core.search.hamming.hamming_scan_loops"

_BLOCK_WORDS = 1 << 14
"""Words of a block, 128 KB: it stays in the cache while the queries of a batch take turns at it."""

_ROOM = 1024
"""Room for candidates beyond twice k before they are thinned out."""


def nearest_keys(planes: UInt64Words, queries: UInt64Words, k: int, mask: OptionalMask, rows: slice) -> Keys:
    """Do what :func:`nearest_keys` does, once :func:`ready`."""
    codes, stride = _run(planes)
    room = max(k, min(rows.stop - rows.start, 2 * k + _ROOM))
    keys = np.empty((len(queries), room), np.int64)
    block = _block(len(planes))
    loops(_LOOPS).nearest(codes, stride, rows.start, rows.stop, queries, k, _flags(mask), block, keys)
    return keys[:, :k]


def within_keys(planes: UInt64Words, query: UInt64Words, radius: int, mask: OptionalMask, rows: slice) -> Keys:
    """Do what :func:`within_keys` does, once :func:`ready`."""
    codes, stride = _run(planes)
    block = _block(len(planes))
    keys: Keys = loops(_LOOPS).within(codes, stride, rows.start, rows.stop, query, radius, _flags(mask), block)
    return keys


def _run(planes: UInt64Words) -> tuple[UInt64Words, int]:
    """Return planar codes as one run of words, without copying, and the distance of a code's words in it."""
    words, n = planes.shape
    if words == 1:
        return np.ascontiguousarray(planes[0]), n
    apart, step = planes.strides
    if step != planes.itemsize or apart < n * step or apart % step:
        planes = np.ascontiguousarray(planes)
        apart = planes.strides[0]
    stride = apart // planes.itemsize
    length = (words - 1) * stride + n
    return np.lib.stride_tricks.as_strided(planes, (length,), (planes.itemsize,), writeable=False), stride


def _flags(mask: OptionalMask) -> npt.NDArray[np.uint8]:
    return np.empty(0, np.uint8) if mask is None else np.ascontiguousarray(mask).view(np.uint8)


def _block(words: int) -> int:
    return max(512, min(2048, _BLOCK_WORDS // words))
