"""Trials of indexes, measured step by step within the time of an advice, in two rounds, the most promising first.

A point holds what was measured of an index and what is estimated for more photographs. The report has the measured
indexes, the proposal with its reasons, and notes.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

import numpy as np
import numpy.typing as npt

from twinlens.app.bench.faiss_peer import FaissPeer
from twinlens.app.evaluate.evaluation import DEPTH
from twinlens.app.indexes.indexes import text_of
from twinlens.app.lab.advice.advice_queries import AdviceQueries
from twinlens.app.lab.advice.advice_results import (
    AdvicePoint,
    AdviceResult,
    IndexParts,
    as_good,
    choose_proposal,
    comparable,
    near_a_limit,
    on_frontier,
    speed,
)
from twinlens.app.lab.advice.advice_settings import EDITS, NamedPairs
from twinlens.app.lab.advice.index_plan import (
    FIRST,
    AdvicePhotographs,
    IndexCandidate,
    IndexPlan,
    IndexStep,
    IndexSubject,
    TriedIndex,
)
from twinlens.app.lab.advice.reasons import SPEEDS_MEANING, reasons
from twinlens.app.methods import catalogue
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.measurement import MeasuredStep
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.message import NOTHING, Message, counted
from twinlens.core.tuning.attempts import Attempts, SecondsBudget, TuningStage, best_of_each, in_turn
from twinlens.storage.indexes.indexes import IndexRow
from twinlens.storage.library.store import Transaction

SAMPLE = 10_000
"""Photographs of the sample that is searched first in a larger library."""

LEAST = 10
"""Fewest questions worth searching all photographs with."""

FEW = 40
"""Questions of the first round."""

BITS = (256, 128, 512, 64)
_SEARCHES = ("scan", "scan:candidates=200")
_STRUCTURES = ("multi-index", "buckets", "permuted")
_STRUCTURES_FROM = 2_000  # photographs; below, comparing every code is as quick as can be
_PEERS_UP_TO = 50_000  # photographs: a peer is given all vectors at once
_FIRST, _SECOND, _LAST = 0.65, 0.85, 0.95  # shares of the time until which each part may go
_EXACT_SHARE = 0.2  # of the time, for the truth over all of the library
_MOST = 0.2  # of the time that one index may take, as long as others wait
_OTHERS = 40  # declarations of the best method with other parameters
_CHANCE = 0.03  # recall below the best from which an index is worth all questions


def try_indexes(trying: IndexTrials, budget: SecondsBudget, peers: Sequence[FaissPeer] = ()) -> None:
    """Try indexes while there is time."""
    subjects = trying.subjects
    exact = [candidate for one in subjects for candidate in trying.candidates(one, [("", "exact")])]
    own = [candidate for one in subjects for candidate in trying.candidates(one, one.own)]
    # Methods take turns with descriptors: the lengths in the order of their promise.
    every = list(in_turn(trying.candidates(one, _methods(one)) for one in subjects))
    trying.begin(FEW, SAMPLE)
    for candidate in exact:
        trying.attempt(candidate, 0)
    trying.left |= {candidate.parts.key: candidate.parts for candidate in every}
    queries = _queries(trying, budget)
    # Whatever else there is time for: what the library has is measured, and what exact search finds.
    for candidate in own:
        trying.attempt(candidate, 0)
    if queries:
        trying.begin(queries)
        for candidate in [*exact, *own]:
            trying.attempt(candidate, 1)
    if peers:
        whole = queries and max(one.photographs for one in subjects) <= _PEERS_UP_TO
        trying.compare(peers, 1 if whole else 0, _MOST)
    for candidate in every:
        trying.attempt(candidate, 0, _FIRST, _MOST)
    if not queries:
        return
    for candidate in _finalists(trying):
        trying.attempt(candidate, 1, _SECOND, _MOST)
    best = max((one.judged for one in trying.points[0].values() if not one.exact), default=0.0)
    # What time is left is for what had to wait, and then for other parameters.
    waiting = [one for one in every if one.parts.key in trying.left]
    for candidate in chain(waiting, islice(_others(trying), _OTHERS)):
        if not budget.allows(0.0, _LAST):
            return
        point = trying.attempt(candidate, 0, _LAST, listed=False)
        if point is not None and point.judged >= best - _CHANCE:
            trying.attempt(candidate, 1, _LAST)


def _queries(trying: IndexTrials, budget: SecondsBudget) -> int:
    """Return for how many queries there is time to search all photographs; 0 without time for `LEAST`."""
    exact = sum(one.seconds for one in trying.points[0].values() if one.exact)  # of the whole library, as reckoned
    room = int(_EXACT_SHARE * budget.seconds / max(exact, 1e-6))
    if room < LEAST and any(one.photographs > SAMPLE for one in trying.subjects):
        return 0
    query_count = len(trying.queries.queries)
    while query_count > max(room, LEAST):
        query_count //= 2  # in steps: a little more time asks no other questions, and what is measured stands
    return max(query_count, min(LEAST, len(trying.queries.queries)))


def _methods(subject: IndexSubject) -> Iterator[tuple[str, str]]:
    """Yield hash methods and lengths, the most promising first."""
    name, _, values = subject.measure.partition(":")
    kernel = f"{name}({values})" if values else name  # a declaration as the value of another one
    texts = [text for text, search in subject.own if search == catalogue.search_structure("scan").text()]
    seen = set(texts)
    for bits in BITS:
        names = [f"itq:bits={bits}", f"lsh:bits={bits}"]
        names += [f"{name}:bits={bits},kernel={kernel}" for name in ("klsh", "kpca-itq") if kernel]
        texts = [catalogue.method(name).text() for name in names]
        yield from ((text, "scan") for text in texts if text not in seen)
        seen.update(texts)


def _finalists(trying: IndexTrials) -> Iterator[IndexCandidate]:
    """Yield the best two indexes of each descriptor and length, with each search structure."""
    groups = best_of_each(
        ((trying.where[key].subject, point.bits), point.judged + 1e-3 * point.overlap, point)
        for key, point in trying.points[0].items()
        if not point.exact
    )
    # Descriptors that find clearly less than another wait until the others have had their turn.
    order = sorted((group[:2] for group in groups), key=lambda some: -round(some[0].judged, 1))
    return in_turn(_searched(trying, point) for point in in_turn(order))


def _searched(trying: IndexTrials, point: AdvicePoint) -> Iterator[IndexCandidate]:
    """Yield an index with each search structure in turn."""
    subject = trying.where[point.key].subject
    searches = [*_SEARCHES, *(_STRUCTURES if subject.photographs >= _STRUCTURES_FROM else ())]
    return trying.candidates(subject, [(point.method, search) for search in searches])


def _others(trying: IndexTrials) -> Iterator[IndexCandidate]:
    """Yield the best hash method with other parameters."""
    points = [one for one in (trying.points[1] or trying.points[0]).values() if not one.exact]
    if points:
        best = trying.where[max(points, key=lambda one: (one.judged, one.overlap)).key]
        assert best.method is not None
        drawn = best.subject.others(trying.r, best.method, trying.seed)
        yield from trying.candidates(best.subject, ((text, "scan") for text in drawn))


PEER_SEARCH = "scan:candidates=200"
"""As many candidates of an index of another program are ranked exactly."""


@dataclass(eq=False)
class IndexTrials:
    """Trials of a library's indexes in two rounds: the points of both, and what was left out, by index key."""

    r: Transaction
    subjects: Sequence[IndexSubject]
    queries: AdviceQueries
    attempts: Attempts
    seed: int
    found: Callable[[AdvicePoint], None]
    points: tuple[dict[str, AdvicePoint], dict[str, AdvicePoint]] = field(default_factory=lambda: ({}, {}))
    where: dict[str, IndexCandidate] = field(default_factory=dict)  # that each point is of
    compared: dict[str, AdvicePoint] = field(default_factory=dict)  # indexes of other programs
    refused: dict[str, Message] = field(default_factory=dict)
    left: dict[str, IndexParts] = field(default_factory=dict)  # there was no time for
    _plans: list[dict[IndexSubject, IndexPlan]] = field(default_factory=list)
    _whole: dict[IndexSubject, AdvicePhotographs] = field(default_factory=dict)

    def begin(self, questions: int, sample: int = 0) -> None:
        """Begin a round with the first queries, on all photographs or on a sample of a larger library."""
        some, truth = self.queries.queries[:questions], self.queries.truth
        self._plans.append({one: IndexPlan(self._photographs(one, sample), some, truth) for one in self.subjects})

    def _photographs(self, subject: IndexSubject, sample: int) -> AdvicePhotographs:
        if not 0 < sample < subject.photographs:  # all, with what is coded
            return self._whole.setdefault(subject, AdvicePhotographs(self.r, subject.base, None))
        every: npt.NDArray[np.int64] = self.r.descriptors.ids(subject.base.kind)
        chosen = np.random.default_rng(self.seed).choice(every, sample, replace=False)
        named = {one for each in self.queries.queries for one in each.right | each.wrong}
        kept = np.intersect1d(every, np.fromiter(named, np.int64, len(named)))
        return AdvicePhotographs(self.r, subject.base, np.union1d(chosen, kept))

    def candidates(self, subject: IndexSubject, declared: Iterable[tuple[str, str]]) -> Iterator[IndexCandidate]:
        """Yield indexes over some vectors, by method and search structure; note why one is impossible."""
        for method, search in declared:
            try:
                yield subject.candidate(self.r, method, search)
            except TwinlensError as error:
                self.refused[f"{method} · {search}"] = error.message

    def attempt(
        self, candidate: IndexCandidate, number: int, until: float = 1.0, most: float = 1.0, listed: bool = True
    ) -> AdvicePoint | None:
        """Measure an index in a round if it is likely to end in time, and count it.

        Where it is listed and not measured, it is among what there was no time for.
        """
        key, plan = candidate.parts.key, self._plans[number][candidate.subject]
        if key in self.points[number]:
            return None
        before, step = self.points[0].get(key), plan.step(candidate)
        if listed and before is None:
            self.left[key] = candidate.parts
        learned, photographs = None, plan.photographs
        if candidate.method is not None and not photographs.kept_model(candidate.row):
            learned = candidate.method, TuningStage(len(photographs.every.ids), (0,), until)
        if learned is None or photographs.has_codes(candidate.row):  # nothing is learned, only searched
            asking = 0.0 if before is None or self.attempts.is_kept(step) else before.seconds * len(plan.queries)
            allowed = self.attempts.in_time(asking, until)
        else:
            allowed = self.attempts.allows(step, *learned, most)
        point = self._measured(plan, step, learned, most) if allowed else None
        if point is not None:
            self.where[key] = candidate
            self.points[number][key] = point
            self.found(point)
        return point

    def compare(self, peers: Sequence[FaissPeer], number: int, most: float) -> None:
        """Measure indexes of faiss on the vectors of every subject, in a round."""
        for subject, plan in self._plans[number].items():
            like = subject.candidate(self.r, "lsh", PEER_SEARCH)
            for step in (plan.step(like, peer) for peer in peers):
                point = self._measured(plan, step, None, most)
                if point is not None:
                    self.compared[point.key] = point
                else:
                    self.refused.setdefault(step.what.parts.key, Message("There was not enough time."))

    def _measured(
        self, plan: IndexPlan, step: IndexStep, learned: tuple[HashMethod, TuningStage] | None, most: float
    ) -> AdvicePoint | None:
        one = self.attempts.measure(plan, step, step.name, learned, most)
        if step.key in self.attempts.refused:
            self.refused[step.what.parts.key] = self.attempts.refused[step.key].message
        elif one is None:
            return None
        self.left.pop(step.what.parts.key, None)
        return None if one is None else point_of(step.what, one)


