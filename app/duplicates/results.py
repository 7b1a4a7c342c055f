"""Results of ``duplicates``: groups of photographs that are one picture, or made from one, or one shot."""

from __future__ import annotations

from pydantic import Field

from app.duplicates.disposal_log import LogEntry
from app.duplicates.disposal_plan import DisposalPlan
from app.duplicates.disposal_results import LeftFile
from app.results import Result, shown
from core.message import NOTHING, Message


class DuplicateMember(Result):
    """One photograph of a group beside the one that is kept."""

    path: str
    id: int
    kind: str = Field(description="identical, same, damaged, edited, series or raw: what it is to ‘of’")
    of: int = Field(description="id of the photograph that is kept in its place, or beside it")
    differs: list[Message] = Field(description="how an edited version differs")
    goes: bool = Field(description="the rules propose to let it go")
    width: int
    height: int
    bytes: int = Field(description="of its file")
    format: str
    taken: str | None
    camera: str | None
    only_here: list[str] = Field(description="date, place: what its file says and that of the photograph ‘of’ does not")
    alone: list[str] = Field(description="files beside it of which the photograph ‘of’ has no equal")
    held: bool = Field(description="the rules would let it go, but for these files")


class KeptPhotograph(Result):
    """The photograph that stands for a group."""

    path: str
    id: int
    width: int
    height: int
    bytes: int
    format: str
    taken: str | None
    camera: str | None


class DuplicateGroup(Result):
    """A photograph that is kept, and what belongs to it."""

    keeper: KeptPhotograph
    reason: Message = Field(default=NOTHING, description="why it is kept")
    warning: Message = Field(default=NOTHING, description="what is lost with those that the rules let go")
    undecided: bool = Field(description="there are copies, and nothing tells which to keep")
    lacking: list[str] = Field(description="date, place: what copies say and those kept in their place do not")
    members: list[DuplicateMember]


class DuplicatesResult(Result):
    """Result of ``duplicates``."""

    of: int = Field(description="photographs of the library")
    compared: int = Field(description="of them compared with all others for the first time")
    rules: str = Field(description="by which the kept ones were chosen, in text form")
    groups: list[DuplicateGroup] = Field(description="those with the most bytes in copies first")
    counts: dict[str, int] = Field(description="groups by the kind of their photographs")
    copies: int = Field(description="photographs that the rules propose to let go")
    bytes: int = Field(description="of their files")
    undecided: int = Field(description="groups in which nothing tells which copy to keep")
    bounds: list[Message] = Field(description="what was not compared; empty where all was")
    seconds: float


class PlannedPhotograph(Result):
    """A photograph that would be moved away."""

    path: str
    id: int
    kind: str = Field(description="what it is to the one that is kept")
    bytes: int = Field(description="of its file and of those that go with it")
    companions: list[str] = Field(description="files that go with it: beside the one kept lie equal ones")
    taken_along: list[str] = Field(description="paths that its other files get beside the photograph kept")
    kept: str = Field(description="path of the photograph that is kept in its place")


class CleaningPlan(Result):
    """Result of ``duplicates clean`` without ``--apply``: what would be done."""

    destination: str | None = Field(description="the folder; none for the trash")
    files: list[PlannedPhotograph]
    refused: list[LeftFile] = Field(description="those that cannot go")
    held: int = Field(description="of these could go if what lies beside them is taken along")
    bytes: int
    undoable: bool = Field(description="whether it can be undone from here")

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
                )
                for one in plan.files
            ],
            refused=[LeftFile(path=one.path, reason=one.reason) for one in plan.refused],
            held=plan.held,
            bytes=plan.bytes,
            undoable=plan.undoable,
        )


class LoggedFile(Result):
    """A photograph that was to be moved away."""

    id: int
    run: int
    when: str
    path: str
    kept: str
    kind: str
    bytes: int
    companions: list[str]
    destination: str | None
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
            state=entry.state.value,
            reason=entry.reason,
            undoable=entry.undoable,
        )


class DisposalLog(Result):
    """Result of ``duplicates log``, the newest first."""

    files: list[LoggedFile]


class FolderList(Result):
    """Result of ``duplicates protect``: folders whose photographs are always kept."""

    folders: list[str]


class RefusedPairs(Result):
    """Result of ``duplicates refused``: paths as they were then, the latest first."""

    pairs: list[tuple[str, str]]
    taken_back: bool
