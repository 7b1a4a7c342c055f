"""Order of trials: every candidate with a few queries first, then the best with all, the most promising first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

import numpy as np

from app.evaluate.evaluation import DEPTH
from app.lab.advice.choice import speed
from app.lab.advice.measurement import Bench, Measured
from app.lab.advice.questions import Asked
from app.lab.advice.results import AdvicePoint, IndexParts
from app.lab.advice.work import LEAST, Candidate, Subject, TooLongError, Work, parts_of
from app.methods import catalogue
from core.errors import TwinlensError
from core.hashing.hash_method import HashMethod
from core.message import NOTHING, Message
from core.tuning.candidate_values import drawn_candidates
from core.tuning.trial_costs import Stage
from storage.indexes.indexes import IndexRow
from storage.library.transaction import Transaction

SAMPLE = 10_000
"""Photographs of the sample that is searched first in a larger library."""
_FEW = 40  # questions, at first
_BITS = (256, 128, 512, 64)
_STRUCTURES_FROM = 2_000  # photographs; below, comparing every code is as quick as can be
_SEARCHES = ("scan", "scan:candidates=200")
_STRUCTURES = ("multi-index", "buckets", "permuted")
_FIRST, _SECOND, _LAST = 0.65, 0.85, 0.95  # shares of the time until which each part may go
_EXACT_SHARE = 0.2  # of the time, for the truth over all of the library
_MOST = 0.2  # of the time that one index may take, as long as others wait
_KERNEL = 2  # times the dearest method that is known may one with a kernel take
_BLIND = 0.5  # share of the time after which nothing is learned while nothing tells how long that takes
_LONGER = 4  # times what was spent on it, may what was given up take
_CHANCE = 0.03  # recall below the best from which an index is worth all questions


def measure_all(r: Transaction, subjects: Sequence[Subject], asked: Sequence[Asked], seed: int, work: Work) -> None:
    """Measure indexes while there is time, the most promising first, and record them in `work`."""
    small = [_bench(r, one, asked, seed) for one in subjects]
    for place, _ in enumerate(subjects):
        _try(r, Candidate(place, "", "exact"), subjects, small, 0, _FEW, 1.0, work)
    # Methods take turns with descriptors: the lengths in the order of their promise.
    in_turn = zip_longest(*(_candidates(r, place, one) for place, one in enumerate(subjects)))
    every = [one for turn in in_turn for one in turn if one is not None]
    for candidate in every:
        work.wait(candidate, r, subjects)
    full, count = _full(r, subjects, small, asked, work)
    level = 1
    # Whatever else there is time for: what the library has is measured, and what exact search finds.
    own = [Candidate(place, *texts) for place, one in enumerate(subjects) for texts in one.own]
    for candidate in own:
        _try(r, candidate, subjects, small, 0, _FEW, 1.0, work)
    if full:
        for candidate in [*(Candidate(place, "", "exact") for place, _ in enumerate(subjects)), *own]:
            _try(r, candidate, subjects, full, level, count, 1.0, work)
    for candidate in every:
        _try(r, candidate, subjects, small, 0, _FEW, _FIRST, work, _MOST)
    if not full:
        return
    for candidate in _finalists(subjects, work):
        _try(r, candidate, subjects, full, level, count, _SECOND, work, _MOST)
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


def _bench(r: Transaction, subject: Subject, asked: Sequence[Asked], seed: int) -> Bench:
    """Return a bench of all photographs, or of a sample that includes every right and wrong one."""
    if subject.ids <= SAMPLE:
        return Bench(r, subject.base, None, list(asked))
    every = np.asarray(r.descriptors.ids(subject.base.kind), np.int64)
    chosen = np.random.default_rng(seed).choice(every, SAMPLE, replace=False)
    named = {one for each in asked for one in each.right | each.wrong}
    kept = np.intersect1d(every, np.fromiter(named, np.int64, len(named)))
    return Bench(r, subject.base, np.union1d(chosen, kept), list(asked))


def _full(
    r: Transaction, subjects: Sequence[Subject], small: Sequence[Bench], asked: Sequence[Asked], work: Work
) -> tuple[list[Bench], int]:
    """Return benches of the whole library and the number of queries there is time for; none without time."""
    exact = sum(one.seconds for one in work.levels[0].values() if one.exact)  # of the whole library, as it was reckoned
    room = _EXACT_SHARE * work.budget.seconds / max(exact, 1e-6)
    if all(one.ids is None for one in small):
        return list(small), min(len(asked), max(LEAST, int(room)))
    if room < LEAST:
        return [], 0
    return [Bench(r, one.base, None, list(asked)) for one in subjects], min(len(asked), int(room))


def _candidates(r: Transaction, place: int, subject: Subject) -> Iterator[Candidate]:
    """Yield hash methods and lengths, the most promising first."""
    seen = set(subject.own)
    kernel = _nested(subject.measure)
    for bits in _BITS:
        names = [f"itq:bits={bits}", f"lsh:bits={bits}"]
        names += [f"{name}:bits={bits},kernel={kernel}" for name in ("klsh", "kpca-itq") if kernel]
        for name in names:
            text = catalogue.method(name).text()
            if (text, "scan") not in seen:
                seen.add((text, "scan"))
                yield Candidate(place, text, "scan")


def _nested(text: str) -> str:
    """Return a declaration as the value of another one."""
    name, _, values = text.partition(":")
    return f"{name}({values})" if values else name


def _finalists(subjects: Sequence[Subject], work: Work) -> list[Candidate]:
    """Return the best two indexes of each descriptor and length, with each search structure."""
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
        many.append([Candidate(one.subject, one.method, search) for search in searches])
    return [one for turn in zip_longest(*many) for one in turn if one is not None]


def _refined(r: Transaction, subjects: Sequence[Subject], seed: int, work: Work) -> Iterator[Candidate]:
    """Yield the best hash method with other parameters, at its length."""
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
            yield Candidate(best.subject, one.text(), "scan")


def _try(
    r: Transaction,
    candidate: Candidate,
    subjects: Sequence[Subject],
    benches: Sequence[Bench],
    level: int,
    count: int,
    until: float,
    work: Work,
    most: float = 1.0,
) -> None:
    """Measure one index, if that is likely to end before the share `until` and to take at most the share `most`."""
    subject, bench = subjects[candidate.subject], benches[candidate.subject]
    try:
        row = candidate.row(r, subjects)
    except TwinlensError as error:
        work.refused[f"{candidate.method} · {candidate.search}"] = error.message
        return
    parts = parts_of(row)
    key = parts.key
    if key in work.levels[level]:
        return
    method: HashMethod | None = catalogue.method(row.method) if candidate.method else None
    items = subject.ids if bench.ids is None else len(bench.ids)
    stage = Stage(items, (0,), until)
    asked = min(count, len(bench.asked))
    if method is None or bench.has_codes(row):  # nothing is learned, only asked
        before = work.levels[0].get(key)
        allowed = work.budget.allows(0.0 if before is None else asked * before.seconds, until)
    else:
        allowed = _may_learn(method, stage, most, work)
    unpromising = most < 1 and method is not None and (candidate.subject, method.key) in work.slow
    if unpromising or not allowed:
        if key not in work.levels[0]:
            work.left[key] = parts
        return
    work.left[key] = parts  # until it is measured
    ready = bench.has_codes(row)
    began = work.budget.now()
    ends = work.budget.spent() + most

    def learning(done: float, total: float, doing: Message = NOTHING) -> None:
        work.watch(parts, ends)

    work.watch(parts)
    try:
        index = bench.index(row, learning)
        measured = bench.measured(index, lambda: work.watch(parts, ends), count)
    except TooLongError:
        if method is not None and not ready:
            work.slow.add((candidate.subject, method.key))
            work.costs.add(method, stage, _LONGER * (work.budget.now() - began))
        return
    except TwinlensError as error:
        work.refused[key] = error.message
        work.left.pop(key, None)
        return
    if method is not None and not ready:
        work.too_long.pop(method.key, None)
        work.costs.add(method, stage, work.budget.now() - began)
        work.dearest = max(work.dearest, work.budget.now() - began)
    work.left.pop(key, None)
    work.where[key] = candidate
    work.levels[level][key] = point = _point(parts, row, subject, measured)
    work.found(point)


def _may_learn(method: HashMethod, stage: Stage, most: float, work: Work) -> bool:
    """Return whether learning is likely to end in time, judged by earlier methods; remember those that are not.

    A method cannot be stopped within a step, so it starts only if it is likely to be quick enough.
    """
    estimate = work.costs.estimate(method, stage)
    guess = estimate or work.dearest * (_KERNEL if hasattr(method, "landmarks") else 1)
    if not guess:
        return work.has(min(_BLIND, stage.until))
    if not work.budget.allows(guess, 1.0):
        work.too_long[method.key] = guess
        return False
    # At the end one of which nothing is known has to end in its share of the time, too.
    return work.budget.allows(guess if most == 1 else estimate, stage.until)


def _point(parts: IndexParts, row: IndexRow, subject: Subject, one: Measured) -> AdvicePoint:
    search = catalogue.search_structure(row.search)
    method = catalogue.method(row.method) if search.uses_codes else None
    grown = subject.ids / one.photographs
    each = one.code_bytes + one.structure_bytes / one.photographs

    def seconds(times: float) -> float:
        """Estimate a query with so many times more photographs: at most as many more codes are read."""
        if method is None:
            return one.seconds * times
        depth = search.depth(DEPTH)
        ranked = min(depth, one.photographs * times) / min(depth, one.photographs)
        return one.encode + one.find * times + one.rank * ranked

    return AdvicePoint(
        **parts.model_dump(),
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
