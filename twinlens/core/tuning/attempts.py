"""Attempts: steps measured as a search for good parameters chooses them, within a budget.

A budget is seconds by a clock, or a number of trials, which repeats exactly. The cost of a trial is estimated from the
cost of others.

A step that the store has costs nothing. Any other step begins only if the time of others makes it likely to end in
time, and is given up when it does not; a step that cannot be measured is remembered with its reason.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, NamedTuple, TypeVar

from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.evaluation_task import Candidate
from twinlens.core.evaluation.measurement import (
    MeasurablePlan,
    MeasuredStep,
    MeasurementStep,
    PlanMeasurement,
    StepStore,
    Timing,
)
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, silent

S = TypeVar("S", bound=MeasurementStep)
T = TypeVar("T")
_BLIND = 0.5  # share of the budget after which nothing is learned while nothing tells how long that takes
_LONGER = 4  # times what was spent on it, may what was given up take
_KERNEL = 2  # times the dearest method that is known may one with a kernel take
_LEARNING = ("seconds fit", "seconds encode", "seconds build")


class OutOfTimeError(Exception):
    """The budget is spent."""


class Attempts:
    """Steps measured within a budget.

    Parameters
    ----------
    progress : Progress
        Receives the spent share of the budget; what it raises ends the search.
    least : int
        Steps that are measured however long they take, so that a search ends with something.

    Attributes
    ----------
    refused : dict of str to TwinlensError
        Why steps could not be measured, by their keys.
    too_long : dict of str to float
        Estimated seconds of the methods there was no time for, by their keys.
    """

    def __init__(self, budget: Budget, store: StepStore, progress: Progress = silent, least: int = 0) -> None:
        self.budget = budget
        self._least, self._measured = least, 0
        self.refused: dict[str, TwinlensError] = {}
        self.too_long: dict[str, float] = {}
        self._store, self._progress = store, progress
        self._costs, self._dearest = TrialCosts(), 0.0  # seconds of the step that took longest to learn
        self._slow: set[str] = set()  # kinds of steps that were given up
        self._begun: dict[MeasurablePlan[Any], PlanMeasurement[Any]] = {}
        self._doing, self._ends = NOTHING, math.inf

    def is_kept(self, step: MeasurementStep) -> bool:
        """Return whether a step costs nothing."""
        return bool(self._store.kept([step.key]))

    def seconds(self, steps: Iterable[MeasurementStep], methods: Iterable[Candidate], stage: TuningStage) -> float:
        """Return how long the missing ones of some steps are likely to take together."""
        each = zip(steps, methods, strict=True)
        return math.fsum(self._costs.estimate(method, stage) for step, method in each if not self.is_kept(step))

    def in_time(self, seconds: float, until: float) -> bool:
        """Return whether what takes so long is likely to end until a share of the budget, or must be measured."""
        return self._measured < self._least or self.budget.allows(seconds, until)

    def allows(self, step: MeasurementStep, method: Candidate, stage: TuningStage, most: float = 1.0) -> bool:
        """Return whether a step that learns is likely to end until a share of the budget, by what others took.

        A method cannot be stopped within a part of its work, so it starts only if it is likely to be quick enough.
        Where it may take less than all of the budget, one of which nothing is known is given the chance.
        """
        if self.is_kept(step):
            return self.in_time(0.0, stage.until)
        if self._measured < self._least:
            return True
        if most < 1 and step.kind in self._slow:
            return False
        estimate = self._costs.estimate(method, stage)
        guess = estimate or self._dearest * (_KERNEL if hasattr(method, "landmarks") else 1)
        if not guess:
            return self.budget.allows(0.0, min(_BLIND, stage.until))
        if not self.budget.allows(guess, 1.0):
            self.too_long[method.key] = guess
            return False
        return self.budget.allows(guess if most == 1 else estimate, stage.until)

    def measure(
        self,
        plan: MeasurablePlan[S],
        step: S,
        doing: Message,
        learned: tuple[Candidate, TuningStage] | None = None,
        most: float = 1.0,
    ) -> MeasuredStep | None:
        """Measure a step of a plan, or return None where that is refused, or takes more than a share of the budget.

        What it learns, if it learns anything, tells how long others take. OutOfTimeError is raised where the budget is
        spent.
        """
        if plan not in self._begun:
            self._begun[plan] = PlanMeasurement(plan, self._store, Timing(self._watch, self.budget.now))
        self._doing, self._ends = doing, math.inf
        self._watch(0, 1)
        began = self.budget.now()
        self._ends = self.budget.spent() + most if most < 1 else math.inf
        try:
            one = self._begun[plan].of([step])[step.key]
        except _TooLongError:
            self._slow.add(step.kind)
            if learned is not None:
                self._costs.add(*learned, _LONGER * (self.budget.now() - began))
            return None
        except TwinlensError as error:
            self.refused[step.key] = error
            return None
        finally:
            self.budget.count()
        self._measured += 1
        if learned is not None:
            known = math.fsum(one.figures.values.get(part, 0.0) for part in _LEARNING)
            took = max(one.seconds, known)
            self._costs.add(*learned, took)
            self._dearest = max(self._dearest, took)
            self.too_long.pop(learned[0].key, None)
        return one

    def _watch(self, done: float, total: float, text: Message = NOTHING) -> None:
        del done, total, text
        spent = self.budget.spent()
        self._progress(min(1.0, spent), 1.0, self._doing)
        if self._measured < self._least:
            return
        if spent >= 1:
            raise OutOfTimeError
        if spent >= self._ends:
            raise _TooLongError


class _TooLongError(Exception):
    """One step takes more than its share of the budget."""


def best_of_each(scored: Iterable[tuple[Hashable, float, T]]) -> list[list[T]]:
    """Return the members of each group by falling figure; longer codes nearly always rank better than shorter ones.

    Examples
    --------
    >>> best_of_each([("a", 0.5, "x"), ("b", 0.7, "y"), ("a", 0.6, "z")])
    [['z', 'x'], ['y']]
    """
    groups: dict[Hashable, list[tuple[float, T]]] = {}
    for group, figure, member in scored:
        groups.setdefault(group, []).append((figure, member))
    return [[member for _, member in sorted(some, key=lambda one: -one[0])] for some in groups.values()]


def in_turn(groups: Iterable[Iterable[T]]) -> Iterator[T]:
    """Yield the first of each group, then the second of each, and so on.

    Examples
    --------
    >>> list(in_turn(["abc", "x"]))
    ['a', 'x', 'b', 'c']
    """
    ends = object()
    for turn in zip_longest(*groups, fillvalue=ends):
        yield from (one for one in turn if one is not ends)  # type: ignore[misc]


_MARGIN = 1.2  # an estimate may be so much too small


class Budget(ABC):
    """A budget, with a clock that gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.now = clock

    @abstractmethod
    def spent(self) -> float:
        """Return the share that is spent, 0 to 1 and beyond."""

    @abstractmethod
    def allows(self, seconds: float, until: float, count: int = 1) -> bool:
        """Return whether so many more trials that take so long together can end before a share is spent."""

    def count(self) -> None:  # noqa: B027 (a clock counts by itself)
        """Count a trial."""


