"""Results of a search, as ``--json`` writes them, in bands and stacks.

Bands are the same picture, very similar, similar, and the rest, of which only the first are shown at once. Stacks are
identical files, the same picture again, and series: one result that opens. What belongs together was found when
duplicates were compared; identical files are known by their content.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Literal, NamedTuple

from pydantic import Field

from twinlens.app.results import PhotographPath, Result
from twinlens.core.containers import DisjointSets
from twinlens.core.message import NOTHING, Message, counted, joined
from twinlens.features.copies import RelationKind

if TYPE_CHECKING:
    from twinlens.storage.library.store import Transaction


class GeometricCheck(Result):
    """Comparison of a result with the query, keypoint by keypoint."""

    confirmed: bool = Field(description="it is a match: a copy, an edited version or a part")
    score: float = Field(description="powers of ten by which more keypoints agree than by chance")
    inliers: int = Field(description="keypoints that agree")
    mirrored: bool = Field(description="it shows the query mirrored")
    inverted: bool = Field(description="it shows the query in negative")

    def how_same(self) -> Message:
        """Return how a match shows the query: as it is, mirrored, in negative, or both."""
        if self.mirrored:
            both = Message("same picture, mirrored, in negative")
            return both if self.inverted else Message("same picture, mirrored")
        return Message("same picture, in negative") if self.inverted else Message("same picture")


class ResultPhotograph(Result):
    """One photograph of a search's results."""

    path: PhotographPath
    id: int
    distance: float
    similarity: float
    query: bool = Field(default=False, description="it is the query itself")
    check: GeometricCheck | None = Field(default=None, description="None where it was not checked")
    stack: int | None = Field(
        default=None,
        description="id of the first result of its stack: identical files, the same picture again, or one series; "
        "None where it stands alone",
    )

    @property
    def is_match(self) -> bool:
        """Whether the check confirmed that it shows the same as the query."""
        return self.check is not None and self.check.confirmed


class SearchSeconds(Result):
    """Stopwatch of one search."""

    extract: float
    encode: float
    scan: float
    rerank: float
    check: float = Field(default=0.0, description="comparing the first results with the query, keypoint by keypoint")
    total: float


class Histogram(Result):
    """Histogram of the exact similarities of a fixed sample of photographs to a query."""

    counts: list[int] = Field(description="photographs of the sample in bins of equal width, from low to high")
    low: float
    high: float
    sample: int = Field(description="photographs in the sample; all that pass the filters where those are few")


class MissedPhotograph(Result):
    """One photograph of the exact first k that the search missed."""

    rank: int = Field(description="in the exact ranking, from 1")
    path: str
    id: int
    similarity: float


_LEVEL_WORDS = {
    "same picture": Message("same picture"),
    "very similar": Message("very similar"),
    "similar": Message("similar"),
}


class SimilarityLevels(Result):
    """The similarities from which photographs are called very similar, and similar, by one index."""

    very_similar: float = Field(description="about four fifths of the results from here on show the same kind of thing")
    similar: float = Field(description="about half of the results between here and very similar do")
    shows: Message = Field(
        default=NOTHING, description="what the results above very similar show, where the search is in words"
    )

    def of(self, photograph: ResultPhotograph) -> Literal["same picture", "very similar", "similar", "less similar"]:
        """Return how alike a result is."""
        if photograph.query or photograph.is_match:
            return "same picture"
        if photograph.similarity >= self.very_similar:
            return "very similar"
        return "similar" if photograph.similarity >= self.similar else "less similar"

    def words(self, photograph: ResultPhotograph) -> Message:
        """Return how alike a result is, for a person; empty where it is less similar. For words, how probable."""
        if self.shows:
            return Message("{probability:.0%}", probability=photograph.similarity)
        return _LEVEL_WORDS.get(self.of(photograph), NOTHING)

    def heading(self, band: str) -> Message:
        """Return the heading of a band by its name."""
        if self.shows:
            return self.shows if band == "very similar" else Message("Perhaps")
        return HEADINGS[band]


