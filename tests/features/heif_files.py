"""Gives HEIC and AVIF files properties that no encoder at hand writes: a crop, colours by number, turns."""

from __future__ import annotations

import struct

from tests.features.live_photos import box


def crop(width: float, height: float, right: float = 0, down: float = 0) -> bytes:
    """Write the box of a crop: its size, and how far its centre lies from the picture's, in halves of a pixel."""
    parts = (round(2 * value) for value in (width, height, right, down))
    return box(b"clap", *(struct.pack(">iI", part, 2) for part in parts))


def colours(primaries: int, curve: int, matrix: int = 6) -> bytes:
    """Write the box of colours by their numbers."""
    return box(b"colr", b"nclx", struct.pack(">HHHB", primaries, curve, matrix, 0x80))


def with_property(data: bytes, added: bytes) -> bytes:
    """Add a property to the first picture of a file, in front of its turns; positions in the file are moved."""
    meta = data.index(b"meta") - 4
    table = data.index(b"ipma") - 4
    listed = data.index(b"ipco") - 4
    (listed_length,) = struct.unpack_from(">I", data, listed)
    kinds = _kinds_of_boxes(data[listed + 8 : listed + listed_length])
    assert data[table + 8 : table + 12] == bytes(4), "a table of small numbers"
    entry = table + 16
    changed = bytearray(data)
    places = changed[entry + 2]
    changed[entry + 2] = places + 1
    known = [kinds[(number & 127) - 1] for number in changed[entry + 3 : entry + 3 + places]]
    at = entry + 3 + next((at for at, kind in enumerate(known) if kind in {b"irot", b"imir"}), places)
    changed[at:at] = bytes([len(kinds) + 1 | 128 * (added[4:8] == b"clap")])  # one that must be understood
    changed[listed + listed_length : listed + listed_length] = added
    _grow(changed, listed, len(added))
    _grow(changed, changed.index(b"ipma") - 4, 1)
    _grow(changed, changed.index(b"iprp") - 4, len(added) + 1)
    _grow(changed, meta, len(added) + 1)
    _move(changed, len(added) + 1)
    return bytes(changed)


def _kinds_of_boxes(content: bytes) -> list[bytes]:
    kinds, at = [], 0
    while at < len(content):
        kinds.append(content[at + 4 : at + 8])
        at += struct.unpack_from(">I", content, at)[0]
    return kinds


def _grow(data: bytearray, at: int, by: int) -> None:
    struct.pack_into(">I", data, at, struct.unpack_from(">I", data, at)[0] + by)


def _move(data: bytearray, by: int) -> None:
    """Move the places of items, which have one extent each, further behind."""
    at = data.index(b"iloc") + 4
    version, sizes = data[at], struct.unpack_from(">H", data, at + 4)[0]
    offset, length, base, index = (sizes >> shift & 15 for shift in (12, 8, 4, 0))
    assert offset == length == 4
    assert index == 0
    (count,) = struct.unpack_from(">H", data, at + 6)
    at += 8
    for _ in range(count):
        method = struct.unpack_from(">H", data, at + 2)[0] if version else 0
        at += (6 if version else 4) + base
        (extents,) = struct.unpack_from(">H", data, at)
        at += 2
        for _ in range(extents):
            if method == 0:
                _grow(data, at, by)
            at += offset + length
