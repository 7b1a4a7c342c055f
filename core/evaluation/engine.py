"""The engine of measuring: every missing step of a plan is measured, kept at once, and never measured again.

A measurement can therefore stop at any moment, and going on measures only the missing steps. What is measured is the
plan's affair: hash methods on vectors (:mod:`core.evaluation.plan`), or whatever else has figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from core.evaluation.evaluation_task import Figures
from core.evaluation.steps import DataFacts, MeasuredStep, MeasurementStep, StepStore
from core.evaluation.timing import Timing
from core.message import NOTHING, Message
from core.progress import Progress

DATA = "data"
"""Name of the digest of all data of a plan, among those of its parts."""

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
        """Yield the figures of steps that share work, each when it is done; none of these where they cannot be had.

        Parameters
        ----------
        steps : sequence of Step
            A group of :meth:`Measurable.together`.
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


class Measurement(Generic[S]):
    """A measurement in progress. Its plan is loaded when the first missing step is asked for.

    Parameters
    ----------
    plan : Measurable
    store : Store
        Has what was measured before, and keeps each step when it is measured.
    timing : Timing
        Receives progress; what it raises ends the measurement, and measured steps are kept.
    kept : callable
        Called after each kept step.
    """

    def __init__(
        self, plan: MeasurablePlan[S], store: StepStore, timing: Timing, kept: Callable[[], None] = lambda: None
    ) -> None:
        self._plan, self._store, self._timing, self._kept = plan, store, timing, kept
        self._loaded: LoadedPlan[S] | None = None

    def of(self, steps: Sequence[S]) -> dict[str, MeasuredStep]:
        """Measure those of some steps that are missing, and return all by their keys, but those that have no figures.

        Raises
        ------
        TwinlensError
            If the data cannot be had, or a step cannot be measured.
        Cancelled
            If progress says so.
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
            figures = self._loaded.figures(group, progress)
            for step in group:
                self._timing.begin(list(waiting.values()))
                progress.turn(self._timing.within(1 + of - len(waiting), of, step.name))
                had = next(figures, None)
                del waiting[step.key]
                if had is None:
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
    plan: MeasurablePlan[S], store: StepStore, timing: Timing, kept: Callable[[], None] = lambda: None
) -> dict[str, MeasuredStep]:
    """Measure the missing steps of a plan, and return all; see :class:`Measurement`."""
    return Measurement(plan, store, timing, kept).of(plan.steps)


class _Shared:
    """Progress of the current step among some that share work, which counts for the first."""

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
