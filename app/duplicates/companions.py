"""Companions: the files beside a photograph that go where it goes.

Notes of other programs are ``IMG_1.xmp``, ``IMG_1.jpg.xmp`` and ``IMG_1.aae``; the film of a live photo is
``IMG_1.mov`` or ``IMG_1.mp4`` beside a HEIC or JPEG. A companion without the photograph's ending belongs to every
picture of that name, so it stays as long as one of them stays.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Set

from app.library import volumes

_NOTES = (b".xmp", b".aae")
_FILMS = (b".mov", b".mp4")
_LIVE = (b".heic", b".heif", b".jpg", b".jpeg")


def companions(path: bytes, going: Set[bytes] = frozenset()) -> list[bytes]:
    """List the files that go with a photograph, in the order of their names.

    Parameters
    ----------
    path : bytes
        Full path of the photograph.
    going : set of bytes
        Full paths of the other photographs that go.

    Returns
    -------
    list of bytes
        Full paths.
    """
    folder, name = os.path.split(path)
    return [volumes.joined(folder, one) for one in _names_beside(folder, name, going)]


def _names_beside(folder: bytes, name: bytes, going: Set[bytes]) -> Iterator[bytes]:
    stem, ending = os.path.splitext(name)
    shared = _NOTES + (_FILMS if ending.lower() in _LIVE else ())
    beside = [one for one in _listed(folder) if one.startswith(stem) and one != name]
    others = [
        one
        for one in beside
        if os.path.splitext(one)[0] == stem
        and os.path.splitext(one)[1].lower() not in (*_NOTES, *_FILMS)
        and volumes.joined(folder, one) not in going
    ]
    for one in beside:
        rest = one[len(stem) :].lower()
        own = rest == ending.lower() + b".xmp"
        if (own or (rest in shared and not others)) and _is_file(volumes.joined(folder, one)):
            yield one


def _listed(folder: bytes) -> list[bytes]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _is_file(path: bytes) -> bool:
    return os.path.isfile(path) and not os.path.islink(path)
