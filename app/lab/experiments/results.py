"""What the Lab gives: runs, and their rows as ``bench`` gives them."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from app.bench.experiment import from_toml
from app.bench.results import BenchData, BenchMethodResult
from app.results import Result


class LabRow(Result):
    """One method with one search structure: a row of the table, and what figures are drawn from."""

    key: str = Field(description="of the row: the run's number and its own, as 3/1; makes it an index")
    measured: BenchMethodResult = Field(description="means over the seeds that are measured, as bench gives them")
    recall_curve: list[tuple[float, float]] = Field(description="R and recall@R, at more R than in the table")
    recall_spread: list[float] = Field(description="standard deviation over the seeds at each of these")
    precision_spread: list[float] = Field(description="of the precision at each recall, likewise")
    bytes_each: float = Field(description="bytes a photograph, of codes and lists; the model is told in measured")
    seconds: float = Field(description="that measuring took, all seeds together")


class LabRun(Result):
    """One run."""

    id: int = Field(description="0: of a file that is opened, and not kept in this library")
    name: str
    question: str
    plan: str = Field(description="the experiment, as TOML that bench reads, too")
    created: str
    steps: int = Field(description="that it has: one for each method, search structure and seed")
    done: int = Field(description="of these are measured")
    data: BenchData | None = Field(description="None while nothing is measured")
    digest: str = Field("", description="of the vectors, queries and right answers; equal data has the same")
    exact_seconds: float = Field(0.0, description="that exact search takes a query")
    versions: dict[str, str] = Field({}, description="of the program that measured, and its machine")
    rows: list[LabRow]

    @property
    def complete(self) -> bool:
        """Whether every step is measured."""
        return self.done == self.steps

    @property
    def plan_names_index(self) -> bool:
        """Whether it is of a library's photographs, so that a row can become an index."""
        return self.data is not None and bool(from_toml(self.plan, Path()).index)


class LabRunStatus(Result):
    """One run in a list."""

    id: int
    name: str
    question: str
    data: str = Field(description="what it is of")
    truth: str
    steps: int
    done: int
    created: str


class LabRunsResult(Result):
    """Of ``lab list``."""

    runs: list[LabRunStatus]


class LabCheckResult(Result):
    """Of an experiment that was run again: how its figures compare with those in the file."""

    figures: int = Field(description="that were compared; times are not")
    differing: list[str] = Field(description="a sentence for each that is another one now")
