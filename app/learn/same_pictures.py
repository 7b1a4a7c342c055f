"""Pairs of photographs that show the same picture, by content or keypoints, so that nobody has to mark them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.arithmetic.one_thread import one_thread
from core.arrays import Int64Ids, Int64Rows
from core.message import Message
from core.progress import Progress, silent
from features.keypoints import kept_keypoints
from features.keypoints.candidate_check import CandidateCheck
from storage.library.transaction import Transaction


class SamePictures:
    """Checks pairs of photographs, each pair once.

    Parameters
    ----------
    r : Transaction
    ids : ndarray of int64, (n,)
        Photographs that rows stand for.
    """

    def __init__(self, r: Transaction, ids: Int64Ids) -> None:
        self._r = r
        self._ids = ids
        self._known: dict[tuple[int, int], bool] = {}

    def among(self, rows: Int64Rows, progress: Progress = silent) -> npt.NDArray[np.bool_]:
        """Return which pairs show the same picture, (p, 2) -> (p,); photographs without keypoints show none."""
        pairs = [(int(one), int(other)) for one, other in rows]
        for number, pair in enumerate(pairs):
            progress(number, len(pairs), Message("Checking pairs"))
            if pair not in self._known:
                self._known[pair] = self._same(*pair)
        return np.array([self._known[pair] for pair in pairs], np.bool_)

    def _same(self, one: int, other: int) -> bool:
        first, second = self._r.keypoints.read(self._ids[[one, other]].tolist(), kept_keypoints.KEYPOINTS_VERSION)
        if first is None or second is None:
            return False
        with one_thread():
            checked = CandidateCheck(kept_keypoints.restored_keypoints(first)).of(
                kept_keypoints.restored_keypoints(second)
            )
        return checked.agreement.accepted
