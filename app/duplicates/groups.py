"""Groups of duplicates: one photograph that is kept, its copies, its edited versions, and the copies of these.

:func:`components` parts a library into photographs that may share groups, and :func:`group` makes the groups of each.
Copies are a star around the best one, since the relation "same picture" is not transitive: every member was confirmed
with the keeper. A :class:`GroupFilter` chooses groups for the window, the command line and exports.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field

from app.duplicates.keeper_rules import Fate, Fates, Keeper, KeeperCandidate, KeeperRules, choose_keeper
from app.duplicates.sidecar_files import FolderListings, SidecarFile, are_told_apart
from app.library import volumes
from app.library.library import AUTOMATIC
from core.declaration.declaration import parameter
from core.declaration.request import Request
from core.disjoint_sets import DisjointSets
from core.message import Message
from core.progress import Progress, silent
from features.copies.relation import Relation, RelationKind

Pair = tuple[bytes, bytes]


@dataclass(frozen=True)
class PhotoGroup:
    """A photograph that is kept, and what belongs to it.

    Attributes
    ----------
    reasons : tuple of Message
        Why it is kept; empty where nothing tells it from its copies.
    members : tuple of GroupMember
        Copies of the keeper first, then the others, each with its own copies behind it.
    undecided : bool
        Whether there are copies, and no rule tells which to keep.
    """

    keeper: KeeperCandidate
    reasons: tuple[Message, ...]
    members: tuple[GroupMember, ...]
    undecided: bool

    @property
    def photographs(self) -> tuple[KeeperCandidate, ...]:
        """All photographs of the group, the kept one first."""
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
        """The members that are proposed to go."""
        return tuple(one for one in self.members if one.goes)

    @property
    def held(self) -> tuple[GroupMember, ...]:
        """The members that stay only for their companions."""
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
        Whether the rules would let it go, were it not for these companions.
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


class DuplicateKind(StrEnum):
    """The relation of a photograph in a group to the kept one."""

    IDENTICAL = "identical"
    """The same file, to the last byte."""
    SAME = "same"
    """The same picture, compressed again, or in another size or format."""
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
    DuplicateKind.DAMAGED: Message("Damaged"),
    DuplicateKind.EDITED: Message("Edited version"),
    DuplicateKind.SERIES: Message("Series"),
    DuplicateKind.RAW: Message("RAW + JPEG"),
}
"""The name of each kind, for one photograph."""

COPIES = frozenset({DuplicateKind.IDENTICAL, DuplicateKind.SAME})
"""The kinds that rules may propose to let go."""


class LostNote(StrEnum):
    """A note of the camera in a file, which is lost with the file."""

    DATE = "date"
    PLACE = "place"


@dataclass(frozen=True)
class KnownRelations:
    """Known facts about the contents of a library.

    Attributes
    ----------
    relations : mapping of (bytes, bytes) to Relation
        By ordered pairs of contents, from the first to the second.
    refused : collection of (bytes, bytes)
        Ordered pairs that a person declared to be no duplicates.
    chosen : mapping of int to Fate
        The person's decisions about photographs.
    """

    relations: Mapping[Pair, Relation]
    refused: Collection[Pair] = ()
    chosen: Fates = field(default_factory=dict)

    def between(self, first: bytes, second: bytes) -> Relation | None:
        """Return the relation of the second content to the first."""
        pair = ordered(first, second)
        if pair in self.refused:
            return None
        found = self.relations.get(pair)
        return found if found is None or first < second else found.turned_around()


NOTHING_KNOWN = KnownRelations({})


def ordered(one: bytes, other: bytes) -> Pair:
    """Return two contents as a pair, the smaller one first."""
    return min(one, other), max(one, other)


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

    @cached_property
    def within(self) -> bytes:
        """The full path of the folder, with a slash; empty for any."""
        return b"" if self.folder is None else volumes.full_path(self.folder).rstrip(b"/") + b"/"

    def passes(self, group: PhotoGroup) -> bool:
        """Return whether a group meets all conditions."""
        photographs = group.photographs
        return (
            (not self.kinds or not group.kinds.isdisjoint(self.kinds))
            and any(one.path.startswith(self.within) for one in photographs)
            and (not self.least_bytes or any(one.bytes >= self.least_bytes for one in photographs))
            and (not self.undecided or group.undecided)
        )


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
        help="Which copy to keep, most important rule first: largest, companions, dated, original, finest, oldest, "
        "named, and never:FOLDER for folders to remove copies from first. Put quotes around a whole rule with a comma "
        "in it: 'largest,\"never:Rome, 2019\"'.  [default: the rules saved in the library]",
    )
    index: str = parameter(AUTOMATIC, metavar="NAME", help="Index that finds similar photos to compare.")


ALL_GROUPS = DuplicatesQuery()
"""By the automatic index and the rules of the library."""


def group(photographs: Sequence[KeeperCandidate], known: KnownRelations, rules: KeeperRules) -> list[PhotoGroup]:
    """Make groups: those that free most space first, those with nothing to let go last."""
    chosen = known.chosen
    damaged = _damaged(known)
    photographs = [replace(one, damaged=True) if one.content in damaged else one for one in photographs]
    by_content: dict[bytes, list[KeeperCandidate]] = defaultdict(list)
    for one in photographs:
        by_content[one.content].append(one)
    near: dict[RelationKind, dict[bytes, set[bytes]]] = {kind: defaultdict(set) for kind in RelationKind}
    raw = raw_pairs(photographs)
    telling = {content for content, some in by_content.items() if len(some) > 1}
    for (first, second), relation in known.relations.items():
        if first in by_content and second in by_content and (first, second) not in known.refused:
            if relation.kind is RelationKind.SAME and _is_raw(by_content[first]) is not _is_raw(by_content[second]):
                raw.add((first, second))
                continue
            near[relation.kind][first].add(second)
            near[relation.kind][second].add(first)
            telling |= {first, second}
    raw -= set(known.refused)
    telling |= {content for pair in raw for content in pair}
    copies = [
        _Copies(choose_keeper(every, star[0], rules, chosen), tuple(every))
        for star in _stars(telling, near[RelationKind.SAME], lambda one: _worth(by_content[one], rules, chosen))
        for every in [[one for content in star for one in by_content[content]]]
    ]
    leaving = {each.path for one in copies for each in one.photographs if each is not one.head and not each.stays}
    groups = _families(copies, near, raw, known, rules, chosen, leaving)
    groups.sort(key=by_copies)
    return groups


def _damaged(known: KnownRelations) -> set[bytes]:
    """Return the contents that are damaged, as the comparison with others shows."""
    return {
        second if relation.second_damaged else first
        for (first, second), relation in known.relations.items()
        if relation.second_damaged is not None and (first, second) not in known.refused
    }


def _is_raw(photographs: Sequence[KeeperCandidate]) -> bool:
    return photographs[0].format == "RAW"


@dataclass(frozen=True)
class _Copies:
    """The copies of one picture, with the one that is kept."""

    kept: Keeper
    photographs: tuple[KeeperCandidate, ...]

    @property
    def head(self) -> KeeperCandidate:
        return self.kept.best


def _stars(
    nodes: Iterable[bytes], near: Mapping[bytes, set[bytes]], worth: Callable[[bytes], tuple[object, ...]]
) -> list[list[bytes]]:
    """Cut a graph into stars: the best node with all its neighbours, then the best of what is left."""
    best_first = sorted(nodes, key=lambda node: (worth(node), node), reverse=True)
    left = set(best_first)
    made = []
    for head in best_first:
        if head in left:
            star = [head, *sorted(one for one in near.get(head, ()) if one in left and one != head)]
            left.difference_update(star)
            made.append(star)
    return made


def _worth(photographs: Iterable[KeeperCandidate], rules: KeeperRules, chosen: Fates) -> tuple[object, ...]:
    """Return the rank of a picture: the person's choice, then its best copy by the rules."""
    criteria = rules.criteria
    return max(
        (chosen.get(one.id) is Fate.BEST, chosen.get(one.id) is not Fate.GOES, *(each.value(one) for each in criteria))
        for one in photographs
    )


