"""A search for good parameters of hash methods on given vectors, within a budget, and the choice of the best.

Successive halving (Jamieson and Talwalkar, AISTATS 2016): many candidates are measured on a part of the items, the best
third of each length of codes on more of them, and the best two, with the declaration as it was, on all, with several
splits.

Longer codes nearly always rank better, so candidates only compete with others of their length, and the best recall
alone chooses nothing. The chosen declaration has the shortest code whose recall is as good as the best one's, but for
one standard error of it or one point, whichever is more.

The values that it tries stand in one table by the name of the field, for all methods.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest
from typing import Any, Protocol, TypeVar

import numpy as np

from twinlens.core.declaration.declaration import Declaration
from twinlens.core.errors import Cancelled, DeclarationError, TwinlensError
from twinlens.core.evaluation.evaluation_task import Figures, Measurement, summed
from twinlens.core.evaluation.plan import CodeStep, HeldOutSplits
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.kernels.kernel import Kernel, UnitRange
from twinlens.core.kernels.radial_kernels import Gaussian, RadialKernel
from twinlens.core.message import NOTHING, Message
from twinlens.core.search.linear_scan import Scan
from twinlens.core.tuning.attempts import Attempts, OutOfTimeError, TuningStage, best_of_each, in_turn
from twinlens.core.vectors import Vectors

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
        raise TwinlensError("No methods to try.", "Name a method, such as klsh.")
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
    return figures.values.get(f"recall@{JUDGED_BY}", 0.0)


POINT = 0.01


class WithFigure(Protocol):
    """Anything with a figure that it is judged by."""

    @property
    def judged(self) -> float:
        """The more, the better."""


J = TypeVar("J", bound=WithFigure)


@dataclass(frozen=True, eq=False)
class DeclarationSummary:
    """All trials of one declaration on one number of items; it is measured over the splits, as elsewhere over seeds."""

    method: HashMethod
    is_default: bool
    items: int
    splits: tuple[int, ...] = ()
    measured: Measurement | None = None  # None where it was refused
    refused: Message = NOTHING

    def value(self, key: str) -> float:
        """Return the value of a measure; 0 where it was not measured."""
        return 0.0 if self.measured is None else self.measured.values.get(key, 0.0)

    @property
    def judged(self) -> float:
        """Recall that candidates are compared by."""
        return self.value(f"recall@{JUDGED_BY}")

    @property
    def code_bytes(self) -> float:
        """Of an item."""
        return self.value("bytes codes") / self.items


@dataclass(frozen=True, eq=False)
class DeclarationChoice:
    """The proposed declaration, among those it was compared with."""

    compared: list[DeclarationSummary]
    chosen: DeclarationSummary
    best: DeclarationSummary  # with the highest recall
    margin: float  # loss of recall that counts as equal
    default: DeclarationSummary | None  # with as many bits as the chosen one, if it was measured on as many vectors
    by_bytes: list[DeclarationSummary]  # frontiers of recall against code size and query time, by rising cost
    by_seconds: list[DeclarationSummary]

    def reason(self) -> Message:
        """Return why it was chosen."""
        chosen = self.chosen
        values = {"count": JUDGED_BY, "recall": chosen.judged, "items": chosen.items, "margin": self.margin}
        if self.chosen is self.best:
            return Message(
                "It has the best recall@{count} ({recall:.3f} on {items} vectors), and no shorter code comes within "
                "{margin:.3f} of it.",
                **values,
            )
        return Message(
            "It has the shortest code with a recall@{count} within {margin:.3f} of the best: {recall:.3f} on {items} "
            "vectors, while {best} has {best_recall:.3f}.",
            best=self.best.method.text(),
            best_recall=self.best.judged,
            **values,
        )


def summaries(trials: Sequence[TuningTrial]) -> list[DeclarationSummary]:
    """Return a summary of every declaration on the most items it was tried on, in order of trial."""
    groups: dict[HashMethod, list[TuningTrial]] = {}
    for trial in trials:
        groups.setdefault(trial.method, []).append(trial)
    return [_summary(group) for group in groups.values()]


def choose_declaration(tuning: Tuning, queries: int) -> DeclarationChoice | None:
    """Choose among the finalists, by the splits that all of them were measured with; None where nothing was measured.

    Where the budget ended before most of them were measured, it is among all candidates of the stage before. The
    queries of one split decide the standard error.
    """
    measured = [trial for trial in tuning.trials if trial.figures is not None]
    if not measured:
        return None
    pool = [trial for trial in measured if trial.is_final]
    if 2 * len({trial.method for trial in pool}) <= tuning.finalists or not pool:
        explored = [trial for trial in measured if not trial.is_final]
        most = max(trial.items for trial in explored)
        pool = [trial for trial in explored if trial.items == most]
    splits: dict[HashMethod, set[int]] = {}
    for trial in pool:
        splits.setdefault(trial.method, set()).add(trial.split)
    shared = set.intersection(*splits.values())
    found = summaries([trial for trial in pool if trial.split in shared])
    best = max(found, key=lambda one: one.judged)
    judged_queries = queries * len(best.splits)
    # Laplace's rule: of few queries, none that fails proves little
    share = (best.judged * judged_queries + 1) / (judged_queries + 2)
    margin = max(POINT, math.sqrt(share * (1 - share) / judged_queries))
    good = [one for one in found if one.judged >= best.judged - margin]
    chosen = min(good, key=lambda one: (one.method.bits, -one.judged))
    defaults = [one for one in found if one.is_default and one.method.bits == chosen.method.bits]
    same = [one for one in defaults if one.method.key == chosen.method.key]
    return DeclarationChoice(
        compared=found,
        chosen=chosen,
        best=best,
        margin=margin,
        default=next(iter([*same, *defaults]), None),
        by_bytes=frontier(found, lambda one: one.code_bytes),
        by_seconds=frontier(found, lambda one: one.value("seconds query")),
    )


def frontier(found: Sequence[J], cost: Callable[[J], float]) -> list[J]:
    """Return the Pareto frontier, by rising cost."""
    kept: list[J] = []
    for one in sorted(found, key=lambda one: (cost(one), -one.judged)):
        if not kept or one.judged > kept[-1].judged:
            kept.append(one)
    return kept


def _summary(group: list[TuningTrial]) -> DeclarationSummary:
    first, measured = group[0], [trial for trial in group if trial.figures is not None]
    if not measured:
        return DeclarationSummary(first.method, first.is_default, first.items, refused=first.refused)
    items = max(trial.items for trial in measured)
    # On the last stage a split is measured again, in full.
    last = {trial.split: trial.figures for trial in measured if trial.items == items and trial.figures is not None}
    return DeclarationSummary(first.method, first.is_default, items, tuple(last), summed(list(last.values())))


BITS = (64, 128, 256, 512)
"""Lengths of codes, where none is asked for."""

VALUES: dict[str, tuple[Any, ...]] = {
    "rank": (16, 32, 64, 128, 256, None),
    "scale": (None, 1.0, 2.0, 4.0, 8.0),
    "landmarks": (300, 1_000, 2_000),
    "samples": (10, 30, 50, 100),
    "ridge": (0.0, 0.01, 0.1),
    "subspace": ("pca", "nystrom-weighted", "random"),
    "oversampling": (1, 2, 5, 10),
    "iterations": (1, 5, 20, 50),
}
"""By the name of a field. What stands nowhere here stays as it is."""

WIDTHS = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Multiples of the gamma that is declared or, where that is ``auto``, found: of a method, or of its kernel."""

