"""Notes of sidecar files: the XMP of Lightroom, darktable and digiKam, and the JSON of Google Takeout.

A sidecar file is anybody's: a link, a pipe or a folder is not opened as one, a large one is not read, and one that
changes meanwhile says nothing. Neither does JSON that is nested deeply, nor a number that no clock or map has.
"""

from __future__ import annotations

import json
import math
import os
import re
import stat
from datetime import UTC, datetime
from typing import Any

from twinlens.core.date_taken import iso_date
from twinlens.features.reading.metadata import Statements, distinct, plain_text, read_xmp

MOST_BYTES = 1 << 20
"""Bytes of a sidecar file that is read."""

_OPEN = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
# A link or a pipe that took the file's place since the scan is not followed, and does not stop the worker.
_OPEN |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_OF_ENDING = re.compile(rb"SidecarForExtension(?:>|\s*=\s*[\"'])\s*(\w{1,8})")
_RANGE_S = 10**11  # about 3,000 years


def read_sidecar(path: bytes, photograph: bytes = b"") -> Statements:
    """Read what a sidecar file says; nothing of one that cannot be read, is too large, or says nothing that is known.

    Parameters
    ----------
    path : bytes
        Full path.
    photograph : bytes
        The name of the photograph: Lightroom's ``a.xmp`` may say that it is of ``a.cr2``, not of ``a.jpg``.
    """
    try:
        data = contents(path)
    except OSError:
        return Statements()
    if path.lower().endswith(b".json"):
        return read_takeout(data)
    own = _OF_ENDING.search(data)
    if own is not None and photograph and not photograph.lower().endswith(b"." + own[1].lower()):
        return Statements()
    return read_xmp(data)


def contents(path: bytes) -> bytes:
    """Return the content of a sidecar file; OSError if it is no file, too large, or changes meanwhile."""
    with os.fdopen(os.open(path, _OPEN), "rb") as file:
        before = os.fstat(file.fileno())
        if not stat.S_ISREG(before.st_mode) or before.st_size > MOST_BYTES:
            raise OSError("no file, or too large")
        data = file.read(MOST_BYTES + 1)
        after = os.fstat(file.fileno())
    if len(data) != before.st_size or after.st_mtime_ns != before.st_mtime_ns:
        raise OSError("it changes")
    return data


def read_takeout(block: bytes) -> Statements:
    """Read the JSON of Google Takeout; nothing of one that is damaged, too large, or of another program.

    Examples
    --------
    >>> said = read_takeout(b'{"photoTakenTime": {"timestamp": "1258375918"}, "people": [{"name": "Anna"}]}')
    >>> said.taken, said.keywords
    ('2009-11-16T12:51:58', ('Anna',))
    """
    if len(block) > MOST_BYTES:
        return Statements()
    try:
        found = json.loads(block)
    except (ValueError, RecursionError):
        return Statements()
    if not isinstance(found, dict) or not isinstance(found.get("photoTakenTime"), dict):
        return Statements()
    people = found.get("people")
    named = [one.get("name") for one in people if isinstance(one, dict)] if isinstance(people, list) else []
    return Statements(
        taken=_moment(found["photoTakenTime"].get("timestamp")),
        place=_place(found.get("geoData")) or _place(found.get("geoDataExif")),
        keywords=distinct(name for name in named if isinstance(name, str)),
        caption=plain_text(text) if isinstance(text := found.get("description"), str) else "",
        favourite=found.get("favorited") is True,
    )


def _moment(seconds: Any) -> str | None:
    """Return a moment in UTC, from seconds since 1970."""
    number = _finite(seconds)
    if number is None or abs(number) > _RANGE_S:
        return None
    try:
        moment = datetime.fromtimestamp(math.floor(number), UTC)
    except (OverflowError, OSError, ValueError):
        return None
    return iso_date(moment.strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0"))


def _place(found: Any) -> str:
    if not isinstance(found, dict):
        return ""
    latitude, longitude = _finite(found.get("latitude")), _finite(found.get("longitude"))
    if latitude is None or longitude is None or not (latitude or longitude):
        return ""
    return f"{latitude:.6f},{longitude:.6f}" if abs(latitude) <= 90 and abs(longitude) <= 180 else ""


def _finite(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
