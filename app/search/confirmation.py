"""The geometric check of the first results: matches with the query come first.

A query and a photograph are not compared again while both are unchanged.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.library.stored_keypoints import stored_keypoints
from app.search.query_descriptors import EncodedQuery
from app.search.query_distance import RecentValues
from app.search.search_results import GeometricCheck
from core.arithmetic import one_thread
from core.arrays import Int64Ids
from core.message import Message
from core.progress import Progress, silent
from features.keypoints import keypoints as kept_keypoints
from features.keypoints.geometric_check import (
    FIRST,
    NOTHING,
    SECONDS,
    CandidateAgreement,
    CandidateCheck,
    order_candidates,
)
from features.keypoints.keypoints import Keypoints
from storage.library.transaction import Transaction

FROM_PARTS = 5
"""Number of candidates that the parts of the query's pictures add."""

_KEPT = 2_000  # of a few hundred bytes, where nothing agrees, to 3 KB


@dataclass(frozen=True, eq=False)
class Confirmation:
    """Agreement of a photograph with the example of the query that it matches best.

    Attributes
    ----------
    example : int
        Place of the example in the query.
    checked : Checked
    """

    example: int
    checked: CandidateAgreement

    @property
    def accepted(self) -> bool:
        """Whether both match."""
        return self.checked.agreement.accepted


@dataclass(frozen=True, eq=False)
class Confirmations:
    """Outcome of checking some photographs.

    Attributes
    ----------
    found : dict of int to Confirmation
        Of the checked photographs, by their ids.
    first : tuple of int
        Ids of the photographs that show the same thing, the surest first and matches before all others.
    lacking : int
        Number of photographs whose keypoints the library does not keep.
    left : int
        Number of photographs that there was no time for.
    """

    found: dict[int, Confirmation]
    first: tuple[int, ...]
    lacking: int = 0
    left: int = 0


class ConfirmationCache:
    """Cache of the last comparisons of pictures with photographs; safe to use from several threads.

    Parameters
    ----------
    seconds : float
        Time after which the rest of the photographs stays unchecked.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._kept: RecentValues[tuple[bytes, int, bytes], CandidateAgreement] = RecentValues(_KEPT)

    def asked(self, keypoints: Keypoints) -> QueryKeypoints:
        """Return a picture, prepared for comparisons."""
        return QueryKeypoints(keypoints, self._kept)


class QueryKeypoints:
    """A picture prepared for comparisons with photographs. Made by :class:`Checks`."""

    def __init__(self, keypoints: Keypoints, kept: RecentValues[tuple[bytes, int, bytes], CandidateAgreement]) -> None:
        self.keypoints = keypoints
        self._kept = kept
        self._digest = _digest(keypoints)
        self._check: CandidateCheck | None = None

    def of(self, photograph_id: int, packed: bytes) -> CandidateAgreement:
        """Return the comparison with a photograph of the library, given its packed keypoints."""
        key = self._digest, photograph_id, hashlib.sha256(packed).digest()
        found = self._kept.get(key)
        if found is None:
            if self._check is None:
                self._check = CandidateCheck(self.keypoints)
            found = self._check.of(kept_keypoints.restored_keypoints(packed))
            self._kept.keep(key, found)
        return found


def confirm(
    r: Transaction,
    described: EncodedQuery,
    ids: Sequence[int] | Int64Ids,
    checks: ConfirmationCache,
    progress: Progress = silent,
) -> Confirmations:
    """Compare photographs with the liked pictures of a query; the best match of each counts.

    Parameters
    ----------
    r : Transaction
    described : Described
        The query.
    ids : sequence of int
        Photographs, the most promising first.
    checks : Checks
        Earlier comparisons.
    progress : Progress

    Raises
    ------
    Cancelled
        If progress says so.
    """
    asked = [(example, checks.asked(keypoints)) for example, keypoints in described.keypoints()]
    if not asked:
        return Confirmations({}, ())
    every = [int(one) for one in ids]
    kept = stored_keypoints(r, every)
    end = time.monotonic() + checks.seconds
    found: dict[int, Confirmation] = {}
    lacking = 0
    for number, (photograph_id, packed) in enumerate(zip(every, kept, strict=True)):
        progress(number, len(every), Message("Comparing the first results in detail"))
        if packed is None:
            lacking += 1
            continue
        with one_thread():
            tried = [Confirmation(example, one.of(photograph_id, packed)) for example, one in asked]
        found[photograph_id] = max(tried, key=lambda one: one.checked.agreement.score)
        if time.monotonic() > end:
            break
    nothing = Confirmation(asked[0][0], CandidateAgreement(NOTHING))
    checked = [found.get(one, nothing) for one in every]
    places = order_candidates([one.checked for one in checked], len(checked))
    first = tuple(every[place] for place in places if checked[place].checked.agreement.agrees)
    return Confirmations(found, first, lacking, len(every) - lacking - len(found))


def reordered(ranked: Int64Ids, confirmed: Confirmations, asked: set[int], confirmed_only: bool) -> Int64Ids:
    """Return ranked photographs with the matches first, (n,) -> (m,).

    Parameters
    ----------
    ranked : Ids, (n,)
        The order before the check.
    confirmed : Confirmed
        Photographs of the same thing outside the ranked ones join them.
    asked : set of int
        The liked photographs of the query, which come before all others.
    confirmed_only : bool
        Leave out all but matches.
    """
    up = list(confirmed.first)
    if up:
        up = [*(one for one in ranked[:FIRST].tolist() if one in asked), *up]
    if confirmed_only:
        up = [one for one in up if one in confirmed.found and confirmed.found[one].accepted]
    rest = [] if confirmed_only else ranked.tolist()
    return np.array(list(dict.fromkeys([*up, *rest])), np.int64)


def as_geometric_check(confirmation: Confirmation) -> GeometricCheck:
    """Return a comparison as a field of a result."""
    checked = confirmation.checked
    return GeometricCheck(
        confirmed=confirmation.accepted,
        score=round(checked.agreement.score, 3),
        inliers=len(checked.agreement),
        mirrored=checked.mirrored,
        inverted=checked.inverted,
    )


def _digest(keypoints: Keypoints) -> bytes:
    """Return a digest of keypoints."""
    h = hashlib.sha256(repr((len(keypoints), keypoints.width, keypoints.height)).encode())
    for array in (keypoints.places, keypoints.sizes, keypoints.angles, keypoints.levels):
        h.update(np.ascontiguousarray(array).tobytes())
    return h.digest()
