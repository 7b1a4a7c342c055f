"""Choice of the best tried declaration, with a reason.

More bits nearly always rank better, so the best is no answer: the one that is chosen has the shortest code whose recall
is as good as the best one's, but for one standard error of it or one point, whichever is more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.evaluation.summary import summed
from core.hashing.hash_method import HashMethod
from core.message import NOTHING, Message
from core.tuning.parameter_search import JUDGED_BY, Trial, Tuning

POINT = 0.01


@dataclass(frozen=True, eq=False)
class Summary:
    """All trials of one declaration on one number of items.

    Attributes
    ----------
    method : HashMethod
    is_default : bool
    items : int
    splits : tuple of int
        That it was measured with.
    recall, spread : dict of int to float
        recall@R, mean and standard deviation over the splits; no spread with one split.
    seconds : dict of str to float
        Means, as of `Figures`.
    code_bytes : float
        An item.
    model_bytes : int
    refused : Message
        Why it could not be measured; then all else is empty.
    """

    method: HashMethod
    is_default: bool
    items: int
    splits: tuple[int, ...]
    recall: dict[int, float]
    spread: dict[int, float]
    seconds: dict[str, float]
    code_bytes: float
    model_bytes: int
    refused: Message = NOTHING

    @property
    def judged(self) -> float:
        """Recall that candidates are compared by."""
        return self.recall.get(JUDGED_BY, 0.0)

    @property
    def query_seconds(self) -> float:
        """Time of a query."""
        return self.seconds.get("encode_query", 0.0) + self.seconds.get("search", 0.0)


@dataclass(frozen=True, eq=False)
class Choice:
    """The choice.

    Attributes
    ----------
    compared : list of Summary
        Candidates of the choice.
    chosen, best : Summary
        Proposed declaration, and the one with the highest recall.
    margin : float
        Loss of recall that counts as equal.
    default : Summary or None
        Default declaration with as many bits as the chosen one; None if not measured on as many vectors.
    by_bytes, by_seconds : list of Summary
        Pareto frontiers of recall against code size and query time, by rising cost.
    """

    compared: list[Summary]
    chosen: Summary
    best: Summary
    margin: float
    default: Summary | None
    by_bytes: list[Summary]
    by_seconds: list[Summary]

    @property
    def gain(self) -> float | None:
        """Recall of the chosen one less that of the default."""
        return None if self.default is None else self.chosen.judged - self.default.judged

    def reason(self) -> Message:
        """Return why it was chosen."""
        values = {
            "count": JUDGED_BY,
            "recall": self.chosen.judged,
            "items": self.chosen.items,
            "margin": self.margin,
        }
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


def summaries(trials: Sequence[Trial]) -> list[Summary]:
    """Return a summary of every declaration on the most items it was tried on, in order of trial."""
    groups: dict[HashMethod, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(trial.method, []).append(trial)
    return [_summary(group) for group in groups.values()]


def choose(tuning: Tuning, queries: int) -> Choice | None:
    """Choose among the finalists, by the splits that all of them were measured with.

    Where the budget ended before most of them were measured, it is among all candidates of the stage before.

    Parameters
    ----------
    tuning : Tuning
    queries : int
        Of one split; they decide the standard error.

    Returns
    -------
    Choice or None
        None where nothing was measured.
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
    return Choice(
        compared=found,
        chosen=chosen,
        best=best,
        margin=margin,
        default=next(iter([*same, *defaults]), None),
        by_bytes=_frontier([(one.code_bytes, one) for one in found]),
        by_seconds=_frontier([(one.query_seconds, one) for one in found]),
    )


def _frontier(costs: list[tuple[float, Summary]]) -> list[Summary]:
    """Return what nothing beats, by rising cost."""
    kept: list[Summary] = []
    for _, one in sorted(costs, key=lambda pair: (pair[0], -pair[1].judged)):
        if not kept or one.judged > kept[-1].judged:
            kept.append(one)
    return kept


def _summary(group: list[Trial]) -> Summary:
    measured = [trial for trial in group if trial.figures is not None]
    first = group[0]
    if not measured:
        return Summary(first.method, first.is_default, first.items, (), {}, {}, {}, 0.0, 0, first.refused)
    items = max(trial.items for trial in measured)
    # On the last stage a split is measured again, in full.
    last = list({trial.split: trial for trial in measured if trial.items == items}.values())
    figures = [trial.figures for trial in last if trial.figures is not None]
    found = summed(figures)
    return Summary(
        method=first.method,
        is_default=first.is_default,
        items=items,
        splits=tuple(trial.split for trial in last),
        recall=found.mean.recall,
        spread={count: found.deviation[f"recall@{count}"] for count in found.mean.recall} if found.deviation else {},
        seconds=found.mean.seconds,
        code_bytes=figures[0].bytes.get("codes", 0) / items,
        model_bytes=figures[0].bytes.get("model", 0),
    )
