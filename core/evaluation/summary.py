"""Summary of several measurements of one candidate: means over the seeds with their deviations."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.evaluation.evaluation_task import Figures

Curve = list[tuple[float, float]]

_SINGLE = (
    "map", "map_candidates", "accuracy", "accuracy_before", "wrong", "dropped", "looked_at", "scanned", "probed",
)  # fmt: skip


_BY_COUNT = ("recall", "overlap", "found", "precision")


@dataclass(frozen=True, eq=False)
class FiguresOverSeeds:
    """Figures of one candidate over its seeds.

    Attributes
    ----------
    mean : Figures
        Means; sizes, note and the curve over radii are those of the first seed.
    deviation : dict of str to float
        Standard deviations, by the name of a figure such as ``recall@10``; empty for one seed.
    chance : float or None
        Share of right items: precision by chance.
    recall_spread, precision_spread : list of float
        Standard deviations at each point of ``recall_curve`` and ``precision_at``, 0 for one seed.
    """

    mean: Figures
    deviation: dict[str, float]
    chance: float | None
    recall_spread: list[float]
    precision_spread: list[float]


def summed(runs: Sequence[Figures]) -> FiguresOverSeeds:
    """Sum up the figures of one candidate, measured with several seeds.

    Examples
    --------
    >>> found = summed([Figures(recall={10: 0.5}, map=0.25), Figures(recall={10: 1.0}, map=0.75)])
    >>> found.mean.recall, found.mean.map, round(found.deviation["recall@10"], 3)
    ({10: 0.75}, 0.5, 0.354)
    """
    first, flat = runs[0], [_flat(run) for run in runs]
    mean = {name: statistics.fmean(one[name] for one in flat) for name in flat[0] if all(name in one for one in flat)}
    spread = {name: statistics.stdev(one[name] for one in flat) for name in mean} if len(flat) > 1 else {}
    recall_curve, recall_spread = _curves([run.recall_curve for run in runs])
    precision_at, precision_spread = _curves([run.precision_at for run in runs])
    means: dict[str, Any] = {name: mean.get(name) for name in _SINGLE}
    for name in _BY_COUNT:
        means[name] = {count: mean[f"{name}@{count}"] for count in getattr(first, name) if f"{name}@{count}" in mean}
    return FiguresOverSeeds(
        mean=replace(
            first,
            **means,
            recall_curve=[(int(count), value) for count, value in recall_curve],
            precision_at=precision_at,
            seconds={name: mean[f"seconds {name}"] for name in first.seconds},
            pairs=statistics.fmean(run.pairs for run in runs),
        ),
        deviation=spread,
        chance=statistics.fmean(run.curve[-1][1] for run in runs) if all(run.curve for run in runs) else None,
        recall_spread=recall_spread,
        precision_spread=precision_spread,
    )


def _flat(run: Figures) -> dict[str, float]:
    flat = {f"{name}@{count}": value for name in _BY_COUNT for count, value in getattr(run, name).items()}
    flat |= {name: getattr(run, name) for name in _SINGLE}
    flat |= {f"seconds {name}": value for name, value in run.seconds.items()}
    return {name: float(value) for name, value in flat.items() if value is not None}


def _curves(curves: Sequence[Sequence[tuple[float, float]]]) -> tuple[Curve, list[float]]:
    """Return the mean of curves over the same x and their standard deviation; both empty if a run has no curve."""
    if not all(curves):
        return [], []
    x = [at for at, _ in curves[0]]
    y = np.array([[value for _, value in curve] for curve in curves])
    spread = y.std(axis=0, ddof=1) if len(y) > 1 else np.zeros(y.shape[1])
    return list(zip(x, y.mean(axis=0).tolist(), strict=True)), spread.tolist()
