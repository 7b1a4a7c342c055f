"""Boxes of the ISO base media format (ISO/IEC 14496-12), in which films, HEIC and AVIF are kept.

A box has a length, a name of four letters, and a content, often more boxes. Nothing is decoded here: boxes are found,
and what a HEIF file (ISO/IEC 23008-12) says of its first picture is read. Whatever is damaged is missing.
"""

from __future__ import annotations

import io
import os
import re
import struct
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

_MOST_BOXES = 256  # of one box, and of the file itself
_MOST_BYTES = 1 << 20  # of what is read whole: a head of a box, a list of keys
_FARTHEST = 1 << 62  # where a file can be sought
_EXIF_MARKER = b"Exif\0\0"


class Box(NamedTuple):
    """A box of a file.

    Attributes
    ----------
    kind : bytes
        Its name.
    start, end : int
        Of its content.
    """

    kind: bytes
    start: int
    end: int


def whole(file: BinaryIO) -> Box:
    """Return a file as one box."""
    return Box(b"", 0, file.seek(0, os.SEEK_END))


def boxes(file: BinaryIO, within: Box, skip: int = 0) -> Iterator[Box]:
    """Yield the boxes in a box, behind some bytes of its own; those behind a damaged one are not found."""
    at = within.start + skip
    for _ in range(_MOST_BOXES):
        head = read_at(file, at, 16)
        if at + 8 > within.end or len(head) < 8:
            return
        length, kind = struct.unpack(">I4s", head[:8])
        start = at + 8
        if length == 1 and len(head) == 16:
            (length,) = struct.unpack(">Q", head[8:])
            start += 8
        end = within.end if length == 0 else at + length
        if not start <= end <= within.end:
            return
        yield Box(kind, start, end)
        at = end


def find(file: BinaryIO, within: Box | None, kind: bytes, skip: int = 0) -> Box | None:
    """Return the first box of a name in a box; None where there is none."""
    if within is None:
        return None
    return next((box for box in boxes(file, within, skip) if box.kind == kind), None)


def read_at(file: BinaryIO, start: int, length: int) -> bytes:
    """Return bytes of a file, a megabyte at most."""
    if not 0 <= start < _FARTHEST:
        return b""
    file.seek(start)
    return file.read(min(length, _MOST_BYTES))


def content(file: BinaryIO, box: Box | None) -> bytes:
    """Return the content of a box; nothing where there is none."""
    return b"" if box is None else read_at(file, box.start, box.end - box.start)


class PictureProperties(NamedTuple):
    """The properties of the first picture of a HEIC or AVIF that decoders leave to whoever shows it.

    Attributes
    ----------
    crop : tuple of float or None
        Width and height that are shown, and how far their centre lies right of and below the picture's (12.1.4).
    crops_at : tuple of int
        Where the file says that this picture or another one, of its opacity perhaps, has a crop.
    wide : bool
        Whether it says so in two bytes each, not in one.
    turns : tuple of int
        EXIF's numbers of its turns and mirrorings, in their order, those after the crop.
    colours : tuple of int or None
        Numbers of its primaries and its transfer characteristics (ITU-T H.273).
    """

    crop: tuple[float, float, float, float] | None = None
    crops_at: tuple[int, ...] = ()
    wide: bool = False
    turns: tuple[int, ...] = ()
    colours: tuple[int, int] | None = None


_OF_ROTATION = (1, 8, 3, 6)  # by quarters against the clock
_OF_MIRROR = (4, 2)  # top and bottom exchanged, left and right


