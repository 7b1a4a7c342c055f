"""Decisions of a person: photographs to keep, and groups that are no duplicates."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

from app.duplicates.groups import PhotoGroup
from app.duplicates.keeper_rules import Fate
from app.library.library import Library
from app.results import shown
from storage.duplicates.comparisons import RefusedRow
from storage.library.transaction import Transaction

Choices = Mapping[int, Fate | None]
"""Photographs, and what a person decides of them; None leaves it to the rules."""

Refused = Sequence[RefusedRow]


def keep_choices(library: Library, choices: Choices) -> dict[int, Fate | None]:
    """Keep what a person chose, and return what was chosen for these photographs before.

    One that was moved away and is back may be named by the id that it had then; one that is away is passed over.
    """
    with library.store.writing("choosing what to keep") as w:
        before, now = fates(w), _present(w, choices)
        for fate in (*Fate, None):
            w.comparisons.choose([now[one] for one, chosen in choices.items() if chosen is fate and one in now], fate)
    return {one: before.get(now.get(one, one)) for one in choices}


def _present(r: Transaction, photographs: Collection[int]) -> dict[int, int]:
    """Return the ids that photographs have now, by those that they had."""
    found = {row.id: row.id for row in r.photographs.by_id(list(photographs))}
    gone = [one for one in photographs if one not in found]
    for row in r.disposals.came_back(gone) if gone else ():
        there = r.photographs.by_path(row.volume_id, row.path)
        if there is not None:
            found[row.known["photograph"]] = there.id
    return found


def fates(r: Transaction) -> dict[int, Fate]:
    """Return what was decided of photographs."""
    return {one: Fate(choice) for one, choice in r.comparisons.choices().items()}


def refuse_groups(library: Library, group: PhotoGroup) -> list[RefusedRow]:
    """Keep that the photographs of a group are no duplicates of each other; identical files stay so."""
    names: dict[bytes, str] = {}
    for one in (group.keeper, *(member.photograph for member in group.members)):
        names.setdefault(one.content, shown(one.path))
    rows = [RefusedRow(*pair, names[pair[0]], names[pair[1]]) for pair in combinations(names, 2)]
    with library.store.writing("keeping what are no duplicates") as w:
        w.comparisons.refuse(rows)
    return rows


def take_back_refusals(library: Library, rows: Refused) -> None:
    """Let pairs be duplicates again."""
    with library.store.writing("taking back what were no duplicates") as w:
        w.comparisons.take_back([(row.first, row.second) for row in rows])


def refuse_again(library: Library, rows: Refused) -> None:
    """Keep again that pairs are no duplicates."""
    with library.store.writing("keeping what are no duplicates") as w:
        w.comparisons.refuse(rows)


def refused_pairs(library: Library) -> list[RefusedRow]:
    """List the pairs that are no duplicates, the latest first."""
    with library.store.reading() as r:
        return r.comparisons.refused()
