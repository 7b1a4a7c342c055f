"""Live photos: a picture, and a film of a few seconds that was taken with it.

Apple writes one identifier into both: into the camera's own notes of the picture (tag 17 of “Apple iOS”), and into the
film as ``com.apple.quicktime.content.identifier``. Films are QuickTime or MP4, of which only the boxes with the length,
the dates and the identifier are read. Nothing is decoded.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import BinaryIO

from twinlens.core.date_taken import iso_date
from twinlens.features.formats.exif import TiffTags
from twinlens.features.formats.media_boxes import Box, boxes, content, exif_of_item, find, read_at, whole

LONGEST_LIVE_S = 5.5
"""Of the film of a live photo."""

_MOST_PARTS = 256  # of a JPEG, and names in a film
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
    movie = find(file, whole(file), b"moov")
    if movie is None:
        return Film()
    seconds, made = _head(file, movie)
    keys = _keys(file, movie)
    dates = [] if made is None else [made]
    if (written := iso_date(keys.get(_DATE, ""))) is not None:
        dates.append(datetime.fromisoformat(written))
    return Film(seconds, tuple(one for one in dates if one >= _EARLIEST), keys.get(_IDENTIFIER, "").strip())


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
    block = _exif_of_jpeg(file) if read_at(file, 0, 2) == b"\xff\xd8" else exif_of_item(file)
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


def _head(file: BinaryIO, movie: Box) -> tuple[float | None, datetime | None]:
    """Return how long a film is and when it was made (14496-12, 8.2.2)."""
    head = content(file, find(file, movie, b"mvhd"))
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


def _keys(file: BinaryIO, movie: Box) -> dict[bytes, str]:
    """Return the values of a film under Apple's names of keys (QuickTime File Format, metadata item keys)."""
    meta = find(file, movie, b"meta")
    if meta is None:
        return {}
    skip = 0 if read_at(file, meta.start + 4, 4) == b"hdlr" else 4  # that of MP4 begins with a version
    listed = content(file, find(file, meta, b"keys", skip))
    names: list[bytes] = []
    at = 8
    while at + 8 <= len(listed) and len(names) < _MOST_PARTS:
        length = max(8, int.from_bytes(listed[at : at + 4], "big"))
        names.append(listed[at + 8 : at + length])
        at += length
    found: dict[bytes, str] = {}
    values = find(file, meta, b"ilst", skip)
    for box in () if values is None else boxes(file, values):
        place = int.from_bytes(box.kind, "big") - 1
        if 0 <= place < len(names) and names[place] in (_IDENTIFIER, _DATE):
            text = content(file, find(file, box, b"data"))[8:264]
            found[names[place]] = text.decode("utf-8", "replace")
    return found


def _exif_of_jpeg(file: BinaryIO) -> bytes:
    at = 2
    for _ in range(_MOST_PARTS):
        head = read_at(file, at, 10)
        if len(head) < 10 or head[0] != 0xFF or head[1] == 0xDA:
            break
        if head[1] in _ALONE:
            at += 2
            continue
        length = int.from_bytes(head[2:4], "big")
        if head[1] == 0xE1 and head[4:] == _EXIF_MARKER:
            return read_at(file, at + 10, length - 8) if length > 8 else b""
        at += 2 + max(2, length)
    return b""
