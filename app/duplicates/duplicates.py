"""Duplicates: what is new is compared, then groups are made of all that is known, by the rules that a person chose."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.duplicates.candidates import MOST_NEIGHBOURS, NEIGHBOURS
from app.duplicates.comparing import compare, read
from app.duplicates.decisions import fates
from app.duplicates.difference_words import differences
from app.duplicates.disposal_plan import Choice
from app.duplicates.groups import Group, Known, Member, Note, Pair, Sort, group
from app.duplicates.keeper_rules import Candidate, Rules, saved_rules
from app.duplicates.kept_folders import stays
from app.duplicates.neighbours import ALL_MEASURED
from app.duplicates.results import DuplicateGroup, DuplicateMember, DuplicatesResult, KeptPhotograph
from app.indexes.default_index import DEFAULT
from app.library.library import Library
from app.results import shown
from core.errors import Remedy, TwinlensError
from core.message import NOTHING, Message, counted
from core.progress import Progress, silent
from features.copies.relation import Relation
from storage.database.schema import State
from storage.library.transaction import Transaction
from storage.photographs.filters import Filter


@dataclass(frozen=True)
class Duplicates:
    """All groups of a library.

    Attributes
    ----------
    groups : tuple of Group
    rules : Rules
    of : int
        Photographs of the library.
    bounds : tuple of Message
        What was not compared; empty where all was.
    """

    groups: tuple[Group, ...]
    rules: Rules
    of: int
    bounds: tuple[Message, ...] = ()
    photographs: Sequence[Candidate] = ()
    relations: Mapping[Pair, Relation] = field(default_factory=dict)

    def count(self, sort: Sort) -> int:
        """Count the groups with photographs of a sort."""
        return sum(sort in one.sorts for one in self.groups)

    @property
    def going(self) -> tuple[Member, ...]:
        """The photographs that are proposed to go."""
        return tuple(one for each in self.groups for one in each.going)

    @property
    def bytes(self) -> int:
        """Of the files that are proposed to go."""
        return sum(one.photograph.bytes for one in self.going)

    @property
    def undecided(self) -> int:
        """Count the groups in which nothing tells which copy to keep."""
        return sum(one.undecided for one in self.groups)


def choices(groups: Iterable[Group], sorts: Collection[Sort] = ()) -> list[Choice]:
    """Return what is proposed to go, with what is kept in its place; of some sorts, or of all."""
    return [
        Choice(one.photograph.id, one.of.id, one.sort.value)
        for each in groups
        for one in each.going
        if not sorts or one.sort in sorts
    ]


def known_duplicates(library: Library, rules: Rules | None = None, folder: Path | None = None) -> Duplicates:
    """Make groups of what has been compared so far.

    Parameters
    ----------
    library : Library
    rules : Rules, optional
        By default those that the library keeps.
    folder : Path, optional
        Only groups with a photograph in this folder.
    """
    with library.store.reading() as r:
        rules = saved_rules(r) if rules is None else rules
        photographs = _candidates(library, r)
        relations = {(row.first, row.second): read(row) for row in r.comparisons.related()}
        known = _decided(r, relations)
        bounds = _bounds(len({one.content for one in photographs}), r.comparisons.crowded())
    groups = group(photographs, known, rules)
    if folder is not None:
        within = str(folder.expanduser().absolute()).encode("utf-8", "surrogateescape").rstrip(b"/") + b"/"
        groups = [one for one in groups if any(each.path.startswith(within) for each in _photographs(one))]
    return Duplicates(tuple(groups), rules, len(photographs), bounds, photographs, relations)


def decided_again(library: Library, found: Duplicates) -> Duplicates:
    """Make all groups anew after a person decided something; what was compared, and the photographs, are as before."""
    with library.store.reading() as r:
        rules, known = saved_rules(r), _decided(r, found.relations)
    return replace(found, groups=tuple(group(found.photographs, known, rules)), rules=rules)


def _decided(r: Transaction, relations: Mapping[Pair, Relation]) -> Known:
    return Known(relations, {(row.first, row.second) for row in r.comparisons.refused()}, fates(r))


def _bounds(pictures: int, crowded: int) -> tuple[Message, ...]:
    """Say what was not compared among so many pictures, with so many that have too many like them."""
    made = []
    if pictures > ALL_MEASURED:
        made.append(
            Message(
                "Each photo is compared with the {count} most similar ones, and with more where all of these match.",
                count=NEIGHBOURS,
            )
        )
    if crowded:
        made.append(
            counted(
                "{count} photo has more than {most} similar ones. It was compared with the nearest only.",
                "{count} photos have more than {most} similar ones. They were compared with the nearest only.",
                crowded,
                most=MOST_NEIGHBOURS,
            )
        )
    return tuple(made)


def _photographs(one: Group) -> list[Candidate]:
    return [one.keeper, *(member.photograph for member in one.members)]


def _candidates(library: Library, r: Transaction) -> list[Candidate]:
    """List the photographs that can be kept or let go."""
    ids = r.photographs.matching(Filter(states=(State.READY,)))
    rows, stay = r.photographs.by_id(ids), stays(r, ids)
    staying = set(ids[stay].tolist())
    notes = r.camera_notes.all()
    return [
        Candidate(
            row.id,
            row.content_hash,
            path,
            row.width or 0,
            row.height or 0,
            row.size,
            row.format or "",
            row.taken,
            row.camera,
            row.mtime_ns,
            row.id in staying,
            notes[row.content_hash].place if row.content_hash in notes else None,
        )
        for row, path in zip(rows, library.paths(r, rows), strict=True)
        if row.content_hash is not None
    ]


def find_duplicates(
    library: Library,
    index: str = DEFAULT,
    rules: Rules | None = None,
    folder: Path | None = None,
    sorts: Collection[Sort] = (),
    progress: Progress = silent,
) -> DuplicatesResult:
    """Compare what is new in a library, and list its groups of duplicates.

    Parameters
    ----------
    library : Library
    index : str
        Index that proposes pairs; by default the default one.
    rules : Rules, optional
        By which photographs are kept; by default those that the library keeps.
    folder : Path, optional
        Only groups with a photograph in this folder.
    sorts : collection of Sort
        Only groups with photographs of these sorts; empty for all.
    progress : Progress

    Raises
    ------
    TwinlensError
        If the library has no photographs, or there is no such index.
    Cancelled
        If progress says so; what was found is kept.
    """
    started = time.perf_counter()
    compared = compare(library, index, progress)
    made = listed(library, rules, folder, sorts)
    if not made.of:
        raise TwinlensError(Message("The library has no photos yet."), Remedy("add folder"))
    return made.model_copy(update={"compared": compared, "seconds": time.perf_counter() - started})


def listed(
    library: Library, rules: Rules | None = None, folder: Path | None = None, sorts: Collection[Sort] = ()
) -> DuplicatesResult:
    """List the groups of what has been compared so far; parameters are those of :func:`find_duplicates`."""
    found = known_duplicates(library, rules, folder)
    return result_of(found, [one for one in found.groups if not sorts or one.sorts & set(sorts)])


def result_of(found: Duplicates, groups: Sequence[Group]) -> DuplicatesResult:
    """List some groups of those that were found."""
    going = [one for each in groups for one in each.going]
    return DuplicatesResult(
        of=found.of,
        compared=0,
        rules=found.rules.text(),
        groups=[_listed(one) for one in groups],
        counts={sort.value: sum(sort in one.sorts for one in groups) for sort in Sort},
        copies=len(going),
        bytes=sum(one.photograph.bytes for one in going),
        undecided=sum(one.undecided for one in groups),
        bounds=list(found.bounds),
        seconds=0.0,
    )


def _listed(one: Group) -> DuplicateGroup:
    return DuplicateGroup(
        keeper=KeptPhotograph(**_facts(one.keeper)),
        reason=reason(one),
        warning=warning(one),
        undecided=one.undecided,
        lacking=sorted(one.lacking),
        members=[
            DuplicateMember(
                **_facts(member.photograph),
                sort=member.sort.value,
                of=member.of.id,
                differs=differences(member.relation),
                goes=member.goes,
                only_here=sorted(member.only_here),
            )
            for member in one.members
        ],
    )


def _facts(one: Candidate) -> dict[str, object]:
    return {
        "path": shown(one.path),
        "id": one.id,
        "width": one.width,
        "height": one.height,
        "bytes": one.bytes,
        "format": one.format,
        "taken": one.taken,
        "camera": one.camera,
    }


def warning(one: Group) -> Message:
    """Say what is lost with the copies of a group that are to be removed."""
    lost = {note for member in one.going for note in member.only_here}
    if lost == {Note.DATE}:
        return Message("Only a copy to be removed has the date.")
    if lost == {Note.PLACE}:
        return Message("Only a copy to be removed has the place.")
    return Message("Only copies to be removed have the date and place.") if lost else NOTHING


def reason(one: Group) -> Message:
    """Say why a group keeps its photograph."""
    if not one.sorts & {Sort.IDENTICAL, Sort.SAME}:
        return Message("No copies here, so nothing is removed.")
    if one.undecided:
        return Message("Equally good copies: choose which one to keep.")
    if one.reasons:
        first, *others = one.reasons
        if others:
            return Message("Kept: {first}, {second}.", first=first, second=others[0])
        return Message("Kept: {first}.", first=first)
    return Message("Identical files: it does not matter which one is kept.") if Sort.IDENTICAL in one.sorts else NOTHING
