"""A search for good parameters of hash methods on somebody's own vectors, within a budget.

Successive halving (Jamieson and Talwalkar, AISTATS 2016): many candidates are measured on a part of the items, the best
third of each length of codes on more of them, and the best two, with the declaration as it was, on all, with several
splits. Longer codes nearly always rank better, so that candidates only compete with others of their length; which
length is worth its bytes is decided at the end (:mod:`core.tuning.best_declaration`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest

from core.errors import Cancelled, TwinlensError
from core.evaluation.evaluation_task import Figures
from core.evaluation.plan import CodeStep
from core.hashing.hash_method import HashMethod
from core.message import NOTHING, Message
from core.search.linear_scan import Scan
from core.tuning.attempts import Attempts, OutOfTimeError, best_of_each, in_turn
from core.tuning.held_out_queries import HeldOutSplits
from core.tuning.trial_costs import TuningStage

SPLITS = 5
JUDGED_BY = 10
"""R of the recall@R by which candidates are compared."""

_LEAST_PART = 500  # items on which a candidate is worth measuring, where there are more
_PART = 3
_FINALISTS = 2
_TOO_DEAR = 20  # candidates that could not end in time, one after another or not: then none is looked for any more


@dataclass(frozen=True, eq=False)
class TuningTrial:
    """One declaration, measured once: with the queries of a split, on so many items."""

    method: HashMethod
    is_default: bool  # as it was declared, but for the bits
    split: int
    items: int
    is_final: bool  # among the finalists, with all figures
    figures: Figures | None
    refused: Message = NOTHING


@dataclass
class Tuning:
    """The trials in the order of measuring; they grow while the search runs."""

    trials: list[TuningTrial] = field(default_factory=list)
    finalists: int = 0  # reached the last stage, measured there or not
    cancelled: bool = False
    is_complete: bool = False  # every finalist was measured on every split


def tune(
    defaults: Sequence[HashMethod], drawn: Iterable[HashMethod], splits: HeldOutSplits, attempts: Attempts
) -> Tuning:
    """Search among what was declared, at every length of codes, and candidates, of which there is time for some.

    What was declared is measured first, and on every stage. Cancelled, it ends with what was tried, if anything was.
    """
    if not defaults:
        raise TwinlensError(Message("No methods to try."), Message("Name a method, such as klsh."))
    search = _Search(list(defaults), splits, attempts)
    try:
        search.run(drawn)
    except Cancelled:
        if not search.measured():
            raise
        search.tuning.cancelled = True
    except OutOfTimeError:
        pass
    return search.tuning


def stages(most: int) -> list[TuningStage]:
    """Return the stages for so many items.

    Examples
    --------
    >>> [stage.items for stage in stages(20_000)], [stage.items for stage in stages(1_500)]
    ([2222, 6666, 20000], [500, 1500])
    """
    parts = [size for size in (most // _PART**2, most // _PART) if size >= _LEAST_PART] or [most]
    shares = (0.35, 0.6) if len(parts) > 1 else (0.5,)
    explored = [TuningStage(items, (0,), until) for items, until in zip(parts, shares, strict=True)]
    return [*explored, TuningStage(most, tuple(range(SPLITS)), 1.0, is_last=True)]


class _Search:
    """The state of one search."""

    def __init__(self, defaults: list[HashMethod], splits: HeldOutSplits, attempts: Attempts) -> None:
        self.tuning = Tuning()
        self._defaults, self._splits, self._attempts = defaults, splits, attempts

    def run(self, drawn: Iterable[HashMethod]) -> None:
        candidates: Iterable[HashMethod] = chain(self._defaults, drawn)
        all_stages = stages(self._splits.most)
        for stage, following in zip_longest(all_stages, all_stages[1:]):
            if stage.is_last:
                candidates = list(candidates)
                self.tuning.finalists = len(candidates)
            ahead = iter(candidates)
            done = self._stage(stage, ahead)
            self.tuning.is_complete = stage.is_last and done
            if following is None:
                return
            candidates = self._survivors(stage, _FINALISTS if following.is_last else None)
            if not any(self._allows(method, 0, following) for method in candidates):
                # More items cost more than there is: what is left is for more candidates.
                self._stage(replace(stage, until=1.0), ahead)
                return

    def measured(self) -> bool:
        """Return whether there is an answer."""
        return any(trial.figures is not None for trial in self.tuning.trials)

    def _stage(self, stage: TuningStage, candidates: Iterable[HashMethod]) -> bool:
        """Measure candidates while the budget allows it; False if it did not for all."""
        budget = self._attempts.budget
        for split in stage.splits:
            if split:
                # A split that some finalists lack compares nobody: it is begun only if all can be measured.
                candidates = list(candidates)
                steps = [self._step(method, split, stage) for method in candidates]
                seconds = self._attempts.seconds(steps, candidates, stage)
                if not budget.allows(seconds, stage.until, len(candidates)):
                    return False
            taken = []
            too_dear = 0
            for method in candidates:
                if not self._allows(method, split, stage):
                    too_dear += 1
                    if too_dear == _TOO_DEAR or not budget.allows(0.0, stage.until):
                        return False
                    continue
                self._trial(method, split, stage)
                taken.append(method)
            candidates = taken
        return True

    def _step(self, method: HashMethod, split: int, stage: TuningStage) -> CodeStep:
        plan = self._splits.plan(split, stage.items)
        return plan.step(method, Scan() if stage.is_last else None, method.seed)

    def _allows(self, method: HashMethod, split: int, stage: TuningStage) -> bool:
        return self._attempts.allows(self._step(method, split, stage), method, stage)

    def _trial(self, method: HashMethod, split: int, stage: TuningStage) -> None:
        step, plan = self._step(method, split, stage), self._splits.plan(split, stage.items)
        doing = Message("{method} on {items} vectors", method=method.text(), items=stage.items)
        one = self._attempts.measure(plan, step, doing, (method, stage))
        refused = self._attempts.refused[step.key].whole if one is None else NOTHING
        figures = None if one is None else one.figures
        is_default = method in self._defaults
        self.tuning.trials.append(TuningTrial(method, is_default, split, stage.items, stage.is_last, figures, refused))

    def _survivors(self, stage: TuningStage, count: int | None) -> list[HashMethod]:
        """Return the best of each length and the defaults, the best of all lengths first."""
        groups = best_of_each(
            ((trial.method.key, trial.method.bits), judged_figure(trial.figures), trial.method)
            for trial in self.tuning.trials
            if trial.figures is not None and (trial.items, trial.split) == (stage.items, 0)
        )
        first: list[HashMethod] = []
        for best in groups:
            # Beside the best of a length what was asked for: without it nobody knows what was gained.
            first += [best[0], *(one for one in best if one in self._defaults)]
        kept = [best[: count or max(_FINALISTS, math.ceil(len(best) / _PART))] for best in groups]
        return list(dict.fromkeys([*first, *in_turn(kept)]))


def judged_figure(figures: Figures) -> float:
    """Return the figure by which candidates are compared."""
    return figures.recall.get(JUDGED_BY, 0.0)
