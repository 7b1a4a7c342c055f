"""A search for good parameters of hash methods on somebody's own vectors, within a budget.

Successive halving (Jamieson and Talwalkar, AISTATS 2016): many candidates are measured on a part of the items, the best
third of each length of codes on more of them, and the best two, with the declaration as it was, on all, with several
splits. Longer codes nearly always rank better, so that candidates only compete with others of their length; which
length is worth its bytes is decided at the end (:mod:`core.tuning.best_declaration`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest

from core.errors import Cancelled, TwinlensError
from core.evaluation.evaluation_task import Figures, Task
from core.evaluation.method_evaluation import evaluate, evaluate_ranking
from core.hashing.hash_method import HashMethod
from core.message import NOTHING, Message
from core.progress import Progress, silent
from core.search.linear_scan import Scan
from core.search.search_structure import Search
from core.tuning.budget import Budget
from core.tuning.held_out_queries import HeldOut
from core.tuning.trial_costs import Costs, Stage

SPLITS = 5
JUDGED_BY = 10
"""R of the recall@R by which candidates are compared."""

_LEAST_PART = 500  # items on which a candidate is worth measuring, where there are more
_PART = 3
_FINALISTS = 2
_TOO_DEAR = 20  # candidates that could not end in time, one after another or not: then none is looked for any more

Evaluate = Callable[[HashMethod, Search, Task, Progress], Figures]


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
    seconds : float
        That it took in all.
    """

    method: HashMethod
    is_default: bool
    split: int
    items: int
    is_final: bool
    figures: Figures | None
    refused: Message = NOTHING
    seconds: float = 0.0


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


class _OutOfTimeError(Exception):
    """The budget ends in the middle of a trial."""


def tune(
    defaults: Sequence[HashMethod],
    drawn: Iterable[HashMethod],
    held_out: HeldOut,
    budget: Budget,
    progress: Progress = silent,
    run: Evaluate = evaluate,
    explore: Evaluate = evaluate_ranking,
) -> Tuning:
    """Search.

    Parameters
    ----------
    defaults : sequence of HashMethod
        What was declared, at every length of codes: measured first, and on every stage.
    drawn : iterable of HashMethod
        Candidates; as many are taken as the first stage has time for.
    held_out : HeldOut
    budget : Budget
        Is kept: what is estimated not to end in time is not begun, and what does not is given up.
    progress : Progress
        Told the share of the budget that is spent; may cancel, which keeps what was tried.
    run : callable
        Measures a finalist, with what a query takes.
    explore : callable
        Measures any other candidate.

    Raises
    ------
    Cancelled
        If it is cancelled before anything was measured.
    TwinlensError
        If there is nothing to try.
    """
    if not defaults:
        raise TwinlensError(Message("No methods to try."), Message("Name a method, such as klsh."))
    search = _Search(held_out, budget, progress, (explore, run))
    try:
        search.run(list(defaults), drawn)
    except Cancelled:
        if not search.measured():
            raise
        search.tuning.cancelled = True
    except _OutOfTimeError:
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

    def __init__(
        self, held_out: HeldOut, budget: Budget, progress: Progress, measures: tuple[Evaluate, Evaluate]
    ) -> None:
        self.tuning = Tuning()
        self._held_out = held_out
        self._budget = budget
        self._progress = progress
        self._explore, self._run = measures
        self._costs = Costs()
        self._defaults: list[HashMethod] = []

    def run(self, defaults: list[HashMethod], drawn: Iterable[HashMethod]) -> None:
        self._defaults = defaults
        candidates: Iterable[HashMethod] = chain(defaults, drawn)
        all_stages = stages(self._held_out.most)
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
            costs = [self._costs.estimate(method, following) for method in candidates]
            if not any(self._budget.allows(seconds, following.until) for seconds in costs):
                # More items cost more than there is: what is left is for more candidates.
                self._stage(replace(stage, until=1.0), ahead)
                return

    def measured(self) -> bool:
        """Return whether there is an answer."""
        return any(trial.figures is not None for trial in self.tuning.trials)

    def _stage(self, stage: Stage, candidates: Iterable[HashMethod]) -> bool:
        """Measure candidates while the budget allows it; False if it did not for all."""
        for split in stage.splits:
            if split:
                # A split that some finalists lack compares nobody: it is begun only if all can be measured.
                candidates = list(candidates)
                seconds = math.fsum(self._costs.estimate(method, stage) for method in candidates)
                if not self._budget.allows(seconds, stage.until, len(candidates)):
                    return False
            taken = []
            too_dear = 0
            for method in candidates:
                if self.measured() and not self._budget.allows(self._costs.estimate(method, stage), stage.until):
                    too_dear += 1
                    if too_dear == _TOO_DEAR or not self._budget.allows(0.0, stage.until):
                        return False
                    continue
                self._trial(method, split, stage)
                taken.append(method)
            candidates = taken
        return True

    def _trial(self, method: HashMethod, split: int, stage: Stage) -> None:
        text = Message("{method} on {items} vectors", method=method.text(), items=stage.items)

        def watch(done: float, total: float, _: Message = NOTHING) -> None:
            self._progress(min(1.0, self._budget.spent()), 1.0, text)
            if self._budget.spent() >= 1.0:
                raise _OutOfTimeError

        watch(0, 1)
        began = self._budget.now()
        figures, refused = None, NOTHING
        try:
            task = self._held_out.task(split, stage.items, watch)
            began = self._budget.now()
            figures = (self._run if stage.is_last else self._explore)(method, Scan(), task, watch)
        except TwinlensError as error:
            refused = error.whole
        seconds = self._budget.now() - began
        is_default = method in self._defaults
        trial = Trial(method, is_default, split, stage.items, stage.is_last, figures, refused, seconds)
        self.tuning.trials.append(trial)
        self._budget.count()
        if figures is not None:
            self._costs.add(method, stage, seconds)

    def _survivors(self, stage: Stage, count: int | None) -> list[HashMethod]:
        """Return the best of each length and the defaults, the best of all lengths first."""
        groups: dict[tuple[str, int], list[tuple[float, int, HashMethod]]] = {}
        for place, trial in enumerate(self.tuning.trials):
            if trial.figures is not None and (trial.items, trial.split) == (stage.items, 0):
                group = groups.setdefault((trial.method.key, trial.method.bits), [])
                group.append((-judged(trial.figures), place, trial.method))
        kept = []
        for group in groups.values():
            best = [method for *_, method in sorted(group, key=lambda one: one[:2])]
            kept.append(best[: count or max(_FINALISTS, math.ceil(len(best) / _PART))])
        tried = {method for group in groups.values() for *_, method in group}
        first: list[HashMethod] = []
        for best in kept:
            # Beside the best of a length what was asked for: without it nobody knows what was gained.
            same = [one for one in self._defaults if (one.key, one.bits) == (best[0].key, best[0].bits)]
            first += [best[0], *(one for one in same if one in tried)]
        others = [method for turn in zip_longest(*kept) for method in turn if method is not None]
        return list(dict.fromkeys([*first, *others]))


def judged(figures: Figures) -> float:
    """Return the figure by which candidates are compared."""
    return figures.recall.get(JUDGED_BY, 0.0)
