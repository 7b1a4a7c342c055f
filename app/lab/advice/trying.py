"""Indexes tried so far: in two rounds, each measured step by step within the time of an advice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from app.bench.faiss_peer import FaissPeer
from app.lab.advice.index_plan import IndexPlan, IndexStep
from app.lab.advice.photographs import AdvicePhotographs
from app.lab.advice.points import point_of
from app.lab.advice.questions import AdviceQueries
from app.lab.advice.results import AdvicePoint, IndexParts
from app.lab.advice.subjects import IndexCandidate, IndexSubject
from core.errors import TwinlensError
from core.hashing.hash_method import HashMethod
from core.message import Message
from core.tuning.attempts import Attempts
from core.tuning.trial_costs import TuningStage
from storage.library.transaction import Transaction

PEER_SEARCH = "scan:candidates=200"
"""As many candidates of an index of another program are ranked exactly."""


@dataclass(eq=False)
class IndexTrials:
    """Indexes of a library that are tried: the points of both rounds, and the rest, by the keys of the indexes."""

    r: Transaction
    subjects: Sequence[IndexSubject]
    questions: AdviceQueries
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
        """Begin a round with the first questions: on all photographs, or on a sample of a larger library."""
        asked, truth = self.questions.asked[:questions], self.questions.truth
        self._plans.append({one: IndexPlan(self._photographs(one, sample), asked, truth) for one in self.subjects})

    def _photographs(self, subject: IndexSubject, sample: int) -> AdvicePhotographs:
        if not 0 < sample < subject.photographs:  # all, with what is coded
            return self._whole.setdefault(subject, AdvicePhotographs(self.r, subject.base, None))
        every: npt.NDArray[np.int64] = self.r.descriptors.ids(subject.base.kind)
        chosen = np.random.default_rng(self.seed).choice(every, sample, replace=False)
        named = {one for each in self.questions.asked for one in each.right | each.wrong}
        kept = np.intersect1d(every, np.fromiter(named, np.int64, len(named)))
        return AdvicePhotographs(self.r, subject.base, np.union1d(chosen, kept))

    def candidates(self, subject: IndexSubject, declared: Iterable[tuple[str, str]]) -> Iterator[IndexCandidate]:
        """Yield indexes over some vectors, by method and search structure; why one cannot be is noted."""
        for method, search in declared:
            try:
                yield subject.candidate(self.r, method, search)
            except TwinlensError as error:
                self.refused[f"{method} · {search}"] = error.message

    def attempt(
        self, candidate: IndexCandidate, number: int, until: float = 1.0, most: float = 1.0, listed: bool = True
    ) -> AdvicePoint | None:
        """Measure an index in a round, if that is likely to end until a share of the time, and take at most another.

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
        if learned is None or photographs.has_codes(candidate.row):  # nothing is learned, only asked
            asking = 0.0 if before is None or self.attempts.is_kept(step) else before.seconds * len(plan.asked)
            allowed = self.attempts.budget.allows(asking, until)
        else:
            allowed = self.attempts.allows(step, *learned, most)
        point = self._measured(plan, step, learned, most) if allowed else None
        if point is not None:
            self.where[key] = candidate
            self.points[number][key] = point
            self.found(point)
        return point

    def compare(self, peers: Sequence[FaissPeer], number: int, most: float) -> None:
        """Measure indexes of other programs on the vectors of every subject, in a round."""
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
