"""Figures of every kind, for tests of charts."""

from __future__ import annotations

import numpy as np

from twinlens.app.lab.figures.figure import Axis, Dash, Density, Figure, FigureKind, Marker, Series

RANKS = [8.0, 16.0, 64.0]


def measured() -> Figure:
    """Few measured points of two methods over a logarithmic axis, with rows behind some."""
    return Figure(
        "recall-time", "Recall against time", "Up and left is better.",
        Axis("time of a search", "ms", log=True), Axis("recall@10", low=0, high=1),
        [
            Series(
                "klsh", RANKS, [0.4, 0.6, 0.7], [0.35, 0.55, 0.68], [0.45, 0.65, 0.72], place=0, marked=True,
                labels=["8", "", "64"], keys=["a", "b", ""], points=[{"rank": str(int(one))} for one in RANKS],
            ),
            Series("lsh, of long name, which has to be broken into lines", RANKS, [0.3, 0.35, 0.38], place=1,
                   marked=True, keys=["c", "d", "e"]),
        ],
        [Marker(16, "rank 16: best"), Marker(17, "rank 17: best of the other")],
        note="Five seeds.",
    )  # fmt: skip


def density() -> Figure:
    """A cloud, under a curve with a band."""
    at = np.linspace(0, 1, 30)
    y, low, high = ((end - at).tolist() for end in (1.0, 0.9, 1.1))
    weight = np.zeros((20, 20))
    weight[3, 4], weight[10, 10] = 1, 9
    return Figure(
        "cloud", "Cloud", "Each pair is a place.", Axis("kernel", low=0, high=1), Axis("share"),
        [Series("expected", at.tolist(), y, low, high, dash=Dash.DOTTED)],
        [Marker(0.4, "nothing alike", vertical=False, place=2)], FigureKind.DENSITY,
        Density(np.linspace(0, 1, 21).tolist(), np.linspace(0, 1, 21).tolist(), weight.tolist(), "pairs"),
    )  # fmt: skip


def places() -> Figure:
    """A picture of places, of equal units."""
    some = np.random.default_rng(0).normal(size=(4, 50))
    return Figure(
        "places", "Places", "Each point is a photo.", Axis("first"), Axis("second", low=-3, high=3),
        [Series(name, some[2 * i].tolist(), some[2 * i + 1].tolist(), kind=FigureKind.POINTS, place=i)
         for i, name in enumerate(("one", "other"))],
        [Marker(0, "")], FigureKind.POINTS, equal=True,
    )  # fmt: skip


def bars() -> Figure:
    """Bars over a logarithmic axis upwards."""
    return Figure(
        "bars", "Bars", "Higher is more.", Axis("bit"), Axis("variance", log=True),
        [Series("before", [1, 2, 3], [100, 10, 1], kind=FigureKind.BARS, place=2)], kind=FigureKind.BARS,
    )  # fmt: skip


EVERY = (measured, density, places, bars)
