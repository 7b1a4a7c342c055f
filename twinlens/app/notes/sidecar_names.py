"""The names of sidecar files: the files beside a photograph that are part of it, as cameras and programs name them.

They are films (live photos, motion photos), edits, voice notes and notes. Two pictures may share one, ``a.xmp`` of
``a.cr2`` and ``a.jpg``; where a name fits one of them better, it is of that one alone.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple


class SidecarKind(StrEnum):
    """The kind of a companion, the most valuable first."""

    FILM = "film"
    EDITS = "edits"
    VOICE = "voice note"
    NOTES = "notes"


_EDITS = (
    *(b".xmp", b".aae"),  # Adobe, darktable, digiKam and many others; Apple
    *(b".acr", b".arp", b".cos", b".dop", b".dr4", b".nksc", b".on1", b".photo-edit", b".pp3", b".rrdata", b".vrd"),
)
_XMP = b".xmp"
_FILMS = (b".mov", b".mp4")
_SORTS = {
    **dict.fromkeys(_EDITS, SidecarKind.EDITS),
    b".wav": SidecarKind.VOICE,
    b".json": SidecarKind.NOTES,
    **dict.fromkeys(_FILMS, SidecarKind.FILM),
}
_NO_PICTURES = frozenset((*_SORTS, b".thm"))
_PIXEL_FILM = re.compile(rb"\.mp(~\d)?$")
_VERSION = re.compile(rb"_\d{2,4}$")
APPLE_NAME = re.compile(rb"(img_)(\d+)", re.IGNORECASE)
_NUMBERED = re.compile(rb"(.+)(\(\d+\))$", re.DOTALL)
_TAKEOUT = b".supplemental-metadata"
_CUT = 46
"""Characters of a photograph's name that are left in Takeout's longest names of notes."""


class SidecarFit(NamedTuple):
    """A name that fits a photograph: the stem of that, `between`, perhaps its ending, and `rest`.

    Attributes
    ----------
    rank : int
        Of two pictures that a name fits, it is of the one with the larger rank.
    between : bytes
        Of a further version: ``_01`` of ``a_01.jpg.xmp``.
    set_before : bool
        Of Apple's ``IMG_O1.aae``.
    """

    kind: SidecarKind
    rank: int
    between: bytes
    whole: bool
    rest: bytes
    set_before: bool = False


class Sidecar(NamedTuple):
    """A sidecar file of a photograph by its name.

    Attributes
    ----------
    sharers : tuple of bytes
        Names of the other pictures that share it.
    """

    name: bytes
    fit: SidecarFit
    sharers: tuple[bytes, ...]


class FolderNames:
    """The names in a folder, in which those of sidecar files are found.

    Examples
    --------
    >>> names = FolderNames([b"a.jpg", b"a.jpg.xmp", b"b.jpg", b"b.jpg.json"])
    >>> [one.name for one in names.sidecars(b"a.jpg")]
    [b'a.jpg.xmp']
    """

    def __init__(self, names: Iterable[bytes]) -> None:
        self._names = sorted((one.lower(), one) for one in names)

    def sidecars(self, photograph: bytes) -> list[Sidecar]:
        """Return the sidecar files of a photograph, in the order of their names."""
        near: list[bytes] = []
        for begin in _begins(photograph):
            for at in range(bisect_left(self._names, (begin, b"")), len(self._names)):
                if not self._names[at][0].startswith(begin):
                    break
                near.append(self._names[at][1])
        return _among(photograph, sorted(near)) if len(near) > 1 else []  # itself alone is the usual case

    def xmp_of(self, photograph: bytes) -> bytes:
        """Return the name of the XMP file of a photograph alone: the one that is there, or a new one."""
        own = [
            one.name
            for one in self.sidecars(photograph)
            if one.fit.rest.lower() == _XMP and not one.fit.between and not one.sharers
        ]
        return max(own, key=len, default=photograph + _XMP)


def _among(photograph: bytes, near: Sequence[bytes]) -> list[Sidecar]:
    pictures = [one for one in near if one != photograph and may_be_picture(one)]
    found = []
    for one in near:
        fit = fit_of(photograph, one)
        if fit is None:
            continue
        ranks = {each: other.rank for each in pictures if (other := fit_of(each, one)) is not None}
        if all(rank <= fit.rank for rank in ranks.values()):
            found.append(Sidecar(one, fit, tuple(each for each, rank in ranks.items() if rank == fit.rank)))
    return found


_EDITED_WORDS = (
    *("edited", "effects", "smile", "mix", "bearbeitet", "bewerkt", "modifié", "modificato"),
    *("ha editado", "editado", "editat", "edytowane", "編集済み"),
)
_EDITED = re.compile(
    f"(.+)-(?:{'|'.join(_EDITED_WORDS)})".encode() + rb"(\(\d+\))?",
    re.DOTALL | re.IGNORECASE,
)


def original_of(photograph: bytes) -> bytes | None:
    """Return the name of the photograph of which another is the edited version, as Google names it.

    Examples
    --------
    >>> original_of(b"IMG_1-edited(2).jpg"), original_of(b"IMG_1.jpg")
    (b'IMG_1(2).jpg', None)
    """
    stem, ending = os.path.splitext(photograph)
    found = _EDITED.fullmatch(stem)
    return None if found is None else found[1] + (found[2] or b"") + ending


def _begins(name: bytes) -> list[bytes]:
    """Return the beginnings, in small letters, of the names that a photograph's companions have."""
    stem = os.path.splitext(name)[0].lower()
    if (number := _NUMBERED.match(stem)) is not None:
        stem = number[1]
    begins = [stem.decode("utf-8", "surrogateescape")[: _CUT - 3].encode("utf-8", "surrogateescape")]
    if (apple := APPLE_NAME.fullmatch(stem)) is not None:
        begins.append(b"img_o" + apple[2] + b".")
    return begins


