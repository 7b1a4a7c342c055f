"""Results of the Lab: runs with their rows, and the finding of an experiment in a sentence or two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field, model_validator

from twinlens.app.bench.bench import rows_of
from twinlens.app.bench.bench_results import BenchData, BenchMethodResult
from twinlens.app.bench.experiment import PEER, Experiment, from_toml
from twinlens.app.lab.figures.figure import BETWEEN, short_names
from twinlens.app.results import Result
from twinlens.core.evaluation.measurement import MeasuredStep
from twinlens.core.message import NOTHING, Message, counted, joined


class LabRow(Result):
    """A row of the table: one method with one search structure."""

    key: str = Field(description="key of the row: number of the run and of the row, such as 3/1")
    measured: BenchMethodResult = Field(description="means over the measured seeds")
    recall_curve: list[tuple[float, float]] = Field(description="R and recall@R, for more R than in the table")
    recall_spread: list[float] = Field(description="standard deviation over the seeds at each R")
    precision_spread: list[float] = Field(description="standard deviation of the precision at each recall")
    seconds: float = Field(description="time of measuring all seeds")

    def document(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the document, with the bytes of codes and lists per photograph before the time."""
        seconds = fields.pop("seconds")
        return super().document({**fields, "bytes_each": self.values["bytes each"], "seconds": seconds})

    @classmethod
    def document_properties(cls, properties: dict[str, Any]) -> dict[str, Any]:
        """Return the schemas of the fields, and of the bytes that are written with them."""
        return super().document_properties({**properties, "bytes_each": {"type": "number"}})

    @model_validator(mode="before")
    @classmethod
    def _of_document(cls, document: Any) -> Any:
        if not isinstance(document, Mapping) or "bytes_each" not in document:
            return document
        measured = BenchMethodResult.model_validate(document["measured"])
        measured.values["bytes each"] = document["bytes_each"]
        return {name: one for name, one in document.items() if name != "bytes_each"} | {"measured": measured}

    @property
    def values(self) -> Mapping[str, float]:
        """Means over the measured seeds, by measure."""
        return self.measured.values

    @property
    def is_peer(self) -> bool:
        """Whether the row is of another program, so it can be no index of a library."""
        return self.measured.method.startswith(PEER)


class LabRun(Result):
    """One run."""

    id: int = Field(description="0 for an opened file that is not kept in this library")
    name: str
    question: str
    plan: str = Field(description="the experiment as TOML, readable by bench")
    created: str
    steps: int = Field(description="number of steps, one for each method, search structure and seed")
    done: int = Field(description="measured steps")
    data: BenchData | None = Field(description="None before the first measured step")
    digest: str = Field("", description="digest of vectors, queries and right results")
    digests: dict[str, str] = Field({}, description="digest of each of these; empty in runs of earlier versions")
    exact_seconds: float = Field(0.0, description="time of exact search per query")
    versions: dict[str, str] = Field({}, description="versions of the measuring program and machine")
    rows: list[LabRow]

    @classmethod
    def of(
        cls,
        experiment: Experiment,
        keys: Sequence[str],
        steps: Mapping[str, MeasuredStep],
        plan: str,
        number: int = 0,
        name: str = "",
        created: str = "",
    ) -> LabRun:
        """Return the run of a written-out experiment, with the rows of its measured steps.

        Parameters
        ----------
        keys : sequence of str
            Of its steps.
        steps : dict of str to MeasuredStep
            Those that are measured, by key.
        """
        first = next(iter(steps.values()), None)
        rows = [
            LabRow(
                key=f"{number}/{one.number}",
                measured=one.result,
                recall_curve=one.measured.recall_curve,
                recall_spread=one.measured.recall_spread,
                precision_spread=one.measured.precision_spread,
                seconds=sum(step.seconds for step in one.steps),
            )
            for one in rows_of(experiment, keys, steps)
        ]
        return cls(
            id=number,
            name=name,
            question=experiment.question,
            plan=plan,
            created=created,
            steps=len(keys),
            done=len(steps),
            data=None if first is None else BenchData(**vars(first.facts)),
            digest="" if first is None else first.digest,
            digests={} if first is None else dict(first.digests),
            exact_seconds=rows[0].values["seconds exact"] if rows else 0.0,
            versions={} if first is None else dict(first.versions),
            rows=rows,
        )

    @property
    def complete(self) -> bool:
        """Whether every step is measured."""
        return self.done == self.steps

    @property
    def plan_names_index(self) -> bool:
        """Whether the run measures a library's photographs, so a row can become an index."""
        return self.data is not None and bool(self.index)

    @property
    def index(self) -> str:
        """Name of the measured index; empty for vectors of a file."""
        return from_toml(self.plan, Path()).index


class LabRunStatus(Result):
    """One run in a list."""

    id: int
    name: str
    question: str
    data: str = Field(description="index or file of the vectors")
    truth: str = Field(description="empty for exact neighbours")
    steps: int
    done: int
    created: str


class LabRunsResult(Result):
    """Result of ``lab list``."""

    runs: list[LabRunStatus]


class LabCheckResult(Result):
    """Comparison of an experiment that was run again with its kept figures."""

    figures: int = Field(description="figures compared, without times")
    differing: list[Message] = Field(description="a sentence for each figure that differs")


_ALIKE = 0.005  # figures that differ by less look equal
_MUCH = 0.9  # a cost below this share of another is worth a sentence


