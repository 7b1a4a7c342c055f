"""Results of ``learn``."""

from __future__ import annotations

from pydantic import Field

from app.results import Result
from core.message import NOTHING, Message


class LearnedChoice(Result):
    """One metric that was tried, judged on pairs of photographs that it had not seen."""

    metric: str | None = Field(description="declaration in text form; None: no metric, as it was before")
    area: float = Field(description="ROC area: share of (similar, different) pairs in the right order")
    low: float = Field(description="lower end of the area's 90 % interval")
    high: float
    gain: float = Field(
        description="how much earlier than without a metric the similar one comes when the other asks: the mean "
        "logarithm, 0.7 is twice as early"
    )
    gain_low: float = Field(description="lower end of the gain's 90 % interval; the gain itself where none is known")
    gain_high: float


class LearnedThreshold(Result):
    """A distance below which about a stated share of pairs is wrong."""

    similarity: float = Field(description="what the distance is as a similarity, as search shows it")
    distance: float
    low: float = Field(description="lower end of the distance's 90 % interval")
    high: float
    wrong: float = Field(description="the share")
    kept: float = Field(description="share of the similar pairs that are nearer")


class MeanAndRange(Result):
    """A measure on pairs that were held out, averaged over repeated splits."""

    mean: float
    low: float = Field(description="lower end of the 90 % interval")
    high: float


class LearnedHeldOut(Result):
    """Figures of how one measure separates similar from different held-out pairs."""

    accuracy: MeanAndRange | None = Field(
        default=None, description="share of pairs on their side of the best threshold"
    )
    area: MeanAndRange | None = Field(
        default=None, description="ROC area: share of (similar, different) in right order"
    )
    recall: MeanAndRange | None = Field(
        default=None, description="recall@10: share of similar pairs of which one is among the other's first 10"
    )


class LearnResult(Result):
    """The result of ``learn``."""

    index: str
    descriptor: str = Field(description="whose vectors the metric measures")
    pairs: int = Field(description="that something could be learned from")
    similar: int
    different: int
    advice: Message = Field(description="whether the metric is better, by how much, or how many more pairs would tell")
    better: int = Field(description="held-out similar pairs of which one comes earlier when the other asks than before")
    worse: int
    of: int = Field(description="held-out similar pairs")
    earlier: float = Field(1.0, description="how many times as early as before held-out photographs come, on average")
    apart: bool = Field(description="no photograph was both learned from and judged by")
    more: int = Field(description="further pairs that would probably tell; 0: enough")
    tried: list[LearnedChoice]
    metric: str | None = Field(description="name under which the library keeps it; None: none is kept")
    learned_by: str | None = Field(description="its declaration in text form")
    violated: int = Field(default=0, description="pairs still on the wrong side of their bound")
    sweeps: int = Field(default=0, description="times that all pairs were gone through")
    threshold: LearnedThreshold | None = Field(
        default=None, description="by the metric where it is better or kept, else as it was; needs enough of both kinds"
    )
    threshold_before: LearnedThreshold | None = Field(default=None, description="as it was, without the metric")
    threshold_after: LearnedThreshold | None = Field(default=None, description="by the metric")
    left_out: list[Message] = Field(description="a sentence for each pair, or kind of pairs, that does not count")
    seconds: float
    sure: bool = Field(default=False, description="the metric is better by more than chance")
    before: LearnedHeldOut | None = Field(default=None, description="as it was; None: too few pairs to judge by")
    after: LearnedHeldOut | None = Field(default=None, description="by the metric")
    contradictions: int = Field(default=0, description="pairs marked similar and different; neither mark is used")
    headline: Message = Field(default=NOTHING, description="what learning did, for people")
    details: list[Message] = Field(default_factory=list, description="figures, a few words each, to stand in one line")
    marks: bool = Field(default=True, description="learned from the library's marks; false: from pairs of a file")
