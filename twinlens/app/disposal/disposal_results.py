"""Results of moving files away and of bringing them back, and the log of all that was moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import Field

from twinlens.app.library import volumes
from twinlens.app.library.library import Library
from twinlens.app.machine import trash
from twinlens.app.results import PhotographPath, Result
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import Message, counted, size
from twinlens.core.systems.volume import Volume
from twinlens.storage.disposals import LINK, DisposalOutcome, DisposalRow

if TYPE_CHECKING:
    from twinlens.app.disposal.disposal_plan import DisposalPlan


class PlannedPhotograph(Result):
    """A photograph that would be moved away."""

    path: PhotographPath
    id: int
    kind: str = Field(description="what it is to the one that is kept")
    bytes: int = Field(description="of its file and of those that go with it")
    companions: list[str] = Field(description="files that go with it: beside the one kept lie equal ones")
    taken_along: list[str] = Field(description="paths that its other files get beside the photograph kept")
    kept: str = Field(description="path of the photograph that is kept in its place")
    only_here: list[str] = Field(description="date, rating, ...: what its file has and that of the one kept does not")
    carried: list[str] = Field(description="of these what is written into a sidecar file beside the one kept")
    carried_to: str | None = Field(description="path of that file; none where nothing is written")


class LeftFile(Result):
    """A file that stays where it is, and why."""

    path: str
    reason: Message


class CleaningPlan(Result):
    """Result of ``duplicates clean`` without ``--apply``: what would be done."""

    destination: str | None = Field(description="the folder; none for the trash")
    files: list[PlannedPhotograph]
    refused: list[LeftFile] = Field(description="those that cannot go")
    held: int = Field(description="of these could go if what only they have is taken along")
    bytes: int
    undoable: bool = Field(description="whether it can be undone from here")
    links: bool = Field(default=False, description="each becomes a link to the one that is kept")

    @classmethod
    def of(cls, plan: DisposalPlan) -> CleaningPlan:
        """List a plan."""
        return cls(
            destination=None if plan.destination is None else shown(plan.destination),
            files=[
                PlannedPhotograph(
                    path=shown(one.path),
                    id=one.choice.photograph,
                    kind=one.choice.kind,
                    bytes=one.bytes,
                    companions=[shown(each.path) for each in one.companions if each.moves_to is None],
                    taken_along=[shown(each.moves_to) for each in one.companions if each.moves_to is not None],
                    kept=shown(one.kept_path),
                    only_here=sorted(one.choice.only_here),
                    carried=[] if one.carried is None else sorted(one.carried.notes),
                    carried_to=None if one.carried is None else shown(one.carried.path),
                )
                for one in plan.files
            ],
            refused=[LeftFile(path=one.path, reason=one.reason) for one in plan.refused],
            held=plan.held,
            bytes=plan.bytes,
            undoable=plan.undoable,
            links=plan.links,
        )


class LoggedFile(Result):
    """A photograph that was to be moved away."""

    id: int
    run: int
    when: str
    path: PhotographPath
    kept: str
    kind: str
    bytes: int
    companions: list[str]
    destination: str | None
    link: str | None = Field(description="clone or hard link, where it became one; none where it moved")
    state: str
    reason: Message
    undoable: bool

    @classmethod
    def of(cls, entry: LogEntry) -> LoggedFile:
        """List an entry of the log."""
        return cls(
            id=entry.id,
            run=entry.run,
            when=entry.when,
            path=entry.path,
            kept=entry.kept,
            kind=entry.kind,
            bytes=entry.bytes,
            companions=list(entry.companions),
            destination=entry.destination,
            link=entry.link,
            state=entry.state.value,
            reason=entry.reason,
            undoable=entry.undoable,
        )


class DisposalLog(Result):
    """Result of ``duplicates log``, the newest first."""

    files: list[LoggedFile]


class DisposalResult(Result):
    """Result of moving photographs to the trash or to a folder."""

    run: int | None = Field(description="under which the log has them; none where nothing was to be moved")
    destination: str | None = Field(description="the folder; none for the trash")
    moved: int = Field(description="photographs")
    companions: int = Field(description="files that went with them")
    bytes: int = Field(description="of all that was moved, or freed by links")
    linked: dict[str, int] = Field(
        default={}, description="photographs that became links, by how: clone (shares its blocks) or hard link"
    )
    left: list[LeftFile]
    undoable: bool = Field(description="whether they can be brought back from here")
    cancelled: bool


def how_linked(result: DisposalResult) -> list[Message]:
    """Return sentences that say how copies became links, and what that freed."""
    clones, hard = result.linked.get("clone", 0), result.linked.get("hard link", 0)
    shared = counted(
        "{count} copy shares its blocks with the photo kept.",
        "{count} copies share their blocks with the photos kept.",
        clones,
    )
    one_file = counted(
        "{count} copy is one file with the photo kept: a change of one changes both.",
        "{count} copies are one file each with the photos kept: a change of one changes both.",
        hard,
    )
    freed = Message("{size} freed.", size=size(result.bytes))
    return [*([shared] if clones else []), *([one_file] if hard else []), freed]


class RestoreResult(Result):
    """Result of bringing photographs back."""

    restored: int = Field(description="photographs")
    companions: int = Field(description="files that came back with them")
    left: list[LeftFile] = Field(description="those that stay where they are")
    cancelled: bool


class SettleResult(Result):
    """Result of settling files that were being moved when the program was killed."""

    done: int = Field(description="that had moved")
    left: int = Field(description="that are where they were")
    waiting: int = Field(description="whose disk is not connected")


@dataclass(frozen=True)
class LogEntry:
    """One photograph that was to be moved away.

    Attributes
    ----------
    id : int
        By which it is brought back, and by which the next page begins.
    run : int
        Equal for those that were moved away together.
    when : str
        UTC, of its last change.
    path : str
        Where it was.
    kept : str
        Where the photograph lay that was kept in its place.
    kind : str
        The relation of the two.
    content : bytes
        By which its thumbnail is found.
    bytes : int
        Of the file and its companions.
    companions : tuple of str
        Their paths.
    destination : str or None
        The folder; None for the trash.
    link : str or None
        How it became a link, empty where that is not known; None where it moved.
    reason : Message
        Why it was left.
    undoable : bool
        Whether this program can bring it back.
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
    link: str | None
    state: DisposalOutcome
    reason: Message
    undoable: bool


def disposal_log(library: Library, before: int | None = None, limit: int = 500) -> list[LogEntry]:
    """List what was moved away, newest first.

    Parameters
    ----------
    before : int, optional
        The last id of the page before.
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
        link=str(row.known[LINK].get("kind", "")) if LINK in row.known else None,
        state=row.state,
        reason=row.reason,
        undoable=row.state is DisposalOutcome.DONE
        and (row.destination is not None or LINK in row.known or trash.can_restore()),
    )
