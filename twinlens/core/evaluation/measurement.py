"""Measurement: every missing step of a plan is measured, stored at once, and never measured again.

A step has a key of all that determines its figures; a store keeps measured steps in memory, a library or files. So a
measurement can stop at any moment, and going on measures only the missing steps. Its remaining time is estimated from
the measured steps.

The plan decides about the subject: hash methods on vectors (:mod:`twinlens.core.evaluation.plan`), or anything else
with figures.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.evaluation_task import Figures
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress

DATA = "data"
"""Name of the digest of all data of a plan, among those of its parts."""


class MeasurementStep(Protocol):
    """One step."""

    @property
    def key(self) -> str:
        """Equal for equal figures; see :func:`step_key`."""

    @property
    def name(self) -> Message:
        """Describe the step."""

    @property
    def kind(self) -> str:
        """Steps of one kind take about as long, the more so the nearer their sizes."""

    @property
    def size(self) -> int:
        """Such as the number of bits."""


S = TypeVar("S", bound=MeasurementStep)
S_contra = TypeVar("S_contra", bound=MeasurementStep, contravariant=True)


class LoadedPlan(Protocol[S_contra]):
    """Data and truth of a plan, ready to be measured on."""

    @property
    def facts(self) -> DataFacts:
        """Describe the data."""

    @property
    def exact(self) -> float:
        """Seconds of exact search, per query; 0 where unknown."""

    def figures(self, steps: Sequence[S_contra], progress: Progress) -> Iterator[Figures]:
        """Yield the figures of steps that share work, each when it is done; none where they cannot be measured.

        Parameters
        ----------
        steps : sequence of MeasurementStep
            A group of :meth:`MeasurablePlan.together`.
        progress : Progress
            Told shares of the group: up to 0.75 what it shares and the first step, and then the others alike.
        """


class MeasurablePlan(Protocol[S]):
    """A plan: its steps, and how to load what they are measured on."""

    @property
    def steps(self) -> Sequence[S]:
        """All steps known so far; the same key may come twice."""

    @property
    def digests(self) -> Mapping[str, str]:
        """Digests of the data by name; `DATA` is that of all."""

    def together(self, steps: Sequence[S]) -> Iterator[Sequence[S]]:
        """Yield groups of steps that share work, such as what a method learns, in the order of measuring."""

    def load(self, progress: Progress) -> LoadedPlan[S]:
        """Load data and truth."""


class PlanMeasurement(Generic[S]):
    """A measurement in progress. Its plan is loaded when the first missing step is asked for.

    Parameters
    ----------
    store : StepStore
        Has what was measured before, and keeps each step when it is measured.
    timing : Timing
        Receives progress; what it raises ends the measurement, and measured steps are kept.
    kept : callable
        Called after each kept step.
    refused : dict of str to TwinlensError, optional
        Receives the steps that cannot be measured by their keys, and the others go on; without it the first one ends
        the measurement.
    """

    def __init__(
        self,
        plan: MeasurablePlan[S],
        store: StepStore,
        timing: Timing,
        kept: Callable[[], None] = lambda: None,
        refused: dict[str, TwinlensError] | None = None,
    ) -> None:
        self._plan, self._store, self._timing, self._kept = plan, store, timing, kept
        self._refused = refused
        self._loaded: LoadedPlan[S] | None = None

    def of(self, steps: Sequence[S]) -> dict[str, MeasuredStep]:
        """Measure the missing ones of some steps, and return all that have figures, by their keys.

        Raises
        ------
        TwinlensError
            If the data cannot be had, or a step cannot be measured and nothing receives it.
        """
        found = dict(self._store.kept([step.key for step in steps]))
        for step in steps:
            if step.key in found:
                self._timing.measured(step, found[step.key].seconds)
        waiting = {step.key: step for step in steps if step.key not in found}
        of = len({step.key for step in steps})
        if not waiting:
            return found
        if self._loaded is None:
            self._loaded = self._plan.load(self._timing.preparing)
        for group in self._plan.together(list(waiting.values())):
            progress = _Shared(self._timing, len(group))
            figures, refusal = self._loaded.figures(group, progress), None
            for step in group:
                self._timing.begin(list(waiting.values()))
                progress.turn(self._timing.within(1 + of - len(waiting), of, step.name))
                try:
                    had = next(figures, None)
                except TwinlensError as error:
                    if self._refused is None:
                        raise
                    had, refusal = None, error  # of this step and the rest of its group
                del waiting[step.key]
                if had is None:
                    if refusal is not None and self._refused is not None:
                        self._refused[step.key] = refusal
                    continue
                one = self._measured(step, had, self._loaded)
                self._store.keep(one)
                found[step.key] = one
                self._kept()
        return found

    def _measured(self, step: S, figures: Figures, loaded: LoadedPlan[S]) -> MeasuredStep:
        seconds, digests = self._timing.step_seconds(), dict(self._plan.digests)
        self._timing.measured(step, seconds)
        return MeasuredStep(step.key, figures, loaded.facts, loaded.exact, digests.pop(DATA, ""), seconds, digests)


def measure_plan(
    plan: MeasurablePlan[S],
    store: StepStore,
    timing: Timing,
    kept: Callable[[], None] = lambda: None,
    refused: dict[str, TwinlensError] | None = None,
) -> dict[str, MeasuredStep]:
    """Measure the missing steps of a plan, and return all; see :class:`PlanMeasurement`."""
    return PlanMeasurement(plan, store, timing, kept, refused).of(plan.steps)


class _Shared:
    """Progress of the current one of some steps that share work; the shared work counts for the first."""

    _SEARCHES = 0.75  # share of the first step at which the shared work ends

    def __init__(self, timing: Timing, of: int) -> None:
        self._progress: Progress = timing.preparing
        self._of, self._place = of, -1

    def turn(self, progress: Progress) -> None:
        """Begin the next step."""
        self._progress = progress
        self._place += 1

    def __call__(self, done: float, total: float, text: Message = NOTHING) -> None:
        share = done / total if total > 0 else 0.0
        width = (1 - self._SEARCHES) / self._of
        stop = self._SEARCHES + width * (self._place + 1)
        start = stop - width if self._place else 0.0
        self._progress(min(max(share - start, 0.0), stop - start), stop - start, text)


T = TypeVar("T")
VERSION = 1
"""Version of the figures; a new one measures every step again."""


@dataclass(frozen=True, eq=False)
class DeclaredStep(Generic[T]):
    """A step that measures something declared elsewhere.

    Attributes
    ----------
    what : object
        What is measured.
    """

    key: str
    what: T
    name: Message
    kind: str
    size: int = 0


@dataclass(frozen=True)
class DataFacts:
    """The data of a step.

    Attributes
    ----------
    base : str
        Source of the vectors.
    truth : str
        By which the true neighbours were found.
    relevant : Message
        Results that count as right in precision, recall and average precision.
    metric : str
        Applied before every method; empty for none.
    left_out : int
        All-zero rows of base and queries, left out for a histogram kernel.
    """

    base: str
    n: int
    d: int
    queries: int
    truth: str
    relevant: Message = NOTHING
    metric: str = ""
    left_out: int = 0


@dataclass(frozen=True, eq=False)
class MeasuredStep:
    """A measured step.

    Attributes
    ----------
    exact : float
        Seconds of exact search per query.
    digest : str
        Of vectors, queries and right results.
    seconds : float
        That it took.
    digests : dict of str to str
        Of each of these; empty for steps of earlier versions.
    versions : dict of str to str
        Of the program and its machine; empty for those that run now.
    """

    key: str
    figures: Figures
    facts: DataFacts
    exact: float
    digest: str
    seconds: float
    digests: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class StepRow:
    """A measured step as text, as a library, a file or the cache keeps it.

    Attributes
    ----------
    key : str
        Of what was measured, on what, by which version.
    data : str
        JSON: what it was measured on.
    figures : str
        JSON: what came of it.
    seconds : float
        That it took.
    versions : str
        JSON: by what, and on which machine.
    created : str
        UTC; empty for now.
    """

    key: str
    data: str
    figures: str
    seconds: float
    versions: str
    created: str = ""


class StepStore(Protocol):
    """A place that keeps measured steps."""

    def kept(self, keys: Sequence[str]) -> Mapping[str, MeasuredStep]:
        """Return the measured ones of some steps."""

    def keep(self, one: MeasuredStep) -> None:
        """Keep a step, the moment it is measured."""


class StepMemory:
    """A store that forgets all when the program ends."""

    def __init__(self) -> None:
        self._steps: dict[str, MeasuredStep] = {}

    def kept(self, keys: Sequence[str]) -> Mapping[str, MeasuredStep]:
        """Return the measured ones of some steps."""
        return {key: self._steps[key] for key in keys if key in self._steps}

    def keep(self, one: MeasuredStep) -> None:
        """Keep a step."""
        self._steps[one.key] = one


def step_key(declared: Sequence[str], about: Mapping[str, Any]) -> str:
    """Return the key of a step.

    Parameters
    ----------
    declared : sequence of str
        Identities of what the step itself declares.
    about : dict
        Everything else that determines the figures, as JSON takes it.
    """
    rest = json.dumps({"version": VERSION, **about}, sort_keys=True)
    return hashlib.sha256(json.dumps([list(declared), rest]).encode()).hexdigest()[:32]


class Timing:
    """Progress of a run in spent and total seconds.

    A step is expected to take as long as measured steps of its kind of the nearest size, or as long as the others on
    average. The total is unknown (0) until the first step is measured or half done. Pauses do not count.

    Parameters
    ----------
    clock : callable
        Returns seconds.
    """

    _PART = 0.5  # share of the first step after which the rest is estimated

    def __init__(self, progress: Progress, clock: Callable[[], float] = time.perf_counter) -> None:
        self._progress, self._clock = progress, clock
        self._began, self._paused = clock(), 0.0
        self._known: dict[str, dict[int, list[float]]] = {}  # by kind and size
        self._waiting: Sequence[MeasurementStep] = ()
        self._others: Counter[tuple[str, int]] | None = None  # that wait behind the first, once that is asked for
        self._step_began = 0.0

    @property
    def spent(self) -> float:
        """Seconds of work so far."""
        return self._clock() - self._began - self._paused

    def tell(self, text: Message, left: float = 0.0) -> None:
        """Report progress, with an unknown total if `left` is 0."""
        spent = self.spent
        before = self._clock()
        try:
            self._progress(spent, spent + left if left > 0 else 0.0, text)
        finally:
            self._paused += self._clock() - before

    def preparing(self, done: float, total: float, text: Message = NOTHING) -> None:
        """Report progress before the first step, which says nothing about the total."""
        self.tell(text)

    def measured(self, step: MeasurementStep, seconds: float) -> None:
        """Record the time of a step."""
        self._known.setdefault(step.kind, {}).setdefault(step.size, []).append(seconds)

    def begin(self, waiting: Sequence[MeasurementStep]) -> None:
        """Begin the first waiting step."""
        self._waiting, self._others = waiting, None
        self._step_began = self.spent

    def step_seconds(self) -> float:
        """Return the seconds of work since the step began."""
        return self.spent - self._step_began

    def within(self, number: int, of: int, name: Message) -> Progress:
        """Return the progress of the current step, `number` of `of`."""

        def step_progress(done: float, total: float, text: Message = NOTHING) -> None:
            share = min(done / total, 1.0) if total > 0 else 0.0
            left = self.seconds_left(share)
            step = Message("Step {number} of {of}: {step}", number=number, of=of, step=name)
            self.tell(Message("{step} ({doing})", step=step, doing=text) if text else step, left)

        return step_progress

    def seconds_left(self, share: float) -> float:
        """Return the estimated seconds left, with a share of the step done; 0 if unknown."""
        so_far, first = self.step_seconds(), self._waiting[0]
        if self._known:
            if self._others is None:
                self._others = Counter((step.kind, step.size) for step in self._waiting[1:])
            others = sum(count * self._takes(*one) for one, count in self._others.items())
            return max(self._takes(first.kind, first.size) - so_far, 0.0) + others
        if share < self._PART:
            return 0.0
        return so_far / share * len(self._waiting) - so_far

    def _takes(self, kind: str, size: int) -> float:
        alike = self._known.get(kind)
        if alike is None:
            return _mean([took for sizes in self._known.values() for times in sizes.values() for took in times])
        nearest = min(abs(one - size) for one in alike)
        return _mean([took for one, times in alike.items() if abs(one - size) == nearest for took in times])


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
