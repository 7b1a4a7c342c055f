"""Order of trials: every candidate with a few queries first, then the best with all, the most promising first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

import numpy as np

from app.bench.candidates import candidate_of
from app.bench.faiss_peer import FaissPeer
from app.evaluate.evaluation import DEPTH
from app.indexes.index_metric import metric_text
from app.indexes.index_names import text_of
from app.lab.advice.choice import speed
from app.lab.advice.measurement import Bench, Measured
from app.lab.advice.questions import Asked
from app.lab.advice.results import AdvicePoint, IndexParts
from app.lab.advice.work import LEAST, Candidate, Subject, TooLongError, Work, parts_of
from app.lab.figures.names import BETWEEN
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
_PEER_SEARCH = "scan:candidates=200"  # as many candidates of a peer are ranked exactly
_PEERS_UP_TO = 50_000  # photographs: a peer is given all vectors at once
_STRUCTURES = ("multi-index", "buckets", "permuted")
_FIRST, _SECOND, _LAST = 0.65, 0.85, 0.95  # shares of the time until which each part may go
_EXACT_SHARE = 0.2  # of the time, for the truth over all of the library
_MOST = 0.2  # of the time that one index may take, as long as others wait
_KERNEL = 2  # times the dearest method that is known may one with a kernel take
_BLIND = 0.5  # share of the time after which nothing is learned while nothing tells how long that takes
_LONGER = 4  # times what was spent on it, may what was given up take
_CHANCE = 0.03  # recall below the best from which an index is worth all questions


@dataclass(frozen=True, eq=False)
class _Round:
    """What candidates are measured on: the bench of each subject, the level of results, and how many queries."""

    benches: Sequence[Bench]
    level: int
    count: int


def measure_all(r: Transaction, asked: Sequence[Asked], work: Work) -> None:
    """Measure indexes while there is time, the most promising first, and record them in `work`."""
    subjects = work.subjects
    few = _Round([_bench(r, one, asked, work.seed) for one in subjects], 0, _FEW)
    for place, _ in enumerate(subjects):
        _try(Candidate(place, "", "exact"), few, work)
    # Methods take turns with descriptors: the lengths in the order of their promise.
    in_turn = zip_longest(*(_candidates(r, place, one) for place, one in enumerate(subjects)))
    every = [one for turn in in_turn for one in turn if one is not None]
    for candidate in every:
        work.wait(candidate, r)
    full = _full(r, few, asked, work)
    # Whatever else there is time for: what the library has is measured, and what exact search finds.
    own = [Candidate(place, *texts) for place, one in enumerate(subjects) for texts in one.own]
    for candidate in own:
        _try(candidate, few, work)
    if full is not None:
        for candidate in [*(Candidate(place, "", "exact") for place, _ in enumerate(subjects)), *own]:
            _try(candidate, full, work)
    _compare_all(full or few, few, work)
    for candidate in every:
        _try(candidate, few, work, _FIRST, _MOST)
    if full is None:
        return
    for candidate in _finalists(work):
        _try(candidate, full, work, _SECOND, _MOST)
    hashed = [one.judged for one in work.levels[0].values() if not one.exact]
    best = max(hashed, default=0.0)
    # What time is left is for what had to wait, and then for other parameters.
    waiting = [one for one in every if work.waits(one, r)]
    for candidate in chain(waiting, _refined(r, work)):
        if not work.has(_LAST):
            return
        known, before = len(work.levels[0]), dict(work.left)
        _try(candidate, few, work, _LAST)
        if len(work.levels[0]) == known:
            work.left = before
        elif next(reversed(work.levels[0].values())).judged >= best - _CHANCE:
            _try(candidate, full, work, _LAST)


def _bench(r: Transaction, subject: Subject, asked: Sequence[Asked], seed: int) -> Bench:
    """Return a bench of all photographs, or of a sample that includes every right and wrong one."""
    if subject.ids <= SAMPLE:
        return Bench(r, subject.base, None, list(asked))
    every = np.asarray(r.descriptors.ids(subject.base.kind), np.int64)
    chosen = np.random.default_rng(seed).choice(every, SAMPLE, replace=False)
    named = {one for each in asked for one in each.right | each.wrong}
    kept = np.intersect1d(every, np.fromiter(named, np.int64, len(named)))
    return Bench(r, subject.base, np.union1d(chosen, kept), list(asked))


def _full(r: Transaction, few: _Round, asked: Sequence[Asked], work: Work) -> _Round | None:
    """Return the round on the whole library, with as many queries as there is time for; None without time."""
    exact = sum(one.seconds for one in work.levels[0].values() if one.exact)  # of the whole library, as it was reckoned
    room = _EXACT_SHARE * work.budget.seconds / max(exact, 1e-6)
    if all(one.ids is None for one in few.benches):
        return _Round(few.benches, 1, min(len(asked), max(LEAST, int(room))))
    if room < LEAST:
        return None
    benches = [Bench(r, one.base, None, list(asked)) for one in work.subjects]
    return _Round(benches, 1, min(len(asked), int(room)))


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


def _finalists(work: Work) -> list[Candidate]:
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
        searches = [*_SEARCHES, *(_STRUCTURES if work.subjects[one.subject].ids >= _STRUCTURES_FROM else ())]
        many.append([Candidate(one.subject, one.method, search) for search in searches])
    return [one for turn in zip_longest(*many) for one in turn if one is not None]


def _refined(r: Transaction, work: Work) -> Iterator[Candidate]:
    """Yield the best hash method with other parameters, at its length."""
    points = {key: one for key, one in (work.levels[1] or work.levels[0]).items() if not one.exact}
    if not points:
        return
    best = work.where[max(points, key=lambda key: (points[key].judged, points[key].overlap))]
    subject = work.subjects[best.subject]
    method = catalogue.method(best.method)
    ids = np.asarray(r.descriptors.ids(subject.base.kind), np.int64)[:1_000]
    stored, _ = r.descriptors.read(subject.base.kind, ids)
    rng = np.random.default_rng(work.seed)
    shape = subject.base.descriptor.matrix_shape
    usual = getattr(method, "kernel", None)
    for one in drawn_candidates(method, [method.bits], stored.astype(np.float32), shape, rng):
        if getattr(one, "kernel", None) == usual:  # another kernel would rank by another measure
            yield Candidate(best.subject, one.text(), "scan")


def _try(candidate: Candidate, trial: _Round, work: Work, until: float = 1.0, most: float = 1.0) -> None:
    """Measure one index, if that is likely to end before the share `until` and to take at most the share `most`."""
    subject, bench = work.subjects[candidate.subject], trial.benches[candidate.subject]
    try:
        row = candidate.row(bench.r, work.subjects)
    except TwinlensError as error:
        work.refused[f"{candidate.method} · {candidate.search}"] = error.message
        return
    parts = parts_of(row)
    key = parts.key
    if key in work.levels[trial.level]:
        return
    method: HashMethod | None = catalogue.method(row.method) if candidate.method else None
    items = subject.ids if bench.ids is None else len(bench.ids)
    stage = Stage(items, (0,), until)
    asked = min(trial.count, len(bench.asked))
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
        measured = bench.measured(index, lambda: work.watch(parts, ends), trial.count)
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
    work.levels[trial.level][key] = point = _point(parts, row, subject, measured)
    work.found(point)


def _compare_all(full: _Round, few: _Round, work: Work) -> None:
    """Measure the peers on the vectors of every subject."""
    for place, subject in enumerate(work.subjects):
        benches = full.benches if subject.ids <= _PEERS_UP_TO else few.benches
        for peer in work.peers:
            _compare(peer, subject, benches[place], work)


def _compare(peer: FaissPeer, subject: Subject, bench: Bench, work: Work) -> None:
    """Measure a peer, with all queries, as long as it takes at most its share of the time."""
    row = subject.base.row
    parts = IndexParts(
        key=f"{text_of(row).split(BETWEEN)[0]}{BETWEEN}{peer.text()}",
        descriptor=catalogue.descriptor(row.descriptor).text(),
        metric=metric_text(row),
        method=peer.text(),
        search=catalogue.search_structure(_PEER_SEARCH).text(),
    )
    ends = work.budget.spent() + _MOST
    try:
        candidates = catalogue.search_structure(_PEER_SEARCH).depth(DEPTH)
        measured = bench.peer(peer, candidates, lambda: work.watch(parts, ends))
    except TooLongError:
        work.refused[parts.key] = Message("There was not enough time.")
    except TwinlensError as error:
        work.refused[parts.key] = error.message
    else:
        work.compared[parts.key] = _point(parts, row, subject, measured)


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
    search = catalogue.search_structure(parts.search)
    method = candidate_of(parts.method) if parts.method else None
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
        bits=None if method is None else method.bits or 8 * one.code_bytes,
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
