"""Readings: the figures that the explorer measures at one setting, and the outcome of one query.

What its code finds, what it misses, and where the exact measure has it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.lab.explore.knobs import KnobSetting
from app.lab.explore.sample import FIRST, SampleData
from app.lab.explore.sample_codes import Reduction, SampleCodes
from core.arrays import Float64Matrix
from core.evaluation.hamming_ranking import distances_from
from core.message import NOTHING, Message
from core.search.search_structure import Candidates


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


@dataclass(frozen=True, eq=False)
class ExplorerReading:
    """The figures measured at one setting.

    Attributes
    ----------
    setting : Setting
    exact : bool
    questions, photographs : int
        How many asked, and of how many.
    recall : dict of int to float
        recall@R of the ranking by codes, by R.
    map : float or None
        Mean average precision of that ranking.
    overlap : float or None
        Share of the true first ten that the search found and ranked exactly.
    looked_at, scanned : float
        Photographs measured exactly, and codes compared, a question.
    code_bytes : int
        Bytes of a code.
    model_bytes, search_bytes : int or None
        Of what was learned, and of what the search keeps beside the codes; None where that is not known.
    seconds : float or None
        A question takes, from its vector on; None where that was not measured.
    captured : float or None
        Share of the kernel's spectrum among the landmarks that the kept components hold.
    spectrum : ndarray of float64 or None
        Its eigenvalues, the largest first.
    reduced : tuple of Reduced
        In which way a coarse reading is coarse.
    note : Message
        What a person should know of this fit.
    answer : Answer or None
        Of the one question that is seen.
    """

    setting: KnobSetting
    exact: bool
    questions: int
    photographs: int
    recall: dict[int, float]
    map: float | None
    overlap: float | None
    looked_at: float
    scanned: float
    code_bytes: int
    model_bytes: int | None = None
    search_bytes: int | None = None
    seconds: float | None = None
    captured: float | None = None
    spectrum: npt.NDArray[np.float64] | None = None
    reduced: tuple[Reduction, ...] = ()
    note: Message = NOTHING
    answer: QueryOutcome | None = None

    def values(self) -> dict[str, float | None]:
        """Return its figures by the columns of a sheet (`app.lab.lab_sheet`)."""
        return {
            **{f"recall@{count}": value for count, value in self.recall.items()},
            "map": self.map,
            "overlap@10": self.overlap,
            "looked at": self.looked_at,
            "search": None if self.seconds is None else 1000 * self.seconds,
            "bytes": float(self.code_bytes),
        }


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
