"""Results of the Lab: runs and their rows."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from app.bench.experiment import PEER, from_toml
from app.bench.results import BenchData, BenchMethodResult
from app.results import Result
from core.message import Message


class LabRow(Result):
    """A row of the table: one method with one search structure."""

    key: str = Field(description="key of the row: number of the run and of the row, such as 3/1")
    measured: BenchMethodResult = Field(description="means over the measured seeds")
    recall_curve: list[tuple[float, float]] = Field(description="R and recall@R, for more R than in the table")
    recall_spread: list[float] = Field(description="standard deviation over the seeds at each R")
    precision_spread: list[float] = Field(description="standard deviation of the precision at each recall")
    bytes_each: float = Field(description="bytes of codes and lists per photograph, without the model")
    seconds: float = Field(description="time of measuring all seeds")

    @property
    def is_peer(self) -> bool:
        """Whether another program was measured, which can be no index of a library."""
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

    @property
    def complete(self) -> bool:
        """Whether every step is measured."""
        return self.done == self.steps

    @property
    def plan_names_index(self) -> bool:
        """Whether the run measures a library's photographs, so that a row can become an index."""
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
