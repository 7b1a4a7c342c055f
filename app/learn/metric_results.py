"""Results of the commands of ``metrics``."""

from __future__ import annotations

from pydantic import Field

from app.results import Result
from core.message import Message


class MetricStatus(Result):
    """One metric that the library keeps."""

    name: str
    descriptor: str = Field(description="whose vectors it measures, in text form")
    learned_by: str | None = Field(description="declaration in text form; None: it was given")
    dimensions: int = Field(description="of the vectors that it takes")
    out_dimensions: int = Field(description="of those that are hashed")
    ranking: str = Field(description="distance or kernel: by what candidates are ranked")
    bytes: int
    created: str
    indexes: list[str] = Field(description="those that measure by it")
    note: Message = Field(description="where it comes from")


class MetricListResult(Result):
    """The result of ``metrics list``, and of changes of a metric."""

    metrics: list[MetricStatus]


class MetricFileResult(Result):
    """The result of ``metrics export``."""

    metric: str
    file: str
    bytes: int