def finding(runs: Sequence[LabRun]) -> Message:
    """Return which row has the highest and the lowest figure, and which has as high a one at less cost.

    Parameters
    ----------
    runs : sequence of LabRun
        Of the same data; for runs of different data the finding is empty, since their figures cannot be compared.
    """
    measure, by_search, every = _measured(runs)
    if not every:
        return NOTHING
    best = max(every, key=lambda one: one.value)
    if len(every) == 1:
        found = Message("{name} has {measure} {value}.", name=best.name, measure=measure, value=best.figure)
    elif by_search:
        found = _by_search(measure, best, every)
    else:
        found = _by_method(measure, best, every)
    return found if all(run.complete for run in runs) else Message("So far: {finding}", finding=found)


def best_row(runs: Sequence[LabRun]) -> str:
    """Return the key of the recommended row: the cheapest of the best ones that is not another program's."""
    _, by_search, measured = _measured(runs)
    every = [one for one in measured if not one.row.is_peer]
    if not every:
        return ""
    best = max(every, key=lambda one: one.value)
    near = [one for one in every if _near(one, best)]
    if by_search:
        return min(near, key=lambda one: one.milliseconds).row.key
    cheap = min(near, key=lambda one: one.bytes_each)
    return (cheap if cheap.bytes_each < _MUCH * best.bytes_each else best).row.key


def _measured(runs: Sequence[LabRun]) -> tuple[str, bool, list[_One]]:
    """Return the measure that decides, whether it is one of search structures, and the rows that have it.

    There is one row for each method, or for each structure; none for runs of different data.
    """
    if len({run.digest for run in runs if run.digest}) > 1:
        return "", False, []
    structures = len({row.measured.search for run in runs for row in run.rows})
    of_search = structures > len({row.measured.method for run in runs for row in run.rows})
    rows = [(run, row) for run in runs for row in run.rows]
    if not of_search:
        rows = list({(id(run), row.measured.method): (run, row) for run, row in reversed(rows)}.values())[::-1]
    measures = ("accuracy", *(["overlap@10"] if of_search else []), "recall@10")
    names = short_names(
        [BETWEEN.join([row.measured.method, *([row.measured.search] if of_search else [])]) for _, row in rows]
    )
    if of_search and len({row.measured.method for _, row in rows}) == 1:
        names = [name.partition(BETWEEN)[2] for name in names]
    if len(runs) > 1:
        names = [f"{run.name}{BETWEEN}{name}" for (run, _), name in zip(rows, names, strict=True)]
    for measure in measures:
        found = [
            _One(name, row, row.values[measure], row.measured.spread.get(measure, 0.0))
            for name, (_, row) in zip(names, rows, strict=True)
            if measure in row.values
        ]
        if found:
            return measure, of_search, found
    return "", of_search, []


@dataclass(frozen=True)
class _One:
    """A named row with its figure and the spread over its seeds."""

    name: str
    row: LabRow
    value: float
    spread: float

    @property
    def figure(self) -> Message:
        if self.spread >= _ALIKE:
            return Message("{value:.2f} ± {spread:.2f}", value=self.value, spread=self.spread)
        return Message("{value:.2f}", value=self.value)

    @property
    def bytes_each(self) -> float:
        return self.row.values["bytes each"]

    @property
    def milliseconds(self) -> float:
        return 1000 * self.row.values["seconds query"]

    @property
    def time(self) -> Message:
        if self.milliseconds < 10:
            return Message("{milliseconds:.2g} ms", milliseconds=self.milliseconds)
        return Message("{milliseconds:,.0f} ms", milliseconds=self.milliseconds)


def _near(one: _One, best: _One) -> bool:
    """Return whether two rows differ by no more than their seeds do."""
    return best.value - one.value <= max(_ALIKE, best.spread, one.spread)


def _by_method(measure: str, best: _One, every: Sequence[_One]) -> Message:
    least = min(every, key=lambda one: one.value)
    near = [one for one in every if one is not best and _near(one, best)]
    if len(near) == len(every) - 1:
        found = Message(
            "All find about as much: {measure} {least:.2f} to {most:.2f}.",
            measure=measure, least=least.value, most=best.value,
        )  # fmt: skip
    else:
        found = Message(
            "{best} finds most ({measure} {most}), {last} finds least ({least}).",
            best=best.name, measure=measure, most=best.figure, last=least.name, least=least.figure,
        )  # fmt: skip
    cheap = min(near, key=lambda one: one.bytes_each, default=None)
    if cheap is not None and cheap.bytes_each < _MUCH * best.bytes_each:
        less = Message(
            "{name} finds as much in {bytes:,.0f} bytes per photo instead of {more:,.0f}.",
            name=cheap.name, bytes=cheap.bytes_each, more=best.bytes_each,
        )  # fmt: skip
        return joined([found, less])
    if near and len(near) < len(every) - 1:
        return joined([found, _as_good(near)])
    return found


def _as_good(near: Sequence[_One]) -> Message:
    name = max(near, key=lambda one: one.value).name
    if len(near) == 1:
        return Message("{name} is as good within chance.", name=name)
    return counted(
        "{name} and {count} more are as good within chance.",
        "{name} and {count} more are as good within chance.",
        len(near) - 1,
        name=name,
    )


def _by_search(measure: str, best: _One, every: Sequence[_One]) -> Message:
    """Return the fastest of the best search structures, and the fastest of all."""
    best = min((one for one in every if _near(one, best)), key=lambda one: one.milliseconds)
    quick = min(every, key=lambda one: one.milliseconds)
    found = Message(
        "{name} finds most: {measure} {value} in {time} per query.",
        name=best.name, measure=measure, value=best.figure, time=best.time,
    )  # fmt: skip
    if quick.milliseconds >= _MUCH * best.milliseconds:
        return joined([found, Message("No other is much quicker.")])
    quickest = Message("{name} is quickest: {value} in {time}.", name=quick.name, value=quick.figure, time=quick.time)
    return joined([found, quickest])
