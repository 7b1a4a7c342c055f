"""Advice: the index that suits a library best, measured within a time limit, with reasons.

Hash methods, bits and search structures are tried on the library's own descriptors. First every method and length gets
a few queries (in a large library, on a sample), the most promising first. Then the best of each length get all queries,
with several search structures. The rest of the time goes to other parameters of the best method, drawn as in ``tune``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from app.bench.faiss_peer import FaissPeer
from app.indexes.default_index import default_row
from app.indexes.descriptor_kinds import load_extractor
from app.indexes.index_metric import metric_text
from app.indexes.index_names import text_of
from app.indexes.indexes import NewIndex, create_index, list_indexes
from app.indexes.usable import usable_indexes
from app.lab.advice.questions import (
    EDITS,
    MARKS,
    NEIGHBOURS,
    TRUTHS,
    EditingTime,
    NamedPairs,
    Questions,
    edited_questions,
    marked_questions,
    named_questions,
    neighbour_questions,
)
from app.lab.advice.report import advice_of
from app.lab.advice.results import AdvicePoint, AdviceResult
from app.lab.advice.trials import measure_all
from app.lab.advice.work import OutOfTimeError, Subject, Work
from app.library.library import Library
from app.methods import catalogue
from app.results import IndexStatus
from app.search.searcher import Searcher
from core.errors import Cancelled, Remedy, TwinlensError
from core.message import Message
from core.progress import Progress, silent
from core.tuning.budget import Seconds

PHOTOGRAPHS = 20
"""Photographs to edit, as in ``evaluate``."""

NEIGHBOUR_QUESTIONS = 100
_EDITING = 0.25  # share of the time for editing photographs


@dataclass(frozen=True)
class AdviceWanted:
    """The options of an advice.

    Attributes
    ----------
    time_limit_s : float
        May be exceeded only by the method being learned when it ends.
    descriptors : sequence of str, optional
        Text forms; by default those of all indexes of the library. The truth ``neighbours`` cannot compare descriptors
        and uses that of the default index.
    truth : str
        Which results are right: ``edits`` (an edited copy should find its photograph), ``marks``, or ``neighbours``
        (the exact results).
    pairs : NamedPairs, optional
        Pairs that should match and should not, used instead of `truth`.
    seed : int
        Seed of all random choices.
    peers : sequence of str
        Factory strings of faiss, of indexes to compare with; none of them is proposed.
    clock : callable
        Returns seconds.
    """

    time_limit_s: float = 60.0
    descriptors: Sequence[str] | None = None
    truth: str = EDITS
    pairs: NamedPairs | None = None
    seed: int = 0
    peers: Sequence[str] = ()
    clock: Callable[[], float] = time.monotonic


def advise(
    library: Library,
    wanted: AdviceWanted = AdviceWanted(),
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
    budget = Seconds(wanted.time_limit_s, wanted.clock)
    searcher = Searcher(library)
    with searcher.moment() as moment:
        default = default_row(moment.r)
        subjects, notes = _subjects(searcher, wanted.descriptors, wanted.truth == NEIGHBOURS and wanted.pairs is None)
    peers = [FaissPeer.read(text) for text in wanted.peers]
    work = Work(budget, progress, found, subjects, wanted.seed, peers)
    questions = _questions(library, wanted, work)
    questions = replace(questions, notes=[*notes, *questions.notes])
    with library.store.reading() as r:
        try:
            measure_all(r, questions.asked, work)
        except OutOfTimeError:
            pass
        except Cancelled:
            if not any(work.levels):
                raise
            work.cancelled = True
        if not any(work.levels):
            for refused in work.refused.values():
                raise TwinlensError(refused)
            raise TwinlensError(
                Message("No index could be measured in {seconds:g} seconds.", seconds=wanted.time_limit_s),
                Message("Allow more time."),
            )
        known = {text_of(row): row.name for row in usable_indexes(r)}
    return advice_of(work, questions, known, default)


def build(library: Library, result: AdviceResult, name: str | None = None, progress: Progress = silent) -> IndexStatus:
    """Create the proposed index, or return it if the library has it.

    Parameters
    ----------
    library : Library
    result : AdviceResult
    name : str, optional
        By default made from its text form.
    progress : Progress

    Raises
    ------
    TwinlensError
        If the name is taken, or the library has changed and the index cannot be created.
    Cancelled
        If progress raises it.
    """
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


def _subjects(searcher: Searcher, wanted: Sequence[str] | None, one: bool) -> tuple[list[Subject], list[Message]]:
    """Return the vectors and measures of the library, those of the default index first, and notes."""
    texts = None if wanted is None else {catalogue.descriptor(text).text() for text in wanted}
    found: dict[tuple[str, str, str], Subject] = {}
    notes = []
    with searcher.moment() as moment:
        first = default_row(moment.r)
        for row in sorted(usable_indexes(moment.r), key=lambda row: row.id != first.id):
            text = catalogue.descriptor(row.descriptor).text()
            if texts is not None and text not in texts:
                continue
            try:
                base = searcher.index(moment, row.name)
            except TwinlensError as error:
                notes.append(error.whole)
                continue
            subject = Subject(base, moment.r.descriptors.count(base.kind), [])
            if subject.ids > 1:
                subject = found.setdefault((text, metric_text(row), subject.measure), subject)
                if catalogue.search_structure(row.search).uses_codes:
                    own = catalogue.method(row.method).text(), catalogue.search_structure(row.search).text()
                    subject.own.append(own)
    lacking = (texts or set()) - {text for text, *_ in found}
    if lacking:
        raise TwinlensError(
            Message("The library has no vectors of {descriptors}.", descriptors=sorted(lacking)),
            Remedy("create index", {"descriptor": min(lacking)}),
        )
    if not found:
        raise TwinlensError(Message("The library has too few photos to compare."), Remedy("add folder"))
    subjects = list(found.values())
    if one and texts is None and len(subjects) > 1:
        notes.append(Message("Exact neighbours cannot compare descriptors, so that of the default index is used."))
        subjects = subjects[:1]
    return subjects, notes


def _questions(library: Library, wanted: AdviceWanted, work: Work) -> Questions:
    kinds = list({one.base.kind.id: one.base.kind for one in work.subjects}.values())
    if wanted.pairs is None and wanted.truth == EDITS:
        with library.store.reading() as r:
            extractors = {kind.id: (kind, load_extractor(r, kind)) for kind in kinds}
        editing = EditingTime(work.budget, _EDITING, work.progress)
        found = edited_questions(library, extractors, PHOTOGRAPHS, wanted.seed, editing)
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
