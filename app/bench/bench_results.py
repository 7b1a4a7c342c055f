"""Results of ``bench``, for hash methods on vectors and for search structures on packed codes."""

from __future__ import annotations

from pydantic import Field

from app.results import Result
from core.message import NOTHING, Message


class BenchData(Result):
    """Data of a bench."""

    base: str
    n: int
    d: int
    queries: int
    truth: str = Field(description="truth by which the true neighbours were found")
    relevant: Message = Field(NOTHING, description="results that count as right in precision, recall and mAP")
    metric: str = Field("", description="metric applied before every method; empty for none")
    left_out: int = Field(0, description="all-zero rows of base and queries, left out for a histogram kernel")


class BenchSeconds(Result):
    """Times of one method."""

    fit: float = Field(description="total")
    encode: float = Field(description="for the whole base")
    build: float = Field(0.0, description="for the search structure")
    encode_query: float = Field(description="per query")
    search: float = Field(description="per query, with the exact ranking of the candidates")
    exact: float = Field(description="per query, compared with everything")


class BenchBytes(Result):
    """Sizes of one method."""

    model: int
    codes: int
    search: int = Field(0, description="size of the search structure beside the codes")


class BenchMethodResult(Result):
    """Figures of one method, means over its seeds."""

    method: str
    search: str = Field("scan", description="the search structure, in text form")
    bits: int
    seeds: list[int]
    recall: dict[str, float] = Field(description="recall@R of the ranking by Hamming distance, by R")
    overlap: dict[str, float] = Field(description="overlap@k of the exactly ranked results with the true ones, by k")
    found: dict[str, float] = Field(
        {},
        description="right results among the first R after exact ranking, of as many as can be (of edited copies: "
        "whether there is one), by R; empty where a distance tells what is right",
    )
    precision: dict[str, float] = Field(
        {}, description="right ones among the first R results, or among as many as there are right ones, by R; likewise"
    )
    precision_at: list[tuple[float, float]] = Field(
        description="recall, and mean precision over queries up to the rank that reaches it"
    )
    chance: float | None = Field(None, description="precision by chance: share of right items")
    map: float | None = Field(description="mean average precision of the ranking by Hamming distance")
    map_candidates: float | None = Field(
        None, description="mAP of the 100 nearest codes with ties, sorted again by projections; None if not asked for"
    )
    accuracy: float | None = Field(description="accuracy of the vote of the k nearest results; None without labels")
    accuracy_before: float | None = Field(None, description="the same without the metric; None without one")
    dropped: float = Field(0.0, description="items left out of the candidates by the norm filter")
    looked_at: float = Field(description="items compared exactly per query")
    scanned: float = Field(description="codes compared per query")
    probed: float = Field(0.0, description="buckets or places of sorted lists visited per query")
    of: int
    seconds: BenchSeconds
    bytes: BenchBytes
    deviation: dict[str, float] = Field(description="standard deviations over the seeds, by figure")
    note: Message = NOTHING


class BenchCurve(Result):
    """One curve of one method."""

    method: str
    seed: int | None = Field(description="None for the mean over the seeds")
    curve: str = Field(
        description="recall, precision (x: Hamming radius), recall_at (x: R), "
        "eigenvalue, residual, estimation (x: rank; of kernel methods)"
    )
    points: list[tuple[float, float]] = Field(description="x and y")


class MeanError(Result):
    """A mean over partitions."""

    mean: float
    error: float | None = Field(description="standard error; None of one partition")


class BenchVotes(Result):
    """k-NN figures of one setting, means over the partitions; gains and losses are taken within each."""

    method: str = Field(description="text form; empty for the linear scan")
    search: str = Field(description="text form, or linear")
    bits: int = Field(description="0 for the linear scan")
    pairs: float = Field(description="pairs the metric is learned from; 0 for none")
    before: MeanError = Field(description="accuracy without the metric, mean over the classes")
    after: MeanError = Field(description="accuracy with the metric")
    gain: MeanError = Field(description="after less before")
    lost_before: MeanError = Field(description="accuracy of the linear scan less this one, without the metric")
    lost: MeanError = Field(description="the same with the metric")
    overlap: MeanError = Field(description="share of the nearest k by the metric found")
    looked_at: MeanError = Field(description="share of the base compared exactly")
    scanned: MeanError = Field(description="share of the base with compared codes")
    query_seconds: MeanError = Field(description="per query, from its vector after the metric")
    times: MeanError = Field(description="speed relative to the linear scan in one matrix product")
    fit_seconds: MeanError = Field(description="time of learning the metric")
    note: Message = NOTHING


class BenchPartitions(Result):
    """k-NN figures before and after a metric, over random partitions of the base."""

    partitions: int
    classes: int
    k: int = Field(description="voting neighbours")
    base: int = Field(description="searched vectors")
    labelled: int = Field(description="of these, vectors pairs are drawn from; 0 if a file gives the pairs")
    scaled: bool = Field(description="every dimension was scaled to mean 0 and variance 1")
    rows: list[BenchVotes]
    fastest: Message = Field(NOTHING, description="the fastest search, as measured")


class BenchResult(Result):
    """Result of ``bench``."""

    data: BenchData
    results: list[BenchMethodResult] = Field(description="empty with partitions")
    partitions: BenchPartitions | None = Field(None, description="with --partitions")
    curves: list[BenchCurve] = Field([], description="with --curves")


class CodeBenchSearch(Result):
    """Figures of a search structure on packed codes, means over the queries."""

    search: str = Field(description="text form")
    exact: bool = Field(description="whether it always finds the nearest codes by construction")
    recall: dict[str, float] = Field(
        {}, description="recall@1: share of queries whose first result is as near as the nearest"
    )
    overlap: dict[str, float] = Field(
        {}, description="share of the first k results as near as the last of the true first k, by k"
    )
    build_seconds: float = 0.0
    query_seconds: float = Field(0.0, description="per query, in all threads")
    scanned: float = Field(0.0, description="codes compared per query")
    probed: float = Field(0.0, description="buckets or places of sorted lists visited per query")
    of: int = Field(description="codes")
    bytes: int = Field(0, description="size beside the codes")
    in_blocks: bool = Field(False, description="codes were read from their file in blocks")
    note: Message = NOTHING
    refused: Message = Field(NOTHING, description="why it could not be measured")


class CodeBenchResult(Result):
    """Result of ``bench --codes``."""

    base: str
    n: int
    bits: int
    bytes: int = Field(description="size of the codes")
    queries: int
    k: int = Field(description="nearest codes asked for")
    exact_seconds: float = Field(description="per query, all queries in one pass over the file")
    results: list[CodeBenchSearch]
