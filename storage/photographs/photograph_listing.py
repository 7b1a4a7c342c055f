"""All photographs at once, column by column: what a window needs to order and to choose half a million of them.

SQLite gathers a column of some thousand rows as one text, while other threads run, and numpy takes it apart. That is
several times as fast as a Python object for every value, and no other thread is kept waiting for more than some
milliseconds.

Every column has the photographs that were ever read, in the order of their ids; so columns of one transaction go
together.
"""

from __future__ import annotations

import binascii
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection

from core.message import NOTHING
from core.progress import Progress, silent
from storage.database.batches import Ids, driver

HASH_BYTES = 32
_PAGE = 8192  # rows of one statement: a few milliseconds

# The plus keeps SQLite from taking the index of contents: rows are to come in the order of their ids.
_RANGE = "FROM photograph WHERE id BETWEEN ? AND ? AND +content_hash IS NOT NULL"
_BASICS = f"""
SELECT group_concat(id), min(volume_id) = max(volume_id), min(volume_id), CAST(group_concat(content_hash, '') AS BLOB),
    CAST(group_concat(coalesce(taken, '0000-00-00T00:00:00'), '') AS BLOB), min(length(taken)), max(length(taken))
{_RANGE}"""
_ONE_COLUMN = f"SELECT {{}} {_RANGE} ORDER BY id"
_CAMERAS = f"SELECT CAST(group_concat(coalesce(camera, ''), char(31)) AS BLOB), count(*) {_RANGE}"
_PATHS = """
SELECT group_concat(id), CAST(group_concat(path, '//') AS BLOB), max(path)
FROM (SELECT id, path FROM photograph WHERE volume_id = ? AND path > ? ORDER BY path LIMIT ?)"""

_MOMENT = 19  # letters of 2023-05-14T11:08:00
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

    ids: Ids
    volumes: Ids
    hashes: npt.NDArray[np.uint8]
    missing: npt.NDArray[np.bool_]
    taken: npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Numbered:
    """A column of few different texts: their numbers, int32 (n,), and each text once."""

    numbers: npt.NDArray[np.int32]
    texts: tuple[str, ...]


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


class _Numbers(dict[bytes, int]):
    """Numbers for values, given as they are met; a dictionary answers faster than any function."""

    def __init__(self, first: int = 0) -> None:
        self.first = first

    def __missing__(self, value: bytes) -> int:
        number = self[value] = self.first + len(self)
        return number


class Listing:
    """The columns of a library's photographs."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def count(self) -> int:
        """Count the photographs, as fast as their index of contents can be read."""
        statement = "SELECT count(*) FROM photograph WHERE content_hash IS NOT NULL"
        return int(driver(self._connection).execute(statement).fetchone()[0])

    def basics(self, progress: Progress = silent) -> Basics:
        """Read ids, contents and dates: half a million in a third of a second.

        Parameters
        ----------
        progress : Progress
            Called every few milliseconds; may raise to stop.
        """
        connection = driver(self._connection)
        ids, volumes = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        hashes, taken = [np.empty((0, HASH_BYTES), np.uint8)], [np.empty(0, np.int64)]
        for page in self._ranges(progress):
            listed, one_volume, volume, contents, moments, *lengths = connection.execute(_BASICS, page).fetchone()
            if listed is None:
                continue
            ids.append(np.fromstring(listed, np.int64, sep=","))
            count = len(ids[-1])
            some = [volume] * count if one_volume else [v for (v,) in self._column("volume_id", page)]
            volumes.append(np.array(some, np.int64))
            if len(contents) != HASH_BYTES * count:  # an SQLite that ends a text at its first zero byte
                contents = binascii.unhexlify("".join(h for (h,) in self._column("hex(content_hash)", page)))
            hashes.append(np.frombuffer(contents, np.uint8).reshape(count, HASH_BYTES))
            if not set(lengths) <= {None, _MOMENT}:  # no date that this program has written
                moments = b"".join((t or "").encode()[:_MOMENT].ljust(_MOMENT) for (t,) in self._column("taken", page))
            taken.append(_as_numbers(np.frombuffer(moments, np.uint8).reshape(count, _MOMENT)))
        all_ids = np.concatenate(ids)
        missing = connection.execute("SELECT id FROM photograph WHERE state = 'missing'").fetchall()
        gone = np.fromiter((i for (i,) in missing), np.int64, len(missing))
        return Basics(
            all_ids,
            np.concatenate(volumes),
            np.concatenate(hashes),
            np.isin(all_ids, gone, assume_unique=True),
            np.concatenate(taken),
        )

    def cameras(self, progress: Progress = silent) -> Numbered:
        """Read the cameras; number 0 is none."""
        connection = driver(self._connection)
        known = _Numbers()
        numbers = [np.full(0, known[b""], np.int32)]
        for page in self._ranges(progress):
            listed, count = connection.execute(_CAMERAS, page).fetchone()
            if count:
                names = listed.split(b"\x1f")
                if len(names) != count:  # a name with a control character in it
                    names = [(name or "").encode() for (name,) in self._column("camera", page)]
                numbers.append(np.array([known[name] for name in names], np.int32))
        return Numbered(np.concatenate(numbers), tuple(name.decode(errors="replace") for name in known))

    def paths(self, ids: Ids, progress: Progress = silent) -> Paths:
        """Read where the photographs lie.

        Parameters
        ----------
        ids : Ids, (n,)
            Those of :meth:`basics`.
        progress : Progress
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

    def _pages_by_path(self, progress: Progress) -> Iterator[tuple[int, _Numbers, Ids, list[bytes]]]:
        """Yield the photographs of each volume in path order, some thousand at a time: ids and paths.

        Paths have no "//" in them. Only the index of paths is read.
        """
        connection = driver(self._connection)
        first = 0
        for (volume_id,) in connection.execute("SELECT id FROM volume ORDER BY id").fetchall():
            known, last = _Numbers(first), b""
            while True:
                progress(0, 0, NOTHING)
                listed, paths, last = connection.execute(_PATHS, (volume_id, last, _PAGE)).fetchone()
                if listed is None:
                    break
                yield volume_id, known, np.fromstring(listed, np.int64, sep=","), paths.split(b"//")
            first += len(known)

    def _ranges(self, progress: Progress) -> Iterator[tuple[int, int]]:
        """Cut the ids into ranges."""
        connection = driver(self._connection)
        first, last = connection.execute("SELECT min(id), max(id) FROM photograph").fetchone()
        if first is not None:
            for start in range(first, last + 1, _PAGE):
                progress(start - first, last - first + 1, NOTHING)
                yield start, start + _PAGE - 1

    def _column(self, column: str, page: tuple[int, int]) -> list[tuple[Any]]:
        """Read one column value by value, where it cannot be had as one text."""
        return driver(self._connection).execute(_ONE_COLUMN.format(column), page).fetchall()


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
