"""Choice of the best tried declaration, with a reason.

More bits nearly always rank better, so the best is no answer: the one that is chosen has the shortest code whose recall
is as good as the best one's, but for one standard error of it or one point, whichever is more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from core.evaluation.evaluation_task import Figures
from core.evaluation.summary import summed
from core.hashing.hash_method import HashMethod
from core.message import NOTHING, Message
from core.tuning.parameter_search import JUDGED_BY, Tuning, TuningTrial, judged_figure

POINT = 0.01


class WithFigure(Protocol):
    """Anything with a figure that it is judged by."""

    @property
    def judged(self) -> float:
        """The more, the better."""


J = TypeVar("J", bound=WithFigure)


@dataclass(frozen=True, eq=False)
class DeclarationSummary:
    """All trials of one declaration on one number of items; figures are means over its splits.

    The spread of recall@R is its standard deviation; with one split there is none.
    """

    method: HashMethod
    is_default: bool
    items: int
    splits: tuple[int, ...] = ()
    figures: Figures = field(default_factory=Figures)
    spread: dict[int, float] = field(default_factory=dict)
    refused: Message = NOTHING

    @property
    def judged(self) -> float:
        """Recall that candidates are compared by."""
        return judged_figure(self.figures)

    @property
    def query_seconds(self) -> float:
        """Time of a query."""
        return self.figures.seconds.get("encode_query", 0.0) + self.figures.seconds.get("search", 0.0)

    @property
    def code_bytes(self) -> float:
        """Of an item."""
        return self.figures.bytes.get("codes", 0) / self.items


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
    asked = queries * len(best.splits)
    share = (best.judged * asked + 1) / (asked + 2)  # Laplace's rule: of few queries, none that fails proves little
    margin = max(POINT, math.sqrt(share * (1 - share) / asked))
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
        by_seconds=frontier(found, lambda one: one.query_seconds),
    )


def frontier(found: Sequence[J], cost: Callable[[J], float]) -> list[J]:
    """Return what nothing beats, by rising cost."""
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
    found = summed(list(last.values()))
    spread = {count: found.deviation[f"recall@{count}"] for count in found.mean.recall} if found.deviation else {}
    return DeclarationSummary(first.method, first.is_default, items, tuple(last), found.mean, spread)
