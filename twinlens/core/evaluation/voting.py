"""k-NN votes over random partitions of a table with labels, by a linear scan and by hashing.

Jain, Kulis and Grauman (CVPR 2008, section 6.1): of each class so many items are queries and the others are searched; a
metric is learned from pairs of a few of the latter, whose labels are known. The figures are the share of right votes,
the share of items compared, and the time.

Scan and hashing measure alike: by the Euclidean distance of vectors to which the metric was applied beforehand, so that
measuring an item costs as little as possible. The timed scan is the fastest known here, |x|² - 2 q'x in one matrix
product, in one thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix, Int64Labels, Int64Rows
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.evaluation_task import Figures
from twinlens.core.evaluation.judgement import Judgement, QueryTruth, RankedItems, judge_queries
from twinlens.core.hashing.hash_method import Encoder, HashMethod
from twinlens.core.hashing.packed_codes import bytes_of, planar
from twinlens.core.hashing.supervision import Supervision
from twinlens.core.metrics.metric import MetricPairs
from twinlens.core.search.search_structure import Search, encode_queries, find_candidates, needs_projections
from twinlens.core.vectors import one_thread

Images = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Voting:
    """Labelled items under one metric, and queries for the label. Made once for a partition and a metric.

    Attributes
    ----------
    base, queries : ndarray of float32, (n, r), (q, r)
        G x of both.
    labels, query_labels : ndarray of int64
    k : int
        How many vote.
    """

    base: Images
    queries: Images
    labels: Int64Labels
    query_labels: Int64Labels
    k: int


def linear(voting: Voting) -> Figures:
    """Return the figures of the vote of the nearest items, by a linear scan."""
    norms = np.square(voting.base).sum(axis=1)

    def neighbours(number: int) -> RankedItems:
        query = voting.queries[number]
        with one_thread():
            began = time.perf_counter()
            near = norms - 2 * (voting.base @ query)
            np.argpartition(near, min(voting.k, len(near)) - 1)
            spent = time.perf_counter() - began
        squared = _squared(voting.base, query)
        return _neighbours(np.arange(len(squared)), squared, voting.k, 0, spent)

    return _votes(voting, neighbours)


def hashed(voting: Voting, method: HashMethod, searches: Sequence[Search]) -> Iterator[Figures]:
    """Yield the figures of the vote of the nearest that the codes bring up, for each of some search structures."""
    began = time.perf_counter()
    encoder = method.fit_with(voting.base, Supervision.of_labels(voting.labels) if method.supervised else None)
    fitted = time.perf_counter()
    planes = planar(encoder.encode(voting.base))
    learned: dict[str, float] = {
        "seconds fit": fitted - began, "seconds encode": time.perf_counter() - fitted, "seconds encode_query": 0.0,
        "bytes model": sum(array.nbytes for array in encoder.pack().arrays.values()),
        "bytes codes": bytes_of(encoder.bits) * len(voting.base), "dropped": 0,
    }  # fmt: skip
    for search in searches:
        figures = _hashed(voting, encoder, planes, search)
        figures.values |= learned
        yield figures


def _hashed(voting: Voting, encoder: Encoder, planes: npt.NDArray[np.uint64], search: Search) -> Figures:
    structure, n, k = search.build(planes, encoder.bits), len(voting.base), min(voting.k, len(voting.base))
    projected = needs_projections(search)

    def neighbours(number: int) -> RankedItems:
        query = voting.queries[number]
        began = time.perf_counter()
        (code,) = encode_queries(encoder, query[None], projected)
        found = find_candidates(search, structure, n, code, k)
        squared = _squared(voting.base[found.rows], query)
        np.argpartition(squared, min(k, len(squared)) - 1)
        spent = time.perf_counter() - began
        return _neighbours(found.rows, squared, k, found.scanned, spent)

    figures = _votes(voting, neighbours)
    figures.values["bytes search"] = structure.bytes
    return figures


def _neighbours(rows: Int64Labels, squared: Float64Matrix, k: int, scanned: int, seconds: float) -> RankedItems:
    """Return the nearest k of some items and all that are as near as the last of them."""
    place = min(k, len(squared)) - 1
    near = np.flatnonzero(squared <= np.partition(squared, place)[place])
    near = near[np.argsort(squared[near], kind="stable")]
    return RankedItems(rows[near], squared[near], len(squared), scanned, seconds=seconds)


def _votes(voting: Voting, neighbours: Callable[[int], RankedItems]) -> Figures:
    """Run all queries, and judge their votes; the accuracy is the mean over the classes.

    The seconds of a search count from the query's vector on: encoding, finding, measuring.
    """
    k = min(voting.k, len(voting.base))
    truths = [
        QueryTruth(true=np.sort(np.partition(_squared(voting.base, query), k - 1)[:k]), label=int(label))
        for query, label in zip(voting.queries, voting.query_labels, strict=True)
    ]
    found = judge_queries(neighbours, truths, Judgement(voting.labels, voting.k, near={k: []}))
    return Figures(found.values((k,)) | {"accuracy": _by_class(np.array(found.chances), voting.query_labels)})


def _squared(base: Images, query: Images) -> Float64Matrix:
    """Return squared distances, (n, r), (r,) -> (n,); an item has the same one in any batch."""
    return np.asarray(np.square(base - query).sum(axis=1), np.float64)


def _by_class(chances: Float64Matrix, labels: Int64Labels) -> float:
    return float(np.mean([chances[labels == label].mean() for label in np.unique(labels)]))


MOST_LABELLED = 5_000
"""Items of which all pairs are listed, to draw from them."""


@dataclass(frozen=True, eq=False)
class Partition:
    """Rows of a table, ascending. Made by :func:`partition`.

    Attributes
    ----------
    base : ndarray of int64
        Searched.
    queries : ndarray of int64
        Asked; the base and these are the whole table.
    labelled : ndarray of int64
        Those of the base of which pairs are drawn.
    """

    base: Int64Rows
    queries: Int64Rows
    labelled: Int64Rows


def partition(
    labels: Int64Labels, labelled: int, asked: int, seed: int, searched: Int64Rows | None = None
) -> Partition:
    """Part a table.

    Parameters
    ----------
    labels : ndarray of int64, (n,)
    labelled, asked : int
        Items of each class; of a small class, not more than a third asks, and not more than half of the rest is
        labelled.
    searched : ndarray of int64, optional
        Rows that never ask.

    Raises
    ------
    TwinlensError
        If no class has items enough to ask and to be found.
    """
    rng = np.random.default_rng(seed)
    queries, known = [], []
    for label in np.unique(labels):
        rows = rng.permutation(np.flatnonzero(labels == label))
        free = rows if searched is None else rows[~np.isin(rows, searched)]
        count = min(asked, len(rows) // 3, len(free))
        rest = rows[~np.isin(rows, free[:count])]
        queries.append(free[:count])
        known.append(rest[: min(labelled, len(rest) // 2)])
    chosen = np.sort(np.concatenate(queries))
    if not len(chosen):
        raise TwinlensError(
            "No label has three vectors, so no query has others of its label.", "Give labels of classes."
        )
    return Partition(np.setdiff1d(np.arange(len(labels)), chosen), chosen, np.sort(np.concatenate(known)))


def pairs_among(labels: Int64Labels, rows: Int64Rows, count: int, seed: int) -> MetricPairs:
    """Draw different pairs of some rows, half of one label and half of two; as many as there are if those are fewer.

    Parameters
    ----------
    labels : ndarray of int64, (n,)
        Of the whole table.
    rows : ndarray of int64, (m,)
        Of so many that all their pairs can be listed; of more, some are drawn first.
    seed : int
        The pairs of a smaller count are among those of a larger one.

    Raises
    ------
    TwinlensError
        If all labels are equal, or no two are.
    """
    rng = np.random.default_rng(seed)
    if len(rows) > MOST_LABELLED:
        rows = np.sort(rng.choice(rows, MOST_LABELLED, replace=False))
    first, second = np.triu_indices(len(rows), 1)
    same = labels[rows[first]] == labels[rows[second]]
    kinds = [rng.permutation(np.flatnonzero(same)), rng.permutation(np.flatnonzero(~same))]
    if not all(len(kind) for kind in kinds):
        raise TwinlensError(
            "The labels do not give pairs of the same label and of different ones.",
            "Give labels of which some, but not all, are equal.",
        )
    similar, different = kinds[0][: count - count // 2], kinds[1][: max(1, count // 2)]
    chosen = np.concatenate([similar, different])
    return MetricPairs(
        np.column_stack([rows[first[chosen]], rows[second[chosen]]]), np.arange(len(chosen)) < len(similar)
    )
