"""The last advice, kept with the library, and the process of its own in which advice is measured."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pydantic import Field, ValidationError

from app.lab.advice.advice_queries import EDITS, NEIGHBOURS, PAIRS, NamedPairs
from app.lab.advice.advice_results import AdvicePoint, AdviceResult
from app.lab.advice.index_trials import same_command
from app.library.library import Library
from app.machine import app_folders
from app.machine.separate_process import run_in_process
from app.results import Result
from core.message import KEPT
from core.progress import Progress, silent
from storage.database.address import Address
from storage.database.schema import PhotographState

_SETTING = "advice"


class KeptAdvice(Result):
    """An advice with its time and its pairs."""

    made: str = Field(description="when, ISO 8601, UTC")
    result: AdviceResult
    match: list[tuple[int, int]] = Field(default_factory=list, description="ids that should match")
    differ: list[tuple[int, int]] = Field(default_factory=list, description="ids that should not")
    ready: int = Field(description="photographs in the library then")


def keep_advice(library: Library, result: AdviceResult, pairs: NamedPairs | None = None) -> KeptAdvice:
    """Keep an advice in place of the last one; a read-only library keeps nothing."""
    some = NamedPairs() if pairs is None else pairs
    kept = KeptAdvice(
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        result=result,
        match=_by_id(some.match),
        differ=_by_id(some.differ),
        ready=named_photographs(library),
    )
    if library.store.writable:
        with library.store.writing("keeping advice") as w:
            w.settings.put(_SETTING, kept.model_dump(mode="json", context=KEPT))
    return kept


def last_advice(library: Library) -> KeptAdvice | None:
    """Return the last advice; None without one that this version can read."""
    with library.store.reading() as r:
        found = r.settings.get(_SETTING, None)
    try:
        return None if found is None else KeptAdvice.model_validate(found)
    except ValidationError:
        return None


def named_photographs(library: Library) -> int:
    """Return the number of photographs that a search can find."""
    with library.store.reading() as r:
        return r.photographs.counts()[PhotographState.READY]


def _by_id(pairs: tuple[tuple[object, object], ...]) -> list[tuple[int, int]]:
    return [(a, b) for a, b in pairs if isinstance(a, int) and isinstance(b, int)]


def command_of(kept: KeptAdvice, library: Address) -> str:
    """Return the command that gives the same advice for a library."""
    result = kept.result
    pairs = NamedPairs(tuple(kept.match), tuple(kept.differ)) if result.truth == PAIRS else None
    truth = NEIGHBOURS if result.truth == NEIGHBOURS else EDITS
    usual = Address.of(app_folders.default_library())
    peers = list(dict.fromkeys(one.method for one in result.peers))
    return same_command(result.time_limit, truth, pairs, "" if library == usual else library.shown, peers)


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
        from app.lab.experiments.common_questions import peers_of, question_index

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
