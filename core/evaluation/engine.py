"""The engine of measuring: every missing step of a plan is measured, kept at once, and never measured again.

A measurement can therefore stop at any moment, and going on measures only the missing steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from core.errors import TwinlensError
from core.evaluation.evaluation_task import Figures
from core.evaluation.method_evaluation import evaluated_searches
from core.evaluation.plan import LoadedTask, Plan
from core.evaluation.steps import Measured, Step, Store
from core.evaluation.timing import Timing
from core.hashing.hash_method import HashMethod
from core.message import NOTHING, Message
from core.progress import Progress


def measure(
    plan: Plan, store: Store, timing: Timing, kept: Callable[[], None] = lambda: None, spectrum: bool = False
) -> dict[str, Measured]:
    """Measure the missing steps of a plan, and return all.

    Parameters
    ----------
    plan : Plan
    store : Store
        Has what was measured before, and keeps each step when it is measured.
    timing : Timing
        Receives progress; what it raises ends the measurement, and measured steps are kept.
    kept : callable
        Called after each kept step.
    spectrum : bool
        Whether the eigenvalues of what was learned are wanted, of the steps that are measured now.

    Raises
    ------
    TwinlensError
        If the truth does not fit the data, or a candidate cannot learn from them.
    Cancelled
        If progress says so.
    """
    found = dict(store.kept([step.key for step in plan.steps]))
    for step in plan.steps:
        if step.key in found:
            timing.measured(step, found[step.key].seconds)
    waiting = list({step.key: step for step in plan.steps if step.key not in found}.values())
    if not waiting:
        return found
    loaded = plan.load(timing.preparing)
    for step, figures, seconds in _measured(plan, loaded, waiting, timing, spectrum):
        one = Measured(step.key, figures, loaded.facts, loaded.exact, plan.digest, seconds, plan.digests)
        store.keep(one)
        found[step.key] = one
        kept()
    return found


def _measured(
    plan: Plan, loaded: LoadedTask, waiting: list[Step], timing: Timing, spectrum: bool
) -> Iterator[tuple[Step, Figures, float]]:
    """Measure steps, and yield each with its figures and seconds.

    Search structures of one method and seed share learning and encoding; their time counts for the first.
    """
    candidates, seeds = list(plan.candidates), list(plan.seeds)
    by_fit = sorted(waiting, key=lambda one: (candidates.index(one.method), seeds.index(one.seed)))
    every = len({step.key for step in plan.steps})
    number = every - len(waiting)
    for _, group in groupby(by_fit, key=lambda one: (one.method.identity(), one.seed)):
        steps = list(group)
        progress = _Current(timing)
        found = _figures(steps, loaded, progress, spectrum)
        for step in steps:
            number += 1
            timing.begin(waiting)
            words = Message(
                "{method} · {search}, seed {seed}",
                method=step.method.text(),
                search=step.search.text(),
                seed=step.seed,
            )
            progress.turn(timing.within(number, every, words), step is steps[0], len(steps))
            try:
                figures = next(found)
            except TwinlensError as error:
                raise _of_step(step, loaded, error) from None
            seconds = timing.step_seconds()
            timing.measured(step, seconds)
            waiting = [one for one in waiting if one is not step]
            yield step, figures, seconds


def _figures(steps: list[Step], loaded: LoadedTask, progress: Progress, spectrum: bool) -> Iterator[Figures]:
    """Yield the figures of steps that share a candidate and a seed."""
    candidate, searches = steps[0].method.changed(seed=steps[0].seed), [one.search for one in steps]
    if not isinstance(candidate, HashMethod):
        yield from candidate.measured(searches, loaded.task, progress)
        return
    after = evaluated_searches(candidate, searches, loaded.task, progress, loaded.metric, spectrum)
    if loaded.before is None:
        yield from after
        return
    before = evaluated_searches(candidate, searches, loaded.before, progress)
    for figures, without in zip(after, before, strict=True):
        figures.accuracy_before = without.accuracy
        yield figures


def _of_step(step: Step, loaded: LoadedTask, error: TwinlensError) -> TwinlensError:
    """Say which candidate, and behind which metric, cannot be measured."""
    if loaded.facts.metric:
        reason = Message("With the metric {metric}: {reason}", metric=loaded.facts.metric, reason=error.message)
    else:
        reason = Message("{method}: {reason}", method=step.method.text(), reason=error.message)
    return TwinlensError(reason, error.next_step)


class _Current:
    """Progress of the current search within all that share a learned method."""

    _SEARCHES = 0.75  # share of a method at which its first search begins

    def __init__(self, timing: Timing) -> None:
        self._progress: Progress = timing.preparing
        self._first, self._of, self._place = True, 1, -1

    def turn(self, progress: Progress, first: bool, of: int) -> None:
        """Begin the next search."""
        self._progress, self._first, self._of = progress, first, of
        self._place += 1

    def __call__(self, done: float, total: float, text: Message = NOTHING) -> None:
        share = done / total if total > 0 else 0.0
        width = (1 - self._SEARCHES) / self._of
        stop = self._SEARCHES + width * (self._place + 1)
        start = 0.0 if self._first else stop - width
        self._progress(min(max(share - start, 0.0), stop - start), stop - start, text)
