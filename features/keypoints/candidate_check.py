"""The geometric check of a question's first candidates: the same picture comes first, then what shows the same thing.

The question is tried as it is, mirrored, in negative and both; with each candidate the pairs of keypoints are found for
all four, and the two with the most pairs are looked at.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from features.keypoints.geometric_agreement import NOTHING, Agreement, agreement
from features.keypoints.keypoint_matches import match
from features.keypoints.keypoints import Keypoints

FIRST = 20
"""How many candidates are worth a check: nearly all photographs that are found at all are among so many."""

SECONDS = 2.0
"""After so long the rest stays as it was."""

_SURE = 12.0  # score from which nothing else is tried


@dataclass(frozen=True, eq=False)
class CandidateAgreement:
    """Agreement of a candidate with the query.

    Attributes
    ----------
    agreement : Agreement
        Places of the question are those in the question as it was asked.
    mirrored, inverted : bool
        As what the question was recognised.
    """

    agreement: Agreement
    mirrored: bool = False
    inverted: bool = False


class CandidateCheck:
    """A question that candidates are checked against.

    Parameters
    ----------
    query : Keypoints
    variants : bool
        Whether it is also tried mirrored and in negative.
    """

    def __init__(self, query: Keypoints, variants: bool = True) -> None:
        mirrored = query.mirrored()
        asked = [query, mirrored, query.inverted(), mirrored.inverted()] if variants else [query]
        self._width = query.width
        self._asked = tuple(asked)
        self._roots = np.concatenate([one.roots for one in asked])

    def of(self, candidate: Keypoints) -> CandidateAgreement:
        """Check one candidate."""
        count = len(self._asked[0])
        if not count or not len(candidate):
            return CandidateAgreement(NOTHING)
        alike = self._roots @ candidate.roots.T
        pairs = [match(alike[start : start + count]) for start in range(0, len(alike), count)]
        best = CandidateAgreement(NOTHING)
        # The question as it is comes before its variants where they have as many pairs.
        for number in sorted(range(len(pairs)), key=lambda number: -len(pairs[number]))[:2]:
            found = agreement(self._asked[number], candidate, pairs[number])
            if found.score > best.agreement.score:
                best = CandidateAgreement(self._as_asked(found, number), number in (1, 3), number in (2, 3))
            if found.score >= _SURE:
                break
        return best

    def each(self, candidates: Iterable[Keypoints], seconds: float = SECONDS) -> list[CandidateAgreement]:
        """Check candidates in their order, until all are checked or the time is over; what is left has no line.

        Give a generator: it is asked for one after the other, and may raise `core.errors.Cancelled`.
        """
        end = time.monotonic() + seconds
        checked = []
        for candidate in candidates:
            checked.append(self.of(candidate))
            if time.monotonic() > end:
                break
        return checked

    def _as_asked(self, found: Agreement, number: int) -> Agreement:
        if number not in (1, 3):
            return found
        places: npt.NDArray[np.float32] = np.column_stack(
            (np.float32(self._width) - found.query[:, 0], found.query[:, 1])
        )
        back = np.array([[-1, 0, self._width], [0, 1, 0], [0, 0, 1]], np.float64)
        return replace(found, query=places, homography=None if found.homography is None else found.homography @ back)


def order_candidates(checked: Sequence[CandidateAgreement], count: int) -> list[int]:
    """Return the new order of candidates: the same picture first, then the same thing, the surest first, then the rest.

    Parameters
    ----------
    checked : sequence of Checked
        Of the first candidates, in their order.
    count : int
        How many candidates there are.
    """
    agreeing = [row for row, one in enumerate(checked) if one.agreement.agrees]
    agreeing.sort(key=lambda row: (not checked[row].agreement.accepted, -checked[row].agreement.score))
    among = set(agreeing)
    return [*agreeing, *(row for row in range(count) if row not in among)]
