"""A library as the rest of the program uses it: the open store, its thumbnails, and where its photographs lie now."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from app.library import standard_indexes, volumes
from app.machine import places, preferences
from app.machine.output_file import OutputFile, refuse_original
from app.results import shown
from core.arrays import Int64Ids
from core.compilation import compilation
from core.errors import TwinlensError
from core.files.tilde import expanded
from core.message import Message
from core.progress import Progress, silent
from core.systems import system
from core.systems.volume import Volume
from storage.database.address import Address
from storage.database.schema import PhotographState
from storage.library.library_sizes import sizes
from storage.library.store import Store
from storage.library.transaction import Transaction
from storage.photographs.photograph_rows import PhotographRow
from storage.photographs.volumes import VolumeRow
from storage.sqlite.thumbnails import Thumbnails

if TYPE_CHECKING:
    from app.library.results import FileResult, ProblemsResult

AUTOMATIC = "Automatic"
"""Name of the index that always exists and answers when none is named."""


def absolute_path(path: Path) -> bytes:
    """Return the full path."""
    return os.path.abspath(os.fsencode(expanded(path)))


class LocatedPhotograph(NamedTuple):
    """The row of a photograph, its full path, and its volume."""

    row: PhotographRow
    path: bytes
    volume: Volume


class Library:
    """An open library; a context manager. Made by :meth:`open`.

    Attributes
    ----------
    address : Address
        The file, or the database of a server.
    store : Store
    thumbnails : Thumbnails
    """

    def __init__(self, store: Store, thumbnails: Thumbnails) -> None:
        self.address = store.address
        self.store = store
        self.thumbnails = thumbnails

    @classmethod
    def open(cls, where: Address | Path | None = None, create: bool = False) -> Self:
        """Open a library.

        Parameters
        ----------
        where : Address or Path, optional
            The file or database; the platform's data folder has the default file.
        create : bool
            Whether to make it, with its standard indexes, where there is none.

        Raises
        ------
        TwinlensError
            If it cannot be opened; says why and what to do.
        """
        preferences.use_cache_folder()
        compilation.keep_in(places.compiled_cache_folder())
        places.tighten()
        if create and where is None:
            places.made(places.data_folder())
        store = Store.open(_address(where), create=create)
        library = cls(store, _thumbnails(store))
        with ExitStack() as at_failure:
            at_failure.push(library.__exit__)
            library._make_standard_indexes()
            at_failure.pop_all()
        return library

    def _make_standard_indexes(self) -> None:
        """Create the indexes of a new library; "Automatic" comes back wherever it is lacking."""
        with self.store.reading() as r:
            automatic_id = r.indexes.automatic()
        if automatic_id is not None or not self.store.writable:
            return
        with self.store.writing("making the standard indexes") as w:
            have = w.indexes.names()
            if w.indexes.automatic() is not None or AUTOMATIC in have:  # one of that name is damaged: the check tells
                return
            w.indexes.add(AUTOMATIC, standard_indexes.best_descriptor(), *standard_indexes.AUTOMATIC, automatic=True)
            if not have:
                w.indexes.add(*standard_indexes.COLOURS)

    def close(self) -> None:
        """Close the files."""
        self.thumbnails.close()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the files; what should be impossible is blamed on a library that proves to be damaged."""
        try:
            if error is not None:
                from storage.integrity.suspicion import damage_behind

                damage = damage_behind(error, self.store)
                if damage is not None:
                    raise damage from error
        finally:
            self.close()

    # --- where photographs lie ---------------------------------------------------------------------------------------

    def volumes(self, r: Transaction) -> dict[int, Volume]:
        """Return the volumes of the library by their ids."""
        return {row.id: _volume(row) for row in r.volumes.all()}

    def paths(self, r: Transaction, rows: Iterable[PhotographRow]) -> list[bytes]:
        """Return the full path of each photograph."""
        known = self.volumes(r)
        return [volumes.locate(known[row.volume_id], row.path) for row in rows]

    def look_up(self, r: Transaction, ids: Sequence[int] | Int64Ids) -> list[LocatedPhotograph]:
        """Return the photographs of ids, in their order; unknown ones are left out."""
        known = self.volumes(r)
        rows = r.photographs.by_id(ids)
        return [
            LocatedPhotograph(row, volumes.locate(known[row.volume_id], row.path), known[row.volume_id]) for row in rows
        ]

    def place(self, r: Transaction, path: bytes) -> tuple[int, bytes] | None:
        """Return volume and relative path of a path, or None where the volume has no photographs.

        A path on a disk that is not connected is found by where the disk was mounted last.
        """
        known: list[VolumeRow] = r.volumes.all()
        path = system.slashed(path)
        if os.path.lexists(path):
            volume, relative = volumes.split_folder(path) if os.path.isdir(path) else volumes.split(path)
            return next(((row.id, relative) for row in known if row.identity == volume.identity), None)
        candidates = [row for row in known if row.mount_point and _is_below(path, row.mount_point)]
        if not candidates:
            return None
        nearest = max(candidates, key=lambda row: len(row.mount_point or b""))
        return nearest.id, volumes.relative_to(path, nearest.mount_point or b"")

    def find(self, r: Transaction, picture: int | Path) -> PhotographRow | None:
        """Return a photograph by its id or its path, whatever its state; None where the library has none."""
        if isinstance(picture, int):
            rows = r.photographs.by_id([picture])
            return rows[0] if rows else None
        place = self.place(r, absolute_path(picture))
        return None if place is None else r.photographs.by_path(*place)

    # --- what is in it -----------------------------------------------------------------------------------------------

    def problems(self, ignored: bool = False, passed_over: bool = False) -> ProblemsResult:
        """List what could not be read, and why.

        Parameters
        ----------
        ignored : bool
            Whether to list those too that the person set aside.
        passed_over : bool
            Whether to list the files that are no pictures as well.
        """
        from app.library.results import Problem, ProblemsResult

        with self.store.reading() as r:
            known = self.volumes(r)
            return ProblemsResult(
                problems=[
                    Problem(
                        path=shown(volumes.locate(known[row.volume_id], row.path)),
                        reason=row.reason,
                        next_step=row.next_step,
                        since=row.since,
                        attempts=row.attempts,
                        ignored=row.ignored,
                    )
                    for row in r.problems.all(None if ignored else False)
                ],
                passed_over=[shown(volumes.locate(known[volume_id], path)) for volume_id, path in r.passed_over.all()]
                if passed_over
                else None,
            )

    def prune_thumbnails(self) -> int:
        """Keep the thumbnails within the space that the person gives them, and give how many have gone."""
        return self.thumbnails.prune(preferences.load().thumbnail_cache * 10**6)

    def backup(self, file: OutputFile, progress: Progress = silent) -> FileResult:
        """Copy the library into one file, while it is in use."""
        from app.library.results import FileResult
        from storage.library.backup import backup

        backup(self.store, file.path, file.overwrite, progress)
        return FileResult(file=str(file), photographs=self._photographs(), bytes=file.size)

    @staticmethod
    def restore(where: Address | Path | None, file: Path, progress: Progress = silent) -> FileResult:
        """Restore a library from a backup; the previous library is kept beside it."""
        from app.library.results import FileResult
        from storage.library.backup import restore

        target = _address(where)
        if not file.exists():
            raise TwinlensError(Message("There is no backup {file}.", file=file), Message("Check the spelling."))
        if target.is_file:
            refuse_original(target.path)
        kept = restore(target, file, progress)
        with Library.open(target) as library:
            return FileResult(
                file=target.shown,
                photographs=library._photographs(),
                bytes=sizes(library.store).file,
                kept=None if kept is None else str(kept),
            )

    def _photographs(self) -> int:
        with self.store.reading() as r:
            return r.photographs.counts()[PhotographState.READY]


def _address(where: Address | Path | None) -> Address:
    return Address.of(places.default_library() if where is None else where)


def _thumbnails(store: Store) -> Thumbnails:
    return Thumbnails(places.cache_folder() / "thumbnails" / f"{store.id}.sqlite", store.place.thumbnails())


def _volume(row: VolumeRow) -> Volume:
    return Volume(row.identity, row.label, row.mount_point or b"/")


def _is_below(path: bytes, folder: bytes) -> bool:
    return path == folder or path.startswith(folder.rstrip(b"/") + b"/")
