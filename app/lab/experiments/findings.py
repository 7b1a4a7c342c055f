"""What an experiment found, in a sentence or two made from its own rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.lab.experiments.results import LabRow, LabRun
from app.lab.figures.names import BETWEEN, short_names

_ALIKE = 0.005  # figures that differ by less are the same to a person
_MUCH = 0.9  # of a cost: less than that is worth saying


@dataclass(frozen=True)
class _One:
    """A row, by its name, with its figure and how far its seeds lie from it."""

    name: str
    row: LabRow
    value: float
    spread: float

    def told(self) -> str:
        return f"{self.value:.2f}" + (f" ± {self.spread:.2f}" if self.spread >= _ALIKE else "")

    @property
    def milliseconds(self) -> float:
        return 1000 * (self.row.measured.seconds.encode_query + self.row.measured.seconds.search)


def finding(runs: Sequence[LabRun]) -> str:
    """Say which row finds most, which least, and which comes as near for less.

    Parameters
    ----------
    runs : sequence of LabRun
        Of the same data; of others nothing is said, as their figures do not compare.
    """
    if len({run.digest for run in runs if run.digest}) > 1:
        return ""
    structures = len({row.measured.search for run in runs for row in run.rows})
    methods = len({row.measured.method for run in runs for row in run.rows})
    measure, every = _measured(runs, structures > 1, structures > methods)
    if not every:
        return ""
    best = max(every, key=lambda one: one.value)
    so_far = "" if all(run.complete for run in runs) else "So far: "
    if len(every) == 1:
        return f"{so_far}{best.name} has {measure} {best.told()}."
    if structures > methods:
        return so_far + _by_search(measure, best, every)
    return so_far + _by_method(measure, best, every)


def _measured(runs: Sequence[LabRun], by_search: bool, of_search: bool) -> tuple[str, list[_One]]:
    """Return the measure that answers what was asked, and every row that has it; of methods one for each of them."""
    rows = [(run, row) for run in runs for row in run.rows]
    if not of_search:
        rows = list({(id(run), row.measured.method): (run, row) for run, row in reversed(rows)}.values())[::-1]
    measures: dict[str, Callable[[LabRow], float | None]] = {
        "accuracy": lambda row: row.measured.accuracy,
        "overlap@10": lambda row: row.measured.overlap.get("10") if of_search else None,
        "recall@10": lambda row: row.measured.recall.get("10"),
    }
    names = short_names(
        [BETWEEN.join([row.measured.method, *([row.measured.search] if of_search else [])]) for _, row in rows]
    )
    if of_search and len({row.measured.method for _, row in rows}) == 1:
        names = [name.partition(BETWEEN)[2] for name in names]
    if len(runs) > 1:
        names = [f"{run.name}{BETWEEN}{name}" for (run, _), name in zip(rows, names, strict=True)]
    for measure, of in measures.items():
        found = [
            _One(name, row, value, row.measured.deviation.get(measure, 0.0))
            for name, (_, row) in zip(names, rows, strict=True)
            if (value := of(row)) is not None
        ]
        if found:
            return measure, found
    return "", []


def _near(one: _One, best: _One) -> bool:
    """Return whether what sets two apart is no more than what sets seeds apart."""
    return best.value - one.value <= max(_ALIKE, best.spread, one.spread)


def _by_method(measure: str, best: _One, every: Sequence[_One]) -> str:
    least = min(every, key=lambda one: one.value)
    near = [one for one in every if one is not best and _near(one, best)]
    if len(near) == len(every) - 1:
        said = f"All find about as much: {measure} {least.value:.2f} to {best.value:.2f}."
    else:
        said = f"{best.name} finds most: {measure} {best.told()}; {least.name} least: {least.told()}."
    cheap = min(near, key=lambda one: one.row.bytes_each, default=None)
    if cheap is not None and cheap.row.bytes_each < _MUCH * best.row.bytes_each:
        mine, its = round(cheap.row.bytes_each), round(best.row.bytes_each)
        return f"{said} {cheap.name} finds as much in {mine:,} bytes a photograph instead of {its:,}."
    if near and len(near) < len(every) - 1:
        as_good = sorted(near, key=lambda one: -one.value)[0]
        more = f" and {len(near) - 1:,} more" if len(near) > 1 else ""
        return f"{said} {as_good.name}{more} come as near as chance can tell."
    return said


def _by_search(measure: str, best: _One, every: Sequence[_One]) -> str:
    """Of search structures time counts as much: the quickest of the best, and the quickest of all."""
    best = min((one for one in every if _near(one, best)), key=lambda one: one.milliseconds)
    quick = min(every, key=lambda one: one.milliseconds)
    said = f"{best.name} finds most: {measure} {best.told()}, in {_time(best)} a query"
    if quick.milliseconds >= _MUCH * best.milliseconds:
        return f"{said}; no other is much quicker."
    return f"{said}; {quick.name} is quickest: {quick.told()}, in {_time(quick)}."


def _time(one: _One) -> str:
    return f"{one.milliseconds:.2g} ms" if one.milliseconds < 10 else f"{one.milliseconds:,.0f} ms"
