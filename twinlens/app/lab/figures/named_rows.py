"""Rows of runs with the names and colours that tell them apart in figures, and the notes below figures.

A name has only what sets its row apart, and keeps its colour in every figure. A note says how much data was searched,
what counted as right, and how many seeds there were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from twinlens.app.bench.bench import candidate_of
from twinlens.app.bench.bench_results import BenchData
from twinlens.app.lab.experiments.lab_results import LabRow, LabRun
from twinlens.app.lab.figures.figure import Parameters, Words, series_colour, words_of_declaration
from twinlens.core.evaluation.evaluation_task import Candidate
from twinlens.core.evaluation.measures import MEASURES
from twinlens.core.message import NOTHING, Message, counted, joined, verbatim

CURVES = 7  # at once: as many as there are colours
ALONE = 6  # rows at most that stand alone over what they cost


@dataclass(frozen=True)
class NamedRow:
    """One row with its name and palette slot."""

    row: LabRow
    run: LabRun
    method: Candidate
    name: str
    place: int

    def about(self) -> Parameters:
        """Return the declarations of the row and its figures."""
        one = self.row.measured
        about: dict[Words, Words] = {Message("run"): self.run.name} if self.run.name else {}
        about |= {
            Message("method"): one.method,
            Message("search"): one.search,
            Message("seeds"): ", ".join(map(str, one.seeds)),
        }
        values = one.values
        about |= {
            MEASURES[key].heading: Message("{value:.3f}", value=values[key])
            for key in ("map", "recall@10", "accuracy")
            if key in values
        }
        about[Message("query")] = Message("{milliseconds:.3g} ms", milliseconds=1000 * values["seconds query"])
        about[Message("a photo")] = Message("{count:,.0f} bytes", count=values["bytes each"])
        about[Message("looked at")] = Message("{count:,.0f} of {all}", count=values.get("looked_at", 0), all=one.of)
        return about


def named_rows(runs: Sequence[LabRun]) -> list[NamedRow]:
    """Name every row by its difference from the others, and give its method a slot in the palette.

    Places are those of all rows: a method keeps its colour whichever of the others are drawn. Where there are more
    methods than colours, those that differ in their bits alone share one, as they are joined in figures over bits.
    """
    rows = [(run, row) for run in runs for row in run.rows]
    several_searches = len({row.measured.search for _, row in rows}) > 1
    several_runs = len(runs) > 1
    found: list[NamedRow] = []
    places: dict[tuple[int, str], int] = {}  # by the object: runs of files that are opened have no id
    many = len({(id(run), row.measured.method) for run, row in rows}) > CURVES
    for run, row in rows:
        own = _family_of(row.measured.method) if many else row.measured.method
        place = places.setdefault((id(run), own), len(places))
        method = candidate_of(row.measured.method)
        parts = [method.text(), *([row.measured.search] if several_searches else [])]
        name = " · ".join([*([run.name] if several_runs else []), *parts])
        found.append(NamedRow(row, run, method, name, place))
    return found


def one_search(points: Sequence[NamedRow]) -> list[NamedRow]:
    """Keep one row of each method: the ranking by codes is the same with every search structure."""
    seen: dict[tuple[int, str], NamedRow] = {}
    several_runs = any(one.run is not points[0].run for one in points)
    for one in points:
        name = " · ".join([*([one.run.name] if several_runs else []), one.method.text()])
        seen.setdefault((id(one.run), one.row.measured.method), replace(one, name=name))
    return list(seen.values())


def families(points: Sequence[NamedRow], several: bool | None = None) -> dict[str, list[NamedRow]]:
    """Group rows that are joined: rows of one method that differ in their bits, where there are many."""
    many = len(points) > ALONE if several is None else several
    groups: dict[str, list[NamedRow]] = {}
    for one in points:
        groups.setdefault(without_part(one, "bits") if many else one.name, []).append(one)
    return groups


def without_part(one: NamedRow, swept: str) -> str:
    """Name a point without the swept parameter."""
    method = one.method.text()
    key, words = words_of_declaration(method)
    kept = [word for word in words if not word.startswith(f"{swept}=")]
    return one.name.replace(method, key + (":" + ",".join(kept) if kept else ""), 1)


def _family_of(method: str) -> str:
    """Return a method without its bits."""
    key, words = words_of_declaration(method)
    return ":".join([key, *(word for word in words if not word.startswith("bits="))])


def group_slots_of(groups: Mapping[str, Sequence[NamedRow]]) -> list[int]:
    """Assign each group the colour slot of its first member; without distinct slots, count groups anew."""
    firsts = [group[0].place for group in groups.values()]
    apart = len({series_colour(place) for place in firsts}) == len(firsts)
    return firsts if apart else list(range(len(firsts)))


_DISTANCES = {
    "l2": Message("Euclidean distance"),
    "cosine": Message("cosine"),
    "metric": Message("the metric"),
}
_KERNELS = {
    "linear": Message("the linear kernel"),
    "gaussian": Message("the Gaussian kernel"),
    "laplacian": Message("the Laplacian kernel"),
    "cauchy": Message("the Cauchy kernel"),
    "polynomial": Message("the polynomial kernel"),
    "sigmoid": Message("the sigmoid kernel"),
    "intersection": Message("the histogram intersection kernel"),
    "chi-square": Message("the chi-square kernel"),
    "hellinger": Message("the Hellinger kernel"),
}


def right_results(data: BenchData) -> Message:
    """Return the definition of a relevant result.

    Examples
    --------
    >>> about = {"base": "photographs", "n": 100, "d": 8, "queries": 10}
    >>> print(right_results(BenchData(**about, truth="linear")))
    what exact search by the linear kernel finds
    >>> print(right_results(BenchData(**about, truth="gaussian:gamma=0.5")))
    what exact search by the Gaussian kernel with gamma=0.5 finds
    >>> print(right_results(BenchData(**about, truth="marks", relevant="what is marked as similar")))
    what is marked as similar
    """
    key, words = words_of_declaration(data.truth)
    if data.truth in _DISTANCES:
        return Message("what exact search by {measure} finds", measure=_DISTANCES[data.truth])
    if key in _KERNELS and words:
        return Message("what exact search by {measure} with {settings} finds", measure=_KERNELS[key], settings=words)
    if key in _KERNELS:
        return Message("what exact search by {measure} finds", measure=_KERNELS[key])
    return data.relevant or verbatim(data.truth)


def relevant_first(data: BenchData) -> Message:
    """Return how many of the relevant results precision and recall count; empty if all."""
    count = dict(data.relevant.values).get("count")
    if count is None:
        return NOTHING
    return Message("Precision and recall count the first {count} of them.", count=count)


def figure_note(runs: Sequence[LabRun]) -> Message:
    """Return what data figures are of; for each run if they differ."""
    by_run = {run.name: _of(run, run.data) for run in runs if run.data is not None}
    if len(set(by_run.values())) < 2:
        return next(iter(by_run.values()), NOTHING)
    return joined(Message("{run}: {words}", run=name, words=words) for name, words in by_run.items())


def _of(run: LabRun, data: BenchData) -> Message:
    parts = [
        Message("{photographs} photos, {queries} queries.", photographs=data.n, queries=data.queries)
        if run.index
        else Message("{vectors} vectors, {queries} queries.", vectors=data.n, queries=data.queries),
        Message("Right results: {results}.", results=right_results(data)),
        _seeds(run),
    ]
    if not run.complete:
        parts.append(Message("{done} of {steps} steps are measured.", done=run.done, steps=run.steps))
    return joined(parts)


def _seeds(run: LabRun) -> Message:
    count = max((len(row.measured.seeds) for row in run.rows), default=0)
    return counted("One seed.", "Mean and standard deviation of {count} seeds.", count)
