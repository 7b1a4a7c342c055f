"""Figures of a learned metric: its spectrum, and the distances of marked pairs before and after."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from twinlens.app.lab.figures.figure import Axis, Dash, Figure, Marker, Series
from twinlens.app.lab.theory.theory_data import MarkedMetric
from twinlens.app.lab.theory.theory_results import Theory
from twinlens.core.arrays import Float64Values
from twinlens.core.message import NOTHING, Message, counted, joined
from twinlens.core.metrics.kernel_metric import KernelMetric
from twinlens.core.progress import Progress, silent
from twinlens.core.theory.distance_theory import (
    Stretch,
    StretchedPairDistances,
    kernel_pair_distances,
    stretch,
    stretched_pair_distances,
)

_BINS, _LEAST_BINS = 30, 8
_MARKED = 60  # directions, of which each is a point
_FLOOR = 1e-4  # of the median: below it all is drawn at it


def metric_figures(marked: MarkedMetric, seed: int = 0, progress: Progress = silent) -> Theory:
    """Draw the spectrum, and histograms of the distances of marked pairs, before and after.

    Parameters
    ----------
    seed : int
        Of the pairs drawn by chance, by whose mean distance lengths are measured.
    """
    progress(0, 3, Message("Directions of the metric"))
    found = stretch(marked.metric)
    progress(1, 3, Message("Distances"))
    metric, x, pairs = marked.metric, marked.background, marked.pairs
    if isinstance(metric, KernelMetric):
        before, after = (kernel_pair_distances(metric, x, pairs, seed, learned) for learned in (False, True))
    else:
        before, after = (stretched_pair_distances(some, pairs, seed) for some in (x, metric.apply(x)))
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
    return Theory("metric", marked.name, marked.sample, seed, figures, numbers).with_sample()


def _borders(distances: Float64Values, pairs: int) -> Float64Values:
    """Return borders of bins: fewer for few pairs, and from 0 unless all pairs are far from it."""
    low, high = float(distances.min()), float(np.quantile(distances, 0.995)) * 1.02
    bins = int(np.clip(round(2 * np.sqrt(pairs / 2)), _LEAST_BINS, _BINS))
    return np.linspace(0.97 * low if low > 0.5 * high else 0.0, high, bins + 1)


def _spectrum(found: Stretch) -> Figure:
    values = np.maximum(found.eigenvalues, _FLOOR)
    same = len(values) - found.stretched - found.shrunk
    notes = [
        Message(
            "Lengths are the roots: 4 makes a difference count twice as long. {count} are within 1 % of the usual.",
            count=same,
        )
    ]
    if found.nothing:
        notes.append(
            Message("{count} do not count at all, and are drawn at {floor:g}.", count=found.nothing, floor=_FLOOR)
        )
    up = Message("eigenvalue of A, as a multiple of the median")
    if found.others:
        notes.append(
            Message("Drawn are the directions that were learned; all others of the kernel's space count as they did.")
        )
        up = Message("eigenvalue of A, as a multiple of that of a direction left as it was")
    markers = [Marker(1.0, Message("the usual direction"), vertical=False)]
    log = True
    if same > len(values) / 2 and found.stretched + found.shrunk:
        values = np.concatenate([values[: found.stretched], values[len(values) - found.shrunk :]])
        markers.append(Marker(found.stretched + 0.5, Message("here {count} that stay", count=same)))
        notes.append(Message("Those that stay are left out of the drawing."))
        log = False
    places = list(range(1, len(values) + 1))
    return Figure(
        "metric-spectrum",
        Message("How much each direction counts"),
        Message(
            "Above 1 a direction is stretched, below it is shrunk: {stretched} of {directions} are stretched, the "
            "first {largest:,.3g} times, and {shrunk} are shrunk.",
            stretched=found.stretched,
            directions=len(found.eigenvalues),
            largest=found.eigenvalues[0],
            shrunk=found.shrunk,
        ),
        Axis(Message("direction, by falling eigenvalue"), log=log, low=0.9 if log else 0, high=1.1 * len(places) + 0.5),
        Axis(up, log=True),
        [Series(Message("eigenvalues"), places, values.tolist(), place=0, marked=len(values) <= _MARKED)],
        markers,
        note=joined(notes),
    )


def _pairs(
    one: StretchedPairDistances, before: StretchedPairDistances | None, borders: Float64Values, top: float
) -> Figure:
    series = []
    kinds = (
        (counted("similar, {count} pair", "similar, {count} pairs", len(one.similar)), one.similar),
        (counted("different, {count} pair", "different, {count} pairs", len(one.different)), one.different),
    )
    for place, (name, values) in enumerate(kinds):
        if len(values):
            x, y = _outline(borders, _shares(values, borders))
            series.append(Series(name, x, y, place=place, dash=Dash.DASHED if place else Dash.SOLID))
    if not (len(one.similar) and len(one.different)):
        reading = Message("Distances of the marked pairs; there are none of the other kind to compare with.")
    elif before is None:
        reading = Message(
            "The less the two overlap, the better distances tell them apart. A similar pair is nearer than a different "
            "one in {share:.1%} of cases.",
            share=one.auc,
        )
    else:
        reading = Message(
            "A similar pair is nearer than a different one in {share:.1%} of cases; without it, in {before:.1%}. The "
            "less the two overlap, the better.",
            share=one.auc,
            before=before.auc,
        )
    last = float(borders[-1])
    learned = Message("A metric judges the pairs that it was learned from better than others.")
    return Figure(
        "pairs-before" if before is None else "pairs-after",
        Message("Distances of marked pairs without the metric")
        if before is None
        else Message("Distances of marked pairs under the metric"),
        reading,
        Axis(Message("distance, as a multiple of that of pairs drawn by chance"), low=float(borders[0]), high=last),
        Axis(Message("share of the pairs"), low=0, high=top),
        series,
        note=NOTHING if before is None else learned,
    )


def _shares(values: Float64Values, borders: Float64Values) -> Float64Values:
    """Return the share of values in each bin; values beyond the last border count in the last bin."""
    if not len(values):
        return np.zeros(len(borders) - 1)
    counts, _ = np.histogram(np.minimum(values, borders[-1]), borders)
    return np.asarray(counts / len(values))


def _outline(borders: Float64Values, shares: Float64Values) -> tuple[Sequence[float], Sequence[float]]:
    """Return the outline of a histogram, as a line."""
    x = np.repeat(borders, 2)
    y = np.concatenate([[0.0], np.repeat(shares, 2), [0.0]])
    return x.tolist(), y.tolist()