def _families(
    copies: Sequence[_Copies],
    near: Mapping[RelationKind, Mapping[bytes, set[bytes]]],
    raw_contents: Collection[Pair],
    known: KnownRelations,
    rules: KeeperRules,
    chosen: Fates,
    leaving: Set[bytes],
) -> list[PhotoGroup]:
    """Put edited versions beside their originals, then series, and RAW beside JPEG."""
    by_head = {one.head.content: one for one in copies}
    left = dict(by_head)
    of_content = {each.content: one.head.content for one in copies for each in one.photographs}
    groups = []
    raw = {ordered(of_content[one], of_content[other]) for one, other in raw_contents}
    edited = (RelationKind.EDITED, RelationKind.DAMAGED)
    for found, kind in ((edited, DuplicateKind.EDITED), ((RelationKind.SIMILAR,), DuplicateKind.SERIES)):
        joined = {
            head: {
                of_content[other]
                for one in copy.photographs
                for each in found
                for other in near[each].get(one.content, ())
                if of_content[other] in left and of_content[other] != head
            }
            for head, copy in left.items()
        }
        if kind is DuplicateKind.EDITED:
            for one, other in raw:
                joined[one].add(other)
                joined[other].add(one)
        worth = {head: _stands_for_all(copy, len(joined[head]), rules, chosen) for head, copy in left.items()}
        for star in _stars(left, joined, worth.__getitem__):
            if len(star) < 2 and len(by_head[star[0]].photographs) < 2:
                continue
            if len(star) < 2 and kind is DuplicateKind.EDITED:
                continue  # copies alone, which may be of a series
            groups.append(_grouped([by_head[head] for head in star], kind, raw, known, rules, chosen, leaving))
            for head in star:
                del left[head]
    return groups


