"""Bands of results: same picture, very similar, similar, and the rest, of which only the first are shown at once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from app.search.results import ResultPhotograph, SearchResult, SimilarityLevels
from app.search.stacks import Stack, stacked
from core.message import Message

LEAST = 12
"""Results that are shown at least, if there are as many: people rather see a few too many."""

HEADINGS = {
    "same picture": Message("Same picture"),
    "very similar": Message("Very similar"),
    "similar": Message("Similar"),
    "less similar": Message("Less similar"),
}
_ORDER = tuple(HEADINGS)


class Band(NamedTuple):
    """Results that are alike in the same degree; without a name where the index's similarities have no words."""

    name: str
    stacks: list[Stack]

    @property
    def heading(self) -> Message:
        """Its name for people."""
        return HEADINGS.get(self.name, Message("Results"))


def bands(result: SearchResult) -> list[Band]:
    """Return the bands of a result in order, without the query itself and without empty ones."""
    stacks = stacked([hit for hit in result.hits if not hit.query])
    made: list[Band] = []
    for name, stack in zip(band_names(result.likeness, [stack.first for stack in stacks]), stacks, strict=True):
        if not made or made[-1].name != name:
            made.append(Band(name, []))
        made[-1].stacks.append(stack)
    return made


def band_names(limits: SimilarityLevels | None, hits: Sequence[ResultPhotograph]) -> list[str]:
    """Return the name of the band of each of some hits, in their order.

    The bands follow each other: a match that is found below others stays in the band of its place.
    """
    if limits is None:
        confirmed = [hit.check is not None and hit.check.confirmed for hit in hits]
        return ["same picture" if all(confirmed[: place + 1]) else "" for place in range(len(hits))]
    return [_ORDER[place] for place in accumulate((_ORDER.index(limits.of(hit)) for hit in hits), max)]


def unfolded_count(names: Sequence[str]) -> int:
    """Return how many results are shown at once, given the band of each: those that are alike, and :data:`LEAST`."""
    return max(min(LEAST, len(names)), sum(name != "less similar" for name in names))


def band_summary(result: SearchResult) -> Message:
    """Return a sentence with the size of each band; stacks count as one."""
    count = {band.name: len(band.stacks) for band in bands(result)}
    if result.likeness is None:
        return Message("Ranked by {measure}, among {of} photos.", measure=result.measure, of=result.of)
    return Message(
        "{same} the same picture, {very} very similar, {similar} similar, among {of} photos.",
        same=count.get("same picture", 0),
        very=count.get("very similar", 0),
        similar=count.get("similar", 0),
        of=result.of,
    )
