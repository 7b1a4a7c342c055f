"""What ``bench`` gives: of hash methods on vectors, and of search structures on packed codes."""

from __future__ import annotations

from pydantic import Field

from app.results import Result


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
    precision_at: list[tuple[float, float]] = Field(
        description="recall, and the precision down to where it is reached, the mean over queries"
    )
    chance: float | None = Field(None, description="precision by chance: the share of the items that is right")
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


class MeanError(Result):
    """A mean over partitions."""

    mean: float
    error: float | None = Field(description="standard error; None of one partition")


class BenchVotes(Result):
    """k-NN in one setting; figures are means over the partitions, gains and losses taken within each."""

    method: str = Field(description="text form; empty: the linear scan, which measures everything")
    search: str = Field(description="text form, or linear")
    bits: int = Field(description="0 of the linear scan")
    pairs: float = Field(description="that the metric is learned from; 0: none")
    before: MeanError = Field(description="accuracy without the metric: mean rate over the classes")
    after: MeanError = Field(description="accuracy under it")
    gain: MeanError = Field(description="after less before")
    lost_before: MeanError = Field(description="accuracy of the linear scan less this one, without the metric")
    lost: MeanError = Field(description="the same under it")
    overlap: MeanError = Field(description="share of the nearest k under the metric that were found")
    looked_at: MeanError = Field(description="share of the base that is measured exactly")
    scanned: MeanError = Field(description="share of the base whose codes are compared")
    query_seconds: MeanError = Field(description="a query, from its vector on; the metric has been applied")
    times: MeanError = Field(description="how many times as fast as the linear scan in one matrix product")
    fit_seconds: MeanError = Field(description="that learning the metric took")


class BenchPartitions(Result):
    """k-NN before and after a metric, over random partitions of the base."""

    partitions: int
    classes: int
    k: int = Field(description="neighbours that vote")
    base: int = Field(description="vectors that are searched")
    labelled: int = Field(description="of these, vectors of which pairs are drawn; 0 where a file gives them")
    scaled: bool = Field(description="every dimension was brought to mean 0 and variance 1")
    rows: list[BenchVotes]


class BenchResult(Result):
    """Of ``bench``."""

    data: BenchData
    results: list[BenchMethodResult] = Field(description="none where partitions are asked for")
    partitions: BenchPartitions | None = Field(None, description="where they are asked for")
    curves: list[BenchCurve] = Field([], description="where they are asked for")


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
