"""Results of switching between metrics."""

from __future__ import annotations

from pydantic import Field

from app.learn.results import LearnedHeldOut, LearnResult
from app.results import Result
from core.message import NOTHING, Message


class MetricSwitch(Result):
    """The default index from now on."""

    index: str
    metric: str | None = Field(description="by which it measures, where it measures by a kept one")
    before: str = Field(description="the index that answered before; go_back returns to it")
    waiting: int = Field(description="photographs that still lack a code: until they have it, answers are exact")
    sentence: Message
    note: Message = Field(default=NOTHING, description="what else is worth knowing; the sentence has it too")


class LearnedMetricUse(LearnResult):
    """The result of ``learn``, which searches by the new metric where that is wished."""

    switched: MetricSwitch | None = Field(description="None: search goes as before")


class JudgedMetric(Result):
    """One way of measuring, judged by the marks there are now."""

    name: str = Field(description="of the metric; empty for none: as the descriptor measures by itself")
    default: bool = Field(description="the index that answers now measures so")
    indexes: list[str] = Field(description="those that measure so")
    created: str = Field(description="UTC; empty for none")
    note: Message
    held_out: LearnedHeldOut | None = Field(description="None where there is too little to judge by")
    pairs: int = Field(description="that it was judged by")
    seen: int = Field(description="pairs left out, for a photograph of theirs was learned from")
    sentence: Message = Field(description="how good it is and how that is known")


class MetricComparison(Result):
    """The result of ``compare_metrics``."""

    descriptor: str
    metrics: list[JudgedMetric] = Field(description="no metric first, then those kept, in the order of their making")
    pairs: int = Field(description="marks that can be used")
