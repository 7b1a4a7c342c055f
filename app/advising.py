"""Advice: which index to use for a library, found by measuring within a time, with reasons.

Hash methods, bits and search structures are tried over the descriptors that the library has. First each length of codes
of each method is asked a few questions (of a large library, on a sample of it), the most promising first; then the best
of each length, under several search structures, everything that there is time for; what time is left tries other
parameters of the best method, as ``tune`` draws them.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest

import numpy as np

from app import catalogue
from app.advice_choice import SPEEDS_TEXT, as_good, choose, near_a_limit, on_frontier, reasons, speed
from app.advice_measuring import Bench, Measured, row_of
from app.advice_questions import (
    EDITS,
    MARKS,
    NEIGHBOURS,
    TRUTHS,
    Asked,
    NamedPairs,
    Questions,
    edited_questions,
    marked_questions,
    named_questions,
    neighbour_questions,
)
from app.advice_results import AdvicePoint, AdviceResult
from app.default_index import default_row
from app.descriptor_kinds import load_extractor
from app.evaluating import DEPTH
from app.index_metric import metric_text
from app.indexes import create_index, list_indexes, text_of
from app.library import Library
from app.loaded_index import LoadedIndex
from app.results import IndexStatus
from app.searching import Searcher
from core.errors import Cancelled, TwinlensError
from core.hash_method import HashMethod
from core.measure import Measure
from core.progress import Progress, silent
from core.tuning.budget import Seconds
from core.tuning.costs import Costs, Stage
from core.tuning.tried_values import drawn_candidates
from storage.indexes import IndexRow
from storage.transaction import Transaction

PHOTOGRAPHS = 20
"""That are edited; as ``evaluate``."""

NEIGHBOUR_QUESTIONS = 100
SAMPLE = 10_000
"""Photographs that are searched first, of a library that has more."""

_FEW = 40  # questions, at first
_BITS = (256, 128, 512, 64)
_STRUCTURES_FROM = 2_000  # photographs; below, comparing every code is as quick as can be
_SEARCHES = ("scan", "scan:candidates=200")
_STRUCTURES = ("multi-index", "buckets", "permuted")
_ASKING, _FIRST, _SECOND, _LAST = 0.4, 0.65, 0.85, 0.95  # shares of the time until which each part may go
_EXACT_SHARE = 0.2  # of the time, for the truth over a large library
_LEAST = 10  # questions
_CHANCE = 0.03  # recall below the best from which an index is worth all questions


class _OutOfTimeError(Exception):
    """The time is over in the middle of something."""


@dataclass(frozen=True, eq=False)
class _Subject:
    """Vectors of the library under one measure, and what indexes of the library hash and search them by."""

    base: LoadedIndex
    ids: int
    own: list[tuple[str, str]]

    @property
    def measure(self) -> str:
        """The kernel's text form; empty for a metric."""
        return self.base.measure.kernel.text() if isinstance(self.base.measure, Measure) else ""


@dataclass(frozen=True, eq=False)
class _Candidate:
    subject: int
    method: str  # empty for exact search
    search: str

    def row(self, r: Transaction, subjects: Sequence[_Subject]) -> IndexRow:
        return row_of(r, subjects[self.subject].base.row.name, self.method, self.search)


@dataclass(eq=False)
class _Work:
    """What is known; it grows while time passes."""

    budget: Seconds
    progress: Progress
    levels: tuple[dict[str, AdvicePoint], dict[str, AdvicePoint]] = field(default_factory=lambda: ({}, {}))
    where: dict[str, _Candidate] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    left: dict[str, None] = field(default_factory=dict)
    costs: Costs = field(default_factory=Costs)
    cancelled: bool = False

    def watch(self, text: str) -> None:
        """Tell where the work is; ends it when the time is over."""
        spent = self.budget.spent()
        self.progress(min(1.0, spent), 1.0, text)
        if spent >= 1:
            raise _OutOfTimeError

    def waits(self, candidate: _Candidate, r: Transaction, subjects: Sequence[_Subject]) -> bool:
        """Say whether there was no time for a candidate yet."""
        try:
            return text_of(candidate.row(r, subjects)) in self.left
        except TwinlensError:
            return False

    def has(self, share: float) -> bool:
        return self.budget.spent() < share


