"""The figures that the explorer measures at one setting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.lab.explore.answers import QueryOutcome
from app.lab.explore.codes import Reduction
from app.lab.explore.knobs import KnobSetting
from core.message import NOTHING, Message


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
        """Return its figures by the columns of a sheet (`app.lab.sheet`)."""
        return {
            **{f"recall@{count}": value for count, value in self.recall.items()},
            "map": self.map,
            "overlap@10": self.overlap,
            "looked at": self.looked_at,
            "search": None if self.seconds is None else 1000 * self.seconds,
            "bytes": float(self.code_bytes),
        }
