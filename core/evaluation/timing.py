"""Remaining time of a run, estimated from its measured steps."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence

from core.evaluation.steps import MeasurementStep
from core.message import NOTHING, Message
from core.progress import Progress


class Timing:
    """Progress of a run in spent and total seconds.

    A step is expected to take as long as measured steps of its kind of the nearest size, or as long as the others on
    average. The total is unknown (0) until the first step is measured or half done. Pauses do not count.

    Parameters
    ----------
    progress : Progress
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