def point_of(tried: TriedIndex, one: MeasuredStep) -> AdvicePoint:
    """Return the point of a measured index."""
    values, searched, photographs = one.figures.values, one.facts.n, tried.candidate.subject.photographs
    grown = photographs / searched
    codes, model = int(values["bytes codes"]), int(values["bytes model"])
    each = (codes + values.get("bytes search", 0)) / searched
    exact = tried.method is None

    def seconds(times: float) -> float:
        """Reckon a query with so many times more photographs: at most as many more codes are read."""
        encode, find, rank = (values[f"seconds {name}"] for name in ("encode_query", "find", "rank"))
        if exact:
            return rank * times
        depth = tried.candidate.search.depth(DEPTH)
        ranked = min(depth, searched * times) / min(depth, searched)
        return encode + find * times + rank * ranked

    overlap = values.get(f"overlap@{FIRST}", 1.0)
    return AdvicePoint(
        **tried.parts.model_dump(),
        bits=None if tried.method is None else tried.method.bits or 8 * round(codes / searched),
        exact=exact,
        photographs=searched,
        questions=one.facts.queries,
        recall=values.get(f"found@{FIRST}", overlap),
        precision=values.get(f"precision@{FIRST}"),
        wrong=values.get("wrong"),
        overlap=overlap,
        seconds=seconds(grown),
        speed=speed(seconds(grown)),
        bytes_per_photograph=each,
        model_bytes=model,
        bytes=round(each * photographs) + model,
        seconds_tenfold=seconds(10 * grown),
        bytes_tenfold=round(each * 10 * photographs) + model,
    )