_MOST = 2_000  # candidates of one method: no budget measures more


def drawn_candidates(
    method: HashMethod, bits: Sequence[int], x: Vectors, matrix_shape: tuple[int, int] | None, rng: np.random.Generator
) -> Iterator[HashMethod]:
    """Draw declarations that differ from one in the values of the table, each once, all lengths of codes in turn.

    A field that the declaration sets to something else than its default is kept, but for ``bits`` and ``gamma``. By a
    sample, x, gamma is found, and values are left out that cannot be.
    """
    fields = _fields(method, x, rng)
    sizes = [len(values) for values in fields.values()]
    whole = math.prod(sizes)
    order = rng.permutation(whole) if whole <= 100 * _MOST else rng.integers(0, whole, _MOST)
    seen = {method.changed(bits=count).text() for count in bits}
    lengths = itertools.cycle(bits)
    for place in order[:_MOST]:
        chosen = np.unravel_index(int(place), sizes) if sizes else ()
        values = {name: fields[name][int(i)] for name, i in zip(fields, chosen, strict=True)}
        # In turn, so that every length has as many candidates; with few combinations, each of them at every length.
        for count in bits if whole <= 100 else (next(lengths),):
            made = possible(method, {**values, "bits": count}, x.shape[1], matrix_shape)
            if made is not None and made.text() not in seen and _tells(made):
                seen.add(made.text())
                yield made


def possible(
    method: HashMethod, values: dict[str, Any], dimensions: int, matrix_shape: tuple[int, int] | None
) -> HashMethod | None:
    """Change a method, or give None where the method or the vectors do not allow it."""
    try:
        made = method.changed(**values)
        made.check(dimensions, matrix_shape)
    except (DeclarationError, TwinlensError):
        return None
    return made


def _fields(method: HashMethod, x: Vectors, rng: np.random.Generator) -> dict[str, list[Any]]:
    """Return for each field that is searched its values."""
    fields: dict[str, list[Any]] = {}
    kernel = getattr(method, "kernel", None)
    for about in method.parameters():
        values = list(VALUES.get(about.name, ()))
        if getattr(method, about.name) != about.default:
            values = []  # somebody has decided
        if about.name == "landmarks":
            values = [value for value in values if value <= len(x)]
        if about.name == "scale" and isinstance(kernel, Kernel) and not _in_unit_range(kernel, x):
            values = []
        if about.name == "kernel" and isinstance(kernel, Kernel):
            values = _widths(kernel, x, rng)
        if about.name == "gamma":
            values = [each.gamma for each in _widths(Gaussian(gamma=getattr(method, "gamma", "auto")), x, rng)]
        if values:
            default = getattr(method, about.name)
            fields[about.name] = values if default in values else [default, *values]
    return fields


def _in_unit_range(kernel: Kernel, x: Vectors) -> bool:
    """Return whether the kernel's values lie in [0, 1], as the transform needs."""
    if kernel.unit_range is UnitRange.NO_ROWS:
        return False
    try:
        kernel.check_unit_range(x)
    except TwinlensError:
        return False
    return True


def _widths(kernel: Kernel, x: Vectors, rng: np.random.Generator) -> list[Any]:
    """Return the kernel with each gamma, to 3 digits; as it is where it has none."""
    if not isinstance(kernel, RadialKernel):
        return []
    middle = kernel.fitted_to(x, rng).known_gamma
    return [kernel if width == 1 else kernel.changed(gamma=float(f"{width * middle:.3g}")) for width in WIDTHS]


def _tells(method: Declaration) -> bool:
    """Return whether it is not the same as another: a rank as large as the number of landmarks is none."""
    rank, landmarks = getattr(method, "rank", None), getattr(method, "landmarks", None)
    return rank is None or landmarks is None or rank < landmarks
