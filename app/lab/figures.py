"""The figures of one or several runs, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from app import catalogue
from app.lab.figure import Axis, Dash, Figure, Kind, Marker, Parameters, Series
from app.lab.names import short_names, words_of
from app.lab.palette import colour, dash
from app.lab.results import LabRow, LabRun
from core.hash_method import HashMethod

Value = Callable[[LabRow], float | None]

_CURVES = 7  # at once: as many as there are colours
_LEVELS = 3  # lines across a figure
_ALONE = 6  # rows at most that stand alone over what they cost
_ALL = 0.9995


@dataclass(frozen=True)
class _Point:
    """One row with what names and places it."""

    row: LabRow
    run: LabRun
    method: HashMethod
    name: str
    place: int

    def about(self) -> Parameters:
        """Say what it was measured with, and what came of it, for whoever points at it."""
        one = self.row.measured
        told = {"method": one.method, "search": one.search, "seeds": ", ".join(map(str, one.seeds))}
        for name, value in (("mAP", one.map), ("recall@10", one.recall.get("10")), ("accuracy", one.accuracy)):
            if value is not None:
                told[name] = f"{value:.3f}"
        told["query"] = f"{1000 * _seconds(self.row):.3g} ms"
        told["a photograph"] = f"{self.row.bytes_each:,.0f} bytes"
        told["looked at"] = f"{one.looked_at:,.0f} of {one.of:,}"
        return {"run": self.run.name, **told} if self.run.name else told


def figures(runs: Sequence[LabRun], chosen: Collection[str] = ()) -> list[Figure]:
    """Give every figure that some runs can fill, the most telling first.

    Parameters
    ----------
    runs : sequence of LabRun
    chosen : collection of str
        Keys of the rows that are drawn; empty for all, or, of curves, for a few that tell the methods apart.
    """
    every = _points(runs)
    points = [one for one in every if not chosen or one.row.key in chosen]
    if not points:
        return []
    curved = _one_search(points)
    curves, told = _few(curved)
    ranked = [_recall(curves, told), *_over_parameters(points, every), _precision_recall(curves, told)]
    costs = _against_costs(points, every)
    searches = len({one.row.measured.search for one in points})
    found = [*costs, *ranked] if searches > len(curved) else [*ranked, *costs]  # what was asked for comes first
    note = _note(runs)
    return [replace(one, note=" ".join(filter(None, [one.note, note]))) for one in found if one is not None]


def find_figure(runs: Sequence[LabRun], name: str) -> Figure | None:
    """Give the figure of a name, or the first where none is named; None where there is no such figure."""
    found = figures(runs)
    return next((one for one in found if not name or one.name == name), None)


def _points(runs: Sequence[LabRun]) -> list[_Point]:
    """Name every row by what sets it apart from the others, and give its method a place in the palette.

    Places are those of all rows: a method keeps its colour whichever of the others are drawn. Where there are more
    methods than colours, those that differ in their bits alone share one, as they are joined in figures over bits.
    """
    rows = [(run, row) for run in runs for row in run.rows]
    several_searches = len({row.measured.search for _, row in rows}) > 1
    several_runs = len(runs) > 1
    found: list[_Point] = []
    places: dict[tuple[int, str], int] = {}  # by the object: runs of files that are opened have no id
    many = len({(id(run), row.measured.method) for run, row in rows}) > _CURVES
    for run, row in rows:
        own = _family_of(row.measured.method) if many else row.measured.method
        place = places.setdefault((id(run), own), len(places))
        method = catalogue.method(row.measured.method)
        parts = [method.text(), *([row.measured.search] if several_searches else [])]
        name = " · ".join([*([run.name] if several_runs else []), *parts])
        found.append(_Point(row, run, method, name, place))
    return found


# --- curves -----------------------------------------------------------------------------------------------------------


def _recall(points: Sequence[_Point], told: str) -> Figure | None:
    every = [one for one in points if one.row.recall_curve]
    if not every:
        return None
    marked = every[0].run.data is not None and every[0].run.data.truth in {"marks", "edits"}
    what = "the right photographs" if marked else "the exact nearest photograph"
    return Figure(
        name="recall-at",
        title="Recall@R",
        reading=f"The share of queries for which {what} is among the first R: the further left and up, the better."
        if not marked
        else f"The share of {what} that is among the first R: the further left and up, the better.",
        x=Axis("R, photographs that are looked through", log=True, low=1, high=_telling_end(every)),
        y=Axis("recall@R", low=0, high=1),
        series=_told_apart([_curve(one, one.row.recall_curve, one.row.recall_spread, every) for one in every]),
        note=told,
    )


def _precision_recall(points: Sequence[_Point], told: str) -> Figure | None:
    every = [one for one in points if len(one.row.measured.precision_recall) > 1]
    if not every:
        return None
    relevant = every[0].run.data.relevant if every[0].run.data is not None else ""
    return Figure(
        name="precision-recall",
        title="Precision and recall",
        reading="Each curve widens the Hamming radius from left to right: the higher it stays, the fewer wrong "
        "photographs come with the right ones.",
        x=Axis("recall", low=0, high=1),
        y=Axis("precision", low=0, high=1),
        series=_told_apart(
            [_curve(one, one.row.measured.precision_recall, one.row.precision_spread, every) for one in every]
        ),
        note=" ".join(filter(None, [f"Right is {relevant}." if relevant else "", told])),
    )


def _one_search(points: Sequence[_Point]) -> list[_Point]:
    """Keep one row of each method: the ranking by codes does not depend on how they are searched."""
    seen: dict[tuple[int, str], _Point] = {}
    several_runs = any(one.run is not points[0].run for one in points)
    for one in points:
        name = " · ".join([*([one.run.name] if several_runs else []), one.method.text()])
        seen.setdefault((id(one.run), one.row.measured.method), replace(one, name=name))
    return list(seen.values())


def _family_of(method: str) -> str:
    """Give a method without its bits."""
    key, words = words_of(method)
    return ":".join([key, *(word for word in words if not word.startswith("bits="))])


def places(runs: Sequence[LabRun]) -> dict[str, int]:
    """Give the place in the palette of every row, by its key.

    It is that of its curve; where search structures are what differs, that of its points over what they cost.
    """
    points = _points(runs)
    if len({one.row.measured.search for one in points}) <= len(_one_search(points)):
        return {one.row.key: one.place for one in points}
    groups = _families(points)
    return {
        one.row.key: place for group, place in zip(groups.values(), _group_places(groups), strict=True) for one in group
    }


def _few(points: Sequence[_Point]) -> tuple[list[_Point], str]:
    """Keep the curves of one number of bits where there are too many to be told apart, and say so."""
    if len(points) <= _CURVES:
        return list(points), ""
    families: dict[int, set[str]] = {}
    for one in points:
        families.setdefault(one.method.bits, set()).add(_without(one, "bits"))
    most = max(len(names) for names in families.values())
    shared = sorted(bits for bits, names in families.items() if len(names) == most)
    bits = shared[(len(shared) - 1) // 2]
    kept = [one for one in points if one.method.bits == bits][:_CURVES]
    told = f"Codes of {bits:,} bits; {len(points) - len(kept):,} other rows are in the table."
    return kept, told


def _telling_end(points: Sequence[_Point]) -> float | None:
    """Give the R from which on every curve is at its end, so that what differs has the room; None for the last one."""
    whole = [
        next((at for at, value in one.row.recall_curve if value > _ALL), one.row.recall_curve[-1][0]) for one in points
    ]
    return max(10.0, *whole) if whole else None


def _told_apart(series: Sequence[Series]) -> list[Series]:
    """Break curves of one colour differently."""
    found: list[Series] = []
    for one in series:
        before = sum(other.place == one.place for other in found)
        dashes = list(Dash)
        own = dashes.index(dash(one))
        found.append(replace(one, dash=dashes[(own + before) % len(dashes)]) if before else one)
    return found


def _curve(
    one: _Point, curve: Sequence[tuple[float, float]], spread: Sequence[float], every: Sequence[_Point]
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


def _shortened(one: _Point, every: Sequence[_Point]) -> str:
    """Leave out of a name what all have in common: the method of the others, and parameters that are equal."""
    return short_names([each.name for each in every])[next(i for i, each in enumerate(every) if each is one)]


# --- against what a parameter says ------------------------------------------------------------------------------------


def _over_parameters(points: Sequence[_Point], of: Sequence[_Point]) -> list[Figure]:
    """Give figures over every number that differs among the methods, bits first."""
    found: list[Figure] = []
    shown, every = {one.row.key for one in _one_search(points)}, _one_search(of)
    for name, unit in _varied(every):
        for key, title, label, value, spread in _MEASURES:
            series = _over(every, value, spread, name, shown)
            if series and max(len(one.x) for one in series) > 1:
                words = "bits" if name == "bits" else name
                found.append(
                    Figure(
                        name=f"{key}-{name.replace('.', '-')}",
                        title=f"{title} against {words}",
                        reading=_READING_BITS if name == "bits" else _READING_PARAMETER.format(name=words),
                        x=Axis("bits a code" if name == "bits" else name, unit, log=_logarithmic(series)),
                        y=Axis(label, low=0 if _from_zero(series) else None, high=None),
                        series=series,
                        markers=() if name == "bits" else _levels(every, value, name, shown),
                    )
                )
    return found


def _levels(points: Sequence[_Point], value: Value, swept: str, shown: Collection[str]) -> list[Marker]:
    """Mark how high methods come that have no number there, such as those of full rank; few, and told apart."""
    found: dict[str, list[float]] = {}
    for one in points:
        measured = value(one.row)
        if _number(one.method, swept) is None and measured is not None and one.row.key in shown:
            has_it = hasattr(one.method, swept)  # and leaves it out: klsh of full rank is no point of its own curve
            found.setdefault(one.method.key + (f" without {swept}" if has_it else ""), []).append(measured)
    if len(found) > _LEVELS or any(len(values) > 1 for values in found.values()):
        return []
    return [Marker(values[0], name, vertical=False) for name, values in found.items()]


_READING_BITS = (
    "Longer codes rank better and take more space: a curve that rises no more says how many bits are enough."
)
_READING_PARAMETER = "Where a curve is highest, {name} is best for these photographs; bars are deviations over seeds."


def _varied(points: Sequence[_Point]) -> list[tuple[str, str]]:
    """Name the numbers that differ within a family of methods, with their units."""
    found: dict[str, str] = {}
    for key in dict.fromkeys(one.method.key for one in points):
        family = [one.method for one in points if one.method.key == key]
        for about in family[0].parameters():
            if about.name == "seed":
                continue
            numbers = {_number(one, about.name) for one in family} - {None}
            if len(numbers) > 1:
                found.setdefault(about.name, "" if about.name == "bits" else about.unit)
    if "bits" not in found and len({one.method.bits for one in points}) > 1:
        found["bits"] = ""
    return sorted(found.items(), key=lambda one: one[0] != "bits")


def _number(method: HashMethod, name: str) -> float | None:
    value = getattr(method, name, None)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _over(points: Sequence[_Point], value: Value, spread: str, swept: str, shown: Collection[str]) -> list[Series]:
    """Join the points that differ in the swept parameter alone, in the order of it."""

    def at(one: _Point) -> float | None:
        return _number(one.method, swept)

    groups: dict[str, list[_Point]] = {}
    for one in points:
        if at(one) is not None and value(one.row) is not None:
            groups.setdefault(_without(one, swept), []).append(one)
    return _series(groups, at, value, spread, shown)


def _series(
    groups: Mapping[str, Sequence[_Point]],
    at: Callable[[_Point], float | None],
    value: Value,
    spread: str,
    shown: Collection[str],
) -> list[Series]:
    """Make a series of each group, of the points that are drawn: names and colours are as if all were."""
    found = []
    for name, group, place in zip(short_names(list(groups)), groups.values(), _group_places(groups), strict=True):
        kept = [one for one in group if one.row.key in shown]
        if kept:
            found.append(_measured(name, kept, at, value, spread, place))
    return found


def _group_places(groups: Mapping[str, Sequence[_Point]]) -> list[int]:
    """Give groups the places of their firsts; where these are not told apart by colour, what is joined counts anew."""
    firsts = [group[0].place for group in groups.values()]
    apart = len({colour(place) for place in firsts}) == len(firsts)
    return firsts if apart else list(range(len(firsts)))


def _without(one: _Point, swept: str) -> str:
    """Name a point without the swept parameter."""
    method = one.method.text()
    key, words = words_of(method)
    kept = [word for word in words if not word.startswith(f"{swept}=")]
    return one.name.replace(method, key + (":" + ",".join(kept) if kept else ""), 1)


def _measured(
    name: str,
    group: Sequence[_Point],
    at: Callable[[_Point], float | None],
    value: Value,
    spread: str,
    place: int,
    labels: Sequence[str] = (),
) -> Series:
    placed = sorted(((at(one) or 0.0, one) for one in group), key=lambda pair: pair[0])
    ordered = [one for _, one in placed]
    y = [value(one.row) or 0.0 for one in ordered]
    off = [one.row.measured.deviation.get(spread, 0.0) for one in ordered]
    several = any(off)
    return Series(
        name=name,
        x=[where for where, _ in placed],
        y=y,
        low=[max(0.0, mean - one) for mean, one in zip(y, off, strict=True)] if several else (),
        high=[min(1.0, mean + one) for mean, one in zip(y, off, strict=True)] if several else (),
        place=place,
        points=[one.about() for one in ordered],
        keys=[one.row.key for one in ordered],
        labels=labels,
        marked=True,
    )


# --- against what it costs --------------------------------------------------------------------------------------------


def _against_costs(points: Sequence[_Point], of: Sequence[_Point]) -> list[Figure]:
    """Give what is found against what it costs, a point a row; rows of one method are joined by their cost."""
    found: list[Figure] = []
    for cost in _COSTS:
        shown = {one.row.key for one in (points if cost.by_search else _one_search(points))}
        every = list(of) if cost.by_search else _one_search(of)
        for key, title, label, value, spread in _MEASURES if not cost.by_search else _SEARCH_MEASURES:
            groups = _families([one for one in every if value(one.row) is not None], several=len(every) > _ALONE)
            series = _series(groups, cost.of, value, spread, shown)
            if not series or len(every) < 2:
                continue
            found.append(
                Figure(
                    name=f"{key}-{cost.name}",
                    title=f"{title} against {cost.title}",
                    reading=cost.reading,
                    x=Axis(cost.label, cost.unit, log=_logarithmic(series)),
                    y=Axis(label, low=0 if _from_zero(series) else None),
                    series=series,
                    kind=Kind.POINTS,
                )
            )
    return found


def _families(points: Sequence[_Point], several: bool | None = None) -> dict[str, list[_Point]]:
    """Group what is joined: rows of one method that differ in their bits, where there are many."""
    many = len(points) > _ALONE if several is None else several
    groups: dict[str, list[_Point]] = {}
    for one in points:
        groups.setdefault(_without(one, "bits") if many else one.name, []).append(one)
    return groups


@dataclass(frozen=True)
class _Cost:
    name: str
    title: str
    label: str
    unit: str
    value: Callable[[LabRow], float]
    reading: str
    by_search: bool

    def of(self, one: _Point) -> float:
        return self.value(one.row)


def _seconds(row: LabRow) -> float:
    return row.measured.seconds.encode_query + row.measured.seconds.search


_COSTS = (
    _Cost(
        "time", "time", "time of a query, from its vector on", "ms", lambda row: 1000 * _seconds(row),
        "The further left and up, the better: a point above and left of another finds more in less time.", True,
    ),
    _Cost(
        "looked-at", "photographs looked at", "measured exactly, a query", "photographs",
        lambda row: row.measured.looked_at,
        "How many candidates are measured exactly for each query, and how much of the truth they hold: left and up is "
        "better.", True,
    ),
    _Cost(
        "bytes", "space", "space of codes and lists", "bytes a photograph", lambda row: row.bytes_each,
        "Space that a photograph takes in the index, and how well its codes rank: left and up is better.", False,
    ),
)  # fmt: skip

_Measure = tuple[str, str, str, Value, str]
_ACCURACY: _Measure = (
    "accuracy", "Accuracy", "accuracy of the vote, share of queries", lambda row: row.measured.accuracy, "accuracy"
)  # fmt: skip
_MEASURES: tuple[_Measure, ...] = (
    ("recall", "Recall@10", "recall@10, share of queries", lambda row: row.measured.recall.get("10"), "recall@10"),
    ("map", "mAP", "mean average precision", lambda row: row.measured.map, "map"),
    _ACCURACY,
)
_SEARCH_MEASURES: tuple[_Measure, ...] = (
    ("found", "Overlap@10", "overlap@10, share of the true first 10", lambda row: row.measured.overlap.get("10"),
     "overlap@10"),
    _ACCURACY,
)  # fmt: skip


def _logarithmic(series: Sequence[Series]) -> bool:
    values = [x for one in series for x in one.x]
    return bool(values) and min(values) > 0 and max(values) >= 4 * min(values)


def _from_zero(series: Sequence[Series]) -> bool:
    """Say whether an axis from 0 shows differences still: they are no small part of the values."""
    values = [y for one in series for y in one.y]
    return max(values) - min(values) > 0.35 * max(values)


def _note(runs: Sequence[LabRun]) -> str:
    """Say what figures are of: the data, the truth, and over how many seeds."""
    told = {
        run.name: f"{run.data.n:,} photographs, {run.data.queries:,} queries, truth by {run.data.truth}, "
        f"{_seeds(run)}{'' if run.complete else f'; {run.done} of {run.steps} steps measured'}."
        for run in runs
        if run.data is not None
    }
    if len(set(told.values())) < 2:
        return next(iter(told.values()), "")
    return " ".join(f"{name}: {words}" for name, words in told.items())


def _seeds(run: LabRun) -> str:
    count = max((len(row.measured.seeds) for row in run.rows), default=0)
    return "one seed" if count == 1 else f"{count} seeds, mean and standard deviation"
