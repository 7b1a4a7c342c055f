"""Sidecar files as they lie on the disk: whose they are, what tells them apart, and their names beside another.

A name (:mod:`twinlens.app.notes.sidecar_names`) alone does not make a film a part of a photograph: the identifiers or
times in both files must agree.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Sequence, Set
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from twinlens.app.library import volumes
from twinlens.app.machine.disk import content_of
from twinlens.app.notes.sidecar_names import APPLE_NAME, FolderNames, SidecarKind, fit_of
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import Message
from twinlens.features.formats.live_photo import LONGEST_LIVE_S, Film, picture_identifier, read_film

_WITH_FILM = (b".heic", b".heif", b".hif", b".jpg", b".jpeg", b".dng")
"""How long the film of a live photo is at most."""

_APART_S = 10
"""How far the dates of a photograph and its film are apart at most, but for the zone."""

_ZONE_S, _FARTHEST_ZONE_S = 15 * 60, 14 * 3600
_KNOWN_FILES = 1 << 15
_SMALL = 1 << 18
"""Bytes of a companion that is read before there is a plan; two larger ones of one size hardly ever differ."""


class SidecarFile(NamedTuple):
    """A companion as it is now.

    Attributes
    ----------
    path : bytes
        In full.
    sharers : frozenset of bytes
        Full paths of the other pictures that share it.
    digest : bytes
        The hash of its content, where :func:`with_digests` read it.
    """

    path: bytes
    size: int
    mtime_ns: int
    sort: SidecarKind
    sharers: frozenset[bytes] = frozenset()
    digest: bytes = b""

    @property
    def content(self) -> tuple[SidecarKind, int, bytes]:
        """The known facts of its content; equal files have equal values."""
        return self.sort, self.size, self.digest


def sidecar_files(path: bytes, going: Set[bytes] = frozenset(), taken: str | None = None) -> list[bytes]:
    """List the files that go with a photograph, in the order of their names.

    Parameters
    ----------
    path : bytes
        Full path of the photograph.
    going : set of bytes
        Full paths of the other photographs that go: a companion shared with one that stays, stays.
    taken : str, optional
        When the photograph was taken; without it, a film of another day counts as its own.

    Returns
    -------
    list of bytes
        Full paths.
    """
    return [one.path for one in FolderListings().of(path, taken) if one.sharers <= going]


def _has_film(name: bytes) -> bool:
    return os.path.splitext(name)[1].lower() in _WITH_FILM


def _status(path: bytes) -> os.stat_result | None:
    """Return the status of a regular file; None where it is none, or a link."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status if stat.S_ISREG(status.st_mode) else None


def _belongs(film: bytes, status: os.stat_result, photograph: bytes, taken: str | None) -> bool:
    """Return whether a film was taken with a photograph; a film without identifier, length and dates was."""
    facts = _film(film, status.st_size, status.st_mtime_ns)
    if facts.identifier and (own := _identifier(photograph)):
        return own == facts.identifier
    if facts.seconds is not None and facts.seconds > LONGEST_LIVE_S:
        return False
    return taken is None or not facts.dates or any(_at_once(one, taken) for one in facts.dates)


@lru_cache(_KNOWN_FILES)
def _film(path: bytes, size: int, mtime_ns: int) -> Film:
    try:
        with open(path, "rb") as file:
            return read_film(file)
    except OSError:
        return Film()


def _identifier(path: bytes) -> str:
    try:
        with open(path, "rb") as file:
            return picture_identifier(file)
    except OSError:
        return ""


def _at_once(film: datetime, taken: str) -> bool:
    """Return whether two moments are equal up to some seconds and an unknown time zone; a mere day may be any."""
    if len(taken) < len("2023-05-14T11:08:00"):
        return True
    apart = abs((film - datetime.fromisoformat(taken)).total_seconds())
    beyond = apart % _ZONE_S
    return apart <= _FARTHEST_ZONE_S + _APART_S and min(beyond, _ZONE_S - beyond) <= _APART_S


