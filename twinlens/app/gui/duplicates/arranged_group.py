"""Groups as they stand on the page: a decision changes what becomes of a photograph, never where it stands.

A group is arranged once, when it comes to the page: the kept file, and beside it the files of the same picture, what
was made from it, and its series. The arrangement stays until the page is opened anew, the rules change, or photographs
come or go.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from twinlens.app.duplicates.duplicates import Duplicates
from twinlens.app.duplicates.grouping import by_copies
from twinlens.app.duplicates.groups import DuplicateKind, GroupFilter, GroupMember, PhotoGroup
from twinlens.app.duplicates.keeper_rules import YOUR_CHOICE, KeeperCandidate


class SectionKind(StrEnum):
    """The relation of the photographs of a section to the kept one of their group."""

    SAME = "same"
    RAW = "raw"
    MADE = "made"
    SERIES = "series"


_SECTION_OF = {
    DuplicateKind.RAW: SectionKind.RAW,
    DuplicateKind.EDITED: SectionKind.MADE,
    DuplicateKind.SERIES: SectionKind.SERIES,
}


@dataclass(frozen=True)
class GroupSection:
    """A section of a group.

    Attributes
    ----------
    first, count : int
        Its tiles: the place of the first one in the group, and how many.
    """

    kind: SectionKind
    first: int
    count: int

    @property
    def places(self) -> range:
        """The places of its tiles in the group."""
        return range(self.first, self.first + self.count)


@dataclass(frozen=True)
class ArrangedGroup:
    """A group on the page.

    Attributes
    ----------
    arranged : PhotoGroup
        The group as it came to the page: the places.
    decided : tuple of PhotoGroup
        The groups in which its photographs are now; empty for the same one.
    """

    arranged: PhotoGroup
    decided: tuple[PhotoGroup, ...] = ()

    @property
    def now(self) -> tuple[PhotoGroup, ...]:
        """The groups in which its photographs are now."""
        return self.decided or (self.arranged,)

    @property
    def group(self) -> PhotoGroup:
        """The group as it is decided now: that of most of its photographs."""
        return max(self.now, key=lambda one: len(one.members))

    @cached_property
    def _now(self) -> dict[int, tuple[KeeperCandidate, GroupMember | None]]:
        found: dict[int, tuple[KeeperCandidate, GroupMember | None]] = {}
        for one in self.now:
            found[one.keeper.id] = one.keeper, None
            found |= {each.photograph.id: (each.photograph, each) for each in one.members}
        return found

    @cached_property
    def sections(self) -> tuple[GroupSection, ...]:
        """The sections, in the order in which they are shown."""
        made, first = [], 1
        for kind in SectionKind:
            count = len(self._by_section[kind])
            if count:
                made.append(GroupSection(kind, first, count))
            first += count
        return tuple(made)

    @cached_property
    def _by_section(self) -> dict[SectionKind, list[int]]:
        """The ids of the members by sections: each stands where the one stands to which it belongs."""
        found: dict[SectionKind, list[int]] = {kind: [] for kind in SectionKind}
        where: dict[int, SectionKind] = {}
        for one in self.arranged.members:
            own = _SECTION_OF.get(one.kind, SectionKind.SAME)
            where[one.photograph.id] = where.get(one.of.id, own)
            found[where[one.photograph.id]].append(one.photograph.id)
        return found

    @cached_property
    def ids(self) -> tuple[int, ...]:
        """The ids of the photographs, as they are shown."""
        return (self.arranged.keeper.id, *(one for kind in SectionKind for one in self._by_section[kind]))

    @cached_property
    def photographs(self) -> tuple[KeeperCandidate, ...]:
        """The photographs, as they are shown."""
        as_it_came = {one.id: one for one in self.arranged.photographs}
        return tuple(self._now[one][0] if one in self._now else as_it_came[one] for one in self.ids)

    def member(self, place: int) -> GroupMember | None:
        """Return what a photograph is now beside the one that is kept; None for the kept one, or one alone."""
        return self._now.get(self.ids[place], (None, None))[1]

    def keeps(self, place: int) -> bool:
        """Return whether a photograph is the one that is kept."""
        return any(self.ids[place] == one.keeper.id for one in self.now)

    def goes(self, place: int) -> bool:
        """Return whether a photograph is to go."""
        member = self.member(place)
        return member is not None and member.goes

    @cached_property
    def gain(self) -> tuple[int, bytes]:
        """Its place among others by what its copies take, whatever is decided."""
        return by_copies(self.arranged)

    @property
    def led_by_choice(self) -> bool:
        """Whether a person chose the photograph that stands first."""
        return self.arranged.reasons == (YOUR_CHOICE,)

    @property
    def staying(self) -> int:
        """Count the photographs that stay."""
        return sum(not self.goes(place) for place in range(len(self.ids)))

    def is_as(self, other: ArrangedGroup) -> bool:
        """Return whether as many pictures stay as in another arrangement, and its members are what they were."""
        both = self._now.keys() & other._now.keys()
        kinds = ((self._now[one][1], other._now[one][1]) for one in both)
        return len(self.now) == len(other.now) and all(a.kind is b.kind for a, b in kinds if a and b)

    def passes(self, wanted: GroupFilter) -> bool:
        """Return whether it passes a filter, as it came or as it is now: a decision takes none away."""
        return wanted.passes(self.arranged) or any(wanted.passes(one) for one in self.decided)


def arrange(found: Duplicates, before: Duplicates | None, standing: Sequence[ArrangedGroup]) -> list[ArrangedGroup]:
    """Arrange the groups of a library; those that have stood stay as they stand, as far as they are the same.

    Without what was found before, or by other rules, all are arranged anew; and where comparing more photographs, and
    no decision, made them something else to each other.
    """
    if before is None or before.rules != found.rules:
        as_they_came = {id(one.arranged): one for one in standing if not one.decided}
        return [as_they_came.get(id(one)) or ArrangedGroup(one) for one in found.groups]
    of = {one.id: group for group in found.groups for one in group.photographs}
    there = {one.id for part, _ in found.parts for one in part.photographs}
    changed = {content for pair in set(before.decided.refused) ^ set(found.decided.refused) for content in pair}
    held: set[int] = set()
    made = []
    for one in standing:
        groups = tuple({id(of[each]): of[each] for each in one.ids if each in of}.values())
        if groups and there.issuperset(one.ids) and _of_one(one, groups, changed):
            same = len(groups) == len(one.now) and all(map(operator.is_, groups, one.now))
            now = one if same else ArrangedGroup(one.arranged, groups)
            if before.decided != found.decided or now.is_as(one):
                held.update(one.ids)
                made.append(now)
    return [*made, *(ArrangedGroup(one) for one in found.groups if one.keeper.id not in held)]


def _of_one(one: ArrangedGroup, groups: Sequence[PhotoGroup], changed: set[bytes]) -> bool:
    """Return whether groups have no photographs but those of an arranged one, and nothing of it was set apart."""
    ids = set(one.ids)
    return all(each.id in ids for group in groups for each in group.photographs) and (
        not changed or not any(each.content in changed for each in one.photographs)
    )


class GroupOrder(StrEnum):
    """An order of groups on the page."""

    GAIN = "gain"
    FOLDER = "folder"
    DATE = "date"
    NAME = "name"


def in_order(groups: Sequence[ArrangedGroup], order: GroupOrder) -> list[ArrangedGroup]:
    """Sort groups by what they were when they came."""

    def key(one: ArrangedGroup) -> tuple[object, ...]:
        if order is GroupOrder.GAIN:
            return one.gain
        kept = one.arranged.keeper
        folder, _, name = kept.path.rpartition(b"/")
        if order is GroupOrder.FOLDER:
            return folder.lower(), name.lower()
        if order is GroupOrder.DATE:
            return kept.taken is None, kept.taken or "", kept.path
        return name.lower(), folder

    return sorted(groups, key=key)
