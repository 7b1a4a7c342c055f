"""What ``learn`` gives."""

from __future__ import annotations

from pydantic import Field

from app.results import Result


class LearnedChoice(Result):
    """One metric that was tried, judged on pairs of photographs that it had not seen."""

    metric: str | None = Field(description="declaration in text form; None: no metric, as it was before")
    area: float = Field(description="ROC area: share of (similar, different) pairs in the right order")
    low: float = Field(description="lower end of the area's 90 % interval")
    high: float
    gain: float = Field(description="of the area over no metric")
    gain_low: float = Field(description="lower end of the gain's 90 % interval")
    gain_high: float


class LearnedThreshold(Result):
    """A distance below which about a stated share of pairs is wrong."""

    similarity: float = Field(description="what the distance is as a similarity, as search shows it")
    distance: float
    low: float = Field(description="lower end of the distance's 90 % interval")
    high: float
    wrong: float = Field(description="the share")
    kept: float = Field(description="share of the similar pairs that are nearer")


class LearnResult(Result):
    """Of ``learn``."""

    index: str
    descriptor: str = Field(description="whose vectors the metric measures")
    pairs: int = Field(description="that something could be learned from")
    similar: int
    different: int
    advice: str = Field(description="whether the metric is better, by how much, or how many more pairs would tell")
    better: int = Field(description="held-out pairs that stand better among the others than before")
    worse: int
    of: int = Field(description="held-out pairs")
    apart: bool = Field(description="no photograph was both learned from and judged by")
    more: int = Field(description="further pairs that would probably tell; 0: enough")
    tried: list[LearnedChoice]
    metric: str | None = Field(description="name under which the library keeps it; None: none is kept")
    learned_by: str | None = Field(description="its declaration in text form")
    violated: int = Field(default=0, description="pairs still on the wrong side of their bound")
    sweeps: int = Field(default=0, description="times that all pairs were gone through")
    threshold: LearnedThreshold | None = Field(default=None, description="where there are enough pairs of both kinds")
    left_out: list[str] = Field(description="a sentence for each pair, or kind of pairs, that does not count")
    seconds: float
