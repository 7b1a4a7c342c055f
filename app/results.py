"""What every command gives: one pydantic model each. ``--json`` prints it, and its schema stands in the reference.

Paths are text here; bytes that are no valid text are shown with the replacement character, and the id names the
photograph exactly.
"""

from __future__ import annotations

import os
from typing import Any

from pydantic import BaseModel, ConfigDict, Field


def shown(path: bytes) -> str:
    """Write a path so that every terminal and JSON reader can take it."""
    return os.fsdecode(path).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


class Result(BaseModel):
    """Base of the results: frozen, nothing unnamed."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class AddResult(Result):
    """Of ``add`` and ``rescan``."""

    found: int = Field(description="files that are or claim to be pictures, under the folders")
    added: int = Field(description="photographs that are new")
    changed: int = Field(description="photographs whose file had changed")
    moved: int = Field(description="photographs recognised by content at a new place")
    removed: int = Field(description="photographs whose file has vanished; kept and marked missing")
    problems: int = Field(description="files that could not be read in this run")
    passed_over: int = Field(description="files that are no pictures")
    seconds: float
    photographs_per_second: float
    cancelled: bool = Field(default=False, description="stopped before the end; what was done is kept")
    offline: list[str] = Field(default_factory=list, description="folders whose volume is not there")


class ForgetResult(Result):
    """Of ``forget``."""

    folder: str
    photographs: int = Field(description="photographs taken out of the library; the files are untouched")


class IndexStatus(Result):
    """One index in ``status`` and ``index list``."""

    name: str
    text: str = Field(description="descriptor · metric · method · search, in text form; the metric where it has one")
    automatic: bool
    photographs: int = Field(description="photographs that it can find")
    waiting: int = Field(description="photographs that still lack its descriptor or code")
    fitted_on: int | None = Field(description="photographs it was fitted on; None: not yet, answers are exact")
    bits: int | None
    bytes: int = Field(description="of its codes and its model")
    note: str = ""
    metric: str | None = Field(default=None, description="by which it measures: a name, or what is fitted with it")


class StatusResult(Result):
    """Of ``status``."""

    library: str
    photographs: int
    pending: int
    problems: int
    missing: int
    passed_over: int
    folders: list[FolderStatus]
    indexes: list[IndexStatus]
    bytes: int = Field(description="of the library file")
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
    reason: str
    next_step: str
    since: str
    attempts: int
    ignored: bool = False


class ProblemsResult(Result):
    """Of ``problems``."""

    problems: list[Problem]
    retried: int = 0
    mended: int = 0


class CheckResult(Result):
    """Of ``check``."""

    library: str
    findings: list[str] = Field(description="a sentence each; empty where all is well")


class FileResult(Result):
    """Of ``backup`` and ``restore``."""

    file: str
    photographs: int
    bytes: int
    kept: str | None = Field(default=None, description="where the library that was replaced lies now")


class IndexListResult(Result):
    """Of ``index list``, and of what changes an index."""

    indexes: list[IndexStatus]


class Hit(Result):
    """One photograph that was found."""

    path: str
    id: int
    distance: float
    similarity: float
    query: bool = Field(default=False, description="it is the photograph that was asked with")


class Seconds(Result):
    """Stopwatch of one search."""

    extract: float
    encode: float
    scan: float
    rerank: float
    total: float


class Histogram(Result):
    """How alike the photographs are to a query: the exact similarities of a fixed sample, counted."""

    counts: list[int] = Field(description="of the sample, in parts of equal width from low to high")
    low: float
    high: float
    sample: int = Field(description="photographs in the sample; all that pass the filters where those are few")


class Missed(Result):
    """One photograph of the exact first k that is not among the hits."""

    rank: int = Field(description="in the exact answer, from 1")
    path: str
    id: int
    similarity: float


class SearchResult(Result):
    """One query in one index."""

    query: str
    index: str
    text: str
    measure: str = Field(description="by which the hits are ordered")
    exact: bool
    hits: list[Hit]
    seconds: Seconds
    looked_at: int = Field(description="items whose exact measure was computed")
    scanned: int = Field(description="codes compared")
    probed: int = Field(0, description="buckets, or places of sorted lists, visited")
    of: int = Field(description="photographs in the index")
    overlap: float | None = Field(default=None, description="share of the exact first k among the hits, when asked for")
    note: str = ""
    histogram: Histogram | None = None
    missed: list[Missed] = Field(default_factory=list, description="of the exact first k, when asked for")
    exact_seconds: float | None = Field(default=None, description="that the exact answer took, when asked for")

    def timing(self) -> str:
        """Write the line of timing and truth, in milliseconds."""
        seconds = self.seconds
        steps = [f"extract {'known' if seconds.extract == 0 else _ms(seconds.extract)}"]
        if not self.exact:
            steps += [f"encode {_ms(seconds.encode)}", f"scan {_ms(seconds.scan)}"]
        steps += [f"re-rank {_ms(seconds.rerank)}", f"looked at {self.looked_at:,}"]
        if self.overlap is not None:
            steps.append(f"{self.overlap:.0%} of the exact first {len(self.hits):,}")
        return f"{self.of:,} photographs in {_ms(seconds.total)} ms: " + " · ".join(steps)


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:,.1f}"


class SearchResults(Result):
    """Of ``search``: a result for each query and index."""

    results: list[SearchResult]


class ParameterResult(Result):
    """One parameter of a declaration."""

    name: str
    kind: str
    default: Any
    accepted: str = Field(description="what may be given, in words")
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


class MethodsResult(Result):
    """Of ``methods``."""

    declarations: list[DeclarationResult]


class DemoResult(Result):
    """Of ``demo``."""

    photographs: int
    problems: int
    seconds: float = Field(description="that adding took")
    folder: str
    library: str
    sources: list[str] = Field(description="packages the photographs come from, with their licences")
    licences: str = Field(description="file that names author and licence of every photograph")
    notes: list[str] = Field(description="what could not be fetched")
    picture: str = Field(description="the ranked answers as one picture")
    results: list[SearchResult]


class ExportResult(Result):
    """Of exporting photographs."""

    target: str = Field(description="folder of the copies or links, or file of the table")
    photographs: int = Field(description="photographs that were exported")
    bytes: int = Field(description="that were written")
    refused: list[str] = Field(default_factory=list, description="a sentence for each that could not be exported")


class BenchData(Result):
    """What a bench was run on."""

    base: str
    n: int
    d: int
    queries: int
    truth: str = Field(description="by which the true neighbours were found")
    relevant: str = Field("", description="what counts as found in precision, recall and mAP")
    metric: str = Field("", description="the metric that stands before every method; empty for none")
    left_out: int = Field(
        0, description="rows of base and queries, zero throughout, that a histogram kernel leaves out"
    )


class BenchSeconds(Result):
    """Times of one method."""

    fit: float = Field(description="in all")
    encode: float = Field(description="of the whole base")
    build: float = Field(0.0, description="of the search structure")
    encode_query: float = Field(description="a query")
    search: float = Field(description="a query, with the exact ranking of the candidates")
    exact: float = Field(description="a query, measured against everything")


class BenchBytes(Result):
    """Sizes of one method."""

    model: int
    codes: int
    search: int = Field(0, description="what the search structure keeps beside the codes")


class BenchMethodResult(Result):
    """One method; with several seeds every figure is a mean."""

    method: str
    search: str = Field("scan", description="the search structure, in text form")
    bits: int
    seeds: list[int]
    recall: dict[str, float] = Field(description="recall@R of the ranking by Hamming distance, by R")
    overlap: dict[str, float] = Field(description="overlap@k of what the search found and ranked exactly, by k")
    precision_recall: list[tuple[float, float]] = Field(description="recall and precision within each Hamming radius")
    map: float | None = Field(description="mean average precision of the ranking by Hamming distance")
    map_candidates: float | None = Field(
        None, description="of the 100 nearest codes, ties kept, sorted again by the projections; None if not asked for"
    )
    accuracy: float | None = Field(description="of the vote of the k nearest that were found; None without labels")
    accuracy_before: float | None = Field(None, description="the same without the metric; None where there is none")
    dropped: float = Field(0.0, description="items that the norm filter leaves out of the candidates")
    looked_at: float = Field(description="items measured exactly, a query")
    scanned: float = Field(description="codes compared, a query")
    probed: float = Field(0.0, description="buckets, or places of sorted lists, visited, a query")
    of: int
    seconds: BenchSeconds
    bytes: BenchBytes
    deviation: dict[str, float] = Field(description="standard deviations over the seeds, by figure")
    note: str = ""


class BenchCurve(Result):
    """One curve of one method."""

    method: str
    seed: int | None = Field(description="None: the mean over the seeds")
    curve: str = Field(
        description="recall, precision (x: Hamming radius), recall_at (x: R), "
        "eigenvalue, residual, estimation (x: rank; of kernel methods)"
    )
    points: list[tuple[float, float]] = Field(description="x and y")


class BenchResult(Result):
    """Of ``bench``."""

    data: BenchData
    results: list[BenchMethodResult]
    curves: list[BenchCurve] = Field([], description="where they are asked for")


class MetricStatus(Result):
    """One metric that the library keeps."""

    name: str
    descriptor: str = Field(description="whose vectors it measures, in text form")
    learned_by: str | None = Field(description="declaration in text form; None: it was given")
    dimensions: int = Field(description="of the vectors that it takes")
    out_dimensions: int = Field(description="of those that are hashed")
    ranking: str = Field(description="distance or kernel: by what candidates are ranked")
    bytes: int
    created: str
    indexes: list[str] = Field(description="those that measure by it")
    note: str = Field(description="where it comes from")


class MetricListResult(Result):
    """Of ``metric list``, and of what changes a metric."""

    metrics: list[MetricStatus]


class MetricFileResult(Result):
    """Of ``metric export``."""

    metric: str
    file: str
    bytes: int


class TuneData(Result):
    """What a search for good parameters was made on."""

    base: str = Field(description="file of the vectors, or the descriptor in the library")
    n: int = Field(description="vectors, held-out queries among them")
    d: int
    left_out: int = Field(description="vectors that are zero throughout, or beyond as many as are looked at")
    queries: int = Field(description="held out in each split: neither searched nor learned from")
    truth: str = Field(description="by which the true neighbours were found")
    seed: int = Field(description="split i is drawn from seed + i; candidates are drawn from seed")


class TuneTrial(Result):
    """One declaration that was tried, on the most vectors that it was tried on."""

    method: str
    bits: int
    default: bool = Field(description="as it was asked for, but for the bits")
    items: int = Field(description="vectors that were searched")
    splits: list[int] = Field(description="that it was measured with; empty if it could not be measured")
    recall: dict[str, float] = Field(description="recall@R of the ranking by Hamming distance, by R")
    spread: dict[str, float] = Field(description="standard deviation over the splits")
    encode_seconds: float = Field(description="of everything that is searched")
    query_seconds: float = Field(description="to encode and to search, with the exact ranking of the candidates")
    fit_seconds: float
    code_bytes: float = Field(description="a vector")
    model_bytes: int
    best_for: list[str] = Field(description="bytes, seconds: nothing has better recall for as few")
    refused: str = Field("", description="why it could not be measured")


class TuneResult(Result):
    """Of ``tune``."""

    data: TuneData
    tried: list[TuneTrial]
    trials: int = Field(description="measurements in all")
    budget: str = Field(description="what was allowed")
    seconds: float = Field(description="that it took")
    chosen: str = Field(description="the declaration that is advised")
    reason: str
    recall: float = Field(description="recall@10 of it")
    default: str = Field(description="the declaration that was asked for, with as many bits; empty if not measured")
    default_recall: float | None
    command: str = Field(description="ready to be run")
    notes: list[str] = Field(default_factory=list)
    cancelled: bool = Field(default=False, description="stopped before the end; the answer is from what was tried")


class CodeBenchSearch(Result):
    """A search structure on packed codes; figures are means over the queries."""

    search: str = Field(description="text form")
    exact: bool = Field(description="whether it finds the nearest codes always, by its construction")
    recall: dict[str, float] = Field({}, description="recall@1: the first found is as near as the nearest")
    overlap: dict[str, float] = Field(
        {}, description="share of the first k found that are as near as the last of the true first k, by k"
    )
    build_seconds: float = 0.0
    query_seconds: float = Field(0.0, description="a query, in the machine's threads")
    scanned: float = Field(0.0, description="codes compared, a query")
    probed: float = Field(0.0, description="buckets, or places of sorted lists, visited, a query")
    of: int = Field(description="codes")
    bytes: int = Field(0, description="what it keeps beside the codes")
    in_blocks: bool = Field(False, description="the codes were read from their file, block by block")
    note: str = ""
    refused: str = Field("", description="why it could not be measured")


class CodeBenchResult(Result):
    """Of ``bench --codes``."""

    base: str
    n: int
    bits: int
    bytes: int = Field(description="of the codes")
    queries: int
    k: int = Field(description="nearest codes that were asked for")
    exact_seconds: float = Field(description="a query, all of them in one pass over the file")
    results: list[CodeBenchSearch]


class Duplicate(Result):
    """One photograph of a group of duplicates."""

    path: str
    id: int
    similarity: float = Field(description="to the first of the group")
    width: int | None
    height: int | None
    bytes: int = Field(description="of its file")


class DuplicateGroup(Result):
    """Photographs of which each is like another of the group; the one with the most pixels first."""

    photographs: list[Duplicate]


class DuplicatesResult(Result):
    """Of ``duplicates``."""

    index: str
    similarity: float = Field(description="from which two photographs count as the same")
    of: int = Field(description="photographs in the index")
    groups: list[DuplicateGroup] = Field(description="the largest first")
    superfluous: int = Field(description="photographs beside the first of each group")
    bytes: int = Field(description="of their files")
