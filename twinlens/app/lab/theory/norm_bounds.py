"""Figures of how many comparisons the norm bounds spare exact search, and how many neighbours the invalid one loses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from twinlens.app.lab.figures.figure import Axis, Dash, Figure, Marker, Series
from twinlens.app.lab.theory.theory_data import TheoryData
from twinlens.app.lab.theory.theory_results import Theory
from twinlens.core.errors import TwinlensError
from twinlens.core.exact_search.kernel_neighbours import Bound, ExactKnn
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import Message, joined
from twinlens.core.progress import Progress, part, silent
from twinlens.core.theory.distance_theory import (
    BOUNDS,
    NearestSavings,
    RadiusSavings,
    pair_bounds,
    spared_by_k,
    spared_by_radius,
)

KS = (1, 3, 10, 30, 100)
_QUERIES = 100
_RADII = 60
_NOTHING = 5e-4  # of the comparisons
_TOP = 0.3  # quantile of the distances at which the radii end
_NAMES: dict[Bound, Message] = {
    "norms": Message("bound (1), of norms"),
    "heuristic": Message("bound (2), the paper's"),
}


def bounds_figures(
    material: TheoryData, kernel: Kernel, ks: Sequence[int] = KS, seed: int = 0, progress: Progress = silent
) -> Theory:
    """Draw the share of items that each bound spares over k and over a radius, with the neighbours lost.

    Parameters
    ----------
    ks : sequence of int
        Nearest that are searched.
    seed : int
        Of the queries, which are held out.

    Raises
    ------
    TwinlensError
        If the kernel has no bounds, being not positive definite, or is not defined for an item.
    """
    x = material.x
    resolved = kernel.fitted_to(x, np.random.default_rng(seed))
    if not resolved.positive_definite:
        raise TwinlensError(
            "There is no bound on the distances of the kernel {resolved}: it is not positive definite.",
            "Choose another kernel, such as polynomial or linear.",
            resolved=resolved.text(),
        )
    resolved.check(x)
    order = np.random.default_rng(seed).permutation(len(x))
    count = max(1, min(_QUERIES, len(x) // 5))
    query_vectors, base = x[np.sort(order[:count])], x[np.sort(order[count:])]
    ks = [k for k in ks if k <= len(base)]
    spared = {
        bound: spared_by_k(base, query_vectors, resolved, ks, bound, part(progress, 0.45 * i, 0.45 * (i + 1)))
        for i, bound in enumerate(BOUNDS)
    }
    progress(0.9, 1, Message("Bounds of all pairs"))
    squares, bounds = pair_bounds(base, query_vectors, resolved)
    distances = np.sqrt(squares)
    radius = np.linspace(0, float(np.quantile(distances, _TOP)), _RADII + 1)[1:]
    within = {bound: spared_by_radius(squares, bounds[bound], radius) for bound in BOUNDS}
    tenth = float(np.sort(distances.reshape(count, -1), axis=1)[:, min(9, len(base) - 1)].mean())
    numbers: dict[str, float] = {"10th neighbour": tenth}
    for bound in BOUNDS:
        for one in spared[bound]:
            numbers |= {f"{bound} spared k={one.k}": one.spared, f"{bound} lost k={one.k}": one.lost}
    note = ExactKnn(resolved, base).note
    kernel_and_queries = Message("Kernel {kernel}, {queries} held-out queries.", kernel=resolved.text(), queries=count)
    how = joined([note, kernel_and_queries])
    figures = [_by_k(spared, bool(note), how), _by_radius(within, tenth, bool(note), how)]
    return Theory("bounds", resolved.text(), material.sample, seed, figures, numbers).with_sample()


def _by_k(spared: dict[Bound, list[NearestSavings]], useless: bool, how: Message) -> Figure:
    series = []
    for place, bound in enumerate(BOUNDS):
        found = spared[bound]
        series.append(
            Series(
                _NAMES[bound],
                [one.k for one in found],
                [one.spared for one in found],
                place=place,
                dash=Dash.SOLID,
                marked=True,
                points=[
                    {"k": str(one.k), Message("spared"): Message("{share:.1%}", share=one.spared)} for one in found
                ],
            )
        )
    heuristic = spared["heuristic"]
    series.append(
        Series(
            Message("neighbours missed under bound (2)"),
            [one.k for one in heuristic],
            [one.lost for one in heuristic],
            place=1,
            dash=Dash.DOTTED,
            marked=True,
        )
    )
    first = spared["norms"][0]
    if useless or not any(one.spared > _NOTHING for some in spared.values() for one in some):
        reading = Message("Under this kernel all items have about the same norm, so no bound spares anything.")
    else:
        lossy = max(heuristic, key=lambda one: one.lost)
        reading = Message(
            "With k = {k}, bound (1) spares {norms:.1%} of the comparisons and loses none; bound (2) spares "
            "{heuristic:.1%}, but is not true, and loses up to {lost:.2%} of neighbours.",
            k=first.k,
            norms=first.spared,
            heuristic=heuristic[0].spared,
            lost=lossy.lost,
        )
    return Figure(
        "bounds-by-k",
        Message("Comparisons that norm bounds spare"),
        reading,
        Axis(Message("k, nearest that are searched"), log=True),
        Axis(Message("share of items, and of neighbours"), low=0),
        series,
        note=how,
    )


def _by_radius(within: dict[Bound, RadiusSavings], tenth: float, useless: bool, how: Message) -> Figure:
    series = [
        Series(_NAMES[bound], one.radius.tolist(), one.spared.tolist(), place=place, dash=Dash.SOLID)
        for place, (bound, one) in enumerate(within.items())
    ]
    two = within["heuristic"]
    lost = Message("missed under bound (2) within radius")
    series.append(Series(lost, two.radius.tolist(), two.lost.tolist(), place=1, dash=Dash.DOTTED))
    reading = (
        Message("All items have about the same norm here, so no bound puts any beyond a radius.")
        if useless or not any(one.spared.max(initial=0) > _NOTHING for one in within.values())
        else Message(
            "The larger the radius that is searched, the fewer items a bound can put beyond it unseen; bound (1) never "
            "loses one that is within, bound (2) does where its dotted line is above 0."
        )
    )
    return Figure(
        "bounds-by-radius",
        Message("Items that norm bounds put beyond a radius"),
        reading,
        Axis(Message("radius, distance in the space of the kernel"), low=0),
        Axis(Message("share of items, and of those within"), low=0),
        series,
        [Marker(tenth, Message("10th nearest, on average"))],
        note=how,
    )
