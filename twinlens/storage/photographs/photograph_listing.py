"""Photographs column by column, and filters that choose among them.

A listing is what a window needs to order and to choose half a million photographs. A filter names those that may be
results of a search.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Int64Ids
from twinlens.core.message import NOTHING
from twinlens.core.progress import Progress, silent
from twinlens.storage.database.dialect import Dialect
from twinlens.storage.database.values import PhotographState
from twinlens.storage.photographs.volumes import inside

HASH_BYTES = 32
_PAGE = 8192  # rows of one statement: a few milliseconds
_PAGE_BY_PATH = "SELECT id, path FROM photograph WHERE volume_id = ? AND path > ? ORDER BY path LIMIT ?"
_MOMENT = 19  # letters of 2023-05-14T11:08:00; where a date is said may follow
_DIGITS = (0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18)
_WEIGHTS = 10 ** np.arange(len(_DIGITS) - 1, -1, -1, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Basics:
    """The columns that every listing needs.

    Attributes
    ----------
    ids, volumes : int64 (n,)
    hashes : uint8 (n, 32)
        Content hashes.
    missing : bool (n,)
        Whether the file has vanished.
    taken : int64 (n,)
        When it was taken, as the number 20230514110800; 0 where that is not known.
    """

    ids: Int64Ids
    volumes: Int64Ids
    hashes: npt.NDArray[np.uint8]
    missing: npt.NDArray[np.bool_]
    taken: npt.NDArray[np.int64]

    def rows_of(self, contents: Collection[bytes]) -> dict[bytes, list[int]]:
        """Return the rows of some contents."""
        rows: dict[bytes, list[int]] = {}
        if contents:
            firsts = np.unique(np.frombuffer(b"".join(one[:8] for one in contents), np.uint64))
            heads = np.ascontiguousarray(self.hashes[:, :8]).view(np.uint64)[:, 0]
            for row in np.flatnonzero(np.isin(heads, firsts)).tolist():
                content = self.hashes[row].tobytes()
                if content in contents:
                    rows.setdefault(content, []).append(row)
        return rows


@dataclass(frozen=True, eq=False)
class Numbered:
    """A column of few different texts: their numbers, int32 (n,), and each text once."""

    numbers: npt.NDArray[np.int32]
    texts: tuple[str, ...]

    def where(self, test: Callable[[str], bool]) -> npt.NDArray[np.bool_]:
        """Return the rows whose text passes a test, (n,)."""
        passing = np.fromiter(map(test, self.texts), np.bool_, len(self.texts))
        return passing[self.numbers]


@dataclass(frozen=True, eq=False)
class Paths:
    """Paths of photographs.

    Attributes
    ----------
    by_path : int32 (n,)
        The rows in the order of their volumes and paths.
    folder : int32 (n,)
        The number of its folder.
    folders : tuple of (int, bytes)
        Volume and path of the folders, by number.
    names : tuple of bytes
        The names of the files in the order ``by_path``, a zero byte behind each; some thousand in a piece.
    """

    by_path: npt.NDArray[np.int32]
    folder: npt.NDArray[np.int32]
    folders: tuple[tuple[int, bytes], ...]
    names: tuple[bytes, ...]


class PhotographListing:
    """The columns of a library's photographs."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def count(self) -> int:
        """Count the photographs, as fast as their index of contents can be read."""
        return int(self._dialect.value("SELECT count(*) FROM photograph WHERE content_hash IS NOT NULL"))

    def basics(self, progress: Progress = silent) -> Basics:
        """Read ids, contents and dates: half a million in a third of a second.

        Parameters
        ----------
        progress : Progress
            Called every few milliseconds; may raise to stop.
        """
        joined = self._dialect.joined
        basics = _of_a_range(
            joined("id", ",", "id"),
            "min(volume_id)",
            "max(volume_id)",
            joined("content_hash", "", "id", binary=True),
            joined(f"substr(coalesce(taken, '0000-00-00T00:00:00'), 1, {_MOMENT})", "", "id"),
            "min(length(taken))",
        )
        ids, volumes = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        hashes, taken = [np.empty((0, HASH_BYTES), np.uint8)], [np.empty(0, np.int64)]
        for page in self._ranges(progress):
            ((listed, volume, last_volume, contents, moments, shortest),) = self._dialect.rows(basics, page)
            if listed is None:
                continue
            ids.append(np.fromstring(listed, np.int64, sep=","))
            count = len(ids[-1])
            some = [volume] * count if volume == last_volume else self._column("volume_id", page)
            volumes.append(np.array(some, np.int64))
            if len(contents) != HASH_BYTES * count:  # an SQLite that ends a text at its first zero byte
                contents = b"".join(self._column("content_hash", page))
            hashes.append(np.frombuffer(contents, np.uint8).reshape(count, HASH_BYTES))
            if shortest is not None and shortest < _MOMENT:  # no date that this program has written
                moments = b"".join((t or "").encode()[:_MOMENT].ljust(_MOMENT) for t in self._column("taken", page))
            taken.append(_as_numbers(np.frombuffer(moments, np.uint8).reshape(count, _MOMENT)))
        all_ids = np.concatenate(ids)
        missing = self._dialect.ids("SELECT id FROM photograph WHERE state = ?", (PhotographState.MISSING.value,))
        return Basics(
            all_ids,
            np.concatenate(volumes),
            np.concatenate(hashes),
            np.isin(all_ids, missing, assume_unique=True),
            np.concatenate(taken),
        )

    def cameras(self, progress: Progress = silent) -> Numbered:
        """Read the cameras; number 0 is none."""
        cameras = _of_a_range(self._dialect.joined("coalesce(camera, '')", "\x1f", "id"), "count(*)")
        known = _Numbers()
        numbers = [np.full(0, known[b""], np.int32)]
        for page in self._ranges(progress):
            ((listed, count),) = self._dialect.rows(cameras, page)
            if count:
                names = listed.split(b"\x1f")
                if len(names) != count:  # a name with a control character in it
                    names = [(name or "").encode() for name in self._column("camera", page)]
                numbers.append(np.array([known[name] for name in names], np.int32))
        return Numbered(np.concatenate(numbers), tuple(name.decode(errors="replace") for name in known))

    def sizes(self, progress: Progress = silent) -> tuple[Int64Ids, Int64Ids]:
        """Read the bytes of the files, and the pixels of the pictures, both (n,)."""
        joined = self._dialect.joined
        sizes = _of_a_range(joined("size", ",", "id"), joined("coalesce(width * height, 0)", ",", "id"))
        found: tuple[list[Int64Ids], list[Int64Ids]] = [], []
        for page in self._ranges(progress):
            (columns,) = self._dialect.rows(sizes, page)
            for column, listed in zip(found, columns, strict=True):
                column.append(np.fromstring(listed or "", np.int64, sep=","))
        byte_counts, pixels = (np.concatenate([np.empty(0, np.int64), *column]) for column in found)
        return byte_counts, pixels

    def paths(self, ids: Int64Ids, progress: Progress = silent) -> Paths:
        """Read where the photographs lie.

        Parameters
        ----------
        ids : Ids, (n,)
            Those of :meth:`basics`.
        """
        by_path, numbers = [np.empty(0, np.int32)], [np.empty(0, np.int32)]
        folders: list[tuple[int, bytes]] = []
        pieces: list[bytes] = []
        for volume_id, known, listed, found in self._pages_by_path(progress):
            rows = np.searchsorted(ids, listed)
            wanted = rows < len(ids)
            wanted[wanted] = ids[rows[wanted]] == listed[wanted]
            paths = found if wanted.all() else [found[row] for row in np.flatnonzero(wanted).tolist()]
            # No tuples, as partition gives: so many would set off a garbage collection, for which every thread waits.
            ends = [path.rfind(b"/") for path in paths]
            own = [path[:end] if end > 0 else b"" for path, end in zip(paths, ends, strict=True)]
            by_path.append(rows[wanted].astype(np.int32))
            numbers.append(np.array([known[folder] for folder in own], np.int32))
            folders.extend((volume_id, folder) for folder in list(known)[len(folders) - known.first :])
            pieces.append(b"".join([path[end + 1 :] + b"\0" for path, end in zip(paths, ends, strict=True)]))
        order = np.concatenate(by_path)
        folder = np.empty(len(ids), np.int32)
        folder[order] = np.concatenate(numbers)
        return Paths(order, folder, tuple(folders), tuple(pieces))

    def _pages_by_path(self, progress: Progress) -> Iterator[tuple[int, _Numbers, Int64Ids, list[bytes]]]:
        """Yield the photographs of each volume in path order, some thousand at a time: ids and paths.

        Paths have no "//" in them. Only the index of paths is read.
        """
        joined = self._dialect.joined
        columns = f"{joined('id', ',', 'path')}, {joined('path', '//', 'path', binary=True)}"
        by_path = f"SELECT {columns} FROM ({_PAGE_BY_PATH}) AS page"
        first = 0
        for volume_id in self._dialect.column("SELECT id FROM volume ORDER BY id"):
            known, last = _Numbers(first), b""
            while True:
                progress(0, 0, NOTHING)
                ((listed, together),) = self._dialect.rows(by_path, (volume_id, last, _PAGE))
                if listed is None:
                    break
                paths = together.split(b"//")
                yield volume_id, known, np.fromstring(listed, np.int64, sep=","), paths
                last = paths[-1]
            first += len(known)

    def _ranges(self, progress: Progress) -> Iterator[tuple[int, int]]:
        """Cut the ids into ranges."""
        ((first, last),) = self._dialect.rows("SELECT min(id), max(id) FROM photograph")
        if first is not None:
            for start in range(first, last + 1, _PAGE):
                progress(start - first, last - first + 1, NOTHING)
                yield start, start + _PAGE - 1

    def _column(self, column: str, page: tuple[int, int]) -> list[Any]:
        """Read one column value by value, where it cannot be had as one text."""
        return self._dialect.column(f"{_of_a_range(column)} ORDER BY id", page)


