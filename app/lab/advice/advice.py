"""Advice: the index that suits a library best, measured within a time limit, with reasons.

Hash methods, bits and search structures are tried on the library's own descriptors, the most promising first
(:mod:`app.lab.advice.index_trials`). Each is a step of a plan (:mod:`app.lab.advice.index_plan`) that is kept: an advice that
was stopped goes on where it was, and one with more time tries only what is new.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from app.bench.faiss_peer import FaissPeer
from app.bench.kept_steps import CachedSteps
from app.indexes.fitted_models import load_extractor, usable_indexes
from app.indexes.index_names import default_row, text_of
from app.indexes.index_results import IndexStatus
from app.indexes.indexes import NewIndex, create_index, list_indexes
from app.lab.advice.advice_queries import (
    EDITS,
    MARKS,
    NEIGHBOURS,
    TRUTHS,
    AdviceQueries,
    EditingTime,
    NamedPairs,
    edited_questions,
    marked_questions,
    named_questions,
    neighbour_questions,
)
from app.lab.advice.advice_results import AdvicePoint, AdviceResult
from app.lab.advice.index_plan import find_subjects
from app.lab.advice.index_trials import IndexTrials, advice_of, try_indexes
from app.library.library import Library
from app.search.searcher import Searcher
from core.errors import Cancelled, TwinlensError
from core.message import Message
from core.progress import Progress, silent
from core.tuning.attempts import Attempts, OutOfTimeError, SecondsBudget
from storage.photographs.descriptors import KindRow

PHOTOGRAPHS = 20
"""Photographs to edit, as in ``evaluate``."""

NEIGHBOUR_QUESTIONS = 100
_EDITING = 0.25  # share of the time for editing photographs


@dataclass(frozen=True)
class AdviceSettings:
    """The options of an advice.

    By the truth ``edits`` an edited copy should find its photograph, by ``marks`` what was marked as similar, and by
    ``neighbours`` the exact results; that cannot compare descriptors, and uses that of the default index.
    """

    time_limit_s: float = 60.0  # may be exceeded only by the method being learned when it ends
    descriptors: Sequence[str] | None = None  # by default those of all indexes of the library
    truth: str = EDITS
    pairs: NamedPairs | None = None  # that should match and should not, instead of the truth
    seed: int = 0
    peers: Sequence[str] = ()  # factory strings of faiss, of indexes to compare with
    clock: Callable[[], float] = time.monotonic


def advise(
    library: Library,
    wanted: AdviceSettings = AdviceSettings(),
    progress: Progress = silent,
    found: Callable[[AdvicePoint], None] = lambda point: None,
) -> AdviceResult:
    """Measure possible indexes of a library, and propose one.

    Parameters
    ----------
    library : Library
        A few of its photographs are read and edited if the truth is ``edits``.
    wanted : AdviceWanted
    progress : Progress
        Receives the spent share of the time. If it raises Cancelled, the advice rests on what was measured so far.
    found : callable
        Called with each measured index, and again under the same key after more queries.

    Raises
    ------
    TwinlensError
        If there are too few photographs, no right results are known, or no index could be measured in the time.
    Cancelled
        If it is cancelled before an index was measured.
    """
    if wanted.truth not in TRUTHS:
        raise TwinlensError(
            Message("Unknown truth “{truth}”.", truth=wanted.truth),
            Message("Choose one of: {truths}.", truths=TRUTHS),
        )
    budget, store = SecondsBudget(wanted.time_limit_s, wanted.clock), CachedSteps.of(library)
    searcher = Searcher(library)
    with searcher.moment() as moment:
        default = default_row(moment.r)
    subjects, notes = find_subjects(searcher, wanted.descriptors, wanted.truth == NEIGHBOURS and wanted.pairs is None)
    peers = [FaissPeer.read(text) for text in wanted.peers]
    kinds = list({one.base.kind.id: one.base.kind for one in subjects}.values())
    questions = _questions(library, wanted, kinds, EditingTime(budget, _EDITING, progress, store))
    questions = replace(questions, notes=[*notes, *questions.notes])
    cancelled = False
    with library.store.reading() as r:
        trying = IndexTrials(r, subjects, questions, Attempts(budget, store, progress), wanted.seed, found)
        try:
            try_indexes(trying, budget, peers)
        except OutOfTimeError:
            pass
        except Cancelled:
            if not any(trying.points):
                raise
            cancelled = True
        if not any(trying.points):
            for refused in trying.refused.values():
                raise TwinlensError(refused)
            raise TwinlensError(
                Message("No index could be measured in {seconds:g} seconds.", seconds=wanted.time_limit_s),
                Message("Allow more time."),
            )
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


def _questions(library: Library, wanted: AdviceSettings, kinds: Sequence[KindRow], time: EditingTime) -> AdviceQueries:
    if wanted.pairs is None and wanted.truth == EDITS:
        with library.store.reading() as r:
            extractors = {kind.id: (kind, load_extractor(r, kind)) for kind in kinds}
        found = edited_questions(library, extractors, PHOTOGRAPHS, wanted.seed, time)
        if found.asked:
            return found
    with library.store.reading() as r:
        if wanted.pairs is not None:
            return named_questions(library, r, kinds, wanted.pairs, wanted.seed)
        if wanted.truth == MARKS:
            return marked_questions(r, kinds, wanted.seed)
        found = neighbour_questions(r, kinds, NEIGHBOUR_QUESTIONS, wanted.seed)
    if wanted.truth == EDITS:
        found.notes.append(Message("No photo can be read now, so exact neighbours count as right."))
    if not found.asked:
        raise TwinlensError(
            Message("No photo has vectors of all these descriptors."), Message("Choose a single descriptor.")
        )
    return found
