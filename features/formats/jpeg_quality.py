"""The quality with which a JPEG was saved, estimated from its table of steps for brightness.

Programs that use the tables of the JPEG standard (Annex K) scale them by a quality from 1 to 100, as the Independent
JPEG Group's library does; of tables of another shape this is the quality that is equally coarse on average.
"""

from __future__ import annotations

import struct
from typing import BinaryIO

import numpy as np

_STANDARD_SUM = 3688
"""Of the 64 steps for brightness in Annex K, at quality 50."""
_START, _SCAN, _TABLES = 0xD8, 0xDA, 0xDB


def estimated_quality(file: BinaryIO) -> int | None:
    """Return the quality of a JPEG, from 1 to 100; None where the file is none, or has no such table."""
    if file.read(2) != bytes((0xFF, _START)):
        return None
    while len(head := file.read(4)) == 4 and head[0] == 0xFF and head[1] != _SCAN:
        length = struct.unpack(">H", head[2:])[0] - 2
        if length < 0:
            return None
        if head[1] != _TABLES:
            file.seek(length, 1)
        elif (steps := _brightness(file.read(length))) is not None:
            return _quality(steps)
    return None


def _brightness(tables: bytes) -> int | None:
    """Return the sum of table 0, if it is among some."""
    at = 0
    while at < len(tables):
        kind = np.dtype(">u2") if tables[at] >> 4 else np.dtype("u1")
        size = 64 * kind.itemsize
        if len(tables) < at + 1 + size:
            return None
        if not tables[at] & 15:
            return int(np.frombuffer(tables, kind, 64, at + 1).sum())
        at += 1 + size
    return None


def _quality(total: int) -> int:
    percent = 100 * total / _STANDARD_SUM
    return min(100, max(1, round((200 - percent) / 2 if percent <= 100 else 5000 / percent)))
