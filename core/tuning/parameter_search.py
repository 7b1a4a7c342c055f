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
from typing import Protocol

from core.errors import Cancelled, TwinlensError
from core.evaluation.candidates import Candidate
from core.evaluation.engine import Measurable, Measurement
from core.evaluation.evaluation_task import Figures
from core.evaluation.plan import CodeStep
from core.hashing.hash_method import HashMethod
from core.message import NOTHING, Message
from core.search.linear_scan import Scan
from core.search.search_structure import Search
from core.tuning.attempts import Attempts, OutOfTimeError, best_of_each, in_turn
from core.tuning.trial_costs import Stage

SPLITS = 5
JUDGED_BY = 10
"""R of the recall@R by which candidates are compared."""

_LEAST_PART = 500  # items on which a candidate is worth measuring, where there are more
_PART = 3
_FINALISTS = 2
_TOO_DEAR = 20  # candidates that could not end in time, one after another or not: then none is looked for any more


class Split(Measurable[CodeStep], Protocol):
    """A plan of which any candidate can be a step."""

    def step(self, method: Candidate, search: Search | None, seed: int) -> CodeStep:
        """Return the step of a candidate."""


class Splits(Protocol):
    """Ways to hold queries out, such as :class:`core.tuning.held_out_queries.HeldOut`."""

    @property
    def most(self) -> int:
        """How many items there are to be searched."""

    def plan(self, split: int, size: int) -> Split:
        """Return the plan of a split with so many items."""


@dataclass(frozen=True, eq=False)
class Trial:
    """One declaration, measured once.

    Attributes
    ----------
    method : HashMethod
    is_default : bool
        Whether it is as it was declared, but for the bits.
    split, items : int
        With which queries, on how many items.
    is_final : bool
        Whether it was measured among the finalists, with all figures.
    figures : Figures or None
        None where it could not be measured.
    refused : Message
        Why.
    """

    method: HashMethod
    is_default: bool
    split: int
    items: int
    is_final: bool
    figures: Figures | None
    refused: Message = NOTHING


@dataclass
class Tuning:
    """What was tried; it grows while the search runs.

    Attributes
    ----------
    trials : list of Trial
        In the order in which they were measured.
    finalists : int
        Declarations that reached the last stage, measured there or not.
    cancelled : bool
        Whether somebody stopped it.
    is_complete : bool
        Whether every finalist was measured on every split.
    """

    trials: list[Trial] = field(default_factory=list)
    finalists: int = 0
    cancelled: bool = False
    is_complete: bool = False


def tune(defaults: Sequence[HashMethod], drawn: Iterable[HashMethod], splits: Splits, attempts: Attempts) -> Tuning:
    """Search.

    Parameters
    ----------
    defaults : sequence of HashMethod
        What was declared, at every length of codes: measured first, and on every stage.
    drawn : iterable of HashMethod
        Candidates; as many are taken as the first stage has time for.
    splits : Splits
    attempts : Attempts
        Its budget is kept: what is estimated not to end in time is not begun, and what does not is given up. Its
        progress may cancel, which keeps what was tried.

    Raises
    ------
    Cancelled
        If it is cancelled before anything was measured.
    TwinlensError
        If there is nothing to try.
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


def stages(most: int) -> list[Stage]:
    """Return the stages for so many items.

    Examples
    --------
    >>> [stage.items for stage in stages(20_000)], [stage.items for stage in stages(1_500)]
    ([2222, 6666, 20000], [500, 1500])
    """
    parts = [size for size in (most // _PART**2, most // _PART) if size >= _LEAST_PART] or [most]
    shares = (0.35, 0.6) if len(parts) > 1 else (0.5,)
    explored = [Stage(items, (0,), until) for items, until in zip(parts, shares, strict=True)]
    return [*explored, Stage(most, tuple(range(SPLITS)), 1.0, is_last=True)]


class _Search:
    """The state of one search."""

    def __init__(self, defaults: list[HashMethod], splits: Splits, attempts: Attempts) -> None:
        self.tuning = Tuning()
        self._defaults, self._splits, self._attempts = defaults, splits, attempts
        self._begun: dict[tuple[int, int], tuple[Split, Measurement[CodeStep]]] = {}

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

    def _stage(self, stage: Stage, candidates: Iterable[HashMethod]) -> bool:
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

    def _on(self, split: int, stage: Stage) -> tuple[Split, Measurement[CodeStep]]:
        """Return the plan of a split and its measurement, for which the truth is found once."""
        if (split, stage.items) not in self._begun:
            plan = self._splits.plan(split, stage.items)
            self._begun[split, stage.items] = plan, self._attempts.on(plan)
        return self._begun[split, stage.items]

    def _step(self, method: HashMethod, split: int, stage: Stage) -> CodeStep:
        plan, _ = self._on(split, stage)
        return plan.step(method, Scan() if stage.is_last else None, method.seed)

    def _allows(self, method: HashMethod, split: int, stage: Stage) -> bool:
        return self._attempts.allows(self._step(method, split, stage), method, stage)

    def _trial(self, method: HashMethod, split: int, stage: Stage) -> None:
        step, (_, measurement) = self._step(method, split, stage), self._on(split, stage)
        doing = Message("{method} on {items} vectors", method=method.text(), items=stage.items)
        one = self._attempts.measure(measurement, step, doing, (method, stage))
        refused = self._attempts.refused[step.key].whole if one is None else NOTHING
        figures = None if one is None else one.figures
        is_default = method in self._defaults
        self.tuning.trials.append(Trial(method, is_default, split, stage.items, stage.is_last, figures, refused))

    def _survivors(self, stage: Stage, count: int | None) -> list[HashMethod]:
        """Return the best of each length and the defaults, the best of all lengths first."""
        groups = best_of_each(
            ((trial.method.key, trial.method.bits), judged(trial.figures), trial.method)
            for trial in self.tuning.trials
            if trial.figures is not None and (trial.items, trial.split) == (stage.items, 0)
        )
        first: list[HashMethod] = []
        for best in groups:
            # Beside the best of a length what was asked for: without it nobody knows what was gained.
            first += [best[0], *(one for one in best if one in self._defaults)]
        kept = [best[: count or max(_FINALISTS, math.ceil(len(best) / _PART))] for best in groups]
        return list(dict.fromkeys([*first, *in_turn(kept)]))


def judged(figures: Figures) -> float:
    """Return the figure by which candidates are compared."""
    return figures.recall.get(JUDGED_BY, 0.0)
