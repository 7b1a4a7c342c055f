"""Advice worked out in a process of its own, and kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from app.lab.advice.last_advice import KeptAdvice, keep_advice
from app.lab.advice.questions import EDITS, NamedPairs
from app.lab.advice.results import AdvicePoint
from app.library.library import Library
from app.machine.separate_process import do_aside
from core.progress import Progress, silent

_LEAST_S = 1.0


@dataclass(frozen=True)
class Advising:
    """What is asked.

    Attributes
    ----------
    seconds : float
        That may be spent from now on, the start of the process within them.
    truth : str
    pairs : NamedPairs, optional
        As of :func:`app.lab.advice.advice.advise`.
    """

    seconds: float
    truth: str = EDITS
    pairs: NamedPairs | None = None
    began: float = field(default_factory=time.time)

    def __call__(self, library: Library, progress: Progress, found: Callable[[AdvicePoint], None], /) -> KeptAdvice:
        """Work it out, and keep it."""
        from app.lab.advice.advice import advise

        spent = max(0.0, time.time() - self.began)  # of the clock on the wall: it is the same in all processes
        left = max(_LEAST_S, self.seconds - spent)
        result = advise(library, left, truth=self.truth, pairs=self.pairs, progress=progress, found=found)
        asked = {"time_limit": self.seconds, "seconds": spent + result.seconds}
        return keep_advice(library, result.model_copy(update=asked), self.pairs)


def advise_aside(
    library: Path,
    asked: Advising,
    progress: Progress = silent,
    found: Callable[[AdvicePoint], None] = lambda point: None,
) -> KeptAdvice:
    """Work advice out in a process of its own.

    Parameters
    ----------
    library : Path
        Its file.
    asked : Advising
    progress : Progress
        When it raises Cancelled, what is known gives the answer.
    found : callable
        Given each index as soon as it is measured.

    Raises
    ------
    TwinlensError, Cancelled
        As :func:`app.lab.advice.advice.advise`; and if the process ends by itself.
    """
    kept: KeptAdvice = do_aside(library, asked, progress, found, gently=True)
    return kept