NO_CHANGE = Message("Your current index finds as much and is as fast. No change needed.")


def advice_of(
    trying: IndexTrials, budget: SecondsBudget, known: dict[str, str], default: IndexRow, cancelled: bool
) -> AdviceResult:
    """Return the result of an advice; ``known`` are the names of the library's indexes by their texts."""
    queries, (first, second) = trying.queries, trying.points
    # Results of a few queries count until exact search and a hash method have both run all of them.
    whole = {one.exact for one in second.values()} == {False, True} or not first
    measured = {**first, **second} if whole else {**second, **first}
    named = [one.model_copy(update={"index": known.get(one.key, "")}) for one in measured.values()]
    same = comparable(named)
    front = {one.key for one, best in zip(same, on_frontier(same), strict=True) if best}
    points = [one.model_copy(update={"frontier": one.key in front}) for one in named]
    keys = {one.key for one in same}
    points.sort(key=lambda one: (one.key not in keys, not one.frontier, -one.judged, one.bytes_per_photograph))
    same = [one for one in points if one.key in keys]
    present = text_of(default)
    chosen = choose_proposal(same, present)
    photographs = max(one.photographs for one in trying.subjects)
    why = reasons(same, chosen, photographs, queries.truth)
    if as_good([one for one in same if one.key == present], chosen) is not None:
        why.insert(0, NO_CHANGE)
    notes = [*queries.notes, *_notes(points, chosen, photographs, trying)]
    left = [one for key, one in trying.left.items() if key not in {*first, *second, *trying.refused}]
    return AdviceResult(
        truth=queries.truth,
        meaning=queries.meaning,
        photographs=photographs,
        questions=len(queries.queries),
        seed=trying.seed,
        time_limit=budget.seconds,
        seconds=budget.spent() * budget.seconds,
        points=points,
        peers=list(trying.compared.values()),
        proposed=chosen.key,
        present=present if any(one.key == present for one in points) else "",
        reasons=why,
        existing=NOTHING if chosen.key == present else _existing(same, chosen),
        speeds=SPEEDS_MEANING,
        tried=len(points),
        not_tried=left,
        refused=[Message("{index}: {reason}", index=key, reason=reason) for key, reason in trying.refused.items()],
        notes=notes,
        command="" if chosen.index else _command(chosen),
        cancelled=cancelled,
    )