def _stands_for_all(one: _Copies, confirmed: int, rules: KeeperRules, chosen: Fates) -> tuple[object, ...]:
    """Return the rank of a picture among its edited versions: most of these were confirmed with it.

    An original has its camera's date, and copies; one that was turned or framed may well be larger.
    """
    dated = max((each.taken is not None) + (each.camera is not None) for each in one.photographs)
    stays = chosen.get(one.head.id) is not Fate.GOES
    return (not one.head.damaged, stays, confirmed, dated, len(one.photographs), *_worth(one.photographs, rules, {}))


def _grouped(
    star: Sequence[_Copies],
    kind: DuplicateKind,
    raw: Collection[Pair],
    known: KnownRelations,
    rules: KeeperRules,
    chosen: Fates,
    leaving: Set[bytes],
) -> PhotoGroup:
    """Make a group of a picture with its copies, and of related pictures with theirs."""
    first = star[0]
    members: list[GroupMember] = []
    undecided = False
    for one in star:
        if one is not first:
            is_raw = ordered(first.head.content, one.head.content) in raw
            going = chosen.get(one.head.id) is Fate.GOES
            relation = _nearest(known, first, one)
            is_damaged = relation is not None and relation.kind is RelationKind.DAMAGED
            members.append(
                GroupMember(
                    one.head,
                    DuplicateKind.RAW if is_raw else DuplicateKind.DAMAGED if is_damaged else kind,
                    first.head,
                    relation,
                    going,
                    going,
                    _only_in(one.head, first.head),
                )
            )
        for copy in one.photographs:
            if copy is one.head:
                continue
            identical = copy.content == one.head.content
            relation = None if identical else known.between(one.head.content, copy.content)
            by_hand = copy.id in chosen
            decided = identical or bool(one.kept.reasons)
            undecided |= not decided and not by_hand
            alone = _alone(copy, one.head, leaving)
            proposed = decided and not copy.stays and not by_hand
            goes = chosen[copy.id] is Fate.GOES if by_hand else proposed and not alone
            copied = DuplicateKind.IDENTICAL if identical else DuplicateKind.SAME
            only_here, held = _only_in(copy, one.head), proposed and bool(alone)
            if not identical and (copy.damaged or one.head.damaged):
                copied, goes, held = DuplicateKind.DAMAGED, by_hand and goes, False
            members.append(GroupMember(copy, copied, one.head, relation, goes, by_hand, only_here, alone, held))
    return PhotoGroup(first.head, first.kept.reasons, _in_order(first.head, members), undecided)


def _nearest(known: KnownRelations, first: _Copies, second: _Copies) -> Relation | None:
    """Return the relation of two pictures, as it was found of their kept copies, else of other copies."""
    pairs = (
        (one.content, other.content)
        for one in (first.head, *first.photographs)
        for other in (second.head, *second.photographs)
    )
    return next((found for pair in pairs if (found := known.between(*pair)) is not None), None)


def _only_in(one: KeeperCandidate, kept: KeeperCandidate) -> frozenset[LostNote]:
    """Return the notes that one file has and another lacks; a place that is not known yet does not count."""
    found = {LostNote.DATE} if one.taken is not None and kept.taken is None else set()
    return frozenset(found | ({LostNote.PLACE} if one.place and kept.place == "" else set()))