class SecondsBudget(Budget):
    """So many seconds from now."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock)
        self.seconds = seconds
        self._began = clock()

    def spent(self) -> float:
        """Return the share of the time that is over."""
        return (self.now() - self._began) / self.seconds

    def allows(self, seconds: float, until: float, count: int = 1) -> bool:
        """Return whether it ends in time, by an estimate with a margin."""
        return self.spent() + _MARGIN * seconds / self.seconds < until


class TrialsBudget(Budget):
    """So many trials, however long they take."""

    def __init__(self, trials: int) -> None:
        super().__init__()
        self.trials = trials
        self._done = 0

    def spent(self) -> float:
        """Return the share of the trials that are done."""
        return self._done / self.trials

    def allows(self, seconds: float, until: float, count: int = 1) -> bool:
        """Return whether so many are left."""
        return self._done + count <= math.ceil(until * self.trials)

    def count(self) -> None:
        """Count one."""
        self._done += 1


_FIRST = 0.5
_CHEAPEST = 0.3  # of what more landmarks cost, at least
_LAST = 2.0  # times as much as before, where nothing is known of it yet


@dataclass(frozen=True)
class TuningStage:
    """A part of a search for good parameters."""

    items: int  # that are searched and learned from
    splits: tuple[int, ...]
    until: float  # share of the budget that may be spent when it ends
    is_last: bool = False  # all figures are wanted, and not the ranking alone


class _Trial(NamedTuple):
    """A trial, by what its cost depends on."""

    key: str
    bits: int
    landmarks: int
    stage: TuningStage
    seconds: float


@dataclass
class TrialCosts:
    """Costs of trials so far, and estimates for the next."""

    _known: list[_Trial] = field(default_factory=list)

    def add(self, method: Candidate, stage: TuningStage, seconds: float) -> None:
        """Remember what a trial took."""
        self._known.append(_Trial(method.key, method.bits, _landmarks(method, stage.items), stage, seconds))

    def estimate(self, method: Candidate, stage: TuningStage) -> float:
        """Scale the cost of the most similar trial of the method; 0 where there was none.

        More items or bits cost in proportion, more landmarks in the square; fewer cost less in proportion. On
        the last stage queries are searched and timed, too, so that it costs more.
        """
        alike = [one for one in self._known if one.key == method.key]
        if not alike:
            return 0.0
        bits, wanted = method.bits, _landmarks(method, stage.items)

        def growth(one: _Trial) -> float:
            landmarks = wanted / one.landmarks
            last = _LAST if stage.is_last and not one.stage.is_last else 1.0
            return (
                last
                * max(1.0, stage.items / one.stage.items)
                * max(1.0, bits / max(1, one.bits))
                * (landmarks**2 if landmarks > 1 else max(_CHEAPEST, landmarks))
            )

        grown = [(growth(one), one.seconds) for one in alike]
        least = min(grown)[0]
        seconds = least * [took for times, took in grown if times <= 1.01 * least][-1]
        # The first also pays for what is loaded and compiled: it alone does not forbid a second.
        return seconds * _FIRST if len(alike) == 1 else seconds


def _landmarks(method: Candidate, items: int) -> int:
    return min(int(getattr(method, "landmarks", 1)), items)
