"""Grouping: photographs become groups of duplicates, by what is known of them and by the rules of a person.

:func:`components` parts a library into photographs that may share groups, and :func:`group` makes the groups of each.
Copies are a star around the best one, since the relation "same picture" is not transitive: every copy was confirmed
with the file that is kept. Versions of a picture are a star around the original, and series stars of these.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from twinlens.app.disposal.carried_notes import with_sidecars
from twinlens.app.disposal.file_checks import status_of
from twinlens.app.duplicates.groups import COPIES, DuplicateKind, GroupMember, LostNote, PhotoGroup
from twinlens.app.duplicates.keeper_rules import Fate, Fates, Keeper, KeeperCandidate, KeeperRanks, KeeperRules
from twinlens.app.duplicates.sidecar_files import FolderListings, SidecarFile, with_digests
from twinlens.core.containers import DisjointSets
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent
from twinlens.features.copies import RelationKind
from twinlens.features.copies.relation import Relation

Pair = tuple[bytes, bytes]


def group(photographs: Sequence[KeeperCandidate], known: KnownRelations, rules: KeeperRules) -> list[PhotoGroup]:
    """Make groups: those that free most space first, those with nothing to let go last."""
    chosen = known.chosen
    known = _with_films_apart(photographs, known)
    damaged, derived = _damaged(known), _derived(photographs, known)
    photographs = [
        replace(one, damaged=one.damaged or one.content in damaged, derived=one.content in derived)
        if one.content in damaged or one.content in derived
        else one
        for one in photographs
    ]
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
    ranks = KeeperRanks(rules, chosen)
    copies = [
        _Copies(ranks.keeper(every, star[0]), tuple(every))
        for star in _stars(telling, near[RelationKind.SAME], lambda one: max(map(ranks.rank, by_content[one])))
        for every in [[one for content in star for one in by_content[content]]]
    ]
    leaving = {each.path for one in copies for each in one.photographs if each is not one.head and not each.stays}
    groups = _families(copies, near, raw, known, ranks, leaving)
    groups.sort(key=by_copies)
    return groups


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


def _with_films_apart(photographs: Sequence[KeeperCandidate], known: KnownRelations) -> KnownRelations:
    """Return what is known, where no film is the same as anything for its first frame."""
    films = {one.content for one in photographs if one.is_film}
    if not films:
        return known
    apart = {
        pair: replace(relation, kind=RelationKind.EDITED)
        for pair, relation in known.relations.items()
        if relation.kind in (RelationKind.SAME, RelationKind.LIKELY) and not films.isdisjoint(pair)
    }
    return replace(known, relations={**known.relations, **apart})


def _damaged(known: KnownRelations) -> set[bytes]:
    """Return the contents that are damaged, as the comparison with others shows."""
    return {
        second if relation.second_damaged else first
        for (first, second), relation in known.relations.items()
        if relation.second_damaged is not None and (first, second) not in known.refused
    }


def _derived(photographs: Sequence[KeeperCandidate], known: KnownRelations) -> set[bytes]:
    """Return the contents that were made from another copy that is there: compressed again, made smaller or larger.

    A JPEG that was developed from a RAW is no copy of it, and the first of its own copies.
    """
    is_raw = {one.content: one.format == "RAW" for one in photographs}
    return {
        second if relation.second_made else first
        for (first, second), relation in known.relations.items()
        if relation.second_made is not None
        and relation.kind in (RelationKind.SAME, RelationKind.LIKELY)
        and (first, second) not in known.refused
        and is_raw.get(first) is is_raw.get(second) is not None
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


def _families(
    copies: Sequence[_Copies],
    near: Mapping[RelationKind, Mapping[bytes, set[bytes]]],
    raw_contents: Collection[Pair],
    known: KnownRelations,
    ranks: KeeperRanks,
    leaving: Set[bytes],
) -> list[PhotoGroup]:
    """Put edited versions, and RAW beside JPEG, with their originals, then the shots of a series with each other."""
    if len(copies) == 1:
        return [_grouped(copies, {}, (), known, leaving)] if len(copies[0].photographs) > 1 else []
    by_head = {one.head.content: one for one in copies}
    of_content = {each.content: one.head.content for one in copies for each in one.photographs}
    raw = {ordered(of_content[one], of_content[other]) for one, other in raw_contents}
    made = _between(copies, of_content, [near[each] for each in _MADE_FROM])
    apart = {(one, other) for one, some in made.items() for other in some if _taken_apart(by_head[one], by_head[other])}
    for one, other in apart:
        made[one].remove(other)
    for one, other in raw:
        made[one].add(other)
        made[other].add(one)
    leads = {head: _leads(copy, len(made[head]), ranks) for head, copy in by_head.items()}
    shots = {star[0]: star[1:] for star in _stars(by_head, made, leads.__getitem__)}
    beside = {head: lead for lead, others in shots.items() for head in others}
    for lead in sorted(shots, key=lambda one: (leads[one], one), reverse=True):
        others = {head: beside[head] for head in made[lead] & beside.keys() if beside[head] != lead}
        if (within := _version_within(by_head[lead], others, by_head, known)) is not None:
            own = [lead, *shots.pop(lead)]
            shots[others[within]] += own
            beside |= dict.fromkeys(own, others[within])
    shot_of = {head: lead for lead, others in shots.items() for head in (lead, *others)}
    series = _between(copies, {content: shot_of[head] for content, head in of_content.items()}, [near[_AGAIN]])
    for one, other in apart:
        if shot_of[one] != shot_of[other]:
            series[shot_of[one]].add(shot_of[other])
    first = {
        lead: (not by_head[lead].head.damaged, len(series[lead]), len(others), *leads[lead])
        for lead, others in shots.items()
    }
    groups = []
    for star in _stars(shots, series, first.__getitem__):
        by_shot = [_led([by_head[head] for head in (lead, *shots[lead])], known.chosen) for lead in star]
        by_shot.sort(key=lambda own: _wish(own[0], known.chosen), reverse=True)
        heads = [one for own in by_shot for one in own]
        if sum(len(one.photographs) for one in heads) > 1:
            of_shot = {one.head.id: own[0] for own in by_shot for one in own[1:]}
            groups.append(_grouped(heads, of_shot, raw, known, leaving))
    return groups


def _led(pictures: Sequence[_Copies], chosen: Fates) -> list[_Copies]:
    """Return the pictures of a shot, led by the one that a person chose, never by one that goes while another stays.

    Decisions change who leads, not who is together.
    """
    lead = max(pictures, key=lambda one: _wish(one, chosen))
    return [lead, *(one for one in pictures if one is not lead)]


def _wish(one: _Copies, chosen: Fates) -> tuple[bool, bool]:
    """Return what a person decided about a picture: a later one leads."""
    return any(chosen.get(each.id) is Fate.BEST for each in one.photographs), chosen.get(one.head.id) is not Fate.GOES


_MADE_FROM = (RelationKind.EDITED, RelationKind.DAMAGED, RelationKind.LIKELY)
_AGAIN = RelationKind.SIMILAR
_LARGER = 1.02  # times the pixels: rounding to whole pixels is no gain
_WHOLE = 0.9  # share of a picture that another one shows, if it lies within that one


def _between(
    copies: Sequence[_Copies], of_content: Mapping[bytes, bytes], near: Sequence[Mapping[bytes, set[bytes]]]
) -> dict[bytes, set[bytes]]:
    """Return the relations between pictures, each named by a content, of those between all their copies."""
    found: dict[bytes, set[bytes]] = defaultdict(set)
    for copy in copies:
        for one in copy.photographs:
            own = of_content[one.content]
            found[own] |= {of_content[other] for each in near for other in each.get(one.content, ())} - {own}
    return found


def _taken_apart(first: _Copies, second: _Copies) -> bool:
    """Return whether cameras noted other times for two pictures: no shot is made from another, however alike."""
    one, other = (
        {each.taken for each in picture.photographs if each.taken is not None and each.camera is not None}
        for picture in (first, second)
    )
    return bool(one) and bool(other) and one.isdisjoint(other)


def _leads(one: _Copies, related: int, ranks: KeeperRanks) -> tuple[Any, ...]:
    """Return the rank of a picture among those that were made from each other: the original leads.

    A camera noted its date, and it has copies and many versions; one that was turned or framed may well be larger.
    """
    dated = max((each.taken is not None) + (each.camera is not None) for each in one.photographs)
    return (
        not one.head.damaged,
        one.head.format == "RAW" or not one.head.derived,
        dated,
        len(one.photographs) + related,
        max(map(ranks.values, one.photographs)),
    )


def _version_within(
    lead: _Copies, versions: Mapping[bytes, bytes], by_head: Mapping[bytes, _Copies], known: KnownRelations
) -> bytes | None:
    """Return a version of another picture of which this one is a part: a crop of a crop belongs to the original.

    A picture with a camera's date is no version of a version: a collage of two photographs does not join them.
    """
    if any(one.camera is not None and one.taken is not None for one in lead.photographs):
        return None
    for other in sorted(versions):
        between = _nearest(known, by_head[other], lead)
        above = _nearest(known, by_head[versions[other]], by_head[other])
        if between and above and min(between.second_seen, above.second_seen) >= _WHOLE:
            return other
    return None


def _grouped(
    pictures: Sequence[_Copies],
    of_shot: Mapping[int, _Copies],
    raw: Collection[Pair],
    known: KnownRelations,
    leaving: Set[bytes],
) -> PhotoGroup:
    """Make a group of pictures, the leading one first; `of_shot` says which ones were made from which shot."""
    first, chosen = pictures[0], known.chosen
    members: list[GroupMember] = []
    undecided = False
    for one in pictures:
        if one is not first:
            shot = of_shot.get(one.head.id)
            of = first if shot is None or chosen.get(shot.head.id) is Fate.GOES else shot
            going = chosen.get(one.head.id) is Fate.GOES
            relation = _nearest(known, of, one)
            kind = _kind_beside(relation, shot is None, ordered(of.head.content, one.head.content) in raw)
            by_hand = one.head.id in chosen
            members.append(
                GroupMember(one.head, kind, of.head, relation, going, by_hand, only_in(one.head, of.head, relation))
            )
        for copy in one.photographs:
            if copy is one.head:
                continue
            identical = copy.content == one.head.content
            relation = None if identical else known.between(one.head.content, copy.content)
            by_hand = copy.id in chosen
            instead = chosen.get(one.head.id) is Fate.BEST  # a person's word: even a larger copy goes for it
            decided = identical or instead or (bool(one.kept.reasons) and not _may_show_more(copy, one.head, relation))
            undecided |= not decided and not by_hand
            alone, only_here = _alone(copy, one.head, leaving), only_in(copy, one.head, relation)
            linked = copy.is_link or copy.is_one_file_with(one.head)  # a name frees nothing
            proposed = decided and not (copy.stays or by_hand or linked)
            lost = bool(alone or (only_here and not instead))
            goes = chosen[copy.id] is Fate.GOES if by_hand else proposed and not lost
            copied = DuplicateKind.IDENTICAL if identical else DuplicateKind.SAME
            held = proposed and lost
            if not identical and (copy.damaged or one.head.damaged):
                copied, goes, held = DuplicateKind.DAMAGED, by_hand and goes, False
            members.append(GroupMember(copy, copied, one.head, relation, goes, by_hand, only_here, alone, held, linked))
    return PhotoGroup(first.head, first.kept.reasons, _in_order(first.head, members), undecided)


def _may_show_more(copy: KeeperCandidate, kept: KeeperCandidate, relation: Relation | None) -> bool:
    """Return whether a copy is larger than the kept file, and nothing says that it was enlarged from that one."""
    enlarged = relation is not None and relation.second_made is True
    return not enlarged and copy.width * copy.height > _LARGER * kept.width * kept.height


def _kind_beside(relation: Relation | None, is_shot: bool, is_raw: bool) -> DuplicateKind:
    """Return the kind of a picture beside the one that it belongs to."""
    if is_raw:
        return DuplicateKind.RAW
    if is_shot:
        return DuplicateKind.SERIES
    kinds = {RelationKind.DAMAGED: DuplicateKind.DAMAGED, RelationKind.LIKELY: DuplicateKind.LIKELY}
    return DuplicateKind.EDITED if relation is None else kinds.get(relation.kind, DuplicateKind.EDITED)


def _nearest(known: KnownRelations, first: _Copies, second: _Copies) -> Relation | None:
    """Return the relation of two pictures, as it was found of their kept copies, else of other copies."""
    pairs = (
        (one.content, other.content)
        for one in (first.head, *first.photographs)
        for other in (second.head, *second.photographs)
    )
    return next((found for pair in pairs if (found := known.between(*pair)) is not None), None)


def only_in(one: KeeperCandidate, kept: KeeperCandidate, relation: Relation | None) -> frozenset[LostNote]:
    """Return the notes that one file has and another lacks; what is not known yet does not count.

    Finer shades and transparency of a file that was made from the other one are no more than that had.
    """
    found = {
        note
        for note, has, lacks in (
            (LostNote.DATE, one.taken is not None, kept.taken is None),
            (LostNote.CAMERA, one.camera is not None, kept.camera is None),
            (LostNote.PLACE, bool(one.place), kept.place == ""),
        )
        if has and lacks
    }
    own, other = one.metadata, kept.metadata
    if own is not None and other is not None:
        found |= {note for note, name in _CARRIED.items() if getattr(own, name) and not getattr(other, name)}
        ends = {word.rpartition("|")[2].casefold() for word in other.keywords}
        if any(word.rpartition("|")[2].casefold() not in ends for word in own.keywords):
            found.add(LostNote.KEYWORDS)
        if relation is None or relation.second_made is not True:
            found |= {LostNote.DEPTH} if own.depth > other.depth else set()
            found |= {LostNote.TRANSPARENCY} if own.transparent and not other.transparent else set()
    return frozenset(found)


_CARRIED = {
    LostNote.RATING: "rating",
    LostNote.LABEL: "label",
    LostNote.TITLE: "title",
    LostNote.CAPTION: "caption",
    LostNote.FILM: "film",
    LostNote.GAIN_MAP: "gain_map",
}


def _alone(one: KeeperCandidate, kept: KeeperCandidate, leaving: Set[bytes]) -> tuple[SidecarFile, ...]:
    """Return the companions that only one photograph has; those shared with a picture that stays do not count."""
    there = {each.content for each in kept.beside}
    return tuple(each for each in one.beside if each.sharers <= leaving and each.content not in there)


def _in_order(keeper: KeeperCandidate, members: Iterable[GroupMember]) -> tuple[GroupMember, ...]:
    """Return the members as a walk of their tree: copies of a photograph first, then its versions, then its series."""

    def place(one: GroupMember) -> tuple[int, str, bytes, int]:
        return _ORDER[one.kind], one.photograph.taken or "", one.photograph.path, one.photograph.id

    below: dict[int, list[GroupMember]] = defaultdict(list)
    for one in sorted(members, key=place):
        below[one.of.id].append(one)

    def walk(photograph: KeeperCandidate) -> Iterator[GroupMember]:
        for one in below[photograph.id]:
            yield one
            yield from walk(one.photograph)

    return tuple(walk(keeper))


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

    def equals(self, other: Component) -> bool:
        """Return whether another has the same photographs, facts and relations."""
        return self is other or (self.photographs == other.photographs and self.relations == other.relations)


def with_companions(parts: Sequence[Component], progress: Progress = silent) -> list[Component]:
    """Add companions to the photographs of components that are copies of others; each folder is listed once."""
    surroundings, made = FolderListings(), []
    for at, part in enumerate(parts):
        progress(at, len(parts), Message("Looking at what lies beside the photos"))
        copied = _copied(part)
        beside = with_digests(
            [surroundings.of(one.path, one.taken) if one.content in copied else [] for one in part.photographs]
        )
        photographs = tuple(
            with_sidecars(replace(one, beside=its, file=status_of(one.path))) if one.content in copied else one
            for one, its in zip(part.photographs, beside, strict=True)
        )
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
