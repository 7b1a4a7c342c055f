"""Groups of duplicates: a photograph that is kept, its copies, its edited versions, and those with each.

With the kinds of duplicates, and the filter of groups for the window, the command line and exports.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from app.duplicates.keeper_rules import Fates, KeeperCandidate
from app.duplicates.sidecar_files import SidecarFile
from app.library import volumes
from core.message import Message
from features.copies.relation import Relation

Pair = tuple[bytes, bytes]


class LostNote(StrEnum):
    """A note of the camera in a file, which is lost with the file."""

    DATE = "date"
    PLACE = "place"


class DuplicateKind(StrEnum):
    """The relation of a photograph of a group to the one kept."""

    IDENTICAL = "identical"
    """The same file, to the last byte."""
    SAME = "same"
    """The same picture, compressed again, or in another size or format."""
    DAMAGED = "damaged"
    """The same picture, and one of both is damaged: a person decides."""
    EDITED = "edited"
    """Made from it, or it from this one: cropped, turned, recoloured, written upon."""
    SERIES = "series"
    """Taken just before or after it."""
    RAW = "raw"
    """The same shot, once as RAW and once as JPEG."""


@dataclass(frozen=True)
class GroupMember:
    """A photograph of a group.

    Attributes
    ----------
    photograph : Candidate
    kind : Kind
        What it is to `of`.
    of : Candidate
        The one that is kept in its place, or beside it.
    relation : Relation or None
        How it differs; None for identical files, and where nothing is known but the time.
    goes : bool
        Proposed to go.
    chosen : bool
        A person decided so.
    only_here : frozenset of Note
        What its file says and that of `of` does not.
    alone : tuple of CompanionFile
        What lies beside it that `of` has no equal of, as far as is known without reading large files.
    held : bool
        The rules would let it go if nothing lay beside it alone.
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


@dataclass(frozen=True)
class PhotoGroup:
    """A photograph that is kept, and what belongs to it.

    Attributes
    ----------
    keeper : Candidate
    reasons : tuple of Message
        Why it is kept; empty where nothing tells it from its copies.
    members : tuple of Member
        Copies of the keeper first, then the others, each with its own copies behind it.
    undecided : bool
        There are copies, and nothing tells which to keep.
    """

    keeper: KeeperCandidate
    reasons: tuple[Message, ...]
    members: tuple[GroupMember, ...]
    undecided: bool

    @property
    def photographs(self) -> tuple[KeeperCandidate, ...]:
        """All of it, the one that is kept first."""
        return (self.keeper, *(one.photograph for one in self.members))

    @property
    def kinds(self) -> frozenset[DuplicateKind]:
        """The kinds of its members."""
        return frozenset(one.kind for one in self.members)

    @property
    def lacking(self) -> frozenset[LostNote]:
        """Notes of copies that the photographs kept in their place lack."""
        return frozenset(note for one in self.members if one.kind in COPIES for note in one.only_here)

    @property
    def going(self) -> tuple[GroupMember, ...]:
        """Those that are proposed to go."""
        return tuple(one for one in self.members if one.goes)

    @property
    def held(self) -> tuple[GroupMember, ...]:
        """Those that stay only for what lies beside them."""
        return tuple(one for one in self.members if one.held)


@dataclass(frozen=True)
class KnownRelations:
    """Known facts about the contents of a library.

    Attributes
    ----------
    relations : mapping of (bytes, bytes) to Relation
        By ordered pairs of contents, told from the first to the second.
    refused : collection of (bytes, bytes)
        Ordered pairs that a person said are no duplicates.
    chosen : mapping of int to Fate
        What a person decided of photographs.
    """

    relations: Mapping[Pair, Relation]
    refused: Collection[Pair] = ()
    chosen: Fates = field(default_factory=dict)

    def between(self, first: bytes, second: bytes) -> Relation | None:
        """Return what the second content is to the first."""
        pair = ordered(first, second)
        if pair in self.refused:
            return None
        found = self.relations.get(pair)
        return found if found is None or first < second else found.turned_around()


def ordered(one: bytes, other: bytes) -> Pair:
    """Return two contents as a pair, the smaller one first."""
    return min(one, other), max(one, other)


NOTHING_KNOWN = KnownRelations({})
COPIES = frozenset({DuplicateKind.IDENTICAL, DuplicateKind.SAME})
"""What rules may propose to let go."""

KIND_NAMES: dict[DuplicateKind, Message] = {
    DuplicateKind.IDENTICAL: Message("Identical"),
    DuplicateKind.SAME: Message("Same picture"),
    DuplicateKind.DAMAGED: Message("Damaged"),
    DuplicateKind.EDITED: Message("Edited version"),
    DuplicateKind.SERIES: Message("Series"),
    DuplicateKind.RAW: Message("RAW + JPEG"),
}
"""Of one photograph."""


@dataclass(frozen=True)
class GroupFilter:
    """Conditions on groups; by default every group passes.

    Attributes
    ----------
    kinds : frozenset of Kind
        A photograph of one of these kinds; empty for any.
    folder : bytes
        A photograph in this folder or below, by its full path; empty for any.
    least_bytes : int
        A file of at least this size.
    undecided : bool
        Nothing tells which copy to keep.
    """

    kinds: frozenset[DuplicateKind] = frozenset()
    folder: bytes = b""
    least_bytes: int = 0
    undecided: bool = False

    @classmethod
    def of(
        cls,
        kinds: Iterable[str] = (),
        folder: Path | None = None,
        least_bytes: int = 0,
        undecided: bool = False,
    ) -> GroupFilter:
        """Return what a person names: kinds by their values, and a folder that need not be there."""
        full = b"" if folder is None else volumes.full_path(folder)
        return cls(frozenset(map(DuplicateKind, kinds)), full, least_bytes, undecided)

    def passes(self, group: PhotoGroup) -> bool:
        """Return whether a group has all of it."""
        photographs = group.photographs
        within = self.folder.rstrip(b"/") + b"/"
        return (
            (not self.kinds or bool(self.kinds & group.kinds))
            and (not self.folder or any(one.path.startswith(within) for one in photographs))
            and (not self.least_bytes or any(one.bytes >= self.least_bytes for one in photographs))
            and (not self.undecided or group.undecided)
        )


EVERY_GROUP = GroupFilter()
"""All groups."""
