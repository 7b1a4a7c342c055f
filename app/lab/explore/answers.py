"""The answer of one question: what its code finds, what it misses, and where the exact measure has it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.lab.explore.codes import SampleCodes
from app.lab.explore.sample import FIRST, SampleData
from core.arrays import Float64Matrix
from core.evaluation.hamming_histograms import distances_from
from core.search.search_structure import Candidates


@dataclass(frozen=True, eq=False)
class SampleQuery:
    """A photograph of a sample that asks.

    Attributes
    ----------
    row : int
    far : ndarray of float64, (n,)
        How far all are from it, exactly; itself infinitely.
    """

    row: int
    far: Float64Matrix


@dataclass(frozen=True)
class RankedNeighbour:
    """One photograph of an answer.

    Attributes
    ----------
    id : int
    rank : int
        In this answer, from 1; 0 where it is not found.
    true_rank : int
        By the exact measure, from 1.
    agreed : bool
        Whether it is among as many by the exact measure.
    bits : int
        In which its code differs from the question's.
    """

    id: int
    rank: int
    true_rank: int
    agreed: bool
    bits: int


@dataclass(frozen=True)
class QueryOutcome:
    """The results of one photograph as the query.

    Attributes
    ----------
    id : int
        The question.
    hits : tuple of Shown
        In order.
    missed : tuple of Shown
        Of the true first, those that are not among the hits, by true rank.
    by_codes : bool
        Whether hits are in the order of their codes, and not of the exact measure among what was found.
    looked_at, scanned, probed : int
    """

    id: int
    hits: tuple[RankedNeighbour, ...]
    missed: tuple[RankedNeighbour, ...]
    by_codes: bool
    looked_at: int
    scanned: int
    probed: int


def query_outcome(
    material: SampleData, codes: SampleCodes, question: SampleQuery, found: Candidates | None, by_codes: bool
) -> QueryOutcome:
    """Ask the photographs of a sample with one of them.

    Parameters
    ----------
    material, codes : Material, Codes
    question : Question
    found : Candidates, optional
        What the search found by the question's code; None where it needs no codes.
    by_codes : bool
        Whether the order of the codes alone is wanted.
    """
    row, far, k = question.row, question.far, FIRST
    code = np.ascontiguousarray(codes.planes[:, row])
    bits = distances_from(codes.planes, code)
    true_order = np.lexsort((np.arange(len(far)), far))[: len(far) - 1]
    true_rank = np.empty(len(far), np.int64)
    true_rank[true_order] = np.arange(1, len(true_order) + 1)
    true_rank[row] = 0
    if found is None:
        rows, looked_at, scanned, probed = true_order, len(true_order), 0, 0
    else:
        near = found.rows if codes.kept is None else found.rows[codes.kept[found.rows]]
        near = near[near != row]
        looked_at, scanned, probed = len(near), found.scanned, found.probed
        rows = near[np.lexsort((near, far[near]))]
    if by_codes:
        others = np.flatnonzero(np.arange(len(far)) != row)
        if codes.kept is not None:
            others = others[codes.kept[others]]
        rows = others[np.lexsort((others, bits[others]))]
    hits = [
        RankedNeighbour(int(material.ids[one]), rank, int(true_rank[one]), bool(true_rank[one] <= k), int(bits[one]))
        for rank, one in enumerate(rows[:k].tolist(), 1)
    ]
    known = set(rows[:k].tolist())
    ranks = {one: rank for rank, one in enumerate(rows.tolist(), 1)} if by_codes else {}
    missed = [
        RankedNeighbour(int(material.ids[one]), ranks.get(one, 0), rank, False, int(bits[one]))
        for rank, one in enumerate(true_order[:k].tolist(), 1)
        if one not in known
    ]
    return QueryOutcome(int(material.ids[row]), tuple(hits), tuple(missed), by_codes, looked_at, scanned, probed)
