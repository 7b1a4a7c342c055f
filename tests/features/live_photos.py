"""Makes live photos by hand: films as QuickTime boxes without a picture in them, and Apple's notes of a camera."""

from __future__ import annotations

import struct
from datetime import datetime

from PIL import Image

from tests.features.sample_pictures import encode, scene

EPOCH = datetime(1904, 1, 1)
TAKEN = datetime(2021, 6, 5, 10, 11, 12)


def box(kind: bytes, *contents: bytes, long: bool = False) -> bytes:
    """Write a box; a long one says its length in 64 bits."""
    content = b"".join(contents)
    if long:
        return struct.pack(">I4sQ", 1, kind, 16 + len(content)) + content
    return struct.pack(">I4s", 8 + len(content), kind) + content


def head(seconds: float, made: datetime | None, version: int = 0) -> bytes:
    """Write the head of a film."""
    since = 0 if made is None else round((made - EPOCH).total_seconds())
    times = struct.pack(">QQIQ" if version else ">IIII", since, since, 600, round(600 * seconds))
    return box(b"mvhd", struct.pack(">B3x", version), times, bytes(80))


def keys(values: dict[str, str], *, mp4: bool = False) -> bytes:
    """Write what a film says under Apple's names."""
    names = b"".join(struct.pack(">I4s", 8 + len(name), b"mdta") + name.encode() for name in values)
    items = b"".join(
        box(struct.pack(">I", at), box(b"data", struct.pack(">II", 1, 0), text.encode()))
        for at, text in enumerate(values.values(), 1)
    )
    handler = box(b"hdlr", bytes(8), b"mdta", bytes(12))
    version = bytes(4) if mp4 else b""
    return box(b"meta", version, handler, box(b"keys", struct.pack(">4xI", len(values)), names), box(b"ilst", items))


def film(
    seconds: float = 2.8,
    made: datetime | None = TAKEN,
    identifier: str = "",
    written: str = "",
    *,
    version: int = 0,
    filling: int = 64,
) -> bytes:
    """Write a film."""
    values = {"com.apple.quicktime.make": "Apple"}
    if identifier:
        values["com.apple.quicktime.content.identifier"] = identifier
    if written:
        values["com.apple.quicktime.creationdate"] = written
    movie = box(b"moov", head(seconds, made, version), keys(values))
    return box(b"ftyp", b"qt  \0\0\0\0qt  ") + box(b"wide") + box(b"mdat", bytes(filling), long=True) + movie


def apple_notes(identifier: str, taken: datetime | None = TAKEN) -> Image.Exif:
    """Make the notes of an iPhone, which name the identifier of a live photo."""
    text = identifier.encode() + b"\0"
    entries = struct.pack(">HHHII", 1, 0x0011, 2, len(text), 14 + 2 + 12 + 4) + bytes(4)
    notes = Image.Exif()
    notes[0x010F] = "Apple"
    inner = notes.get_ifd(0x8769)
    if taken is not None:
        inner[0x9003] = taken.strftime("%Y:%m:%d %H:%M:%S")
    inner[0x927C] = b"Apple iOS\0\0\1MM" + entries + text
    return notes


def live_picture(form: str = "JPEG", identifier: str = "", taken: datetime | None = TAKEN, seed: int = 1) -> bytes:
    """Make a picture of a phone, with the identifier of its film."""
    return encode(scene(320, 240, seed), form, quality=92, exif=apple_notes(identifier, taken).tobytes())
