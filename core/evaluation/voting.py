"""k-NN by a linear scan and by hashing: how often the vote is right, how much is looked at, and how long it takes.

Both measure alike: by the Euclidean distance of vectors that a metric has been applied to already, so that measuring an
item costs as little as it can. The scan of the clock is the fastest known here, |x|² - 2 q'x in one matrix product,
in one thread.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arithmetic.one_thread import one_thread
from core.evaluation.partitions import Labels
from core.evaluation.ranking_measures import vote_chance
from core.hashing.hash_method import Encoder, HashMethod
from core.hashing.packed_codes import planar
from core.search.candidate_query import encoded, find, needs_projections
from core.search.search_structure import Search

Matrix = npt.NDArray[np.float64]
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
    labels: Labels
    query_labels: Labels
    k: int


@dataclass(frozen=True)
class Votes:
    """The result of voting.

    Attributes
    ----------
    accuracy : float
        Mean over the classes of the share of queries that are told their label.
    looked_at : float
        Share of the base that is measured exactly.
    scanned : float
        Share of the base whose codes are compared.
    overlap : float
        Share of the true nearest k that were found.
    seconds : float
        A query, from its vector on: hashing, finding, measuring.
    """

    accuracy: float
    looked_at: float
    scanned: float
    overlap: float
    seconds: float


def linear(asked: Voting) -> Votes:
    """Measure everything."""
    norms = np.square(asked.base).sum(axis=1)
    chances = np.empty(len(asked.queries))
    spent = 0.0
    for number, query in enumerate(asked.queries):
        with one_thread():
            began = time.perf_counter()
            near = norms - 2 * (asked.base @ query)
            np.argpartition(near, min(asked.k, len(near)) - 1)
            spent += time.perf_counter() - began
        chances[number] = _chance(asked, number, _squared(asked.base, query), asked.labels)
    return Votes(_by_class(chances, asked.query_labels), 1.0, 0.0, 1.0, spent / len(asked.queries))


def hashed(asked: Voting, method: HashMethod, searches: list[Search]) -> list[Votes]:
    """Measure what the codes bring up, for each of some search structures."""
    encoder = method.fit(asked.base)
    planes = planar(encoder.encode(asked.base))
    return [_hashed(asked, encoder, planes, search) for search in searches]


def _hashed(asked: Voting, encoder: Encoder, planes: npt.NDArray[np.uint64], search: Search) -> Votes:
    structure, n, k = search.build(planes, encoder.bits), len(asked.base), min(asked.k, len(asked.base))
    projected = needs_projections(search)
    chances = np.empty(len(asked.queries))
    spent, looked_at, scanned, right = 0.0, 0, 0, 0
    for number, query in enumerate(asked.queries):
        began = time.perf_counter()
        (code,) = encoded(encoder, query[None], projected)
        found = find(search, structure, n, code, k)
        squared = _squared(asked.base[found.rows], query)
        np.argpartition(squared, min(k, len(squared)) - 1)
        spent += time.perf_counter() - began
        looked_at += len(found.rows)
        scanned += found.scanned
        chances[number] = _chance(asked, number, squared, asked.labels[found.rows])
        last = np.partition(_squared(asked.base, query), k - 1)[k - 1]
        right += min(k, int(np.count_nonzero(squared <= last)))
    all_of = n * len(asked.queries)
    return Votes(
        _by_class(chances, asked.query_labels),
        looked_at / all_of,
        scanned / all_of,
        right / (k * len(asked.queries)),
        spent / len(asked.queries),
    )


def _squared(base: Images, query: Images) -> Matrix:
    """Return squared distances, (n, r), (r,) -> (n,); of an item the same, whatever is measured beside it."""
    return np.asarray(np.square(base - query).sum(axis=1), np.float64)


def _chance(asked: Voting, number: int, squared: Matrix, labels: Labels) -> float:
    """Return the probability that the nearest vote for the query's label."""
    place = min(asked.k, len(squared)) - 1
    near = np.flatnonzero(squared <= np.partition(squared, place)[place])
    near = near[np.argsort(squared[near], kind="stable")]
    return vote_chance(labels[near], squared[near], asked.k, int(asked.query_labels[number]))


def _by_class(chances: Matrix, labels: Labels) -> float:
    return float(np.mean([chances[labels == label].mean() for label in np.unique(labels)]))
