"""k-NN by a linear scan and by hashing: how often the vote is right, how much is looked at, and how long it takes.

Both measure alike: by the Euclidean distance of vectors that a metric has been applied to already, so that measuring an
item costs as little as it can. The scan of the clock is the fastest known here, |x|² - 2 q'x in one matrix product,
in one thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arithmetic.one_thread import one_thread
from core.arrays import Float64Matrix, Int64Labels
from core.evaluation.answers import Judgement, QueryTruth, RankedItems, judge_queries
from core.evaluation.evaluation_task import Figures
from core.hashing.hash_method import Encoder, HashMethod
from core.hashing.packed_codes import bytes_of, planar
from core.search.candidate_query import encode_queries, find_candidates, needs_projections
from core.search.search_structure import Search

Images = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Voting:
    """Items under one metric, and queries that shall be told their labels. Made once for a partition and a metric.

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


def linear(asked: Voting) -> Figures:
    """Return the figures of the vote of the nearest of all."""
    norms = np.square(asked.base).sum(axis=1)

    def answer(number: int) -> RankedItems:
        query = asked.queries[number]
        with one_thread():
            began = time.perf_counter()
            near = norms - 2 * (asked.base @ query)
            np.argpartition(near, min(asked.k, len(near)) - 1)
            spent = time.perf_counter() - began
        squared = _squared(asked.base, query)
        return _answer(np.arange(len(squared)), squared, asked.k, 0, spent)

    return _votes(asked, answer)


def hashed(asked: Voting, method: HashMethod, searches: Sequence[Search]) -> Iterator[Figures]:
    """Yield the figures of the vote of the nearest that the codes bring up, for each of some search structures."""
    began = time.perf_counter()
    encoder = method.fit(asked.base)
    fitted = time.perf_counter()
    planes = planar(encoder.encode(asked.base))
    seconds = {"fit": fitted - began, "encode": time.perf_counter() - fitted, "encode_query": 0.0}
    model = sum(array.nbytes for array in encoder.pack().arrays.values())
    for search in searches:
        figures = _hashed(asked, encoder, planes, search)
        figures.seconds |= seconds
        figures.bytes |= {"model": model, "codes": bytes_of(encoder.bits) * len(asked.base)}
        yield figures


def _hashed(asked: Voting, encoder: Encoder, planes: npt.NDArray[np.uint64], search: Search) -> Figures:
    structure, n, k = search.build(planes, encoder.bits), len(asked.base), min(asked.k, len(asked.base))
    projected = needs_projections(search)

    def answer(number: int) -> RankedItems:
        query = asked.queries[number]
        began = time.perf_counter()
        (code,) = encode_queries(encoder, query[None], projected)
        found = find_candidates(search, structure, n, code, k)
        squared = _squared(asked.base[found.rows], query)
        np.argpartition(squared, min(k, len(squared)) - 1)
        spent = time.perf_counter() - began
        return _answer(found.rows, squared, k, found.scanned, spent)

    figures = _votes(asked, answer)
    figures.bytes["search"] = structure.bytes
    return figures


def _answer(rows: Int64Labels, squared: Float64Matrix, k: int, scanned: int, seconds: float) -> RankedItems:
    """Return the nearest k of some items and all that are as near as the last of them."""
    place = min(k, len(squared)) - 1
    near = np.flatnonzero(squared <= np.partition(squared, place)[place])
    near = near[np.argsort(squared[near], kind="stable")]
    return RankedItems(rows[near], squared[near], len(squared), scanned, seconds=seconds)


def _votes(asked: Voting, answer: Callable[[int], RankedItems]) -> Figures:
    """Ask all queries, and judge the answers; the accuracy is the mean over the classes.

    The seconds of a search count from the query's vector on: encoding, finding, measuring.
    """
    k = min(asked.k, len(asked.base))
    truths = [
        QueryTruth(true=np.sort(np.partition(_squared(asked.base, query), k - 1)[:k]), label=int(label))
        for query, label in zip(asked.queries, asked.query_labels, strict=True)
    ]
    found, figures = judge_queries(answer, truths, Judgement(asked.labels, asked.k, near={k: []})), Figures()
    found.fill(figures, (k,))
    figures.accuracy = _by_class(np.array(found.chances), asked.query_labels)
    return figures


def _squared(base: Images, query: Images) -> Float64Matrix:
    """Return squared distances, (n, r), (r,) -> (n,); of an item the same, whatever is measured beside it."""
    return np.asarray(np.square(base - query).sum(axis=1), np.float64)


def _by_class(chances: Float64Matrix, labels: Int64Labels) -> float:
    return float(np.mean([chances[labels == label].mean() for label in np.unique(labels)]))