def _existing(same: Sequence[AdvicePoint], chosen: AdvicePoint) -> Message:
    """Return the library's index that equals the chosen one, or is as good; empty for none."""
    if chosen.index:
        return Message("The library has this index already: “{name}”.", name=chosen.index)
    other = as_good([one for one in same if one.index], chosen)
    if other is None:
        return NOTHING
    return Message("The index “{name}” of the library finds as much and is as fast.", name=other.index)


def _notes(points: Sequence[AdvicePoint], chosen: AdvicePoint, photographs: int, trying: IndexTrials) -> list[Message]:
    queries, notes = trying.queries, []
    if chosen.photographs < photographs // 2:
        notes.append(
            Message(
                "There was no time to search all {photographs} photos. Recall was measured on {sample} of them "
                "and times are estimates for all.",
                photographs=photographs, sample=chosen.photographs,
            )
        )  # fmt: skip
    if chosen.questions < len(queries.queries):
        notes.append(
            Message(
                "There was time for {asked} of {questions} queries.",
                asked=chosen.questions, questions=len(queries.queries),
            )
        )  # fmt: skip
    if trying.left:
        notes.append(Message("There was no time to try everything. More time may find a better index."))
    notes += _too_long(points, trying.attempts.too_long)
    exact = [one for one in points if one.exact and one.descriptor == chosen.descriptor]
    if near_a_limit([chosen, *exact]):
        notes.append(
            Message(
                "A measured time is close to a limit between classes ({classes}). Another run may propose another "
                "index.",
                classes=SPEEDS_MEANING,
            )
        )
    if queries.truth == EDITS:
        notes.append(
            Message(
                "Only the indexes are measured here. A search also compares its first results point by point, and so "
                "finds more of the edited copies."
            )
        )
    if queries.truth in {"pairs", "marks"} and len(queries.queries) < LEAST:
        notes.append(
            counted(
                "{count} query is too few for a reliable choice. Name or mark more pairs.",
                "{count} queries are too few for a reliable choice. Name or mark more pairs.",
                len(queries.queries),
            )
        )
    return notes


