"""Order in which an advice tries indexes within its time: the most promising first.

First every method and length gets a few questions (in a large library, on a sample). Then the best of each length get
all questions, with several search structures. The rest of the time goes to other parameters of the best method, drawn
as in ``tune``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from app.bench.faiss_peer import FaissPeer
from app.lab.advice.results import AdvicePoint
from app.lab.advice.subjects import IndexCandidate, IndexSubject
from app.lab.advice.trying import IndexTrials
from app.methods import catalogue
from core.tuning.attempts import best_of_each, in_turn
from core.tuning.budget import SecondsBudget

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
    questions = _questions(trying, budget)
    # Whatever else there is time for: what the library has is measured, and what exact search finds.
    for candidate in own:
        trying.attempt(candidate, 0)
    if questions:
        trying.begin(questions)
        for candidate in [*exact, *own]:
            trying.attempt(candidate, 1)
    if peers:
        whole = questions and max(one.photographs for one in subjects) <= _PEERS_UP_TO
        trying.compare(peers, 1 if whole else 0, _MOST)
    for candidate in every:
        trying.attempt(candidate, 0, _FIRST, _MOST)
    if not questions:
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


def _questions(trying: IndexTrials, budget: SecondsBudget) -> int:
    """Return how many questions there is time to search all photographs with; 0 without time for `LEAST`."""
    exact = sum(one.seconds for one in trying.points[0].values() if one.exact)  # of the whole library, as reckoned
    room = int(_EXACT_SHARE * budget.seconds / max(exact, 1e-6))
    if room < LEAST and any(one.photographs > SAMPLE for one in trying.subjects):
        return 0
    asked = len(trying.questions.asked)
    while asked > max(room, LEAST):
        asked //= 2  # in steps: a little more time asks no other questions, and what is measured stands
    return max(asked, min(LEAST, len(trying.questions.asked)))


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
    """Yield an index with each search structure."""
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
