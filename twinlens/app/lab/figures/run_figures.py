"""The figures of one or several runs, as plain data.

Curves show recall among the first R of each method, and precision over recall. Other figures show what is found over
what it costs (time, photographs compared, bytes), and over every number that differs among methods (bits, rank,
landmarks); rows that differ in nothing else are joined into a series.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from twinlens.app.bench.bench import MeasuredBench
from twinlens.app.lab.experiments.lab_results import LabRun
from twinlens.app.lab.figures.drawing import write_figure
from twinlens.app.lab.figures.figure import (
    Axis,
    Dash,
    Figure,
    FigureKind,
    Marker,
    Series,
    Words,
    sentences,
    series_dash,
    short_names,
)
from twinlens.app.lab.figures.named_rows import (
    ALONE,
    CURVES,
    NamedRow,
    families,
    figure_note,
    group_slots_of,
    named_rows,
    one_search,
    relevant_first,
    without_part,
)
from twinlens.app.machine.output_file import OutputFile
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.evaluation_task import Candidate
from twinlens.core.evaluation.measures import MEASURES
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.message import NOTHING, Message, joined, verbatim


def figures(runs: Sequence[LabRun], chosen: Collection[str] = ()) -> list[Figure]:
    """Return every figure that some runs have data for, the most informative first.

    Parameters
    ----------
    chosen : collection of str
        Keys of the rows that are drawn; empty for all, or, of curves, for a few that tell the methods apart.
    """
    every = named_rows(runs)
    points = [one for one in every if not chosen or one.row.key in chosen]
    if not points:
        return []
    curved = one_search(points)
    curves, few_note = few(curved)
    ranked = [
        recall_curves(curves, few_note),
        *over_parameters(points, every),
        precision_recall_figure(curves, few_note),
    ]
    costs = against_costs(points, every)
    searches = len({one.row.measured.search for one in points})
    found = [*costs, *ranked] if searches > len(curved) else [*ranked, *costs]  # the subject of the runs comes first
    note = figure_note(runs)
    return [replace(one, note=sentences([note, one.note])) for one in found if one is not None]


def find_figure(runs: Sequence[LabRun], name: str) -> Figure | None:
    """Return the figure of a name, or the first without a name; None if there is no such figure."""
    found = figures(runs)
    return next((one for one in found if not name or one.name == name), None)


def write_run_figure(runs: Sequence[LabRun], file: OutputFile, name: str = "", dark: bool = False) -> None:
    """Write a figure of some runs.

    Parameters
    ----------
    file : OutputFile
        Ends in .png or .svg.
    name : str
        Name of the figure; empty for the first.

    Raises
    ------
    TwinlensError
        If there is no such figure, or it cannot be written.
    """
    figure = find_figure(runs, name)
    if figure is None:
        known = [one.name for one in figures(runs)]
        raise TwinlensError(
            Message("This run has no figure “{name}”.", name=name)
            if name
            else Message("This run has no measured steps yet."),
            Message("Choose one of: {figures}.", figures=known) if known else Message("Resume the run first."),
        )
    write_figure(figure, file, dark)


def write_bench_figure(measured: MeasuredBench, file: OutputFile, name: str = "", dark: bool = False) -> None:
    """Write a figure of a bench; see :func:`write_run_figure`."""
    run = LabRun.of(measured.experiment, measured.keys, measured.steps, measured.experiment.to_toml())
    write_run_figure([run], file, name, dark)


def group_slots(runs: Sequence[LabRun]) -> dict[str, int]:
    """Return the palette slot of every row, by its key.

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


_ALL = 0.9995


