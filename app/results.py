"""Results of the commands, one pydantic model each. ``--json`` prints it, and its schema stands in the reference.

Those of bench, tune, metric and duplicates have files of their own beside this one.

Paths are text here; bytes that are no valid text are shown with the replacement character, and the id names the
photograph exactly.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from core.message import NOTHING, Message, counted, joined


def shown(path: bytes) -> str:
    """Write a path so that every terminal and JSON reader can take it."""
    return os.fsdecode(path).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


class Result(BaseModel):
    """Base of the results: frozen, nothing unnamed.

    A message stands in a document as its English text, and beside it, under the field's name and ``_message``
    (``_messages`` for a list), as its template and values.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)  # a command builds only what it gives

    @model_serializer(mode="wrap")
    def _with_templates(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        made: dict[str, Any] = handler(self)
        for name in _messages(type(self)):
            value = getattr(self, name)
            if isinstance(value, Message):
                made[f"{name}_message"] = value.as_data()
            elif isinstance(value, list | tuple):
                made[f"{name}_messages"] = [one.as_data() for one in value]
        return made

    @model_validator(mode="before")
    @classmethod
    def _from_templates(cls, values: Any) -> Any:
        names = _messages(cls)
        if not names or not isinstance(values, Mapping):
            return values
        made = dict(values)
        for name in names:
            for beside in (f"{name}_message", f"{name}_messages"):
                if beside in made:
                    made[name] = made.pop(beside)
        return made


@cache
def _messages(result: type[Result]) -> tuple[str, ...]:
    """Return the names of the fields that hold messages."""
    return tuple(name for name, field in result.model_fields.items() if _holds_message([field.annotation]))


def _holds_message(kinds: Any) -> bool:
    return any(kind is Message or _holds_message(get_args(kind)) for kind in kinds)


class AddResult(Result):
    """Of ``add`` and ``rescan``."""

    found: int = Field(description="photographs under the folders")
    added: int = Field(description="photographs that are new")
    changed: int = Field(description="photographs whose file had changed")
    moved: int = Field(description="photographs recognised by content at a new place")
    removed: int = Field(description="photographs whose file has vanished; kept and marked missing")
    problems: int = Field(description="files that could not be read in this run")
    passed_over: int = Field(description="files that are no pictures")
    seconds: float
    photographs_per_second: float
    cancelled: bool = Field(default=False, description="stopped before the end; what was done is kept")
    pending: int = Field(default=0, description="photographs that are still to be read; adding again goes on")
    to_prepare: int = Field(
        default=0, description="photographs that can be searched, but not compared point by point yet; rescan goes on"
    )
    offline: list[str] = Field(default_factory=list, description="folders whose volume is not there")
    not_used: list[Message] = Field(default_factory=list, description="machines of a cluster that differ, and how")
    read_here: int = Field(default=0, description="photographs that the cluster could not reach, read on this machine")


class WorkerResult(Result):
    """Of ``worker``."""

    scheduler: str = Field(description="its address")
    photographs: int = Field(description="files read for it")
    scheduler_gone: bool = Field(description="whether the scheduler ended, and not the person")


class ForgetResult(Result):
    """Of ``forget``."""

    folder: str
    photographs: int = Field(description="photographs taken out of the library; the files are untouched")


class IndexStatus(Result):
    """One index in ``status`` and ``index list``."""

    name: str
    text: str = Field(description="descriptor · metric · method · search, in text form; the metric where it has one")
    descriptor: str = Field(description="in text form")
    automatic: bool
    photographs: int = Field(description="photographs that it can find")
    waiting: int = Field(description="photographs that still lack its descriptor or code")
    fitted_on: int | None = Field(description="photographs it was fitted on; None: not yet, answers are exact")
    bits: int | None
    bytes: int = Field(description="of its codes and its model")
    note: Message = NOTHING
    metric: str | None = Field(default=None, description="by which it measures: a name, or what is fitted with it")
    default: bool = Field(default=False, description="it answers where none is named")
    words: bool = Field(default=False, description="it can be searched with words")


class ClusterStatus(Result):
    """A cluster that reads photographs of a library now."""

    address: str = Field(description="of its scheduler, or local:N for N processes of the machine that uses it")
    by: str = Field(description="which program uses it: its process, machine, and since when")


class StatusResult(Result):
    """Of ``status``."""

    library: str
    server: str | None = Field(default=None, description="the hosts that answer; None where the library is a file")
    cluster: ClusterStatus | None = Field(default=None, description="that reads its photographs now; None for none")
    writable: bool = Field(default=True, description="false where it can only be read")
    photographs: int
    pending: int
    to_prepare: int = Field(
        default=0, description="photographs that can be searched, but not compared point by point yet; rescan goes on"
    )
    problems: int
    missing: int
    passed_over: int
    folders: list[FolderStatus]
    indexes: list[IndexStatus]
    bytes: int = Field(description="of the library file, or of its tables")
    bytes_thumbnails: int


class FolderStatus(Result):
    """One folder in ``status``."""

    path: str
    photographs: int
    present: bool = Field(description="whether its volume is there now")
    excludes: list[str]


class Problem(Result):
    """One file that could not be read."""

    path: str
    reason: Message
    next_step: Message
    since: str
    attempts: int
    ignored: bool = False


class ProblemsResult(Result):
    """Of ``problems``."""

    problems: list[Problem]
    retried: int = 0
    mended: int = 0
    passed_over: list[str] | None = Field(
        default=None, description="paths of the files that are no pictures, where they were asked for"
    )


class CheckResult(Result):
    """Of ``check``."""

    library: str
    findings: list[Message] = Field(description="a sentence or two each; empty where all is well")
    unprotected: int = Field(
        default=0, description="rows of an older library without a checksum yet; they can be decoded"
    )
    sentences: list[Message] = Field(default_factory=list, description="the findings without what to do about them")
    repairable: int = Field(default=0, description="findings that `--repair` mends")
    repaired: list[Message] = Field(default_factory=list, description="what was mended, a sentence each")
    kept: str | None = Field(default=None, description="where the library lies as it was before the repair")


class FileResult(Result):
    """Of ``backup``, ``restore`` and ``copy``."""

    file: str = Field(description="or the address of a server, without a password")
    photographs: int
    bytes: int
    kept: str | None = Field(default=None, description="where the library that was replaced lies now")


class IndexListResult(Result):
    """Of ``index list``, and of what changes an index."""

    indexes: list[IndexStatus]


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


class Hit(Result):
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


class Seconds(Result):
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


class Missed(Result):
    """One photograph of the exact first k that the search missed."""

    rank: int = Field(description="in the exact answer, from 1")
    path: str
    id: int
    similarity: float


_HOW_ALIKE = {
    "same picture": Message("same picture"),
    "very similar": Message("very similar"),
    "similar": Message("similar"),
}


class Likeness(Result):
    """The similarities from which photographs are called very similar, and similar, by one index."""

    very_similar: float = Field(description="about four fifths of the results from here on show the same kind of thing")
    similar: float = Field(description="about half of the results between here and very similar do")

    def of(self, hit: Hit) -> Literal["same picture", "very similar", "similar", "less similar"]:
        """Return how alike a result is."""
        if hit.query or (hit.check is not None and hit.check.confirmed):
            return "same picture"
        if hit.similarity >= self.very_similar:
            return "very similar"
        return "similar" if hit.similarity >= self.similar else "less similar"

    def words(self, hit: Hit) -> Message:
        """Return how alike a result is, for a person; empty where it is less similar."""
        return _HOW_ALIKE.get(self.of(hit), NOTHING)


class SureDistance(Result):
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
    likeness: Likeness | None = Field(
        default=None, description="limits of the words by the same marks; None where these do not tell them"
    )

    def holds(self, distance: float) -> bool:
        """Return whether the distance of a result lies within it."""
        return distance <= self.distance + 5e-7  # hits are rounded

    def is_sure(self, hit: Hit) -> bool:
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
    hits: list[Hit]
    seconds: Seconds
    looked_at: int = Field(description="items whose exact measure was computed")
    scanned: int = Field(description="codes compared")
    probed: int = Field(0, description="buckets, or places of sorted lists, visited")
    of: int = Field(description="photographs in the index")
    overlap: float | None = Field(default=None, description="share of the exact first k among the hits, when asked for")
    note: Message = NOTHING
    histogram: Histogram | None = None
    missed: list[Missed] = Field(default_factory=list, description="of the exact first k, when asked for")
    exact_seconds: float | None = Field(default=None, description="that the exact answer took, when asked for")
    checked: int = Field(default=0, description="photographs whose keypoints were compared; not all are among the hits")
    unprepared: int = Field(
        default=0, description="photographs that should have been compared, but have no keypoints before adding is done"
    )
    threshold: SureDistance | None = Field(
        default=None, description="up to which results are certain; None where there are too few marks"
    )
    likeness: Likeness | None = Field(default=None, description="None where the index's similarities have no words")

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


class ParameterResult(Result):
    """One parameter of a declaration."""

    name: str
    kind: str
    default: Any
    accepted: Message = Field(description="what may be given, in words")
    lower: float | None
    upper: float | None
    words: list[str] = Field(description="the choices, or words besides a number")
    optional: bool
    unit: str
    help: str


class DeclarationResult(Result):
    """One thing that can be chosen."""

    family: str
    key: str
    title: str
    summary: str
    help: str
    paper: str
    version: int
    parameters: list[ParameterResult]


class RefusedDeclaration(Result):
    """A declaration of an installed package that cannot be used."""

    family: str
    key: str
    package: str
    reason: Message


class MethodsResult(Result):
    """Of ``methods``."""

    declarations: list[DeclarationResult]
    refused: list[RefusedDeclaration] = Field(default_factory=list, description="of installed packages, with reasons")


class DemoCopies(Result):
    """Copies that were all spoiled in one way, in ``demo``."""

    name: Message = Field(description="how they were spoiled")
    of: int = Field(description="copies that were searched with")
    found: int = Field(description="of which the first result is the original photograph")
    found_by_hash: int = Field(description="of which the photograph of the nearest perceptual hash (64 bits) is")


class DemoResult(Result):
    """Of ``demo``."""

    photographs: int
    problems: int
    seconds: float = Field(description="that adding took")
    folder: str
    library: str
    sources: list[str] = Field(description="packages the photographs come from, with their licences")
    licences: str = Field(description="file that names author and licence of every photograph")
    notes: list[Message] = Field(description="what could not be fetched")
    sheet: str = Field(description="HTML file that shows everything below in pictures")
    copies: list[DemoCopies] = Field(description="searches with copies that were made on the spot")
    results: list[SearchResult] = Field(description="searches for things of the same kind")


class ExportResult(Result):
    """Of exporting photographs."""

    target: str = Field(description="folder of the copies or links, or file of the table")
    photographs: int = Field(description="photographs that were exported")
    bytes: int = Field(description="that were written")
    refused: list[str] = Field(default_factory=list, description="a sentence for each that could not be exported")
