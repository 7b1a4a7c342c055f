"""Results of ``before_after``: one photograph's look-alikes now, and under a metric."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from app.results import Result

PairJudgement = Literal["similar", "different", "contradicted"]


class RankedBothWays(Result):
    """One photograph in one of the two lists."""

    id: int
    path: str
    content: str = Field(description="SHA-256 of the file")
    rank: int = Field(description="in this list, from 1")
    other_rank: int | None = Field(None, description="in the other list, from 1, wherever that is; None: there is none")
    distance: float = Field(description="by this list's measure")
    other_distance: float | None = None
    similarity: float = Field(description="by this list's measure")
    judged: PairJudgement | None = Field(
        default=None, description="what the marks say of it and the query; None: nothing"
    )
    query: bool = Field(default=False, description="it is the photograph that was asked with")


class BeforeAfterResult(Result):
    """The result of ``before_after``."""

    query: int = Field(description="photograph that was asked with")
    path: str
    index: str
    metric: str = Field(description="name of the kept metric; empty for a proposal")
    of: int = Field(description="photographs that were ranked, exactly")
    before: list[RankedBothWays]
    after: list[RankedBothWays] = Field(description="empty where nothing is learned")
    moved_up: int = Field(description="photographs among the first after that were not among the first before")
    seconds: float


class MarkedPairDistances(Result):
    """The distance of two photographs, before and after."""

    first: int
    second: int
    before: float | None = Field(description="None where one of them has no vector")
    after: float | None
    comparable: float | None = Field(
        None, description="after, told so that pairs of the library are as far apart as before, in the middle"
    )
