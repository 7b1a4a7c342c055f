"""Icons as Windows and macOS want them, around a PNG of 256 x 256 pixels."""

from __future__ import annotations

import struct


def ico(png: bytes) -> bytes:
    """Return a file of Windows's icons; a side of 256 pixels is written as 0."""
    directory = struct.pack("<HHH", 0, 1, 1)
    entry = struct.pack("<BBBBHHII", 0, 0, 0, 0, 1, 32, len(png), len(directory) + 16)
    return directory + entry + png


def icns(png: bytes) -> bytes:
    """Return a file of macOS's icons; ``ic08`` is the kind of 256 pixels."""
    entry = struct.pack(">4sI", b"ic08", 8 + len(png)) + png
    return struct.pack(">4sI", b"icns", 8 + len(entry)) + entry