class ConfidenceThreshold(Result):
    """The distance up to which about a stated share of results is wrong, judged by the marked pairs."""

    wrong: float = Field(description="the share that was given")
    wrong_low: float = Field(description="lower end of that share's 90 % interval")
    wrong_high: float
    distance: float
    low: float = Field(description="lower end of the distance's 90 % interval")
    high: float
    similarity: float = Field(description="what the distance is as a similarity")
    kept: float = Field(description="share of the pairs marked similar within the distance")
    marks: int = Field(description="marked pairs that it was computed from")
    likeness: SimilarityLevels | None = Field(
        default=None, description="limits of the words by the same marks; None where these do not determine them"
    )

    def holds(self, distance: float) -> bool:
        """Return whether the distance of a result lies within it."""
        return distance <= self.distance + 5e-7  # distances of results are rounded

    def is_sure(self, photograph: ResultPhotograph) -> bool:
        """Return whether a result is a match or lies within the distance."""
        return photograph.is_match or self.holds(photograph.distance)

    def sentence(self) -> Message:
        """Return a sentence on the results within the distance."""
        return Message(
            "Based on your {marks} marks, about {wrong:.2g} % of these are wrong (between {low:.1f} and {high:.1f} %).",
            marks=self.marks,
            wrong=100 * self.wrong,
            low=100 * self.wrong_low,
            high=100 * self.wrong_high,
        )


class SearchResult(Result):
    """Results of one query in one index."""

    query: Message
    index: str
    text: str
    measure: Message = Field(description="by which the results are ordered")
    exact: bool
    hits: list[ResultPhotograph]
    seconds: SearchSeconds
    looked_at: int = Field(description="items whose exact measure was computed")
    scanned: int = Field(description="codes compared")
    probed: int = Field(0, description="buckets, or places of sorted lists, visited")
    of: int = Field(description="photographs in the index")
    overlap: float | None = Field(default=None, description="share of the exact first k among the results, on request")
    note: Message = NOTHING
    histogram: Histogram | None = None
    missed: list[MissedPhotograph] = Field(default_factory=list, description="of the exact first k, on request")
    exact_seconds: float | None = Field(default=None, description="that exact search took, on request")
    checked: int = Field(
        default=0, description="photographs whose keypoints were compared; not all are among the results"
    )
    unprepared: int = Field(
        default=0, description="photographs that should have been compared, but have no keypoints before adding is done"
    )
    threshold: ConfidenceThreshold | None = Field(
        default=None, description="up to which results are certain; None where there are too few marks"
    )
    likeness: SimilarityLevels | None = Field(
        default=None, description="None where the index's similarities have no words"
    )

    def noted(self, sentence: Message) -> SearchResult:
        """Return the result with a sentence added to its note."""
        return self.model_copy(update={"note": joined([self.note, sentence])}) if sentence else self

    def sure_only(self) -> SearchResult:
        """Return the certain results alone, with a note on how many were left out."""
        assert self.threshold is not None
        kept = [photograph for photograph in self.hits if self.threshold.is_sure(photograph)]
        gone = len(self.hits) - len(kept)
        return self.model_copy(update={"hits": kept}).noted(
            Message("Left out as uncertain: {gone} of the first {of}.", gone=gone, of=len(self.hits))
            if gone
            else NOTHING
        )

    def within(self) -> int:
        """Return the rank of the last certain result; 0 if none is certain but the query itself."""
        if self.threshold is None:
            return 0
        is_sure = self.threshold.is_sure
        return max(
            (rank for rank, photograph in enumerate(self.hits, 1) if is_sure(photograph) and not photograph.query),
            default=0,
        )

    def timing(self) -> Message:
        """Return the line with the milliseconds of each step, the photographs compared and the exact results found."""
        seconds = self.seconds
        known = seconds.extract == 0
        steps = [Message("extract known") if known else Message("extract {ms:,.1f}", ms=1000 * seconds.extract)]
        if not self.exact:
            steps.append(Message("encode {ms:,.1f}", ms=1000 * seconds.encode))
            steps.append(Message("scan {ms:,.1f}", ms=1000 * seconds.scan))
        steps.append(Message("re-rank {ms:,.1f}", ms=1000 * seconds.rerank))
        steps.append(Message("looked at {looked_at}", looked_at=self.looked_at))
        if self.checked:
            steps.append(Message("checked {checked} in {ms:,.1f}", checked=self.checked, ms=1000 * seconds.check))
        if self.overlap is not None:
            steps.append(
                Message("{overlap:.0%} of the exact first {first}", overlap=self.overlap, first=len(self.hits))
            )
        return counted(
            "{count} photo in {ms:,.1f} ms: {steps}",
            "{count} photos in {ms:,.1f} ms: {steps}",
            self.of,
            ms=1000 * seconds.total,
            steps=joined(steps, " · "),
        )