def advise(
    library: Library,
    time_limit_s: float = 60.0,
    descriptors: Sequence[str] | None = None,
    truth: str = EDITS,
    pairs: NamedPairs | None = None,
    progress: Progress = silent,
    seed: int = 0,
    clock: Callable[[], float] = time.monotonic,
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

    Raises
    ------
    TwinlensError
        If there are no photographs, nothing says what is right, or nothing could be measured in the time.
    Cancelled
        If it is cancelled before anything was measured.
    """
    if truth not in TRUTHS:
        raise TwinlensError(f"There is no truth “{truth}”.", f"There are {', '.join(TRUTHS)}.")
    work = _Work(Seconds(time_limit_s, clock), progress)
    searcher = Searcher(library)
    with searcher.moment() as moment:
        default = default_row(moment.r)
        subjects, notes = _subjects(searcher, descriptors, truth == NEIGHBOURS and pairs is None)
    questions = _questions(library, subjects, truth, pairs, seed, work)
    with library.store.reading() as r:
        try:
            _measure(r, subjects, questions.asked, seed, work)
        except _OutOfTimeError:
            pass
        except Cancelled:
            if not any(work.levels):
                raise
            work.cancelled = True
        if not any(work.levels):
            refused = next(iter(work.refused.values()), "")
            raise TwinlensError(
                refused or f"In {time_limit_s:g} seconds not one index could be measured.",
                "" if refused else "Give more with --time.",
            )
        known = {text_of(row): row.name for row in r.indexes.all()}
    return _result(work, subjects, questions, known, default, notes, seed)


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


# ---- what is asked ---------------------------------------------------------------------------------------------------


def _subjects(searcher: Searcher, wanted: Sequence[str] | None, one: bool) -> tuple[list[_Subject], list[str]]:
    """Find the vectors and measures that the library has: that of the index that answers now first."""
    texts = None if wanted is None else {catalogue.descriptor(text).text() for text in wanted}
    found: dict[tuple[str, str, str], _Subject] = {}
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
            subject = _Subject(base, moment.r.descriptors.count(base.kind), [])
            if subject.ids > 1:
                subject = found.setdefault((text, metric_text(row), subject.measure), subject)
                if catalogue.search_structure(row.search).uses_codes:
                    own = catalogue.method(row.method).text(), catalogue.search_structure(row.search).text()
                    subject.own.append(own)
    lacking = (texts or set()) - {text for text, *_ in found}
    if lacking:
        raise TwinlensError(
            f"The library has no vectors of {', '.join(sorted(lacking))}.",
            "Make an index of it with `twinlens index create`, or name another descriptor.",
        )
    if not found:
        raise TwinlensError("The library has too few photographs to compare.", "Add some with `twinlens add FOLDER`.")
    subjects = list(found.values())
    if one and texts is None and len(subjects) > 1:
        notes.append("Neighbours cannot say which descriptor is better: that of the index that answers now was taken.")
        subjects = subjects[:1]
    return subjects, notes


def _questions(
    library: Library, subjects: Sequence[_Subject], truth: str, pairs: NamedPairs | None, seed: int, work: _Work
) -> Questions:
    kinds = list({one.base.kind.id: one.base.kind for one in subjects}.values())
    if pairs is None and truth == EDITS:
        with library.store.reading() as r:
            extractors = {kind.id: (kind, load_extractor(r, kind)) for kind in kinds}

        def more(done: int, of: int) -> bool:
            work.progress(min(1.0, work.budget.spent()), 1.0, f"editing photograph {done + 1:,} of {of:,}")
            return done == 0 or work.has(_ASKING)

        found = edited_questions(library, extractors, PHOTOGRAPHS, seed, more)
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
        raise TwinlensError("No photograph has vectors of all these descriptors.", "Name one with --descriptor.")
    return found


# ---- measuring -------------------------------------------------------------------------------------------------------


def _measure(r: Transaction, subjects: Sequence[_Subject], asked: Sequence[Asked], seed: int, work: _Work) -> None:
    small = [_bench(r, one, asked, seed) for one in subjects]
    for place, _ in enumerate(subjects):
        _try(r, _Candidate(place, "", "exact"), subjects, small, 0, _FEW, 1.0, work)
    # Methods take turns with descriptors: the index that answers now, then the lengths in the order of their promise.
    in_turn = zip_longest(*(_candidates(r, place, one) for place, one in enumerate(subjects)))
    every = [one for turn in in_turn for one in turn if one is not None]
    for candidate in every:
        _try(r, candidate, subjects, small, 0, _FEW, _FIRST, work)
    full, count = _full(r, subjects, small, asked, work)
    if not full:
        return
    level = 1
    for candidate in _finalists(subjects, work):
        _try(r, candidate, subjects, full, level, count, _SECOND, work)
    for place, _ in enumerate(subjects):
        _try(r, _Candidate(place, "", "exact"), subjects, full, level, count, 1.0, work)
    hashed = [one.judged for one in work.levels[0].values() if not one.exact]
    best = max(hashed, default=0.0)
    # What time is left is for what had to wait, and then for other parameters.
    waiting = [one for one in every if work.waits(one, r, subjects)]
    for candidate in chain(waiting, _refined(r, subjects, seed, work)):
        if not work.has(_LAST):
            return
        known, before = len(work.levels[0]), dict(work.left)
        _try(r, candidate, subjects, small, 0, _FEW, _LAST, work)
        if len(work.levels[0]) == known:
            work.left = before
        elif next(reversed(work.levels[0].values())).judged >= best - _CHANCE:
            _try(r, candidate, subjects, full, level, count, _LAST, work)


def _bench(r: Transaction, subject: _Subject, asked: Sequence[Asked], seed: int) -> Bench:
    """Give all photographs, or a sample with everything in it that is right or wrong."""
    if subject.ids <= SAMPLE:
        return Bench(r, subject.base, None, list(asked))
    every = np.asarray(r.descriptors.ids(subject.base.kind), np.int64)
    chosen = np.random.default_rng(seed).choice(every, SAMPLE, replace=False)
    named = {one for each in asked for one in each.right | each.wrong}
    kept = np.intersect1d(every, np.fromiter(named, np.int64, len(named)))
    return Bench(r, subject.base, np.union1d(chosen, kept), list(asked))


def _full(
    r: Transaction, subjects: Sequence[_Subject], small: Sequence[Bench], asked: Sequence[Asked], work: _Work
) -> tuple[list[Bench], int]:
    """Give the benches of everything, and how many questions there is time for; none where there is none."""
    if all(one.ids is None for one in small):
        return list(small), len(asked)
    exact = sum(one.seconds for one in work.levels[0].values() if one.exact)  # of the whole library, as it was reckoned
    room = _EXACT_SHARE * work.budget.seconds / max(exact, 1e-6)
    if room < _LEAST:
        return [], 0
    return [Bench(r, one.base, None, list(asked)) for one in subjects], min(len(asked), int(room))


def _candidates(r: Transaction, place: int, subject: _Subject) -> Iterator[_Candidate]:
    """Give hash methods and lengths, the most promising first."""
    seen = set(subject.own)
    for method, search in subject.own:
        yield _Candidate(place, method, search)
    kernel = _nested(subject.measure)
    for bits in _BITS:
        names = [f"itq:bits={bits}", f"lsh:bits={bits}"]
        names += [f"{name}:bits={bits},kernel={kernel}" for name in ("klsh", "kpca-itq") if kernel]
        for name in names:
            text = catalogue.method(name).text()
            if (text, "scan") not in seen:
                seen.add((text, "scan"))
                yield _Candidate(place, text, "scan")


def _nested(text: str) -> str:
    """Write a declaration as the value of another one."""
    name, _, values = text.partition(":")
    return f"{name}({values})" if values else name


def _finalists(subjects: Sequence[_Subject], work: _Work) -> list[_Candidate]:
    """Give the best two of each descriptor and length, with the index that answers now, under each search structure."""
    groups: dict[tuple[int, int], list[tuple[float, int, str]]] = {}
    for number, (key, point) in enumerate(work.levels[0].items()):
        if not point.exact:
            place = work.where[key].subject
            groups.setdefault((place, point.bits or 0), []).append((-point.judged - 1e-3 * point.overlap, number, key))
    found = []
    kept = [[key for *_, key in sorted(group)[:2]] for group in groups.values()]
    # Descriptors that find clearly less than another wait until the others have had their turn.
    order = sorted(kept, key=lambda keys: -round(work.levels[0][keys[0]].judged, 1))
    for turn in zip_longest(*order):
        found += [work.where[key] for key in turn if key is not None]
    many = []
    for one in found:
        searches = [*_SEARCHES, *(_STRUCTURES if subjects[one.subject].ids >= _STRUCTURES_FROM else ())]
        many.append([_Candidate(one.subject, one.method, search) for search in searches])
    # Beside them the indexes that the library has: that of the first descriptor is the one that answers now.
    own = [_Candidate(place, *texts) for place, one in enumerate(subjects) for texts in one.own]
    return own + [one for turn in zip_longest(*many) for one in turn if one is not None]


def _refined(r: Transaction, subjects: Sequence[_Subject], seed: int, work: _Work) -> Iterator[_Candidate]:
    """Draw other parameters of the best hash method, at its length."""
    points = {key: one for key, one in (work.levels[1] or work.levels[0]).items() if not one.exact}
    if not points:
        return
    best = work.where[max(points, key=lambda key: (points[key].judged, points[key].overlap))]
    subject = subjects[best.subject]
    method = catalogue.method(best.method)
    ids = np.asarray(r.descriptors.ids(subject.base.kind), np.int64)[:1_000]
    stored, _ = r.descriptors.read(subject.base.kind, ids)
    rng = np.random.default_rng(seed)
    shape = subject.base.descriptor.matrix_shape
    usual = getattr(method, "kernel", None)
    for one in drawn_candidates(method, [method.bits], stored.astype(np.float32), shape, rng):
        if getattr(one, "kernel", None) == usual:  # another kernel would rank by another measure
            yield _Candidate(best.subject, one.text(), "scan")


def _try(
    r: Transaction,
    candidate: _Candidate,
    subjects: Sequence[_Subject],
    benches: Sequence[Bench],
    level: int,
    count: int,
    until: float,
    work: _Work,
) -> None:
    """Measure one index, where it is likely to end before a share of the time is spent."""
    subject, bench = subjects[candidate.subject], benches[candidate.subject]
    try:
        row = candidate.row(r, subjects)
    except TwinlensError as error:
        work.refused[f"{candidate.method} · {candidate.search}"] = error.sentence
        return
    key = text_of(row)
    if key in work.levels[level]:
        return
    method: HashMethod | None = catalogue.method(row.method) if candidate.method else None
    items = subject.ids if bench.ids is None else len(bench.ids)
    stage = Stage(items, (0,), until)
    asked = min(count, len(bench.asked))
    if method is None or bench.has_codes(row):  # nothing is learned, only asked
        before = work.levels[0].get(key)
        estimate = 0.0 if before is None else asked * before.seconds
    else:
        estimate = work.costs.estimate(method, stage)
    if not work.budget.allows(estimate, until):
        if key not in work.levels[0]:
            work.left[key] = None
        return
    work.left[key] = None  # until it is measured
    ready = bench.has_codes(row)
    began = work.budget.now()

    def told(done: float, total: float, text: str = "") -> None:
        work.watch(key)

    work.watch(key)
    try:
        index = bench.index(row, told)
        measured = bench.measured(index, lambda _: work.watch(key), count)
    except TwinlensError as error:
        work.refused[key] = error.sentence
        work.left.pop(key, None)
        return
    if method is not None and not ready:
        work.costs.add(method, stage, work.budget.now() - began)
    work.left.pop(key, None)
    work.where[key] = candidate
    work.levels[level][key] = _point(key, row, subject, measured)


def _point(key: str, row: IndexRow, subject: _Subject, one: Measured) -> AdvicePoint:
    search = catalogue.search_structure(row.search)
    method = catalogue.method(row.method) if search.uses_codes else None
    grown = subject.ids / one.photographs
    each = one.code_bytes + one.structure_bytes / one.photographs

    def seconds(times: float) -> float:
        """Reckon a question among so many times more: finding goes through as many more codes, at most."""
        if method is None:
            return one.seconds * times
        depth = search.depth(DEPTH)
        ranked = min(depth, one.photographs * times) / min(depth, one.photographs)
        return one.encode + one.find * times + one.rank * ranked

    return AdvicePoint(
        key=key,
        descriptor=subject.base.descriptor.text(),
        metric=metric_text(row),
        method="" if method is None else method.text(),
        search=search.text(),
        bits=None if method is None else method.bits,
        exact=method is None,
        photographs=one.photographs,
        questions=one.questions,
        recall=one.recall,
        wrong=one.wrong,
        overlap=one.overlap,
        seconds=seconds(grown),
        speed=speed(seconds(grown)),
        bytes_per_photograph=each,
        model_bytes=one.model_bytes,
        bytes=round(each * subject.ids) + one.model_bytes,
        seconds_tenfold=seconds(10 * grown),
        bytes_tenfold=round(each * 10 * subject.ids) + one.model_bytes,
    )


# ---- the answer ------------------------------------------------------------------------------------------------------


def _result(
    work: _Work,
    subjects: Sequence[_Subject],
    questions: Questions,
    known: dict[str, str],
    default: IndexRow,
    notes: list[str],
    seed: int,
) -> AdviceResult:
    first, second = work.levels
    # What was asked little is not held against what was asked everything.
    pool = (
        second if any(not one.exact for one in second.values()) and any(one.exact for one in second.values()) else first
    )
    pool = pool or second
    named = [one.model_copy(update={"index": known.get(one.key, "")}) for one in pool.values()]
    points = [
        one.model_copy(update={"frontier": front}) for one, front in zip(named, on_frontier(named), strict=True)
    ]  # fmt: skip
    chosen = choose(points)
    points.sort(key=lambda one: (not one.frontier, -one.judged, one.bytes_per_photograph))
    rest = {key: one for key, one in {**first, **second}.items() if key not in pool}
    points += [one.model_copy(update={"index": known.get(one.key, "")}) for one in rest.values()]
    photographs = max(one.ids for one in subjects)
    said = reasons([one for one in points if one.key in pool], chosen, photographs, questions.truth)
    if chosen.index:
        answers = " It answers now." if chosen.index == default.name else ""
        said.append(f"The library has it: “{chosen.index}”.{answers}")
    elif (there := as_good([one for one in points if one.key in pool], chosen)) is not None:
        said.append(f"“{there.index}”, which the library has, finds as much and is felt as fast: it may stay as it is.")
    notes = [*notes, *questions.notes, *_notes(points, chosen, photographs, work, questions)]
    left = [key for key in work.left if key not in {*first, *second, *work.refused}]
    return AdviceResult(
        truth=questions.truth,
        meaning=questions.meaning,
        photographs=photographs,
        questions=len(questions.asked),
        seed=seed,
        time_limit=work.budget.seconds,
        seconds=work.budget.spent() * work.budget.seconds,
        points=points,
        proposed=chosen.key,
        reasons=said,
        speeds=SPEEDS_TEXT,
        tried=len(points),
        not_tried=left,
        refused=[f"{key}: {why}" for key, why in work.refused.items()],
        notes=notes,
        command="" if chosen.index else _command(chosen),
        cancelled=work.cancelled,
    )


def _notes(
    points: Sequence[AdvicePoint], chosen: AdvicePoint, photographs: int, work: _Work, questions: Questions
) -> list[str]:
    notes = []
    if chosen.photographs < photographs // 2:
        notes.append(
            f"There was no time to search all {photographs:,} photographs: recall is of {chosen.photographs:,} of "
            "them, times are reckoned for all."
        )
    if chosen.questions < len(questions.asked):
        notes.append(f"There was time for {chosen.questions:,} questions of {len(questions.asked):,}.")
    if work.left:
        notes.append("Not everything was tried in the time; more time may find a better one.")
    exact = [one for one in points if one.exact and one.descriptor == chosen.descriptor]
    if near_a_limit([chosen, *exact]):
        notes.append(f"A time is near a limit between classes ({SPEEDS_TEXT}): another run may propose another index.")
    if questions.truth in {"pairs", "marks"} and len(questions.asked) < _LEAST:
        notes.append(f"{len(questions.asked):,} questions decide little: name or mark more pairs.")
    return notes


def _command(chosen: AdvicePoint) -> str:
    words = ["twinlens", "index", "create", "--descriptor", chosen.descriptor]
    words += ["--method", chosen.method] if chosen.method else []
    words += ["--search", chosen.search]
    words += ["--metric", chosen.metric] if chosen.metric else []
    return shlex.join(words)
