"""The figures of one or several runs, as plain data."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from app.lab.experiments.results import LabRun
from app.lab.figures.curves import few, precision_recall_figure, recall_curves
from app.lab.figures.figure import Figure, sentences
from app.lab.figures.named_rows import families, group_slots_of, named_rows, one_search
from app.lab.figures.over_costs import against_costs
from app.lab.figures.over_parameters import over_parameters
from app.lab.figures.truth_words import figure_note


def figures(runs: Sequence[LabRun], chosen: Collection[str] = ()) -> list[Figure]:
    """Return every figure that some runs can fill, the most telling first.

    Parameters
    ----------
    runs : sequence of LabRun
    chosen : collection of str
        Keys of the rows that are drawn; empty for all, or, of curves, for a few that tell the methods apart.
    """
    every = named_rows(runs)
    points = [one for one in every if not chosen or one.row.key in chosen]
    if not points:
        return []
    curved = one_search(points)
    curves, told = few(curved)
    ranked = [recall_curves(curves, told), *over_parameters(points, every), precision_recall_figure(curves, told)]
    costs = against_costs(points, every)
    searches = len({one.row.measured.search for one in points})
    found = [*costs, *ranked] if searches > len(curved) else [*ranked, *costs]  # what was asked for comes first
    note = figure_note(runs)
    return [replace(one, note=sentences([note, one.note])) for one in found if one is not None]


def find_figure(runs: Sequence[LabRun], name: str) -> Figure | None:
    """Return the figure of a name, or the first where none is named; None where there is no such figure."""
    found = figures(runs)
    return next((one for one in found if not name or one.name == name), None)


def group_slots(runs: Sequence[LabRun]) -> dict[str, int]:
    """Return the place in the palette of every row, by its key.

    It is that of its curve; where search structures are what differs, that of its points over what they cost.
    """
    points = named_rows(runs)
    if len({one.row.measured.search for one in points}) <= len(one_search(points)):
        return {one.row.key: one.place for one in points}
    groups = families(points)
    return {
        one.row.key: place
        for group, place in zip(groups.values(), group_slots_of(groups), strict=True)
        for one in group
    }