def picture_properties(data: bytes) -> PictureProperties:
    """Read the properties of the first picture of a file.

    Parameters
    ----------
    data : bytes
        The whole file.
    """
    file = io.BytesIO(data)
    meta = find(file, whole(file), b"meta")
    first = content(file, find(file, meta, b"pitm", 4))
    item = int.from_bytes(first[4:8] if first[:1] == b"\1" else first[4:6], "big")
    held = find(file, meta, b"iprp", 4)
    listed = find(file, held, b"ipco")
    known = list(boxes(file, listed)) if listed is not None else []
    crop, colours = None, None
    turns: list[int] = []
    crops_at: list[int] = []
    wide = False
    for one, at, in_two, number in _associations(file, find(file, held, b"ipma")):
        if not 0 < number <= len(known):
            continue
        box = known[number - 1]
        value = content(file, box)
        if box.kind == b"clap":
            crops_at.append(at)
            wide = in_two
        if one != item:
            continue
        if box.kind == b"clap":
            crop = _crop(value)
        elif box.kind == b"irot" and value:
            turns.append(_OF_ROTATION[value[0] & 3])
        elif box.kind == b"imir" and value:
            turns.append(_OF_MIRROR[value[0] & 1])
        elif box.kind == b"colr" and value[:4] == b"nclx" and len(value) >= 10:
            colours = (int.from_bytes(value[4:6], "big"), int.from_bytes(value[6:8], "big"))
    return PictureProperties(crop, tuple(crops_at), wide, tuple(turns), colours)


def without_crops(data: bytes, properties: PictureProperties) -> bytes:
    """Return a file whose pictures have no crop any more: the number of the property becomes that of none."""
    changed = bytearray(data)
    for at in properties.crops_at:
        changed[at : at + 1 + properties.wide] = bytes(1 + properties.wide)
    return bytes(changed)


def _crop(value: bytes) -> tuple[float, float, float, float] | None:
    if len(value) < 32:
        return None
    numbers = struct.unpack(">IIIIiIiI", value[:32])
    if not all(numbers[1::2]):
        return None
    width, height, right, down = (above / below for above, below in zip(numbers[::2], numbers[1::2], strict=True))
    return (width, height, right, down) if width >= 1 and height >= 1 else None


def _associations(file: BinaryIO, table: Box | None) -> Iterator[tuple[int, int, bool, int]]:
    """Yield the properties of items: the item, where the file names each, whether in two bytes, its number from 1."""
    if table is None:
        return
    held = content(file, table)
    if len(held) < 8:
        return
    wide_item, wide = held[0] > 0, bool(held[3] & 1)
    at = 8
    for _ in range(int.from_bytes(held[4:8], "big")):
        one = int.from_bytes(held[at : at + (4 if wide_item else 2)], "big")
        at += 4 if wide_item else 2
        if at >= len(held):
            return
        count = held[at]
        at += 1
        for _ in range(count):
            raw = held[at : at + (2 if wide else 1)]
            if raw:
                yield one, table.start + at, wide, int.from_bytes(raw, "big") & (0x7FFF if wide else 0x7F)
            at += 2 if wide else 1


def exif_of_item(file: BinaryIO) -> bytes:
    """Return the EXIF item of a HEIC, as its tables say (14496-12, 8.11.3 and 8.11.6); nothing where it has none."""
    meta = find(file, whole(file), b"meta")
    item = _exif_item(content(file, find(file, meta, b"iinf", 4)))
    place = None if item is None else _item_place(content(file, find(file, meta, b"iloc", 4)), item)
    if place is None:
        return b""
    block = read_at(file, place[0], place[1])
    start = 4 + int.from_bytes(block[:4], "big")
    return block[start:].removeprefix(_EXIF_MARKER)


def _exif_item(table: bytes) -> int | None:
    """Return the number of the EXIF item."""
    found = re.search(rb"infe(?:\x02.{3}(.{2})|\x03.{3}(.{4})).{2}Exif", table, re.DOTALL)
    return None if found is None else int.from_bytes(found[1] or found[2], "big")


def _item_place(table: bytes, item: int) -> tuple[int, int] | None:
    """Return where an item that lies in one piece begins in the file, and its length."""
    if len(table) < 8:
        return None
    version, sizes = table[0], int.from_bytes(table[4:6], "big")
    offset, length, base, index = (sizes >> shift & 15 for shift in (12, 8, 4, 0))
    index = index if version in (1, 2) else 0
    wide = 4 if version == 2 else 2
    at = 6 + wide

    def number(bytes_: int) -> int:
        nonlocal at
        at += bytes_
        return int.from_bytes(table[at - bytes_ : at], "big")

    while at < len(table):
        one = number(wide)
        method = number(2) & 15 if version in (1, 2) else 0
        number(2)  # the file that it lies in
        begin = number(base)
        extents = number(2)
        if one == item and extents and method == 0:
            number(index)
            begin += number(offset)
            return begin, number(length)
        at += extents * (index + offset + length)
    return None
