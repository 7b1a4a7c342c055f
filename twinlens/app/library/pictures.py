"""Pictures of a library for viewing: thumbnails, from any cache or made again, and large pictures."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from twinlens.app.library import desktop_thumbnails, volumes
from twinlens.app.library.browsing.photographs import original, photographs
from twinlens.app.library.desktop_thumbnails import OriginalFile
from twinlens.app.library.library import Library
from twinlens.app.library.workers import decoding
from twinlens.app.machine import preferences
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import plain, shown
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.features.pictures.thumbnail import on_chequer, thumbnail
from twinlens.features.query.words_and_colours import Palette, Phrase
from twinlens.features.reading.reading_limits import UnreadableError

if TYPE_CHECKING:
    from twinlens.app.search.search_query import QuerySource

LARGE_SIDE = 6000
"""Pixels of the longer side of a large picture at most: 24 megapixels and 72 MB."""

_REMADE_AT_ONCE, _LOOKED_FOR_AT_ONCE = 4, 256
_LOOK_S = 0.2  # for the desktop's thumbnails, before the found ones are shown


def thumbnails(library: Library, content_hashes: Sequence[bytes]) -> dict[bytes, bytes]:
    """Return thumbnails by content hash: JPEGs; empty where there is none and none can be made.

    Thumbnails lie in a cache that may be deleted at any time. Those missing there and among the desktop's are made
    again from the photographs, a few at a time, and the others are left out. The caller repeats the call for these;
    every call returns some.
    """
    found = library.thumbnails.get_many(content_hashes)
    lacking = [one for one in content_hashes if one not in found]
    if not lacking:
        return found
    shared, looked_for = _of_desktop(library, lacking, _LOOK_S)
    return found | shared | _made_again(library, [one for one in looked_for if one not in shared][:_REMADE_AT_ONCE])


def _of_desktop(
    library: Library, content_hashes: Sequence[bytes], seconds: float
) -> tuple[dict[bytes, bytes], list[bytes]]:
    """Look for the desktop's thumbnails for some time: return JPEGs, and the hashes that were tried, at least one.

    The disk that the photographs are on is not needed.
    """
    if not content_hashes or desktop_thumbnails.folder() is None or preferences.load().desktop_thumbnails == "off":
        return {}, list(content_hashes)
    jpegs: dict[bytes, bytes] = {}
    until = time.monotonic() + seconds
    with library.store.reading() as r:
        known = library.volumes(r)
        for count, content_hash in enumerate(content_hashes, 1):
            for row in r.photographs.by_hash(content_hash):
                path = volumes.locate(known[row.volume_id], row.path)
                original = OriginalFile(path, row.size, row.mtime_ns, row.width or 1, row.height or 1)
                if jpeg := decoding.shared_thumbnail(original):
                    jpegs[content_hash] = jpeg
                    break
            if time.monotonic() > until:
                return jpegs, list(content_hashes[:count])
    return jpegs, list(content_hashes)


def _made_again(library: Library, content_hashes: Sequence[bytes]) -> dict[bytes, bytes]:
    made = {one: _remade(library, one) for one in content_hashes}
    library.thumbnails.put([(one, jpeg) for one, jpeg in made.items() if jpeg])
    return made


def _remade(library: Library, content_hash: bytes) -> bytes:
    with library.store.reading() as r:
        rows = r.photographs.by_hash(content_hash)
        known = library.volumes(r)
    for row in rows:
        if not volumes.is_present(known[row.volume_id]):
            continue
        try:
            return decoding.thumbnail(Path(os.fsdecode(volumes.locate(known[row.volume_id], row.path))))
        except UnreadableError:
            continue
    return b""


def all_thumbnails(
    library: Library, content_hashes: Sequence[bytes], step: Callable[[int], None] = lambda done: None
) -> dict[bytes, bytes]:
    """Return the thumbnails of all content hashes, as :func:`thumbnails` does; `step` gets the number so far."""
    found: dict[bytes, bytes] = {}
    every = list(dict.fromkeys(content_hashes))
    for start in range(0, len(every), _LOOKED_FOR_AT_ONCE):
        step(len(found))
        some = every[start : start + _LOOKED_FOR_AT_ONCE]
        found |= present_thumbnails(library, some)
        lacking = [one for one in some if one not in found]
        for first in range(0, len(lacking), _REMADE_AT_ONCE):
            step(len(found))
            found |= _made_again(library, lacking[first : first + _REMADE_AT_ONCE])
    return found


def thumbnail_anew(library: Library, content_hash: bytes) -> bytes:
    """Make a thumbnail again, in place of one that shows nothing; empty where that cannot be."""
    jpeg = _remade(library, content_hash)
    if jpeg:
        library.thumbnails.put([(content_hash, jpeg)])
    return jpeg


def present_thumbnails(library: Library, content_hashes: Sequence[bytes]) -> dict[bytes, bytes]:
    """Return existing thumbnails, ours or the desktop's, as JPEGs by content hash; none is made again."""
    found = library.thumbnails.get_many(content_hashes)
    return found | _of_desktop(library, [one for one in content_hashes if one not in found], math.inf)[0]


