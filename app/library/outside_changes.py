"""Changes of an open library from outside: by other programs, by disks that come and go, by its removal."""

from __future__ import annotations

from dataclasses import dataclass

from app.library.cluster_in_use import cluster_in_use
from app.library.library import Library
from app.library.overview import mounted
from core.errors import TwinlensError
from core.message import Message
from storage.database.schema import PhotographState


@dataclass(frozen=True)
class LibrarySnapshot:
    """A library as it was at a look; another one of the same ``facts`` shows the same to a person.

    Attributes
    ----------
    library : tuple of int
        What tells it from another one in its place.
    version : int
        Changes with every transaction.
    facts : tuple
        What lists and searches show: counts, indexes, folders, where the disks are, and the cluster that reads.
    """

    library: tuple[int, ...]
    version: int
    facts: tuple[object, ...]


def look_for_changes(library: Library, before: LibrarySnapshot | None = None) -> LibrarySnapshot:
    """Check a library for such changes; cheap where nothing has happened.

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
        disks, cluster = mounted(library.volumes(r)), cluster_in_use(library, r)
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