class FolderListings:
    """The companions of photographs; each folder is listed once."""

    def __init__(self) -> None:
        self._folders: dict[bytes, FolderNames] = {}

    def of(self, path: bytes, taken: str | None = None, *, any_film: bool = False) -> list[SidecarFile]:
        """Return the companions of a photograph in the order of their names, those shared with others among them.

        Parameters
        ----------
        path : bytes
            Full path of the photograph.
        taken : str, optional
            When it was taken.
        any_film : bool
            Whether a film counts that does not belong to the photograph, too.
        """
        folder, name = os.path.split(path)
        if folder not in self._folders:
            self._folders[folder] = FolderNames(_listed(folder))
        found = []
        for one in self._folders[folder].sidecars(name):
            full, kind = volumes.joined(folder, one.name), one.fit.kind
            is_film = kind is SidecarKind.FILM
            status = _status(full) if not is_film or _has_film(name) else None
            if status is None or (is_film and not any_film and not _belongs(full, status, path, taken)):
                continue
            sharers = frozenset(volumes.joined(folder, each) for each in one.sharers)
            found.append(SidecarFile(full, status.st_size, status.st_mtime_ns, kind, sharers))
        return found


def _listed(folder: bytes) -> list[bytes]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def with_digests(beside: Sequence[Sequence[SidecarFile]]) -> list[tuple[SidecarFile, ...]]:
    """Return the companions of several photographs; small ones of equal size are read, larger ones are not."""
    count = Counter((one.sort, one.size) for some in beside for one in some)

    def read(one: SidecarFile) -> SidecarFile:
        several = one.size <= _SMALL and count[one.sort, one.size] > 1
        return one._replace(digest=_digest(one.path, one.size, one.mtime_ns)) if several else one

    return [tuple(map(read, some)) for some in beside]


@lru_cache(_KNOWN_FILES)
def _digest(path: bytes, size: int, mtime_ns: int) -> bytes:
    try:
        return content_of(path)
    except OSError:
        return b""


class FileContents:
    """The contents of files as they are on the disk; a file that has not changed is read once."""

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, int, int, int, int], bytes] = {}

    def of(self, path: bytes) -> bytes:
        """Return the content hash of a file.

        Raises
        ------
        OSError
            If it cannot be read, or changes meanwhile.
        """
        key = self._key(path)
        if key not in self._known:
            content = content_of(path)
            if self._key(path) != key:
                raise OSError("it is being changed")
            self._known[key] = content
        return self._known[key]

    def is_at(self, path: bytes, content: bytes) -> bool:
        """Return whether a path holds a content; not if it cannot be read."""
        try:
            return self.of(path) == content
        except OSError:
            return False

    @staticmethod
    def _key(path: bytes) -> tuple[bytes, int, int, int, int]:
        status = os.stat(path)
        return path, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def name_beside(kept: bytes, companion: bytes, photograph: bytes) -> bytes:
    """Return the full path that a companion of one photograph gets as that of another.

    Parameters
    ----------
    kept, companion, photograph : bytes
        Full paths: of the photograph whose companion it becomes, its own, and of the one whose companion it is.

    Examples
    --------
    >>> name_beside(b"/a/X.heic", b"/b/IMG_1.jpg.xmp", b"/b/IMG_1.jpg")
    b'/a/X.heic.xmp'
    """
    fit = fit_of(os.path.basename(photograph), os.path.basename(companion))
    assert fit is not None
    folder, name = os.path.split(kept)
    stem, ending = os.path.splitext(name)
    if fit.set_before and APPLE_NAME.fullmatch(stem):
        stem = APPLE_NAME.sub(rb"\1O\2", stem, count=1)
    return volumes.joined(folder, stem + fit.between + (ending if fit.whole else b"") + fit.rest)


def without_equal(alone: Sequence[SidecarFile]) -> Message:
    """Describe companions of which the kept photograph has no equal."""
    names = [shown(os.path.basename(one.path)) for one in alone]
    if len(names) > 1:
        return Message("{names} have no equal beside the photo that is kept.", names=names)
    sort, name = alone[0].sort, names[0]
    if sort is SidecarKind.FILM:
        return Message("{name}, a film, has no equal beside the photo that is kept.", name=name)
    if sort is SidecarKind.EDITS:
        return Message("{name}, which has edits, has no equal beside the photo that is kept.", name=name)
    if sort is SidecarKind.VOICE:
        return Message("{name}, a voice note, has no equal beside the photo that is kept.", name=name)
    return Message("{name}, which has notes, has no equal beside the photo that is kept.", name=name)
