"""What a person decides: which photographs are kept, and what are no duplicates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from app.duplicates.groups import Group
from app.library.library import Library
from app.results import shown
from storage.duplicates.comparisons import RefusedRow

Choices = Mapping[int, bool | None]
"""Photographs, and whether to keep them; None leaves it to the rules."""

Refused = Sequence[RefusedRow]


def choose(library: Library, choices: Choices) -> dict[int, bool | None]:
    """Keep what a person chose, and return what was chosen for these photographs before."""
    with library.store.writing("choosing what to keep") as w:
        before = w.comparisons.choices()
        for keep in (True, False, None):
            w.comparisons.choose([one for one, chosen in choices.items() if chosen is keep], keep)
    return {one: before.get(one) for one in choices}


def refuse(library: Library, group: Group) -> list[RefusedRow]:
    """Keep that the photographs of a group are no duplicates of each other; identical files stay so."""
    names: dict[bytes, str] = {}
    for one in (group.keeper, *(member.photograph for member in group.members)):
        names.setdefault(one.content, shown(one.path))
    rows = [RefusedRow(*pair, names[pair[0]], names[pair[1]]) for pair in combinations(names, 2)]
    with library.store.writing("keeping what are no duplicates") as w:
        w.comparisons.refuse(rows)
    return rows


def take_back(library: Library, rows: Refused) -> None:
    """Let pairs be duplicates again."""
    with library.store.writing("taking back what were no duplicates") as w:
        w.comparisons.take_back([(row.first, row.second) for row in rows])


def refuse_again(library: Library, rows: Refused) -> None:
    """Keep again that pairs are no duplicates."""
    with library.store.writing("keeping what are no duplicates") as w:
        w.comparisons.refuse(rows)


def refused(library: Library) -> list[RefusedRow]:
    """List the pairs that are no duplicates, the latest first."""
    with library.store.reading() as r:
        return r.comparisons.refused()
