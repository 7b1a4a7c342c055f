"""Advice: the index that suits a library best, measured within a time limit, with reasons.

Hash methods, bits and search structures are tried on the library's own descriptors, the most promising first
(`twinlens.app.lab.advice.index_trials`). Each is a step of a plan (`twinlens.app.lab.advice.index_plan`) that is kept:
an advice that was stopped goes on where it was, and one with more time tries only what is new.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from pydantic import Field, ValidationError

from twinlens.app.bench.faiss_peer import FaissPeer
from twinlens.app.bench.kept_steps import CachedSteps
from twinlens.app.indexes.fitted_models import load_extractor, usable_indexes
from twinlens.app.indexes.index_results import IndexStatus
from twinlens.app.indexes.indexes import create_index, default_row, list_indexes, text_of
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.lab.advice.advice_queries import (
    AdviceQueries,
    EditingTime,
    edited_queries,
    marked_queries,
    named_queries,
    neighbour_queries,
)
from twinlens.app.lab.advice.advice_results import AdvicePoint, AdviceResult
from twinlens.app.lab.advice.advice_settings import (
    EDITS,
    MARKS,
    NEIGHBOURS,
    PAIRS,
    AdviceSettings,
    AdviceTruth,
    NamedPairs,
)
from twinlens.app.lab.advice.index_plan import find_subjects
from twinlens.app.lab.advice.index_trials import IndexTrials, advice_of, same_command, try_indexes
from twinlens.app.library.library import Library
from twinlens.app.machine import app_folders
from twinlens.app.machine.separate_process import run_in_process
from twinlens.app.results import Result
from twinlens.app.search.searcher import Searcher
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.message import KEPT, Message
from twinlens.core.progress import Progress, silent
from twinlens.core.tuning.attempts import Attempts, OutOfTimeError, SecondsBudget
from twinlens.storage.database.address import Address
from twinlens.storage.database.values import PhotographState
from twinlens.storage.photographs.descriptors import KindRow

PHOTOGRAPHS = 20
"""Photographs to edit, as in ``evaluate``."""

NEIGHBOUR_QUERIES = 100
_USUAL = AdviceSettings()
_EDITING = 0.25  # share of the time for editing photographs


def advise(
    library: Library,
    wanted: AdviceSettings = _USUAL,
    progress: Progress = silent,
    found: Callable[[AdvicePoint], None] = lambda point: None,
) -> AdviceResult:
    """Measure possible indexes of a library, and propose one.

    Parameters
    ----------
    library : Library
        A few of its photographs are read and edited if the truth is ``edits``.
    progress : Progress
        Receives the spent share of the time. If it raises Cancelled, the advice rests on what was measured so far.
    found : callable
        Called with each measured index, and again under the same key after more queries.

    Raises
    ------
    TwinlensError
        If there are too few photographs, no right results are known, or no index can be measured on them.
    Cancelled
        If it is cancelled before an index was measured.
    """
    budget, store = SecondsBudget(wanted.time_limit_s, wanted.clock), CachedSteps.of(library.store.id)
    searcher = Searcher(library)
    with searcher.moment() as moment:
        default = default_row(moment.r)
    subjects, notes = find_subjects(searcher, wanted.descriptors, wanted.truth == NEIGHBOURS and wanted.pairs is None)
    peers = [FaissPeer.read(text) for text in wanted.peers]
    kinds = list({one.base.kind.id: one.base.kind for one in subjects}.values())
    queries = _queries(library, wanted, kinds, EditingTime(budget, _EDITING, progress, store))
    queries = replace(queries, notes=[*notes, *queries.notes])
    cancelled = False
    with library.store.reading() as r:
        least = len(subjects) + 1  # exact search, and an index to compare it with
        trying = IndexTrials(r, subjects, queries, Attempts(budget, store, progress, least), wanted.seed, found)
        try:
            try_indexes(trying, budget, peers)
        except OutOfTimeError:
            pass
        except Cancelled:
            if not any(trying.points):
                raise
            cancelled = True
        if not any(trying.points):
            raise TwinlensError(next(iter(trying.refused.values())))
        known = {text_of(row): row.name for row in usable_indexes(r)}
    return advice_of(trying, budget, known, default, cancelled)


def build_advised_index(
    library: Library, result: AdviceResult, name: str | None = None, progress: Progress = silent
) -> IndexStatus:
    """Create the proposed index, by default with a name made from its text form, or return it if the library has it."""
    chosen = result.point()
    for there in list_indexes(library).indexes:
        if there.text == chosen.key:
            return there
    method = chosen.method or "itq"
    return create_index(
        library,
        NewIndex(descriptor=chosen.descriptor, method=method, search=chosen.search, name=name, metric=chosen.metric),
        progress,
    )


def _queries(library: Library, wanted: AdviceSettings, kinds: Sequence[KindRow], time: EditingTime) -> AdviceQueries:
    if wanted.pairs is None and wanted.truth == EDITS:
        with library.store.reading() as r:
            extractors = {kind.id: (kind, load_extractor(r, kind)) for kind in kinds}
        found = edited_queries(library, extractors, PHOTOGRAPHS, wanted.seed, time)
        if found.queries:
            return found
    with library.store.reading() as r:
        if wanted.pairs is not None:
            return named_queries(library, r, kinds, wanted.pairs, wanted.seed)
        if wanted.truth == MARKS:
            return marked_queries(r, kinds, wanted.seed)
        found = neighbour_queries(r, kinds, NEIGHBOUR_QUERIES, wanted.seed)
    if wanted.truth == EDITS:
        found.notes.append(Message("No photo can be read now, so exact neighbours count as right."))
    if not found.queries:
        raise TwinlensError("No photo has vectors of all these descriptors.", "Choose a single descriptor.")
    return found


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
    """Return the number of photographs that can be found by a search."""
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


_PEER_S = 60  # for each index of another program, or they leave too little time for what can be made here


@dataclass(frozen=True)
class AdviceJob:
    """A request for advice, as of :func:`twinlens.app.lab.advice.advice.advise`."""

    seconds: float  # time limit of measuring; before it a process starts and loops are compiled
    truth: AdviceTruth = EDITS
    pairs: NamedPairs | None = None

    def __call__(self, library: Library, progress: Progress, found: Callable[[AdvicePoint], None], /) -> KeptAdvice:
        """Measure indexes and keep the advice."""
        from twinlens.app.lab.experiments.common_questions import peers_of, question_index

        peers = peers_of(question_index(library))[: int(self.seconds // _PEER_S)]
        wanted = AdviceSettings(time_limit_s=self.seconds, truth=self.truth, pairs=self.pairs, peers=peers)
        result = advise(library, wanted, progress, found)
        return keep_advice(library, result, self.pairs)


def advise_in_process(
    library: Address,
    job: AdviceJob,
    progress: Progress = silent,
    found: Callable[[AdvicePoint], None] = lambda point: None,
) -> KeptAdvice:
    """Find and keep advice in a process of its own; arguments and errors are those of advice itself."""
    kept: KeptAdvice = run_in_process(library, job, progress, found, gently=True)
    return kept
