"""Results of ``duplicates``: its groups, protected folders and refused pairs, and the groups as a sheet of pictures."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from twinlens.app.duplicates.groups import KIND_NAMES, DuplicateKind, PhotoGroup, reason, warning
from twinlens.app.duplicates.keeper_rules import KeeperCandidate
from twinlens.app.duplicates.side_by_side import difference_words
from twinlens.app.library.library import Library
from twinlens.app.library.picture_sheet import SheetBand, SheetFigure, SheetSection, Words, write_sheet
from twinlens.app.machine.output_file import OutputFile
from twinlens.app.results import PhotographPath, Result
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import NOTHING, Message, size


class DuplicateMember(Result):
    """One photograph of a group beside the one that is kept."""

    path: PhotographPath
    id: int
    kind: str = Field(description="identical, same, likely, damaged, edited, series or raw: what it is to ‘of’")
    of: int = Field(description="id of the photograph that is kept in its place, or beside it")
    sort: str = Field(description="of a likely one: its format, that of ‘of’, and the program or encoder that saved it")
    differs: list[Message] = Field(description="how an edited version differs")
    goes: bool = Field(description="the rules propose to let it go")
    width: int
    height: int
    bytes: int = Field(description="of its file")
    format: str
    taken: str | None
    camera: str | None
    film: bool = Field(description="it is a film, known by its first frame")
    seconds: float | None = Field(description="how long a film is")
    only_here: list[str] = Field(description="date, rating, ...: what its file has and that of ‘of’ does not")
    alone: list[str] = Field(description="files beside it of which the photograph ‘of’ has no equal")
    held: bool = Field(description="the rules would let it go, but for what only it has")
    linked: bool = Field(description="takes no space of its own: one file with ‘of’ under another name, or a link")


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
    film: bool = Field(description="it is a film, known by its first frame")
    seconds: float | None = Field(description="how long a film is")


class DuplicateGroup(Result):
    """A photograph that is kept, and what belongs to it."""

    keeper: KeptPhotograph
    reason: Message = Field(default=NOTHING, description="why it is kept")
    warning: Message = Field(default=NOTHING, description="what is lost with those that the rules let go")
    undecided: bool = Field(description="there are copies, and nothing tells which to keep")
    lacking: list[str] = Field(description="date, rating, ...: what copies have and those kept in their place do not")
    pictures: list[list[int]] = Field(
        description="ids by pictures: the file that stands for each, then its copies; the kept picture first"
    )
    members: list[DuplicateMember]

    @classmethod
    def of(cls, one: PhotoGroup) -> DuplicateGroup:
        """List a group."""
        return cls(
            keeper=KeptPhotograph(**_facts(one.keeper)),
            reason=reason(one),
            warning=warning(one),
            undecided=one.undecided,
            lacking=sorted(one.lacking),
            pictures=[[each.id for each in files] for files in one.pictures],
            members=[
                DuplicateMember(
                    **_facts(member.photograph),
                    kind=member.kind.value,
                    of=member.of.id,
                    sort=member.sort.name if member.kind is DuplicateKind.LIKELY else "",
                    differs=difference_words(member.relation),
                    goes=member.goes,
                    only_here=sorted(member.only_here),
                    alone=[shown(each.path) for each in member.alone],
                    held=member.held,
                    linked=member.linked,
                )
                for member in one.members
            ],
        )


def _facts(one: KeeperCandidate) -> dict[str, object]:
    return {
        "path": shown(one.path),
        "id": one.id,
        "width": one.width,
        "height": one.height,
        "bytes": one.bytes,
        "format": one.format,
        "taken": one.taken,
        "camera": one.camera,
        "film": one.is_film,
        "seconds": one.metadata.seconds if one.is_film and one.metadata is not None else None,
    }


class DuplicatesResult(Result):
    """Result of ``duplicates``."""

    of: int = Field(description="photographs of the library")
    compared: int = Field(description="of them compared with all others for the first time")
    rules: str = Field(description="by which the kept ones were chosen, in text form")
    kinds: list[str] = Field(description="kinds of copies that were asked for, of which alone any go; empty for all")
    groups: list[DuplicateGroup] = Field(description="those with the most bytes in copies first")
    counts: dict[str, int] = Field(description="groups by the kind of their photographs")
    sorts: dict[str, int] = Field(description="photographs that are probably the same picture, undecided, by sort")
    copies: int = Field(description="photographs that the rules propose to let go")
    bytes: int = Field(description="of their files")
    undecided: int = Field(description="groups in which nothing tells which copy to keep")
    bounds: list[Message] = Field(description="what was not compared; empty where all was")
    seconds: float

    def photograph_paths(self) -> Iterator[str]:
        """Yield the paths of the copies that the rules would remove."""
        for group in self.groups:
            yield from (one.path for one in group.members if self.lets_go(one))

    def lets_go(self, one: DuplicateMember) -> bool:
        """Return whether a photograph would be removed, as ``duplicates clean`` does: only of the kinds asked for."""
        return one.goes and (not self.kinds or one.kind in self.kinds)


class FolderList(Result):
    """Result of ``duplicates protect``: folders whose photographs are always kept."""

    folders: list[str]


class RefusedPairs(Result):
    """Result of ``duplicates refused``: paths as they were then, the latest first."""

    pairs: list[tuple[PhotographPath, PhotographPath]]
    taken_back: bool


def write_groups_sheet(library: Library, found: DuplicatesResult, file: OutputFile, words: Words = str) -> None:
    """Write the groups, as :func:`twinlens.app.library.picture_sheet.write_sheet` does.

    Parameters
    ----------
    library : Library
        Where thumbnails come from.
    words : callable
        Writes a message in a person's language.
    """

    def facts(one: KeptPhotograph | DuplicateMember) -> str:
        return f"{one.width} × {one.height} · {words(size(one.bytes))}"

    sections = []
    for group in found.groups:
        figures = [SheetFigure(group.keeper.id, group.keeper.path, (facts(group.keeper),), "keep")]
        for one in group.members:
            difference = ", ".join(words(each) for each in one.differs) or words(KIND_NAMES[DuplicateKind(one.kind)])
            figures.append(
                SheetFigure(one.id, one.path, (facts(one), difference), "goes" if found.lets_go(one) else "")
            )
        warned = tuple(filter(None, [words(group.warning)]))
        sections.append(SheetSection(words(group.reason), warned, bands=(SheetBand("", tuple(figures)),)))
    write_sheet(library, sections, file)
