"""Advice in a process of its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from app.lab.advice.last_advice import KeptAdvice, keep_advice
from app.lab.advice.questions import EDITS, NamedPairs
from app.lab.advice.results import AdvicePoint
from app.library.library import Library
from app.machine.separate_process import run_in_process
from core.progress import Progress, silent
from storage.database.address import Address

_LEAST_S = 1.0
_PEER_S = 60  # for each index of another program, or they leave too little time for what can be made here


@dataclass(frozen=True)
class AdviceJob:
    """A request for advice, as of :func:`app.lab.advice.advice.advise`."""

    seconds: float  # time limit, including the start of the process
    truth: str = EDITS
    pairs: NamedPairs | None = None
    began: float = field(default_factory=time.time)

    def __call__(self, library: Library, progress: Progress, found: Callable[[AdvicePoint], None], /) -> KeptAdvice:
        """Measure, and keep the advice."""
        from app.lab.advice.advice import AdviceSettings, advise
        from app.lab.experiments.questions import peers_of, question_index

        spent = max(0.0, time.time() - self.began)  # of the clock on the wall: it is the same in all processes
        left = max(_LEAST_S, self.seconds - spent)
        peers = peers_of(question_index(library))[: int(self.seconds // _PEER_S)]
        wanted = AdviceSettings(time_limit_s=left, truth=self.truth, pairs=self.pairs, peers=peers)
        result = advise(library, wanted, progress, found)
        asked = {"time_limit": self.seconds, "seconds": spent + result.seconds}
        return keep_advice(library, result.model_copy(update=asked), self.pairs)


def advise_in_process(
    library: Address,
    asked: AdviceJob,
    progress: Progress = silent,
    found: Callable[[AdvicePoint], None] = lambda point: None,
) -> KeptAdvice:
    """Find and keep advice in a process of its own; arguments and errors are those of advice itself."""
    kept: KeptAdvice = run_in_process(library, asked, progress, found, gently=True)
    return kept
