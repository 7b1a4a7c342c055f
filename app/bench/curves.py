"""Curves of a bench, in one long form: method, seed, curve, and points of x and y.

| curve | x | y |
|---|---|---|
| recall, precision | Hamming radius | of what lies within it, mean over the queries |
| recall_at | R | recall@R |
| eigenvalue | rank | variance along that component, λ of K̄/m (of K/m where nothing is centred); kernel methods only |
| residual | rank | mean squared length outside the leading components, Σ of the eigenvalues behind |
| estimation | rank | 1 / (δ sqrt(m)), δ half the gap behind the component; not where there is no gap |

Jiang, Que and Kulis, CVPR 2015, section 4, for the last three: more components leave less outside, and are known less
well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from app.bench.results import BenchCurve
from app.machine.csv_table import CsvTable
from app.machine.output_file import OutputFile, table
from core.evaluation.evaluation_task import Figures

Points = list[tuple[float, float]]

COLUMNS = ("method", "seed", "curve", "x", "y")
CURVES = table(COLUMNS)


def curves_of(method: str, seeds: Sequence[int], runs: Sequence[Figures]) -> list[BenchCurve]:
    """Return the curves of the runs of one method: their mean, and of several runs each one's own."""
    each = [_curves(run) for run in runs]
    found = [
        BenchCurve(method=method, seed=None, curve=name, points=_mean([one[name] for one in each])) for name in each[0]
    ]
    if len(runs) > 1:
        for seed, curves in zip(seeds, each, strict=True):
            found.extend(
                BenchCurve(method=method, seed=seed, curve=name, points=points) for name, points in curves.items()
            )
    return found


def write_curves(file: OutputFile, curves: Sequence[BenchCurve]) -> None:
    """Write curves as CSV.

    Raises
    ------
    TwinlensError
        If it cannot be written, or must not be replaced.
    """
    with file.opened_text(CURVES) as out:
        rows = CsvTable(out)
        rows.writerow(COLUMNS)
        rows.writerows(curve_rows(curves))


def curve_rows(curves: Sequence[BenchCurve]) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield the rows of a table with the columns of ``COLUMNS``; the seed of a mean is ``mean``."""
    for one in curves:
        seed = "mean" if one.seed is None else str(one.seed)
        for x, y in one.points:
            yield one.method, seed, one.curve, f"{x:g}", f"{y:.8g}"


def _curves(run: Figures) -> dict[str, Points]:
    curves: dict[str, Points] = {
        "recall": [(float(radius), recall) for radius, (recall, _) in enumerate(run.curve)],
        "precision": [(float(radius), precision) for radius, (_, precision) in enumerate(run.curve)],
        "recall_at": [(float(count), value) for count, value in run.recall.items()],
    }
    if run.spectrum is not None:
        for name in ("eigenvalue", "residual", "estimation"):
            values = getattr(run.spectrum, "eigenvalues" if name == "eigenvalue" else name)
            curves[name] = [(rank + 1.0, float(value)) for rank, value in enumerate(values)]
    return {name: points for name, points in curves.items() if points}


def _mean(runs: Sequence[Points]) -> Points:
    """Return the mean of curves over the same x, as far as all of them go; what is not finite has no place."""
    length = min(len(points) for points in runs)
    x = [point[0] for point in runs[0][:length]]
    y = np.mean([[point[1] for point in points[:length]] for points in runs], axis=0)
    return [(at, float(value)) for at, value in zip(x, y, strict=True) if np.isfinite(value)]
