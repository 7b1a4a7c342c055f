"""A library as the rest of the program uses it: the open store, its thumbnails, and the present places of photographs.

A program that has the library open also needs to know the cluster that reads for it (:func:`cluster_in_use`), the files
that no output may replace (:func:`is_protected`), what a server holds before it is opened (:func:`describe_server`),
and whether it was changed from outside (:func:`look_for_changes`): by other programs, by disks that come and go, by its
removal.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from twinlens.app.indexes import standard_indexes
from twinlens.app.library import volumes
from twinlens.app.machine import app_folders, preferences
from twinlens.app.machine.output_file import OutputFile, refuse_original
from twinlens.core.arrays import Int64Ids
from twinlens.core.compilation import compilation
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import expanded, shown
from twinlens.core.message import Message, counted, joined
from twinlens.core.progress import Progress, silent
from twinlens.core.systems import system
from twinlens.core.systems.volume import Volume
from twinlens.storage.database.address import Address
from twinlens.storage.database.library_errors import MissingError
from twinlens.storage.database.values import PhotographState
from twinlens.storage.library.library_sizes import sizes
from twinlens.storage.library.store import Store, Transaction
from twinlens.storage.photographs.photographs import PhotographRow
from twinlens.storage.photographs.volumes import VolumeRow
from twinlens.storage.sqlite.thumbnails import Thumbnails

if TYPE_CHECKING:
    from twinlens.app.library.library_results import ClusterStatus, FileResult, ProblemsResult


AUTOMATIC = "Automatic"
"""Name of the index that always exists, and that is searched when none is named."""


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
            If it cannot be opened.
        """
        preferences.move_former()
        preferences.use_cache_folder()
        compilation.keep_in(app_folders.compiled_cache_folder())
        app_folders.tighten()
        if create and where is None:
            app_folders.made(app_folders.data_folder())
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
            if (
                w.indexes.automatic() is not None or AUTOMATIC in have
            ):  # an index of that name is damaged: the check reports it
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
        """Close the files; an error that should be impossible is reported as damage, if the library proves damaged."""
        try:
            if error is not None:
                from twinlens.storage.integrity.integrity_check import damage_behind

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
        candidates = [row for row in known if row.mount_point and volumes.is_in(path, row.mount_point)]
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
        """List the files that could not be read, and why.

        Parameters
        ----------
        ignored : bool
            Whether to list the problems, too, that the person set aside.
        passed_over : bool
            Whether to list the files that are no pictures as well.
        """
        from twinlens.app.library.library_results import Problem, ProblemsResult

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
        """Remove thumbnails beyond the space that the person gives them, and return how many."""
        return self.thumbnails.prune(preferences.load().thumbnail_cache * 10**6)

    def backup(self, file: OutputFile, progress: Progress = silent) -> FileResult:
        """Copy the library into one file, while it is in use."""
        from twinlens.app.library.library_results import FileResult
        from twinlens.storage.library.backup import backup

        backup(self.store, file.path, file.overwrite, progress)
        return FileResult(file=str(file), photographs=self._photographs(), bytes=file.size)

    @staticmethod
    def restore(where: Address | Path | None, file: Path, progress: Progress = silent) -> FileResult:
        """Restore a library from a backup; the previous library is kept beside it."""
        from twinlens.app.library.library_results import FileResult
        from twinlens.storage.library.backup import restore

        target = _address(where)
        if not file.exists():
            raise TwinlensError("There is no backup {file}.", "Check the spelling.", file=file)
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
    return Address.of(app_folders.default_library() if where is None else where)


def _thumbnails(store: Store) -> Thumbnails:
    return Thumbnails(app_folders.cache_folder() / "thumbnails" / f"{store.id}.sqlite", store.place.thumbnails())


def _volume(row: VolumeRow) -> Volume:
    return Volume(row.identity, row.label, row.mount_point or b"/")


_CLUSTER_SETTING = "cluster"


@contextmanager
def announced_cluster(library: Library, address: str) -> Iterator[None]:
    """Announce the address of a cluster in the library until the block ends; only this program adds photographs then.

    The setting names the process that uses the cluster, so one that a kill leaves behind has no effect.
    """
    with library.store.writing("telling which cluster reads") as w:
        w.settings.put(_CLUSTER_SETTING, {"address": address, "by": library.store.adding_by()})
    try:
        yield
    finally:
        with suppress(TwinlensError), library.store.writing("telling that no cluster reads") as w:
            w.settings.remove(_CLUSTER_SETTING)


def cluster_in_use(library: Library, r: Transaction) -> ClusterStatus | None:
    """Return the cluster that reads for a library now, by this program or another; None where none does."""
    kept = r.settings.get(_CLUSTER_SETTING)
    if not isinstance(kept, dict):
        return None
    from twinlens.app.library.library_results import ClusterStatus

    by = library.store.adding_by()
    return ClusterStatus(address=kept["address"], by=by) if by and by == kept["by"] else None


