"""Groups of duplicates: a picture with all its files, and the pictures that are related to it.

A group has two levels. A *picture* is one shot: the file that is kept, and its copies. Pictures that were made from
another one belong to it, and the shots of a series to the first of these, each with its own copies and edited versions.
The original leads a group (:mod:`twinlens.app.duplicates.grouping`). A :class:`GroupFilter` chooses groups for the
window, the command line and exports.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import BeforeValidator, Field

from twinlens.app.duplicates.keeper_rules import KeeperCandidate, KeeperRules
from twinlens.app.duplicates.sidecar_files import SidecarFile, without_equal
from twinlens.app.language.text_folding import folded
from twinlens.app.library import volumes
from twinlens.app.library.library import AUTOMATIC
from twinlens.core.declaration.declaration import parameter
from twinlens.core.declaration.request import Request
from twinlens.core.files.untrusted_input import plain, shown
from twinlens.core.message import NOTHING, Message
from twinlens.features.copies.relation import Relation
from twinlens.features.pictures.picture import Metadata


@dataclass(frozen=True)
class PhotoGroup:
    """A photograph that is kept, and what belongs to it.

    Attributes
    ----------
    reasons : tuple of Message
        Why it is kept; empty where nothing tells it from its copies.
    members : tuple of GroupMember
        Copies of the keeper first, then related pictures, each with its own copies and edited versions behind it.
    undecided : bool
        Whether there are copies, and no rule tells which to keep.
    """

    keeper: KeeperCandidate
    reasons: tuple[Message, ...]
    members: tuple[GroupMember, ...]
    undecided: bool

    @cached_property
    def photographs(self) -> tuple[KeeperCandidate, ...]:
        """All photographs of the group, the kept one first."""
        return (self.keeper, *(one.photograph for one in self.members))

    @property
    def pictures(self) -> tuple[tuple[KeeperCandidate, ...], ...]:
        """The photographs by pictures: each file that stands for one, with its copies behind it; the kept one first."""
        made = {self.keeper.id: [self.keeper]}
        for one in self.members:
            made.setdefault(one.of.id if one.kind in COPIES else one.photograph.id, []).append(one.photograph)
        return tuple(map(tuple, made.values()))

    @cached_property
    def kinds(self) -> frozenset[DuplicateKind]:
        """The kinds of its members."""
        return frozenset(one.kind for one in self.members)

    @property
    def lacking(self) -> frozenset[LostNote]:
        """Notes of copies that the photographs kept in their place lack."""
        return frozenset(note for one in self.members if one.kind in COPIES for note in one.only_here)

    @cached_property
    def going(self) -> tuple[GroupMember, ...]:
        """The members that are proposed to go."""
        return tuple(one for one in self.members if one.goes)

    @cached_property
    def held(self) -> tuple[GroupMember, ...]:
        """The members that stay only for what no other file has."""
        return tuple(one for one in self.members if one.held)


@dataclass(frozen=True)
class GroupMember:
    """A photograph of a group.

    Attributes
    ----------
    kind : DuplicateKind
        Its relation to `of`.
    of : KeeperCandidate
        The photograph that is kept in its place, or beside it.
    relation : Relation or None
        How it differs; None for identical files, and where only the time relates the two.
    goes : bool
        Whether it is proposed to go.
    chosen : bool
        Whether a person decided so.
    only_here : frozenset of LostNote
        Notes that its file has and that of `of` lacks.
    alone : tuple of SidecarFile
        Its companions of which `of` has no equal, as far as is known without reading large files.
    held : bool
        Whether the rules would let it go, were it not for these notes and companions.
    linked : bool
        Whether it takes no space of its own: it is one file with `of` under another name, or a link.
    """

    photograph: KeeperCandidate
    kind: DuplicateKind
    of: KeeperCandidate
    relation: Relation | None
    goes: bool
    chosen: bool = False
    only_here: frozenset[LostNote] = frozenset()
    alone: tuple[SidecarFile, ...] = ()
    held: bool = False
    linked: bool = False

    @property
    def sort(self) -> CopySort:
        """Its sort; a program that the other file names, too, has not saved this one: its name came along."""
        own, other = (one.metadata or Metadata() for one in (self.photograph, self.of))
        program = own.program if own.program != other.program else ""
        return CopySort(self.photograph.format, self.of.format, program, "" if program else own.coding)


class CopySort(NamedTuple):
    """A sort of copies, of which a person may decide in one go: files of one format that one program saved.

    Attributes
    ----------
    of_format : str
        Of the files that are kept in their place.
    program : str
        Its name; empty where the files do not say.
    coding : str
        The trace of its encoder, where the files do not name it; empty where nothing says.
    """

    format: str
    of_format: str
    program: str
    coding: str

    @property
    def name(self) -> str:
        """Its name on the command line, in every language: “WebP/JPEG/GIMP 2.10”."""
        return "/".join(filter(None, (self.format, self.of_format, plain(self.program), self.coding)))


class DuplicateKind(StrEnum):
    """The relation of a photograph in a group to the kept one."""

    IDENTICAL = "identical"
    """The same file, to the last byte."""
    SAME = "same"
    """The same picture, compressed again, or in another size or format."""
    LIKELY = "likely"
    """Probably the same picture: nothing has moved, but its format hides whether it is a copy or a second shot."""
    DAMAGED = "damaged"
    """The same picture, and one of both is damaged: a person decides."""
    EDITED = "edited"
    """One was made from the other: cropped, turned, recoloured, written upon."""
    SERIES = "series"
    """Taken just before or after it."""
    RAW = "raw"
    """The same shot, once as RAW and once as JPEG."""


KIND_NAMES: dict[DuplicateKind, Message] = {
    DuplicateKind.IDENTICAL: Message("Identical"),
    DuplicateKind.SAME: Message("Same picture"),
    DuplicateKind.LIKELY: Message("Probably the same picture"),
    DuplicateKind.DAMAGED: Message("Damaged"),
    DuplicateKind.EDITED: Message("Edited version"),
    DuplicateKind.SERIES: Message("Series"),
    DuplicateKind.RAW: Message("RAW + JPEG"),
}
"""The name of each kind, for one photograph."""

COPIES = frozenset({DuplicateKind.IDENTICAL, DuplicateKind.SAME})
"""The kinds that rules may propose to let go."""


class LostNote(StrEnum):
    """A statement or content of a file that is lost with it where the kept file has no equal."""

    DATE = "date"
    CAMERA = "camera"
    PLACE = "place"
    RATING = "rating"
    LABEL = "label"
    KEYWORDS = "keywords"
    TITLE = "title"
    CAPTION = "caption"
    FILM = "film"
    GAIN_MAP = "gain map"
    DEPTH = "depth"
    TRANSPARENCY = "transparency"


_LOST = {
    LostNote.DATE: Message("the date"),
    LostNote.CAMERA: Message("the camera"),
    LostNote.PLACE: Message("the place"),
    LostNote.RATING: Message("a rating"),
    LostNote.LABEL: Message("a label"),
    LostNote.KEYWORDS: Message("keywords"),
    LostNote.TITLE: Message("a title"),
    LostNote.CAPTION: Message("a caption"),
    LostNote.FILM: Message("a film inside"),
    LostNote.GAIN_MAP: Message("a second picture inside, as for HDR"),
    LostNote.DEPTH: Message("finer shades"),
    LostNote.TRANSPARENCY: Message("transparency"),
}


def lost_with(notes: Set[LostNote]) -> Message:
    """Return what is lost with a file whose notes the kept one lacks; nothing without any."""
    return Message("Only this copy has: {notes}.", notes=names_of(notes)) if notes else NOTHING


def names_of(notes: Set[LostNote]) -> list[Message]:
    """Return the names of notes, in their order."""
    return [name for note, name in _LOST.items() if note in notes]


def warning(one: PhotoGroup) -> Message:
    """Return the warning of a group: damage, data lost with the copies to be removed, or why one of them stays."""
    if DuplicateKind.DAMAGED in one.kinds:
        if one.keeper.damaged:
            return Message("The photo shown first is damaged.")
        if not any(each.photograph.damaged for each in one.members):
            return Message("One of these photos is damaged. Look at them before you remove any.")
        return Message("A damaged copy is among them. Nothing of it is removed unless you say so.")
    if any(each.is_film for each in (one.keeper, *(member.photograph for member in one.members))):
        return Message("Films are compared by their first frame, and never proposed for removal.")
    lost = {note for member in one.going for note in member.only_here}
    if lost:
        return Message("Only copies to be removed have: {notes}.", notes=names_of(lost))
    if alone := next((member.alone for member in one.held if member.alone), ()):
        return without_equal(alone)
    return lost_with(one.held[0].only_here) if one.held else NOTHING


_ABOUT = {
    DuplicateKind.DAMAGED: Message("One of these is damaged: nothing goes unless you say so."),
    DuplicateKind.LIKELY: Message("Probably the same picture: nothing goes unless you say so."),
    DuplicateKind.EDITED: Message("Edited versions stay."),
    DuplicateKind.RAW: Message("RAW and JPEG of one shot stay together."),
    DuplicateKind.SERIES: Message("A series: all shots stay unless you choose the best."),
}


def reason(one: PhotoGroup) -> Message:
    """Return the reason why a group keeps its photograph."""
    if not one.kinds & COPIES and not one.going:
        return _ABOUT[next(kind for kind in _ABOUT if kind in one.kinds)]
    if one.undecided:
        return Message("Equally good copies: choose which one to keep.")
    if one.members and all(each.linked for each in one.members):
        return Message("What else is here takes no space of its own: nothing is freed by removing it.")
    if not one.going and any(each.alone for each in one.members):
        return Message("Each of these copies has files beside it that another one lacks.")
    if one.reasons and one.kinds == {DuplicateKind.IDENTICAL}:
        return Message(
            "Byte-for-byte copies: the one in “{folder}” stays ({reason}).",
            folder=one.keeper.folder,
            reason=one.reasons[0],
        )
    if one.reasons:
        first, *others = one.reasons
        if others:
            return Message("Kept: {first}, {second}.", first=first, second=others[0])
        return Message("Kept: {first}.", first=first)
    if one.kinds & COPIES == {DuplicateKind.IDENTICAL}:
        return Message("Byte-for-byte copies: the one in “{folder}” stays.", folder=one.keeper.folder)
    return NOTHING


class GroupFilter(Request):
    """Conditions on groups; by default every group passes.

    Attributes
    ----------
    kinds : tuple of DuplicateKind
        A photograph of one of these kinds; empty for any.
    folder : Path or None
        A photograph in this folder or below, which need not be there.
    least_bytes : int
        A file of at least this size; 0 for any.
    undecided : bool
        Nothing tells which copy to keep.
    words : str
        Words that the path of a photograph, its name and folders, or the date of taking contains: “2019-08”.
    also_in : Path or None
        A copy in this folder of what is in `folder`, or of what is anywhere else.
    """

    key = "duplicates"

    kinds: tuple[Annotated[DuplicateKind, Field(strict=False)], ...] = parameter(
        (), option="--kind", help="Only groups with duplicates of this kind. Repeat it for several kinds."
    )
    folder: Path | None = parameter(None, help="Only groups with a photo in this folder.")
    least_bytes: int = parameter(
        0,
        ge=1,
        unit="B",
        option="--min-size",
        metavar="SIZE",
        help="Only groups with a file of at least this size: 500kB, 5MB.  [default: any size]",
    )
    undecided: bool = parameter(False, help="Only groups in which nothing tells which copy to keep.")
    words: str = parameter(
        "", metavar="WORDS", help="Only groups with these words in a name, folder or date (2019-08)."
    )
    also_in: Path | None = parameter(
        None,
        metavar="FOLDER",
        help="Only groups with a photo in this folder of which another copy is elsewhere: with --folder, in that one.",
    )

    @cached_property
    def within(self) -> bytes:
        """The full path of the folder; empty for any."""
        return b"" if self.folder is None else volumes.full_path(self.folder)

    @cached_property
    def also_within(self) -> bytes:
        """The full path of the other folder; empty for none."""
        return b"" if self.also_in is None else volumes.full_path(self.also_in)

    def passes(self, group: PhotoGroup) -> bool:
        """Return whether a group meets all conditions."""
        photographs = group.photographs
        words = folded(self.words).split() if self.words else ()
        return (
            (not self.kinds or not group.kinds.isdisjoint(self.kinds))
            and any(volumes.is_in(one.path, self.within) for one in photographs)
            and (not self.least_bytes or any(one.bytes >= self.least_bytes for one in photographs))
            and (not self.undecided or group.undecided)
            and (not words or any(are_in(words, one.path, one.taken) for one in photographs))
            and (not self.also_within or any(map(self._in_both, group.pictures)))
        )

    def _in_both(self, copies: Sequence[KeeperCandidate]) -> bool:
        """Return whether two copies of a picture lie in the two folders."""
        other = [one for one in copies if volumes.is_in(one.path, self.also_within)]
        inside = (one for one in copies if other and volumes.is_in(one.path, self.within))
        return any(one not in other or len(other) > 1 for one in inside)


def are_in(words: Sequence[str], path: bytes, taken: str | None) -> bool:
    """Return whether the path of a photograph, or the date when it was taken, contains each of some folded words."""
    found = f"{folded(shown(path))} {taken or ''}"
    return all(word in found for word in words)


def _rules(written: object) -> object:
    return KeeperRules.of_text(written) if isinstance(written, str) else written


class DuplicatesQuery(GroupFilter):
    """A request for duplicates: which groups are wanted, and how they come about.

    Attributes
    ----------
    rules : KeeperRules or None
        The rules that choose what is kept; None for those of the library.
    index : str
        Index that proposes pairs.
    """

    rules: Annotated[KeeperRules, BeforeValidator(_rules)] | None = parameter(
        None,
        option="--rule",
        metavar="RULES",
        help="Which copy to keep, most important rule first: first (not made from another file), companions, dated, "
        "largest, original, named, oldest, finest, earliest; prefer:FOLDER for folders whose copies stay, the first "
        "counts most, and never:FOLDER for folders to remove copies from first, by name or path. Put quotes around a "
        "whole rule with a comma in it: 'largest,\"never:Rome, 2019\"'.  [default: the rules saved in the library]",
    )
    index: str = parameter(AUTOMATIC, metavar="NAME", help="Index that finds similar photos to compare.")


ALL_GROUPS = DuplicatesQuery()
"""By the automatic index and the rules of the library."""