def large_picture(library: Library, photograph_id: int, side: int = LARGE_SIDE) -> npt.NDArray[np.uint8]:
    """Decode a photograph for viewing, (h, w, 3), upright, in sRGB.

    Parameters
    ----------
    side : int
        Pixels of the longer side at most.

    Raises
    ------
    TwinlensError
        If its disk is away, its file is gone, or it cannot be read.
    """
    return on_chequer(decoding.picture(original(library, photograph_id), side=side))


def picture_of(library: Library, content_hash: bytes, side: int) -> npt.NDArray[np.uint8]:
    """Decode a photograph by its content, from the first of its files that can be read; as :func:`large_picture`."""
    with library.store.reading() as r:
        *others, last = [row.id for row in r.photographs.by_hash(content_hash)] or [0]
    for photograph_id in others:
        try:
            return large_picture(library, photograph_id, side)
        except TwinlensError:
            continue
    return large_picture(library, last, side)


def picture_to_crop(library: Library, picture: QuerySource) -> npt.NDArray[np.uint8]:
    """Decode the picture of a query, to choose a part of it, (h, w, 3).

    Raises
    ------
    TwinlensError
        If it cannot be read, or is no picture.
    """
    if isinstance(picture, Palette):
        raise TwinlensError("A palette is no picture, so it has no parts.", "Search with all of it.")
    if isinstance(picture, Phrase):
        raise TwinlensError("Words have no parts.", "Search with all of them.")
    if isinstance(picture, int):
        return large_picture(library, picture)
    if isinstance(picture, Picture):
        return on_chequer(picture)
    return on_chequer(decoding.picture(picture, side=LARGE_SIDE))


def example(library: Library, picture: QuerySource) -> tuple[str, bytes]:
    """Return the name of a query's example, for people, and its thumbnail; empty where it cannot be read.

    A photograph that the library does not have any more has no name; words have no thumbnail.
    """
    if isinstance(picture, Palette):
        stripes = picture.picture()
        return picture.text(), thumbnail(Picture(stripes, None, PictureFacts("", stripes.shape[1], stripes.shape[0])))
    if isinstance(picture, Phrase):
        return picture.text, b""
    if isinstance(picture, Picture):
        return "picture", thumbnail(picture)
    if isinstance(picture, int):
        known = photographs(library, [picture])
        if not known:
            return "", b""
        return known[0].name, thumbnails(library, [known[0].content_hash]).get(known[0].content_hash, b"")
    name = "" if isinstance(picture, bytes) else plain(shown(os.fsencode(picture.name)))
    try:
        return name or "picture", decoding.thumbnail(picture)
    except UnreadableError:
        return name or "picture", b""
