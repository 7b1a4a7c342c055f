"""Results of a search, as ``--json`` writes them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from app.results import Result
from core.message import NOTHING, Message, counted, joined


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

    path: str
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

    rank: int = Field(description="in the exact answer, from 1")
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

    def of(self, hit: ResultPhotograph) -> Literal["same picture", "very similar", "similar", "less similar"]:
        """Return how alike a result is."""
        if hit.query or (hit.check is not None and hit.check.confirmed):
            return "same picture"
        if hit.similarity >= self.very_similar:
            return "very similar"
        return "similar" if hit.similarity >= self.similar else "less similar"

    def words(self, hit: ResultPhotograph) -> Message:
        """Return how alike a result is, for a person; empty where it is less similar."""
        return _LEVEL_WORDS.get(self.of(hit), NOTHING)


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
        default=None, description="limits of the words by the same marks; None where these do not tell them"
    )

    def holds(self, distance: float) -> bool:
        """Return whether the distance of a result lies within it."""
        return distance <= self.distance + 5e-7  # hits are rounded

    def is_sure(self, hit: ResultPhotograph) -> bool:
        """Return whether a result is a match or lies within the distance."""
        return (hit.check is not None and hit.check.confirmed) or self.holds(hit.distance)

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
    measure: Message = Field(description="by which the hits are ordered")
    exact: bool
    hits: list[ResultPhotograph]
    seconds: SearchSeconds
    looked_at: int = Field(description="items whose exact measure was computed")
    scanned: int = Field(description="codes compared")
    probed: int = Field(0, description="buckets, or places of sorted lists, visited")
    of: int = Field(description="photographs in the index")
    overlap: float | None = Field(default=None, description="share of the exact first k among the hits, when asked for")
    note: Message = NOTHING
    histogram: Histogram | None = None
    missed: list[MissedPhotograph] = Field(default_factory=list, description="of the exact first k, when asked for")
    exact_seconds: float | None = Field(default=None, description="that the exact answer took, when asked for")
    checked: int = Field(default=0, description="photographs whose keypoints were compared; not all are among the hits")
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
        kept = [hit for hit in self.hits if self.threshold.is_sure(hit)]
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
        return max((rank for rank, hit in enumerate(self.hits, 1) if is_sure(hit) and not hit.query), default=0)

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
