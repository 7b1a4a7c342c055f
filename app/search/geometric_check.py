"""The geometric check of the first answers: those that show the same as what was asked with come first.

A question and a photograph that were compared are not compared again as long as both are as they were.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.library.stored_keypoints import stored_keypoints
from app.results import GeometricCheck
from app.search.described_question import Described
from app.search.filters import Ids
from app.search.query_views import Kept
from core.message import Message
from core.one_thread import one_thread
from core.progress import Progress, silent
from features import kept_keypoints
from features.checking import FIRST, SECONDS, Check, Checked, order
from features.geometry import NOTHING
from features.keypoints import Keypoints
from storage.transaction import Transaction

__all__ = [
    "FIRST",
    "FROM_PARTS",
    "SECONDS",
    "Checks",
    "Confirmation",
    "Confirmed",
    "as_result",
    "confirm",
    "reordered",
]

FROM_PARTS = 15
"""How many candidates the parts of a question's pictures add."""

_KEPT = 2_000  # of a few hundred bytes, where nothing agrees, to 3 KB


@dataclass(frozen=True, eq=False)
class Confirmation:
    """What a photograph has in common with the example that it shows most surely.

    Attributes
    ----------
    example : int
        Its place in the question.
    checked : Checked
    """

    example: int
    checked: Checked

    @property
    def accepted(self) -> bool:
        """Whether both show the same."""
        return self.checked.agreement.accepted


@dataclass(frozen=True, eq=False)
class Confirmed:
    """What the check of some photographs came to.

    Attributes
    ----------
    found : dict of int to Confirmation
        By the photographs' ids; of those that were checked.
    first : tuple of int
        Ids of those that show the same, the surest first.
    lacking : int
        How many could not be checked, because the library does not keep their keypoints.
    left : int
        How many there was no time for.
    """

    found: dict[int, Confirmation]
    first: tuple[int, ...]
    lacking: int = 0
    left: int = 0


class Checks:
    """The last comparisons of a picture with a photograph. Safe to use from several threads.

    Parameters
    ----------
    seconds : float
        After so long the rest of the photographs stays unchecked.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._kept: Kept[tuple[bytes, int, bytes], Checked] = Kept(_KEPT)

    def asked(self, keypoints: Keypoints) -> AskedKeypoints:
        """Make a picture ready to be compared."""
        return AskedKeypoints(keypoints, self._kept)


class AskedKeypoints:
    """A picture that photographs are compared with. Made by :class:`Checks`."""

    def __init__(self, keypoints: Keypoints, kept: Kept[tuple[bytes, int, bytes], Checked]) -> None:
        self.keypoints = keypoints
        self._kept = kept
        self._digest = _digest(keypoints)
        self._check: Check | None = None

    def of(self, photograph_id: int, packed: bytes) -> Checked:
        """Compare with a photograph of the library, by what is kept of it."""
        key = self._digest, photograph_id, hashlib.sha256(packed).digest()
        found = self._kept.get(key)
        if found is None:
            if self._check is None:
                self._check = Check(self.keypoints)
            found = self._check.of(kept_keypoints.restored(packed))
            self._kept.keep(key, found)
        return found


def confirm(
    r: Transaction,
    described: Described,
    ids: Sequence[int] | Ids,
    checks: Checks,
    progress: Progress = silent,
    seconds: float | None = None,
) -> Confirmed:
    """Check photographs against the pictures that they shall be like; the best of these counts.

    Parameters
    ----------
    r : Transaction
    described : Described
        The question.
    ids : sequence of int
        Photographs, the most promising first.
    checks : Checks
        What was compared before.
    progress : Progress
    seconds : float, optional
        After so long the rest stays unchecked; by default as ``checks`` say.

    Raises
    ------
    Cancelled
        If progress says so.
    """
    asked = [(example, checks.asked(keypoints)) for example, keypoints in described.keypoints()]
    if not asked:
        return Confirmed({}, ())
    every = [int(one) for one in ids]
    kept = stored_keypoints(r, every)
    end = time.monotonic() + (checks.seconds if seconds is None else seconds)
    found: dict[int, Confirmation] = {}
    lacking = 0
    for number, (photograph_id, packed) in enumerate(zip(every, kept, strict=True)):
        progress(number, len(every), Message("Checking what shows the same"))
        if packed is None:
            lacking += 1
            continue
        with one_thread():
            tried = [Confirmation(example, one.of(photograph_id, packed)) for example, one in asked]
        found[photograph_id] = max(tried, key=lambda one: one.checked.agreement.score)
        if time.monotonic() > end:
            break
    nothing = Confirmation(asked[0][0], Checked(NOTHING))
    checked = [found.get(one, nothing) for one in every]
    places = order([one.checked for one in checked], len(checked))
    first = tuple(every[place] for place in places if checked[place].accepted)
    return Confirmed(found, first, lacking, len(every) - lacking - len(found))


def reordered(ranked: Ids, confirmed: Confirmed, asked: set[int], confirmed_only: bool) -> Ids:
    """Put what shows the same first, (n,) -> (m,).

    Parameters
    ----------
    ranked : Ids, (n,)
        In the order before the check.
    confirmed : Confirmed
        Also of photographs that are not among them: those that show the same join them.
    asked : set of int
        Photographs that the answers shall be like: each shows itself, so these come before all others.
    confirmed_only : bool
        Leave out what does not show the same.
    """
    up = list(confirmed.first)
    if up:
        up = [*(one for one in ranked[:FIRST].tolist() if one in asked), *up]
    if confirmed_only:
        up = [one for one in up if one in confirmed.first]
    rest = [] if confirmed_only else ranked.tolist()
    return np.array(list(dict.fromkeys([*up, *rest])), np.int64)


def as_result(confirmation: Confirmation) -> GeometricCheck:
    """Say what was found, for an answer."""
    checked = confirmation.checked
    return GeometricCheck(
        confirmed=confirmation.accepted,
        score=round(checked.agreement.score, 3),
        inliers=len(checked.agreement),
        mirrored=checked.mirrored,
        inverted=checked.inverted,
    )


def _digest(keypoints: Keypoints) -> bytes:
    """Tell keypoints from any others."""
    h = hashlib.sha256(repr((len(keypoints), keypoints.width, keypoints.height)).encode())
    for array in (keypoints.places, keypoints.sizes, keypoints.angles, keypoints.levels):
        h.update(np.ascontiguousarray(array).tobytes())
    return h.digest()