def _too_long(points: Sequence[AdvicePoint], too_long: Mapping[str, float]) -> list[Message]:
    """Return a note about the methods that would have taken too long to learn."""
    measured = {catalogue.method(one.method).key for one in points if one.method}
    methods = tuple(
        Message("{method} ({seconds:,.0f} s)", method=key, seconds=seconds)
        for key, seconds in too_long.items()
        if key not in measured
    )
    if not methods:
        return []
    return [Message("There was no time to learn these methods (estimated times): {methods}.", methods=methods)]


def _command(chosen: AdvicePoint) -> str:
    words = ["twinlens", "index", "create", "--descriptor", chosen.descriptor]
    words += ["--method", chosen.method] if chosen.method else []
    words += ["--search", chosen.search]
    words += ["--metric", chosen.metric] if chosen.metric else []
    return shlex.join(words)


def same_command(
    seconds: float, truth: str, pairs: NamedPairs | None = None, library: str = "", peers: Sequence[str] = ()
) -> str:
    """Return the command that gives the same advice of a library, by pairs or by a truth, beside faiss.

    Examples
    --------
    >>> same_command(60, "edits")
    'twinlens advise --time 60'
    """
    words = ["twinlens", *(["--library", library] if library else []), "advise", "--time", f"{seconds:g}"]
    if pairs is None:
        words += [] if truth == EDITS else ["--truth", truth]
    else:
        for option, some in (("--match", pairs.match), ("--differ", pairs.differ)):
            for pair in some:
                words += [option, *(f"#{one}" if isinstance(one, int) else str(one) for one in pair)]
    for one in peers:
        words += ["--peer", one]
    return shlex.join(words)
