"""The thumbnails that a desktop's programs share, found and, where the person wants it, made for them.

The Thumbnail Managing Standard of freedesktop.org, version 0.9: ``$XDG_CACHE_HOME/thumbnails/large`` holds PNGs of 256
pixels, ``x-large`` of 512, each named by the MD5 of its file's address. A photograph whose thumbnail a file manager has
made already needs no other; that is looked for and used. Ours are kept elsewhere all the same: in a sixth of the space,
decoded in half the time, and not thrown away by the desktop, which keeps its cache to some hundred megabytes.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from twinlens.app.machine import app_folders
from twinlens.features.pictures.picture import Picture
from twinlens.features.pictures.thumbnail import thumbnail
from twinlens.features.reading.desktop_thumbnail import SIDE, ThumbnailFacts, desktop_thumbnail, read_thumbnail_facts

SOFTWARE = "Twinlens"
Use = Literal["use", "share", "off"]
"""The use of the desktop's thumbnails: read those of others, share ours too, or neither."""

_log = logging.getLogger(__name__)
_SIZES = ("large", "x-large")  # those that are large enough for us, the cheapest first
_UNQUOTED = "/!$&'()*+,-.:=@_~"  # as GLib writes addresses: another spelling would be another name
LIMIT_BYTES = 8 << 20
"""Bytes that are read of a thumbnail, at most."""

_BILLION = 10**9


@dataclass(frozen=True)
class OriginalFile:
    """A file, as it must have been when its thumbnail was made.

    Attributes
    ----------
    path : bytes
        Absolute.
    size : int
        Bytes.
    mtime_ns : int
        Time of its last change, nanoseconds since 1970.
    width, height : int
        Pixels of the picture, upright.
    """

    path: bytes
    size: int
    mtime_ns: int
    width: int
    height: int

    @property
    def address(self) -> str:
        """Return the address, as file managers write it.

        Examples
        --------
        >>> OriginalFile(b"/home/jens/photos/me & you.png", 0, 0, 1, 1).address
        'file:///home/jens/photos/me%20&%20you.png'
        """
        return "file://" + quote(self.path, safe=_UNQUOTED)

    @property
    def name(self) -> str:
        """Return the name of its thumbnail.

        Examples
        --------
        >>> OriginalFile(b"/home/jens/photos/me.png", 0, 0, 1, 1).name  # the example in the standard
        'c6ee772d9e49320e97ec29a7eb5b1697.png'
        """
        return hashlib.md5(self.address.encode("ascii"), usedforsecurity=False).hexdigest() + ".png"

    @property
    def changed(self) -> int:
        """Return the time of its last change in whole seconds."""
        return self.mtime_ns // _BILLION


def folder() -> Path | None:
    """Return the folder in which the desktop's thumbnails lie; None where there is no such thing.

    It need not be there.
    """
    system: str = sys.platform
    if system in {"win32", "darwin"}:
        return None
    named, home = os.environ.get("XDG_CACHE_HOME", ""), app_folders.home()
    if os.path.isabs(named):  # the standard passes over what is relative
        return Path(named) / "thumbnails"
    return home / ".cache" / "thumbnails" if home else None


def find(original: OriginalFile, least: int = SIDE, place: Path | None = None) -> tuple[bytes, ThumbnailFacts] | None:
    """Find the thumbnail that the desktop has of a file, if it is still that of the file, upright and large enough.

    Parameters
    ----------
    least : int
        Pixels that its longer side must have, where the picture itself has as many.
    place : Path, optional
        Where the thumbnails lie; by default where the desktop says.

    Returns
    -------
    (bytes, ThumbnailFacts) or None
        A PNG, and the facts in it.
    """
    place = folder() if place is None else place
    if place is None:
        return None
    for size in _SIZES:
        try:
            with open(place / size / original.name, "rb") as file:
                png = file.read(LIMIT_BYTES)
        except OSError:
            continue
        marks = read_thumbnail_facts(png)
        if marks is not None and _is_of(marks, original, least):
            return png, marks
    return None


def _is_of(marks: ThumbnailFacts, original: OriginalFile, least: int) -> bool:
    texts = marks.texts
    return (
        texts.get("Thumb::URI") == original.address
        and texts.get("Thumb::MTime", "").partition(".")[0] == str(original.changed)
        and texts.get("Thumb::Size", str(original.size)) == str(original.size)
        and max(marks.width, marks.height) >= min(least, max(original.width, original.height))
        and marks.fits(original.width, original.height)
    )


def is_there(original: OriginalFile) -> bool:
    """Return whether the desktop has a thumbnail of a file, without opening it."""
    place = folder()
    return place is not None and any((place / size / original.name).is_file() for size in _SIZES)


def is_ours(marks: ThumbnailFacts) -> bool:
    """Return whether this program has made a thumbnail."""
    return marks.texts.get("Software") == SOFTWARE


def to_keep(use: Use, original: OriginalFile, picture: Picture) -> bytes:
    """Make the thumbnail that is kept of a photograph.

    Parameters
    ----------
    use : Use
        The use of the desktop's thumbnails.
    picture : Picture
        The file's, as it was read.

    Returns
    -------
    bytes
        A JPEG; empty where another program has left one that serves.
    """
    found = None if use == "off" else find(original)
    if found is not None and not is_ours(found[1]):
        return b""
    if found is None and use == "share":
        share(original, picture)
    return thumbnail(picture)


def share(original: OriginalFile, picture: Picture) -> None:
    """Make a thumbnail for the desktop's programs; where it cannot be kept, nothing happens.

    Parameters
    ----------
    picture : Picture
        The file's, as it was read.
    """
    place = folder()
    if place is None or original.path.startswith(os.fsencode(place) + b"/"):
        return
    texts = {
        "Thumb::URI": original.address,
        "Thumb::MTime": str(original.changed),
        "Thumb::Size": str(original.size),
        "Thumb::Image::Width": str(original.width),
        "Thumb::Image::Height": str(original.height),
        "Software": SOFTWARE,
    }
    png = desktop_thumbnail(picture, texts)
    try:
        _keep(place / _SIZES[0], original.name, png)
    except OSError as error:
        _log.debug("No thumbnail is left for the desktop in %s: %s", place, error)


def _keep(place: Path, name: str, png: bytes) -> None:
    """Write a file that others see whole or not at all, and nobody but its owner can read."""
    for one in (place.parent, place):
        one.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = place / f"{name}.{os.getpid()}.tmp"
    try:
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(png)
        os.replace(new, place / name)
    except OSError:
        with contextlib.suppress(OSError):
            new.unlink()
        raise
