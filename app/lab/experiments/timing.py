"""How long a run takes still: told by the steps that were timed, and by nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from app.lab.experiments.steps import Step
from core.hash_method import HashMethod
from core.message import NOTHING, Message
from core.progress import Progress


class Timing:
    """Passes the progress of steps on as seconds: those that are spent, of those that it takes in all.

    A step takes as long as those of its method with the nearest number of bits did; of a method that none was timed of,
    as long as the others on average. Until the first step was timed, or is half done, the end is not known, and 0 is
    told for it. Time in which the listener lets the work pause is not counted.

    Parameters
    ----------
    progress : Progress
    clock : callable
        Gives seconds.
    """

    _PART = 0.5  # of the first step, from which the rest may be told

    def __init__(self, progress: Progress, clock: Callable[[], float] = time.perf_counter) -> None:
        self._progress, self._clock = progress, clock
        self._began, self._paused = clock(), 0.0
        self._known: list[tuple[HashMethod, float]] = []
        self._waiting: Sequence[Step] = ()
        self._step_began = 0.0

    @property
    def spent(self) -> float:
        """Seconds of work until now."""
        return self._clock() - self._began - self._paused

    def tell(self, text: Message, left: float = 0.0) -> None:
        """Tell where the work is; the end is not known where nothing is left."""
        spent = self.spent
        before = self._clock()
        try:
            self._progress(spent, spent + left if left > 0 else 0.0, text)
        finally:
            self._paused += self._clock() - before

    def measured(self, step: Step, seconds: float) -> None:
        """Take note of what a step took."""
        self._known.append((step.method, seconds))

    def begin(self, waiting: Sequence[Step]) -> None:
        """Begin the first of the steps that wait."""
        self._waiting = waiting
        self._step_began = self.spent

    def step_seconds(self) -> float:
        """Seconds of work since the step began."""
        return self.spent - self._step_began

    def within(self, number: int, of: int, words: str) -> Progress:
        """Return the progress of the step that was begun, of which there are so many."""

        def told(done: float, total: float, text: Message = NOTHING) -> None:
            share = min(done / total, 1.0) if total > 0 else 0.0
            left = self.seconds_left(share)
            step = Message("step {number} of {of}, {words}", number=number, of=of, words=words)
            self.tell(Message("{step}: {doing}", step=step, doing=text) if text else step, left)

        return told

    def seconds_left(self, share: float) -> float:
        """Say how long it takes still, with a share of the step done; 0 where nothing tells it."""
        first, others = self._waiting[0], self._waiting[1:]
        so_far = self.step_seconds()
        if self._known:
            return max(self._takes(first) - so_far, 0.0) + sum(map(self._takes, others))
        if share < self._PART:
            return 0.0
        return so_far / share * (1 + len(others)) - so_far

    def _takes(self, step: Step) -> float:
        alike = [(abs(one.bits - step.method.bits), took) for one, took in self._known if one.key == step.method.key]
        if not alike:
            return _mean([took for _, took in self._known])
        nearest = min(off for off, _ in alike)
        return _mean([took for off, took in alike if off == nearest])


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
