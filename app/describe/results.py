"""Results of ``describe``."""

from __future__ import annotations

from pydantic import Field

from app.results import Result
from core.message import Message


class NotDescribed(Result):
    """One picture that has no row in the file."""

    path: str
    reason: Message
    next_step: Message


class DescribeResult(Result):
    """Result of ``describe``."""

    descriptor: str = Field(description="in text form")
    file: str = Field(description="with a row for each picture, as bench takes it")
    table: str = Field(description="CSV beside it with the picture of each row")
    sparse: bool = Field(description="whether the rows are sparse, as scipy.sparse.save_npz writes them")
    pictures: int = Field(description="rows")
    dimensions: int = Field(description="columns")
    blank: int = Field(description="rows of zeros: pictures in which the descriptor finds nothing")
    known: int = Field(description="rows taken from the library")
    passed_over: int = Field(description="files that are not pictures")
    problems: list[NotDescribed] = Field(description="pictures that cannot be read")
    bytes: int = Field(description="of the file")
    seconds: float
