"""Figures of a learned metric: its spectrum, and distances of marked pairs before and after."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from app.lab.figures.figure import Axis, Dash, Figure, Marker, Series
from app.lab.theory.results import Theory
from app.lab.theory.vectors import Marked
from core.message import Message
from core.metrics import KernelMetric
from core.progress import Progress, silent
from core.theory.metric_stretch import PairDistances, Stretch, kernel_pair_distances, pair_distances, stretch

_BINS, _LEAST_BINS = 30, 8
_MARKED = 60  # directions, of which each is a point
_FLOOR = 1e-4  # of the median: below it all is drawn at it

Values = npt.NDArray[np.float64]


def metric_figures(marked: Marked, seed: int = 0, progress: Progress = silent) -> Theory:
    """Draw the spectrum, and histograms of the distances of marked pairs, before and after.

    Parameters
    ----------
    marked : Marked
    seed : int
        Of the pairs drawn by chance, by whose mean distance lengths are measured.
    progress : Progress
    """
    progress(0, 3, Message("Directions of the metric"))
    found = stretch(marked.metric)
    progress(1, 3, Message("Distances"))
    metric, x, pairs = marked.metric, marked.background, marked.pairs
    if isinstance(metric, KernelMetric):
        before, after = (kernel_pair_distances(metric, x, pairs, seed, learned) for learned in (False, True))
    else:
        before, after = (pair_distances(some, pairs, seed) for some in (x, metric.apply(x)))
    numbers = {
        "directions": float(len(found.eigenvalues)),
        "stretched": float(found.stretched),
        "shrunk": float(found.shrunk),
        "nothing": float(found.nothing),
        "others": float(found.others),
        "largest": float(found.eigenvalues[0]),
        "pairs": float(len(marked.pairs.rows)),
        "area before": before.auc,
        "area after": after.auc,
    }
    figures = [_spectrum(found)]
    if len(marked.pairs.rows):
        everything = np.concatenate([before.similar, before.different, after.similar, after.different])
        borders = _borders(everything, len(marked.pairs.rows))
        every = (before.similar, before.different, after.similar, after.different)
        top = 1.05 * max(float(_shares(one, borders).max()) for one in every)
        figures += [_pairs(before, None, borders, top), _pairs(after, before, borders, top)]
    return Theory("metric", marked.name, marked.sample, seed, figures, numbers).said()


def _borders(distances: Values, pairs: int) -> Values:
    """Return borders of cells: fewer for few pairs, and from 0 unless all of them are far from there."""
    low, high = float(distances.min()), float(np.quantile(distances, 0.995)) * 1.02
    bins = int(np.clip(round(2 * np.sqrt(pairs / 2)), _LEAST_BINS, _BINS))
    return np.linspace(0.97 * low if low > 0.5 * high else 0.0, high, bins + 1)


def _spectrum(found: Stretch) -> Figure:
    values = np.maximum(found.eigenvalues, _FLOOR)
    same = len(values) - found.stretched - found.shrunk
    note = f"Lengths are the roots: 4 makes a difference count twice as long. {same:,} are within 1 % of the usual."
    if found.nothing:
        note += f" {found.nothing:,} do not count at all, and are drawn at {_FLOOR:g}."
    of = "multiple of the median"
    if found.others:
        note += " Drawn are the directions that were learned; all others of the kernel's space count as they did."
        of = "multiple of that of a direction left as it was"
    markers = [Marker(1.0, "the usual direction", vertical=False)]
    log = True
    if same > len(values) / 2 and found.stretched + found.shrunk:
        values = np.concatenate([values[: found.stretched], values[len(values) - found.shrunk :]])
        markers.append(Marker(found.stretched + 0.5, f"here {same:,} that stay"))
        note += " Those that stay are left out of the drawing."
        log = False
    places = list(range(1, len(values) + 1))
    return Figure(
        "metric-spectrum", "How much each direction counts",
        f"Above 1 a direction is stretched, below it is shrunk: {found.stretched:,} of {len(found.eigenvalues):,} are "
        f"stretched, the first {found.eigenvalues[0]:,.3g} times, and {found.shrunk:,} are shrunk.",
        Axis("direction, by falling eigenvalue", log=log, low=0.9 if log else 0, high=1.1 * len(places) + 0.5),
        Axis(f"eigenvalue of A, as a {of}", log=True),
        [Series("eigenvalues", places, values.tolist(), place=0, marked=len(values) <= _MARKED)], markers, note=note,
    )  # fmt: skip


def _pairs(one: PairDistances, before: PairDistances | None, borders: Values, top: float) -> Figure:
    series = []
    for place, (name, values) in enumerate((("similar", one.similar), ("different", one.different))):
        if len(values):
            x, y = _outline(borders, _shares(values, borders))
            series.append(
                Series(f"{name}, {len(values):,} pairs", x, y, place=place, dash=Dash.DASHED if place else Dash.SOLID)
            )
    told = f"A similar pair is nearer than a different one in {one.auc:.1%} of cases"
    if not (len(one.similar) and len(one.different)):
        reading = "Distances of the marked pairs; there are none of the other kind to compare with."
    elif before is None:
        reading = f"The less the two overlap, the better distances tell them apart. {told}."
    else:
        reading = f"{told}; without it, in {before.auc:.1%}. The less the two overlap, the better."
    last = float(borders[-1])
    learned = "The pairs that a metric was learned from are told apart better than others."
    return Figure(
        "pairs-before" if before is None else "pairs-after",
        f"Distances of marked pairs {'without' if before is None else 'under'} the metric", reading,
        Axis("distance, as a multiple of that of pairs drawn by chance", low=float(borders[0]), high=last),
        Axis("share of the pairs", low=0, high=top), series,
        note="" if before is None else learned,
    )  # fmt: skip


def _shares(values: Values, borders: Values) -> Values:
    """Return the share of values in each cell; what is beyond the last border counts in the last cell."""
    if not len(values):
        return np.zeros(len(borders) - 1)
    counts, _ = np.histogram(np.minimum(values, borders[-1]), borders)
    return np.asarray(counts / len(values))


def _outline(borders: Values, shares: Values) -> tuple[Sequence[float], Sequence[float]]:
    """Return the outline of a histogram, as a line."""
    x = np.repeat(borders, 2)
    y = np.concatenate([[0.0], np.repeat(shares, 2), [0.0]])
    return x.tolist(), y.tolist()
