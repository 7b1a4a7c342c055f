"""The log of everything that was ever moved away, for people."""

from __future__ import annotations

from dataclasses import dataclass

from app.library import volumes
from app.library.library import Library
from app.machine import trash
from app.results import shown
from core.message import Message
from core.systems.volume import Volume
from storage.duplicates.disposals import DisposalOutcome, DisposalRow


@dataclass(frozen=True)
class LogEntry:
    """One photograph that was to be moved away.

    Attributes
    ----------
    id : int
        By which it is brought back, and the next page is asked for.
    run : int
        Equal for those that were moved away together.
    when : str
        UTC, of the last that happened to it.
    path : str
        Where it was.
    kept : str
        Where the photograph lay that was kept in its place.
    kind : str
        What they were to each other.
    content : bytes
        By which its thumbnail is found.
    bytes : int
        Of the file and its companions.
    companions : tuple of str
        Their paths.
    destination : str or None
        The folder; None for the trash.
    state : Outcome
    reason : Message
        Why it was left.
    undoable : bool
        Whether it can be asked back from here.
    """

    id: int
    run: int
    when: str
    path: str
    kept: str
    kind: str
    content: bytes
    bytes: int
    companions: tuple[str, ...]
    destination: str | None
    state: DisposalOutcome
    reason: Message
    undoable: bool


def disposal_log(library: Library, before: int | None = None, limit: int = 500) -> list[LogEntry]:
    """List what was moved away, newest first.

    Parameters
    ----------
    library : Library
    before : int, optional
        The last id that was had: the page after it.
    limit : int
        How many at most.
    """
    with library.store.reading() as r:
        known = library.volumes(r)
        return [_entry(row, known[row.volume_id]) for row in r.disposals.all(before, limit)]


def run_entries(library: Library, run: int) -> list[LogEntry]:
    """List what was moved away together, in the order of the plan."""
    with library.store.reading() as r:
        known = library.volumes(r)
        return [_entry(row, known[row.volume_id]) for row in r.disposals.by_run(run)]


def _entry(row: DisposalRow, volume: Volume) -> LogEntry:
    return LogEntry(
        id=row.id,
        run=row.run,
        when=row.changed,
        path=shown(volumes.locate(volume, row.path)),
        kept=row.kept_name,
        kind=str(row.known.get("kind", "")),
        content=row.content_hash,
        bytes=row.size + sum(one.size for one in row.beside),
        companions=tuple(shown(volumes.locate(volume, one.path)) for one in row.beside),
        destination=None if row.destination is None else shown(row.destination),
        state=row.state,
        reason=row.reason,
        undoable=row.state is DisposalOutcome.DONE and (row.destination is not None or trash.can_restore()),
    )