def _alone(one: KeeperCandidate, kept: KeeperCandidate, leaving: Set[bytes]) -> tuple[SidecarFile, ...]:
    """Return the companions that only one photograph has; those shared with a picture that stays do not count."""
    there = {each.content for each in kept.beside}
    return tuple(each for each in one.beside if each.sharers <= leaving and each.content not in there)


def _in_order(keeper: KeeperCandidate, members: Iterable[GroupMember]) -> tuple[GroupMember, ...]:
    """Return the copies of the keeper first, then the others, each with its own copies behind it."""

    def place(one: GroupMember) -> tuple[int, bytes, int]:
        return _ORDER[one.kind], one.photograph.path, one.photograph.id

    copies: dict[int, list[GroupMember]] = defaultdict(list)
    for one in sorted(members, key=place):
        copies[one.of.id if one.kind in COPIES else keeper.id].append(one)
    made: list[GroupMember] = []
    for one in copies[keeper.id]:
        made.append(one)
        if one.kind not in COPIES:
            made += copies[one.photograph.id]
    return tuple(made)


def by_copies(one: PhotoGroup) -> tuple[int, bytes]:
    """Return the sort key of a group: large copies first, whatever the decisions, so that none moves a group."""
    copies = [one.keeper, *(each.photograph for each in one.members if each.kind in COPIES)]
    first = min(each.path for each in one.photographs)
    return -sum(each.bytes for each in copies) if len(copies) > 1 else 0, first


def components(photographs: Sequence[KeeperCandidate], relations: Mapping[Pair, Relation]) -> list[Component]:
    """Return the components of a library; photographs that stand alone are in none.

    Parameters
    ----------
    relations : mapping of (bytes, bytes) to Relation
        By ordered pairs of contents; those of contents without a photograph are ignored.
    """
    by_content: dict[bytes, list[KeeperCandidate]] = defaultdict(list)
    for one in photographs:
        by_content[one.content].append(one)
    sets = DisjointSets[bytes]()
    for content, some in by_content.items():
        if len(some) > 1:
            sets.join(content, content)
    there = {pair: found for pair, found in relations.items() if pair[0] in by_content and pair[1] in by_content}
    for pair in (*there, *raw_pairs(photographs)):
        sets.join(*pair)
    known: dict[bytes, dict[Pair, Relation]] = defaultdict(dict)
    for pair, found in there.items():
        known[sets.head(pair[0])][pair] = found
    return [
        Component(tuple(one for content in some for one in by_content[content]), known[some[0]]) for some in sets.all()
    ]


@dataclass(frozen=True, eq=False)
class Component:
    """A component of the library: photographs that may share groups.

    Attributes
    ----------
    relations : mapping of (bytes, bytes) to Relation
        Of their contents.
    """

    photographs: tuple[KeeperCandidate, ...]
    relations: Mapping[Pair, Relation]


def with_companions(parts: Sequence[Component], progress: Progress = silent) -> list[Component]:
    """Add companions to the photographs of components that are copies of others; each folder is listed once."""
    surroundings, made = FolderListings(), []
    for at, part in enumerate(parts):
        progress(at, len(parts), Message("Looking at what lies beside the photos"))
        copied = _copied(part)
        beside = are_told_apart(
            [surroundings.of(one.path, one.taken) if one.content in copied else [] for one in part.photographs]
        )
        photographs = tuple(replace(one, beside=its) for one, its in zip(part.photographs, beside, strict=True))
        made.append(replace(part, photographs=photographs))
    return made


def _copied(part: Component) -> set[bytes]:
    """Return the contents that are the same picture as another photograph."""
    contents = [one.content for one in part.photographs]
    found = {content for content, count in Counter(contents).items() if count > 1}
    return found.union(*(pair for pair, relation in part.relations.items() if relation.kind is RelationKind.SAME))


def raw_pairs(photographs: Sequence[KeeperCandidate]) -> set[Pair]:
    """Return the pairs of contents that are one shot as RAW and as JPEG: in one folder, with one name."""
    beside: dict[tuple[bytes, str], list[KeeperCandidate]] = defaultdict(list)
    if not any(one.format == "RAW" for one in photographs):
        return set()
    for one in photographs:
        beside[one.path.rpartition(b"/")[0], one.name.casefold()].append(one)
    found = set()
    for some in beside.values():
        raws = [one for one in some if one.format == "RAW"]
        for one in raws:
            for other in some:
                if other.format != "RAW" and (one.taken is None or other.taken is None or one.taken == other.taken):
                    found.add(ordered(one.content, other.content))
    return found


_ORDER = {kind: place for place, kind in enumerate(DuplicateKind)}
