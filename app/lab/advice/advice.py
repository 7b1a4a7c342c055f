"""Advice: which index to use for a library, found by measuring within a time, with reasons.

Hash methods, bits and search structures are tried over the descriptors that the library has. First each length of codes
of each method is asked a few questions (of a large library, on a sample of it), the most promising first; then the best
of each length, under several search structures, everything that there is time for; what time is left tries other
parameters of the best method, as ``tune`` draws them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from app.indexes.default_index import default_row
from app.indexes.descriptor_kinds import load_extractor
from app.indexes.index_metric import metric_text
from app.indexes.index_names import text_of
from app.indexes.indexes import create_index, list_indexes
from app.lab.advice.questions import (
    EDITS,
    MARKS,
    NEIGHBOURS,
    TRUTHS,
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
from core.errors import Cancelled, TwinlensError
from core.message import NOTHING, Message, verbatim
from core.progress import Progress, silent
from core.tuning.budget import Seconds

PHOTOGRAPHS = 20
"""That are edited; as ``evaluate``."""

NEIGHBOUR_QUESTIONS = 100
_ASKING = 0.25  # share of the time until which photographs may be edited


def advise(
    library: Library,
    time_limit_s: float = 60.0,
    descriptors: Sequence[str] | None = None,
    truth: str = EDITS,
    pairs: NamedPairs | None = None,
    progress: Progress = silent,
    seed: int = 0,
    clock: Callable[[], float] = time.monotonic,
    found: Callable[[AdvicePoint], None] = lambda point: None,
) -> AdviceResult:
    """Measure indexes that the library could have, and propose one.

    Parameters
    ----------
    library : Library
        Photographs are read only to be edited, a few of them, where the truth is ``edits``.
    time_limit_s : float
        That may be spent; it is kept but for what is being learned when it ends.
    descriptors : sequence of str, optional
        Text forms; by default all that an index of the library has, and with the truth ``neighbours``, by which
        descriptors cannot be compared, that of the index that answers now.
    truth : str
        What is right: ``edits`` (an edited copy should find its photograph), ``marks``, or ``neighbours`` (what exact
        search finds).
    pairs : NamedPairs, optional
        Photographs that should match and should not, in place of `truth`.
    progress : Progress
        Told the share of the time that is spent; when it raises Cancelled, what is known gives the answer.
    seed : int
        Of what is drawn.
    clock : callable
        Gives seconds.
    found : callable
        Given each index as soon as it is measured; one that is measured by more questions comes again, under its key.

    Raises
    ------
    TwinlensError
        If there are no photographs, nothing says what is right, or nothing could be measured in the time.
    Cancelled
        If it is cancelled before anything was measured.
    """
    if truth not in TRUTHS:
        raise TwinlensError(
            Message("There is no truth “{truth}”.", truth=truth),
            Message("There are {truths}.", truths=", ".join(TRUTHS)),
        )
    work = Work(Seconds(time_limit_s, clock), progress, found)
    searcher = Searcher(library)
    with searcher.moment() as moment:
        default = default_row(moment.r)
        subjects, notes = _subjects(searcher, descriptors, truth == NEIGHBOURS and pairs is None)
    questions = _questions(library, subjects, truth, pairs, seed, work)
    with library.store.reading() as r:
        try:
            measure_all(r, subjects, questions.asked, seed, work)
        except OutOfTimeError:
            pass
        except Cancelled:
            if not any(work.levels):
                raise
            work.cancelled = True
        if not any(work.levels):
            refused = next(iter(work.refused.values()), "")
            raise TwinlensError(
                verbatim(refused)
                or Message("In {seconds:g} seconds not one index could be measured.", seconds=time_limit_s),
                NOTHING if refused else Message("Give more with --time."),
            )
        known = {text_of(row): row.name for row in r.indexes.all()}
    return advice_of(work, subjects, questions, known, default, notes, seed)


def build(library: Library, result: AdviceResult, name: str | None = None, progress: Progress = silent) -> IndexStatus:
    """Make the index that is proposed; where the library has it, give that.

    Parameters
    ----------
    library : Library
    result : AdviceResult
    name : str, optional
        By default made from the text forms.
    progress : Progress

    Raises
    ------
    TwinlensError
        If the name is taken, or the library has changed so that it cannot be made.
    Cancelled
        If progress says so.
    """
    chosen = result.point()
    for there in list_indexes(library).indexes:
        if there.text == chosen.key:
            return there
    method = chosen.method or "itq"
    return create_index(library, chosen.descriptor, method, chosen.search, name, progress, metric=chosen.metric)


def _subjects(searcher: Searcher, wanted: Sequence[str] | None, one: bool) -> tuple[list[Subject], list[str]]:
    """Find the vectors and measures that the library has: that of the index that answers now first."""
    texts = None if wanted is None else {catalogue.descriptor(text).text() for text in wanted}
    found: dict[tuple[str, str, str], Subject] = {}
    notes = []
    with searcher.moment() as moment:
        first = default_row(moment.r)
        for row in sorted(moment.r.indexes.all(), key=lambda row: row.id != first.id):
            text = catalogue.descriptor(row.descriptor).text()
            if texts is not None and text not in texts:
                continue
            try:
                base = searcher.index(moment, row.name)
            except TwinlensError as error:
                notes.append(str(error))
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
            Message("The library has no vectors of {lacking}.", lacking=", ".join(sorted(lacking))),
            Message("Make an index of it with `twinlens index create`, or name another descriptor."),
        )
    if not found:
        raise TwinlensError(
            Message("The library has too few photographs to compare."), Message("Add some with `twinlens add FOLDER`.")
        )
    subjects = list(found.values())
    if one and texts is None and len(subjects) > 1:
        notes.append("Neighbours cannot say which descriptor is better: that of the index that answers now was taken.")
        subjects = subjects[:1]
    return subjects, notes


def _questions(
    library: Library, subjects: Sequence[Subject], truth: str, pairs: NamedPairs | None, seed: int, work: Work
) -> Questions:
    kinds = list({one.base.kind.id: one.base.kind for one in subjects}.values())
    if pairs is None and truth == EDITS:
        with library.store.reading() as r:
            extractors = {kind.id: (kind, load_extractor(r, kind)) for kind in kinds}

        def more(done: int, of: int) -> bool:
            work.progress(
                min(1.0, work.budget.spent()),
                1.0,
                Message("editing photograph {done} of {of}", done=min(done + 1, of), of=of),
            )
            return work.has(_ASKING)

        def share() -> float:
            return work.budget.spent() / _ASKING

        found = edited_questions(library, extractors, PHOTOGRAPHS, seed, more, share)
        if found.asked:
            return found
    with library.store.reading() as r:
        if pairs is not None:
            return named_questions(library, r, kinds, pairs, seed)
        if truth == MARKS:
            return marked_questions(r, kinds, seed)
        found = neighbour_questions(r, kinds, NEIGHBOUR_QUESTIONS, seed)
    if truth == EDITS:
        found.notes.append("None of the photographs can be read now, so that exact neighbours are what is right.")
    if not found.asked:
        raise TwinlensError(
            Message("No photograph has vectors of all these descriptors."), Message("Name one with --descriptor.")
        )
    return found
