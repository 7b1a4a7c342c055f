"""Settings of an advice: its time, its right results, and what it may propose."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from twinlens.core.declaration.declaration import parameter
from twinlens.core.declaration.request import Request

AdviceTruth = Literal["edits", "marks", "neighbours"]
EDITS: AdviceTruth = "edits"
MARKS: AdviceTruth = "marks"
NEIGHBOURS: AdviceTruth = "neighbours"
PAIRS = "pairs"


@dataclass(frozen=True)
class NamedPairs:
    """Pairs of photographs that should match, and pairs that should not, by id or path."""

    match: tuple[tuple[int | Path, int | Path], ...] = ()
    differ: tuple[tuple[int | Path, int | Path], ...] = ()


class AdviceSettings(Request):
    """A request for an advice.

    By the truth ``edits`` an edited copy should find its photograph, by ``marks`` what was marked as similar, and by
    ``neighbours`` the exact results; that cannot compare descriptors, and uses that of the default index.

    Attributes
    ----------
    time_limit_s : float
        Exceeded only by what is being learned when it ends, and until one index is measured beside exact search.
    descriptors : tuple of str
        Empty for those of all indexes of the library.
    pairs : NamedPairs, optional
        Used instead of the truth.
    clock : callable returning float
        The time in seconds.
    """

    key = "advise"

    time_limit_s: float = parameter(60.0, gt=0, option="--time", metavar="SECONDS", help="Time limit.")
    truth: AdviceTruth = parameter(
        EDITS,
        help="Right results. edits: the original of an edited copy. marks: photos marked as similar. neighbours: the "
        "results of exact search.",
    )
    descriptors: tuple[str, ...] = parameter(
        (),
        option="--descriptor",
        metavar="TEXT",
        help="Measure only indexes with this descriptor, which an index of the library must have. Default: all of "
        "them.",
    )
    peers: tuple[str, ...] = parameter(
        (),
        option="--peer",
        help="Index of faiss to compare with, as for bench; repeat for several. None of them is proposed.",
    )
    seed: int = parameter(0, ge=0, help="Seed of the random choices.")
    pairs: NamedPairs | None = None
    clock: Callable[[], float] = time.monotonic