def is_protected(library: Library, path: Path, picture: bool) -> bool:
    """Return whether a file belongs to the photographs of a library.

    Parameters
    ----------
    path : Path
        Of a file, without links.
    picture : bool
        Whether it is a picture: in a folder of the library, it becomes a photograph with the next scan.
    """
    with library.store.reading() as r:
        if not _is_in_folders(library, r, path):
            return False
        return picture or library.find(r, path) is not None or _goes_along(library, r, path)


def _is_in_folders(library: Library, r: Transaction, path: Path) -> bool:
    """Return whether a file lies in a folder of the library, wherever that is mounted."""
    known = library.volumes(r)
    folders = {_identity(volumes.locate(known[row.volume_id], row.path)) for row in r.folders.all()} - {None}
    return any(_identity(os.fsencode(folder)) in folders for folder in path.parents)


def _identity(folder: bytes) -> tuple[int, int] | None:
    try:
        status = os.stat(folder)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _goes_along(library: Library, r: Transaction, path: Path) -> bool:
    """Return whether a file goes with a photograph beside it: ``IMG_1.xmp``, ``IMG_1.jpg.json``, ``IMG_1_HEVC.MOV``."""
    for name in os.listdir(path.parent):
        stem = os.path.splitext(name)[0]
        rest = path.name.removeprefix(stem)
        if stem and rest != path.name and not rest[:1].isalnum() and library.find(r, path.with_name(name)) is not None:
            return True
    return False


def protected_by(address: Address | None) -> Callable[[Path, bool], bool]:
    """Return :func:`is_protected` of a library that is opened at the call; without a library, nothing is protected."""

    def is_one(path: Path, picture: bool) -> bool:
        try:
            opened = Library.open(address)
        except TwinlensError:
            return False
        with opened as library:
            return is_protected(library, path, picture)

    return is_one


def describe_server(address: Address) -> Message:
    """Connect to a server once and describe the library there; nothing is made.

    Raises
    ------
    TwinlensError
        If it does not answer, refuses, or holds something else.
    """
    try:
        with Store.open(address) as store, store.reading() as r:
            found, writable = r.photographs.counts()[PhotographState.READY], store.writable
    except MissingError:
        return Message("{library} is empty. Opening it makes a new library there.", library=address.title)
    size = counted("{library} has {count} photo.", "{library} has {count} photos.", found, library=address.title)
    return size if writable else joined([size, Message("It can only be read.")])


@dataclass(frozen=True)
class LibrarySnapshot:
    """The state of a library at one time; another one with the same ``facts`` shows the same to a person.

    Attributes
    ----------
    library : tuple of int
        Identity, which tells it from another one in its place.
    version : int
        Changes with every transaction.
    facts : tuple
        Everything that lists and searches show: counts, indexes, folders, places of disks, and the cluster that reads.
    """

    library: tuple[int, ...]
    version: int
    facts: tuple[object, ...]

    @property
    def places(self) -> tuple[object, object]:
        """Return the disks, with where they are and whether they are there, and the folders."""
        return self.facts[0], self.facts[3]


def look_for_changes(library: Library, before: LibrarySnapshot | None = None) -> LibrarySnapshot:
    """Take a snapshot of a library to compare with the one before; cheap where nothing has changed.

    Raises
    ------
    TwinlensError
        If the library that was opened is no longer there.
    """
    present = library.store.place.identity()
    if present is None:
        raise _lost(library, Message("The library {library} is no longer there.", library=library.address.shown))
    if before is not None and present != before.library:
        raise _lost(
            library, Message("The library {library} was replaced by another one.", library=library.address.shown)
        )
    version = library.store.data_version()
    with library.store.reading() as r:
        disks, cluster = volumes.mounted(library.volumes(r)), cluster_in_use(library, r)
        if before is not None and before.version == version:
            return LibrarySnapshot(present, version, (disks, cluster, *before.facts[2:]))
        indexes = tuple((index.id, index.name, index.codes_token) for index in r.indexes.all())
        folders = tuple((row.volume_id, row.path) for row in r.folders.all())
        states = r.photographs.counts()
        counted = states[PhotographState.READY], states[PhotographState.MISSING], r.problems.count()
        return LibrarySnapshot(present, version, (disks, cluster, indexes, folders, counted))


def _lost(library: Library, message: Message) -> TwinlensError:
    if library.address.is_file:
        step = Message("Put its file back, or connect its disk, and try again; or open another library.")
    else:
        step = Message("Ask who looks after the server, and try again; or open another library.")
    return TwinlensError(message, step)
