"""Stacks of results: identical files, the same picture again, and series are one result that opens.

What belongs together was found when duplicates were compared; identical files are known by their content.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from app.search.results import ResultPhotograph
from core.arithmetic.disjoint_sets import DisjointSets
from core.message import Message, counted

if TYPE_CHECKING:
    from storage.library.transaction import Transaction


class Stack(NamedTuple):
    """A result, and those that stand behind it."""

    first: ResultPhotograph
    more: list[ResultPhotograph]


def together(r: Transaction, contents: Mapping[int, bytes | None]) -> dict[int, int]:
    """Return the lowest id of what belongs together, by the ids of photographs that do not stand alone.

    Parameters
    ----------
    r : Transaction
    contents : mapping of int to bytes or None
        Content hashes of photographs by id.
    """
    known = sorted({one for one in contents.values() if one is not None})
    sets = DisjointSets[bytes]()
    if compared := r.comparisons.of(known):
        from features.copies.relation import RelationKind  # slow, and nothing needs it where nothing was compared

        kinds = {RelationKind.SAME.value, RelationKind.SIMILAR.value}
        refused = {(row.first, row.second) for row in r.comparisons.refused()}
        for row in compared:
            if row.kind in kinds and (row.first, row.second) not in refused:
                sets.join(row.first, row.second)
    groups: dict[bytes, list[int]] = {}
    for photograph, content in contents.items():
        if content is not None:
            groups.setdefault(sets.head(content), []).append(photograph)
    return {one: min(some) for some in groups.values() if len(some) > 1 for one in some}


def with_stacks(hits: Sequence[ResultPhotograph], together: Mapping[int, int]) -> list[ResultPhotograph]:
    """Return hits with their stacks; the query and what is beside no other hit of its stack stand alone."""
    members: dict[int, list[int]] = {}
    for hit in hits:
        if not hit.query and hit.id in together:
            members.setdefault(together[hit.id], []).append(hit.id)
    first = {one: some[0] for some in members.values() if len(some) > 1 for one in some}
    return [hit.model_copy(update={"stack": first[hit.id]}) if hit.id in first else hit for hit in hits]


def stacked(hits: Sequence[ResultPhotograph]) -> list[Stack]:
    """Return the stacks of hits in the order of their first ones; a hit that stands alone is one, too."""
    made: dict[int, Stack] = {}
    for hit in hits:
        key = hit.id if hit.stack is None else hit.stack
        if key in made:
            made[key].more.append(hit)
        else:
            made[key] = Stack(hit, [])
    return list(made.values())


def and_more(stack: Stack) -> Message:
    """Return how many results stand behind the first one of a stack."""
    return counted("and {count} more of this series", "and {count} more of this series", len(stack.more))