class _Numbers(dict[bytes, int]):
    """Numbers for values, given as they are met; a dictionary is faster than any function."""

    def __init__(self, first: int = 0) -> None:
        self.first = first

    def __missing__(self, value: bytes) -> int:
        number = self[value] = self.first + len(self)
        return number


def _of_a_range(*what: str) -> str:
    """Return the statement that reads something of the photographs of a range that were ever read, by their ids."""
    # By the index of contents they would come in another order.
    here = "FROM photograph NOT INDEXED WHERE id BETWEEN ? AND ? AND content_hash IS NOT NULL"
    return f"SELECT {', '.join(what)} {here}"


def _as_numbers(letters: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Read moments such as ``2023-05-14T11:08:00``, (n, 19), as numbers; what is no digit counts as zero.

    Examples
    --------
    >>> _as_numbers(np.frombuffer(b"2023-05-14T11:08:00", np.uint8)[None]).tolist()
    [20230514110800]
    """
    digits = letters[:, _DIGITS] - np.uint8(ord("0"))
    numbers: npt.NDArray[np.int64] = np.where(digits < 10, digits, 0).astype(np.int64) @ _WEIGHTS
    return numbers


_NO_NAME = " -_.?/"  # a name of these alone, as some programs write where they know none, is none


def is_camera(name: str) -> bool:
    """Return whether a text names a camera.

    Examples
    --------
    >>> is_camera("Canon EOS 5D"), is_camera("--"), is_camera("")
    (True, False, False)
    """
    return bool(name.strip(_NO_NAME))


class PictureShape(StrEnum):
    """Orientations of a photograph, as shown."""

    LANDSCAPE = "landscape"
    PORTRAIT = "portrait"
    SQUARE = "square"


class MarkFilter(StrEnum):
    """Filters by marks."""

    ANY = "any"
    SIMILAR = "similar"
    DIFFERENT = "different"


@dataclass(frozen=True)
class Filter:
    """A choice of photographs; everything that is said must hold.

    Attributes
    ----------
    folders : tuple of (int, bytes)
        Volume and path of folders; a photograph lies in one of them, at any depth.
    since, until : str or None
        Dates of taking, both included, as far as they are written: ``2023``, ``2023-05``, ``2023-05-14``. A photograph
        without a date is then left out.
    camera : str or None
        Part of the camera's name; case does not matter. Empty: photographs that name none.
    states : tuple of PhotographState
        Empty: any.
    marked : MarkFilter or None
        It has such a mark with some other photograph.
    """

    folders: tuple[tuple[int, bytes], ...] = ()
    since: str | None = None
    until: str | None = None
    camera: str | None = None
    shape: PictureShape | None = None
    states: tuple[PhotographState, ...] = ()
    marked: MarkFilter | None = None

    def conditions(self) -> tuple[str, tuple[Any, ...]]:
        """Write the filter for SQL: a condition, and its values."""
        found: list[tuple[str, tuple[Any, ...]]] = []
        if self.folders:
            folders, places = zip(*(inside(*folder) for folder in self.folders), strict=True)
            found.append((f"({' OR '.join(f'({one})' for one in folders)})", tuple(chain.from_iterable(places))))
        if self.since is not None:
            found.append(("taken >= ?", (self.since,)))
        if self.until is not None:
            found.append(("taken < ?", (self.until + "~",)))  # "~" sorts behind every further digit
        if self.camera == "":
            found.append(("trim(coalesce(camera, ''), ?) = ''", (_NO_NAME,)))
        elif self.camera is not None:
            written = re.sub("([/%_])", r"/\1", self.camera)
            found.append(("lower(camera) LIKE '%' || lower(?) || '%' ESCAPE '/'", (written,)))
        if self.shape is not None:
            found.append((f"width {_COMPARED[self.shape]} height", ()))
        if self.marked is not None:
            similar = int(self.marked is MarkFilter.SIMILAR)
            only = "" if self.marked is MarkFilter.ANY else f'WHERE "similar" = {similar}'
            sides = f"SELECT first FROM mark {only} UNION SELECT second FROM mark {only}"
            found.append((f"content_hash IN ({sides})", ()))
        if self.states:
            states = tuple(state.value for state in self.states)
            found.append((f"state IN ({', '.join('?' * len(states))})", states))
        conditions = " AND ".join(one for one, _ in found) or "1 = 1"
        return conditions, tuple(chain.from_iterable(values for _, values in found))


_COMPARED = {PictureShape.LANDSCAPE: ">", PictureShape.PORTRAIT: "<", PictureShape.SQUARE: "="}