def recall_curves(points: Sequence[NamedRow], few_note: Message) -> Figure | None:
    """Return recall@R of each method over R; None if none was measured."""
    every = [one for one in points if one.row.recall_curve]
    if not every:
        return None
    marked = every[0].run.data is not None and every[0].run.data.truth in {"marks", "edits"}
    return Figure(
        name="recall-at",
        title=Message("Recall@R"),
        reading=Message("The share of the right photos that is among the first R: the further left and up, the better.")
        if marked
        else Message(
            "The share of queries whose exact nearest is among the first R: the further left and up, the better."
        ),
        x=Axis(Message("R, results that are looked through"), log=True, low=1, high=_telling_end(every)),
        y=Axis(Message("recall@R"), low=0, high=1),
        series=_distinguished([_curve(one, one.row.recall_curve, one.row.recall_spread, every) for one in every]),
        note=few_note,
    )


def precision_recall_figure(points: Sequence[NamedRow], few_note: Message) -> Figure | None:
    """Return precision over recall of each method; None if it was not measured."""
    every = [one for one in points if len(one.row.measured.precision_at) > 1]
    if not every:
        return None
    first = relevant_first(every[0].run.data) if every[0].run.data is not None else NOTHING
    return Figure(
        name="precision-recall",
        title=Message("Precision and recall"),
        reading=Message(
            "Each curve widens the Hamming radius from left to right: the higher it stays, the fewer wrong photos "
            "come with the right ones."
        ),
        x=Axis(Message("recall"), low=0, high=1),
        y=Axis(Message("precision"), low=0, high=1),
        series=_distinguished(
            [_curve(one, one.row.measured.precision_at, one.row.precision_spread, every) for one in every]
        ),
        note=joined([first, few_note]),
    )


