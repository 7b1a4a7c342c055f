"""Theory for a curve of an experiment, and its layer over the curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from app.lab.figures.figure import Dash, Figure
from app.methods import catalogue
from core.message import Message

if TYPE_CHECKING:
    from app.lab.experiments.results import LabRun
    from app.lab.theory.results import Theory

_OF_METHODS = {
    "rank": ("klsh", "preimage-klsh", "kpca-lsh", "nystrom-lsh", "kpca-itq"),
    "hamming": ("sik", "bilinear-sik"),
    "rotation": ("itq", "bilinear-itq", "kpca-itq"),
}
"""Kinds of theory, and the hash methods whose ranking they explain."""


def kinds_of(figure: Figure, runs: Sequence[LabRun], metrics: bool) -> tuple[str, ...]:
    """Return the kinds of theory that say something of a curve, the nearest first.

    Parameters
    ----------
    figure : Figure
    runs : sequence of LabRun
        That it draws.
    metrics : bool
        Whether the library has learned metrics.
    """
    if not runs or not all(run.id > 0 and run.plan_names_index for run in runs):
        return ()  # theory is drawn over vectors of the library
    if figure.name.startswith("found"):
        return ("bounds",)
    used = {row.measured.method.partition(":")[0] for run in runs for row in run.rows}
    found = [kind for kind, keys in _OF_METHODS.items() if used & set(keys)]
    swept = figure.name.rpartition("-")[2]
    found.sort(key=lambda kind: kind != swept)
    return (*found, *(["metric"] if metrics else []))


def usual_of(run: LabRun) -> dict[str, str | int | float]:
    """Return what theory is asked with as it is usual in a run: its index, and of its methods kernel and sizes."""
    found: dict[str, str | int | float] = {"index": run.index}
    for row in run.rows:
        method = catalogue.method(row.measured.method)
        found.setdefault("bits", row.measured.bits)
        if hasattr(method, "landmarks") and hasattr(method, "kernel"):
            found |= {"kernel": method.kernel.key, "landmarks": method.landmarks, "bits": row.measured.bits}
            break
    return found


def laid_over(figure: Figure, found: Theory) -> Figure:
    """Return a figure with what theory says along the same axes: held-out recall, and the best rank."""
    if found.kind != "rank" or not figure.name.endswith("-rank"):
        return figure
    trade_off = found.figures[0]
    series = list(figure.series)
    if figure.name == "recall-rank":
        held_out = trade_off.series[0]
        series.append(
            replace(held_out, name=Message("theory: held-out recall@10"), place=-1, dash=Dash.DASHED, points=())
        )
    return replace(figure, series=series, markers=[*figure.markers, *trade_off.markers])