class SearchResults(Result):
    """Results of ``search``, one for each query and index."""

    results: list[SearchResult]


LEAST = 12
"""Results that are shown at least, if there are as many: people rather see a few too many."""

HEADINGS = {
    "same picture": Message("Same picture"),
    "very similar": Message("Very similar"),
    "similar": Message("Similar"),
    "less similar": Message("Less similar"),
}
_ORDER = tuple(HEADINGS)


class Stack(NamedTuple):
    """A result, and those that stand behind it."""

    first: ResultPhotograph
    more: list[ResultPhotograph]


class Band(NamedTuple):
    """Results that are alike in the same degree; without a name where the index's similarities have no words."""

    name: str
    heading: Message
    stacks: list[Stack]


def bands(result: SearchResult) -> list[Band]:
    """Return the bands of a result in order, without the query itself and without empty ones."""
    stacks = stacked([photograph for photograph in result.hits if not photograph.query])
    made: list[Band] = []
    for name, stack in zip(band_names(result.likeness, [stack.first for stack in stacks]), stacks, strict=True):
        if not made or made[-1].name != name:
            levels = result.likeness
            heading = HEADINGS.get(name, Message("Results")) if levels is None else levels.heading(name)
            made.append(Band(name, heading, []))
        made[-1].stacks.append(stack)
    return made


def band_names(limits: SimilarityLevels | None, photographs: Sequence[ResultPhotograph]) -> list[str]:
    """Return the name of the band of each of some results, in their order.

    The bands follow each other: a match below other results stays in the band of its place.
    """
    if limits is None:
        confirmed = [photograph.is_match for photograph in photographs]
        return ["same picture" if all(confirmed[: place + 1]) else "" for place in range(len(photographs))]
    return [
        _ORDER[place] for place in accumulate((_ORDER.index(limits.of(photograph)) for photograph in photographs), max)
    ]


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


def together(r: Transaction, contents: Mapping[int, bytes | None]) -> dict[int, int]:
    """Return the lowest id of what belongs together, by the ids of photographs that do not stand alone.

    Parameters
    ----------
    contents : mapping of int to bytes or None
        Content hashes of photographs by id.
    """
    known = sorted({one for one in contents.values() if one is not None})
    sets = DisjointSets[bytes]()
    if compared := r.comparisons.of(known):
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


def with_stacks(photographs: Sequence[ResultPhotograph], together: Mapping[int, int]) -> list[ResultPhotograph]:
    """Return results with their stacks; the query, and a result without others of its stack, stand alone."""
    members: dict[int, list[int]] = {}
    for photograph in photographs:
        if not photograph.query and photograph.id in together:
            members.setdefault(together[photograph.id], []).append(photograph.id)
    first = {one: some[0] for some in members.values() if len(some) > 1 for one in some}
    return [one.model_copy(update={"stack": first[one.id]}) if one.id in first else one for one in photographs]


def stacked(photographs: Sequence[ResultPhotograph]) -> list[Stack]:
    """Return the stacks of results in the order of their first ones; a result that stands alone is one, too."""
    made: dict[int, Stack] = {}
    for photograph in photographs:
        key = photograph.id if photograph.stack is None else photograph.stack
        if key in made:
            made[key].more.append(photograph)
        else:
            made[key] = Stack(photograph, [])
    return list(made.values())


def and_more(stack: Stack) -> Message:
    """Return how many results stand behind the first one of a stack."""
    return counted("and {count} more of this series", "and {count} more of this series", len(stack.more))