def may_be_picture(name: bytes) -> bool:
    """Return whether a file may be a picture, and is no sidecar file, by its name."""
    return os.path.splitext(name)[1].lower() not in _NO_PICTURES and not _PIXEL_FILM.search(name.lower())


def fit_of(photograph: bytes, other: bytes) -> SidecarFit | None:
    """Return how one name fits a companion of another; None where it does not."""
    stem, ending = os.path.splitext(photograph)
    name, low = photograph.lower(), other.lower()
    if low.startswith(name):
        rest = other[len(name) :]
        sort = _SORTS.get(rest.lower()) or (SidecarKind.NOTES if _is_cut_short(rest.lower()) else None)
        if sort is not None:
            return SidecarFit(sort, 4 if other.startswith(photograph) else 3, b"", True, rest)
    if low.startswith(stem.lower()):
        rest = other[len(stem) :]
        if (sort := _SORTS.get(rest.lower())) is not None:
            return SidecarFit(sort, 2, b"", False, rest)
        if rest.lower() == b"_hevc.mov":
            return SidecarFit(SidecarKind.FILM, 1, b"", False, rest)
        if not rest and _PIXEL_FILM.search(low):
            return SidecarFit(SidecarKind.FILM, 2, b"", False, b".mp4")
        version = rest[: -len(ending + b".xmp")]
        if rest.lower().endswith(ending.lower() + b".xmp") and _VERSION.fullmatch(version):
            return SidecarFit(SidecarKind.EDITS, 1, version, True, b".xmp")
    if (apple := APPLE_NAME.fullmatch(stem)) is not None and low == b"img_o" + apple[2] + b".aae":
        return SidecarFit(SidecarKind.EDITS, 2, b"", False, b".aae", set_before=True)
    return _takeout(stem.lower(), ending.lower(), low)


def _is_cut_short(rest: bytes) -> bool:
    """Return whether what stands behind a photograph's name is Takeout's ending, or a beginning of it."""
    return rest.endswith(b".json") and _TAKEOUT.startswith(rest.removesuffix(b".json"))


def _takeout(stem: bytes, ending: bytes, other: bytes) -> SidecarFit | None:
    """Return how a name fits notes of Google Takeout that are numbered or cut short; None where it does not."""
    if not other.endswith(b".json"):
        return None
    begin, least = other.removesuffix(b".json"), _CUT
    number, same = _NUMBERED.match(begin), _NUMBERED.match(stem)
    fits = False
    if number is not None and same is not None and number[2] == same[2]:
        begin, stem, least = number[1], same[1], _CUT - len(number[2])
        fits = begin.startswith(stem + ending) and _is_cut_short(begin[len(stem + ending) :] + b".json")
    length = len(begin.decode("utf-8", "replace"))
    fits |= least <= length <= _CUT and (stem + ending).startswith(begin)
    return SidecarFit(SidecarKind.NOTES, 3, b"", True, b".json") if fits else None
