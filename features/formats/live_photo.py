"""Live photos: a picture, and a film of a few seconds that was taken with it.

Apple writes one identifier into both: into the camera's own notes of the picture (tag 17 of “Apple iOS”), and into the
film as ``com.apple.quicktime.content.identifier``. Films are QuickTime or MP4: boxes in boxes (ISO/IEC 14496-12), of
which only those with the length, the dates and the identifier are read. Nothing is decoded.
"""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import BinaryIO, NamedTuple

from core.date_taken import iso_date
from features.formats.exif import TiffTags

_MOST_BOXES = 256  # of one box, and of the file itself
_MOST_BYTES = 1 << 20  # of what is read whole: a head of a box, a list of keys, the camera's notes
_FARTHEST = 1 << 62  # where a file can be sought
_EPOCH = datetime(1904, 1, 1)
_EARLIEST = datetime(1990, 1, 1)  # a clock that was never set says 1904 or 1970
_IDENTIFIER, _DATE = b"com.apple.quicktime.content.identifier", b"com.apple.quicktime.creationdate"
_EXIF_MARKER = b"Exif\0\0"
_EXIF_DIRECTORY, _MAKER_NOTE, _APPLE, _CONTENT_IDENTIFIER = 0x8769, 0x927C, b"Apple iOS\0", 0x0011
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})  # markers of a JPEG without a length


@dataclass(frozen=True)
class Film:
    """The facts that a film states of itself.

    Attributes
    ----------
    seconds : float or None
        How long it is; None where it does not say so.
    dates : tuple of datetime
        When it was made: by universal time, or by the camera's clock. Zones are left out.
    identifier : str
        That of its live photo; empty where it has none.
    """

    seconds: float | None = None
    dates: tuple[datetime, ...] = ()
    identifier: str = ""


def read_film(file: BinaryIO) -> Film:
    """Read the length, the dates and the identifier of a film; what is damaged is left out.

    Parameters
    ----------
    file : file
        QuickTime or MP4, which can be sought in; anything else says nothing.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    movie = _find(file, _whole(file), b"moov")
    if movie is None:
        return Film()
    seconds, made = _head(file, movie)
    said = _keys(file, movie)
    dates = [] if made is None else [made]
    if (written := iso_date(said.get(_DATE, ""))) is not None:
        dates.append(datetime.fromisoformat(written))
    return Film(seconds, tuple(one for one in dates if one >= _EARLIEST), said.get(_IDENTIFIER, "").strip())


def picture_identifier(file: BinaryIO) -> str:
    """Read the identifier that a picture shares with its film; empty where it has none.

    Parameters
    ----------
    file : file
        A JPEG or HEIC, which can be sought in; anything else says nothing.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    block = _exif_of_jpeg(file) if _read(file, 0, 2) == b"\xff\xd8" else _exif_of_heic(file)
    tags = TiffTags(block)
    position = tags.number(tags.first.get(_EXIF_DIRECTORY))
    notes = None if position is None else tags.directory(position).get(_MAKER_NOTE)
    if notes is None:
        return ""
    own = block[notes.position : notes.position + notes.count]
    if not own.startswith(_APPLE) or own[12:14] not in (b"MM", b"II"):
        return ""
    # Its positions count from where the notes begin, and its directory lies behind the name.
    order = ">" if own[12:14] == b"MM" else "<"
    apple = TiffTags(own[12:14] + struct.pack(f"{order}HI", 42, 14) + own[8:])
    return apple.text(apple.first.get(_CONTENT_IDENTIFIER))


# --- boxes -----------------------------------------------------------------------------------------------------------


def _whole(file: BinaryIO) -> _Box:
    return _Box(b"", 0, file.seek(0, os.SEEK_END))


class _Box(NamedTuple):
    kind: bytes
    start: int  # of its content
    end: int


def _boxes(file: BinaryIO, within: _Box, skip: int = 0) -> Iterator[_Box]:
    """Yield the boxes in a box, behind some bytes of its own; those behind a damaged one are not found."""
    at = within.start + skip
    for _ in range(_MOST_BOXES):
        head = _read(file, at, 16)
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
        yield _Box(kind, start, end)
        at = end


def _find(file: BinaryIO, within: _Box | None, kind: bytes, skip: int = 0) -> _Box | None:
    if within is None:
        return None
    return next((box for box in _boxes(file, within, skip) if box.kind == kind), None)


def _read(file: BinaryIO, start: int, length: int) -> bytes:
    if not 0 <= start < _FARTHEST:
        return b""
    file.seek(start)
    return file.read(min(length, _MOST_BYTES))


def _content(file: BinaryIO, box: _Box | None) -> bytes:
    return b"" if box is None else _read(file, box.start, box.end - box.start)


def _head(file: BinaryIO, movie: _Box) -> tuple[float | None, datetime | None]:
    """Return how long a film is and when it was made (14496-12, 8.2.2)."""
    head = _content(file, _find(file, movie, b"mvhd"))
    form = ">4xQ8xIQ" if head[:1] == b"\1" else ">4xI4xII"
    if len(head) < struct.calcsize(form):
        return None, None
    made, scale, duration = struct.unpack_from(form, head)
    try:
        date = _EPOCH + timedelta(seconds=made)
    except OverflowError:
        date = None
    known = scale > 0 and duration not in (0, (1 << 32) - 1, (1 << 64) - 1)  # all bits set: not known
    return duration / scale if known else None, date


def _keys(file: BinaryIO, movie: _Box) -> dict[bytes, str]:
    """Return the values of a film under Apple's names of keys (QuickTime File Format, metadata item keys)."""
    meta = _find(file, movie, b"meta")
    if meta is None:
        return {}
    skip = 0 if _read(file, meta.start + 4, 4) == b"hdlr" else 4  # that of MP4 begins with a version
    listed = _content(file, _find(file, meta, b"keys", skip))
    names: list[bytes] = []
    at = 8
    while at + 8 <= len(listed) and len(names) < _MOST_BOXES:
        length = max(8, int.from_bytes(listed[at : at + 4], "big"))
        names.append(listed[at + 8 : at + length])
        at += length
    found: dict[bytes, str] = {}
    values = _find(file, meta, b"ilst", skip)
    for box in () if values is None else _boxes(file, values):
        place = int.from_bytes(box.kind, "big") - 1
        if 0 <= place < len(names) and names[place] in (_IDENTIFIER, _DATE):
            text = _content(file, _find(file, box, b"data"))[8:264]
            found[names[place]] = text.decode("utf-8", "replace")
    return found


# --- the camera's notes ----------------------------------------------------------------------------------------------


def _exif_of_jpeg(file: BinaryIO) -> bytes:
    at = 2
    for _ in range(_MOST_BOXES):
        head = _read(file, at, 10)
        if len(head) < 10 or head[0] != 0xFF or head[1] == 0xDA:
            break
        if head[1] in _ALONE:
            at += 2
            continue
        length = int.from_bytes(head[2:4], "big")
        if head[1] == 0xE1 and head[4:] == _EXIF_MARKER:
            return _read(file, at + 10, length - 8) if length > 8 else b""
        at += 2 + max(2, length)
    return b""


def _exif_of_heic(file: BinaryIO) -> bytes:
    """Return the EXIF item of a HEIC, as its tables say (14496-12, 8.11.3 and 8.11.6)."""
    meta = _find(file, _whole(file), b"meta")
    item = _exif_item(_content(file, _find(file, meta, b"iinf", 4)))
    place = None if item is None else _item_place(_content(file, _find(file, meta, b"iloc", 4)), item)
    if place is None:
        return b""
    block = _read(file, place[0], place[1])
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