def few(points: Sequence[NamedRow]) -> tuple[list[NamedRow], Message]:
    """Keep the curves of one number of bits if there are too many to tell apart, and add a note."""
    if len(points) <= CURVES:
        return list(points), NOTHING
    families: dict[int, set[str]] = {}
    for one in points:
        families.setdefault(one.method.bits, set()).add(without_part(one, "bits"))
    most = max(len(names) for names in families.values())
    shared = sorted(bits for bits, names in families.items() if len(names) == most)
    bits = shared[(len(shared) - 1) // 2]
    kept = [one for one in points if one.method.bits == bits][:CURVES]
    few_note = Message(
        "Codes of {bits} bits; {rows} other rows are in the table.", bits=bits, rows=len(points) - len(kept)
    )
    return kept, few_note


def _telling_end(points: Sequence[NamedRow]) -> float | None:
    """Return the R from which on every curve is flat, so that the rest has room; None for the last one."""
    whole = [
        next((at for at, value in one.row.recall_curve if value > _ALL), one.row.recall_curve[-1][0]) for one in points
    ]
    return max(10.0, *whole) if whole else None


def _distinguished(series: Sequence[Series]) -> list[Series]:
    """Assign different dashes to curves of one colour."""
    found: list[Series] = []
    for one in series:
        before = sum(other.place == one.place for other in found)
        dashes = list(Dash)
        own = dashes.index(series_dash(one))
        found.append(replace(one, dash=dashes[(own + before) % len(dashes)]) if before else one)
    return found


def _curve(
    one: NamedRow, curve: Sequence[tuple[float, float]], spread: Sequence[float], every: Sequence[NamedRow]
) -> Series:
    x, y = [at for at, _ in curve], [value for _, value in curve]
    several = len(one.row.measured.seeds) > 1 and len(spread) == len(y)
    about = one.about()
    return Series(
        name=_shortened(one, every),
        x=x,
        y=y,
        low=[max(0.0, value - off) for value, off in zip(y, spread, strict=True)] if several else (),
        high=[min(1.0, value + off) for value, off in zip(y, spread, strict=True)] if several else (),
        place=one.place,
        points=[about] * len(x),
        keys=[one.row.key] * len(x),
    )


def _shortened(one: NamedRow, every: Sequence[NamedRow]) -> str:
    """Leave out of a name what all names have in common: the method, and equal parameters."""
    return short_names([each.name for each in every])[next(i for i, each in enumerate(every) if each is one)]


class _Cost(NamedTuple):
    """A measure of what a row costs, with what its figures are called and how they are read."""

    name: str
    key: str
    title: Message
    reading: Message
    by_search: bool


_COSTS = (
    _Cost(
        "time",
        "seconds query",
        Message("time"),
        Message("The further left and up, the better: a point above and left of another finds more in less time."),
        True,
    ),
    _Cost(
        "looked-at",
        "looked_at",
        Message("photos looked at"),
        Message(
            "How many candidates are measured exactly for each query, and how much of the truth they hold: left and up "
            "is better."
        ),
        True,
    ),
    _Cost(
        "bytes",
        "bytes each",
        Message("space"),
        Message("Space that a photo takes in the index, and how well its codes rank: left and up is better."),
        False,
    ),
)


class _Quality(NamedTuple):
    """A measure of what a row finds, with what its figures are called."""

    name: str
    key: str
    title: Words


_ACCURACY = _Quality("accuracy", "accuracy", Message("Accuracy"))
_OF_SEARCHES = (_Quality("found", "overlap@10", Message("Overlap@10")), _ACCURACY)
_OF_CODES = (_Quality("recall", "recall@10", Message("Recall@10")), _Quality("map", "map", "mAP"), _ACCURACY)


def against_costs(points: Sequence[NamedRow], of: Sequence[NamedRow]) -> list[Figure]:
    """Return recall against cost, a point a row; rows of one method are joined in order of cost."""
    found: list[Figure] = []
    for cost in _COSTS:
        shown = {one.row.key for one in (points if cost.by_search else one_search(points))}
        every = list(of) if cost.by_search else one_search(of)
        measure = MEASURES[cost.key]
        for name, key, title in _OF_SEARCHES if cost.by_search else _OF_CODES:
            groups = families([one for one in every if key in one.row.values], several=len(every) > ALONE)
            series = joined_series(groups, partial(_shown, cost.key), key, shown)
            if not series or len(every) < 2:
                continue
            found.append(
                Figure(
                    name=f"{name}-{cost.name}",
                    title=Message("{measured} against {cost}", measured=title, cost=cost.title),
                    reading=cost.reading,
                    x=Axis(measure.axis, measure.axis_unit, log=is_logarithmic(series)),
                    y=Axis(MEASURES[key].axis, low=0 if begins_at_zero(series) else None),
                    series=series,
                    kind=FigureKind.POINTS,
                )
            )
    return found


def _shown(key: str, one: NamedRow) -> float:
    return MEASURES[key].scale * one.row.values[key]


_LEVELS = 3  # lines across a figure
_READING_BITS = Message(
    "Longer codes rank better and take more space: a curve that rises no more says how many bits are enough."
)


def over_parameters(points: Sequence[NamedRow], of: Sequence[NamedRow]) -> list[Figure]:
    """Return figures over every parameter that differs among the methods, bits first."""
    found: list[Figure] = []
    shown, every = {one.row.key for one in one_search(points)}, one_search(of)
    for name, unit in _varied(every):
        for quality, key, title in _OF_CODES:
            series = _over(every, key, name, shown)
            if series and max(len(one.x) for one in series) > 1:
                label = Message("bits") if name == "bits" else verbatim(name)
                found.append(
                    Figure(
                        name=f"{quality}-{name.replace('.', '-')}",
                        title=Message("{measured} against {cost}", measured=title, cost=label),
                        reading=_READING_BITS if name == "bits" else _best_parameter(name),
                        x=Axis(Message("bits a code") if name == "bits" else name, unit, log=is_logarithmic(series)),
                        y=Axis(MEASURES[key].axis, low=0 if begins_at_zero(series) else None, high=None),
                        series=series,
                        markers=() if name == "bits" else _levels(every, key, name, shown),
                    )
                )
    return found


def _best_parameter(name: str) -> Message:
    return Message(
        "Where a curve is highest, {name} is best for these photos; bars are deviations over seeds.", name=name
    )


def _levels(points: Sequence[NamedRow], key: str, swept: str, shown: Collection[str]) -> list[Marker]:
    """Draw levels of methods that lack the parameter, such as those of full rank; few, with distinct names."""
    found: dict[Words, list[float]] = {}
    for one in points:
        measured = one.row.values.get(key)
        if _number(one.method, swept) is None and measured is not None and one.row.key in shown:
            has_it = hasattr(one.method, swept)  # and leaves it out: klsh of full rank is no point of its own curve
            family = one.method.key
            name = Message("{method} without {parameter}", method=family, parameter=swept) if has_it else family
            found.setdefault(name, []).append(measured)
    if len(found) > _LEVELS or any(len(values) > 1 for values in found.values()):
        return []
    return [Marker(values[0], name, vertical=False) for name, values in found.items()]


def _varied(points: Sequence[NamedRow]) -> list[tuple[str, str]]:
    """Return the parameters that differ within a family of methods, with their units."""
    found: dict[str, str] = {}
    for key in dict.fromkeys(one.method.key for one in points):
        family = [one.method for one in points if one.method.key == key and isinstance(one.method, HashMethod)]
        for about in family[0].parameters() if family else ():
            if about.name == "seed":
                continue
            numbers = {_number(one, about.name) for one in family} - {None}
            if len(numbers) > 1:
                found.setdefault(about.name, "" if about.name == "bits" else about.unit)
    if "bits" not in found and len({_number(one.method, "bits") for one in points} - {None}) > 1:
        found["bits"] = ""
    return sorted(found.items(), key=lambda one: one[0] != "bits")


def _number(method: Candidate, name: str) -> float | None:
    value = getattr(method, name, None) if isinstance(method, HashMethod) else None
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _over(points: Sequence[NamedRow], key: str, swept: str, shown: Collection[str]) -> list[Series]:
    """Join points that differ in the swept parameter alone, in its order."""

    def at(one: NamedRow) -> float | None:
        return _number(one.method, swept)

    groups: dict[str, list[NamedRow]] = {}
    for one in points:
        if at(one) is not None and key in one.row.values:
            groups.setdefault(without_part(one, swept), []).append(one)
    return joined_series(groups, at, key, shown)


def joined_series(
    groups: Mapping[str, Sequence[NamedRow]],
    at: Callable[[NamedRow], float | None],
    key: str,
    shown: Collection[str],
) -> list[Series]:
    """Make a series of each group of the drawn points, with names and colours as if all were drawn."""
    found = []
    for name, group, place in zip(short_names(list(groups)), groups.values(), group_slots_of(groups), strict=True):
        kept = [one for one in group if one.row.key in shown]
        if not kept:
            continue
        placed = sorted(((at(one) or 0.0, one) for one in kept), key=lambda pair: pair[0])
        ordered = [one for _, one in placed]
        y = [one.row.values[key] for one in ordered]
        off = [one.row.measured.spread.get(key, 0.0) for one in ordered]
        several = any(off)
        found.append(
            Series(
                name=name,
                x=[where for where, _ in placed],
                y=y,
                low=[max(0.0, mean - one) for mean, one in zip(y, off, strict=True)] if several else (),
                high=[min(1.0, mean + one) for mean, one in zip(y, off, strict=True)] if several else (),
                place=place,
                points=[one.about() for one in ordered],
                keys=[one.row.key for one in ordered],
                marked=True,
            )
        )
    return found


def is_logarithmic(series: Sequence[Series]) -> bool:
    """Return whether a horizontal axis is better logarithmic: its values grow by factors, not by steps."""
    values = [x for one in series for x in one.x]
    return bool(values) and min(values) > 0 and max(values) >= 4 * min(values)


def begins_at_zero(series: Sequence[Series]) -> bool:
    """Return whether an axis from 0 still shows the differences: they are no small part of the values."""
    values = [y for one in series for y in one.y]
    return max(values) - min(values) > 0.35 * max(values)
