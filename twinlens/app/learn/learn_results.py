"""Results of learning and of kept metrics, as ``--json`` writes them and the window shows them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from twinlens.app.results import Result
from twinlens.core.message import NOTHING, Message


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
    kept_index: str | None = Field(default=None, description="the index that was made, where bits were learned")
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


class MetricSwitch(Result):
    """The default index after a switch between metrics."""

    index: str
    metric: str | None = Field(description="by which it measures, where it measures by a kept one")
    before: str = Field(description="the index that answered before; go_back returns to it")
    waiting: int = Field(description="photographs that still lack a code: until they have it, answers are exact")
    sentence: Message
    note: Message = Field(default=NOTHING, description="what else is worth knowing; the sentence has it too")


class LearnedMetricUse(LearnResult):
    """The result of ``learn``, with the switch to the new metric if that was wanted."""

    switched: MetricSwitch | None = Field(description="None: search goes as before")


class JudgedMetric(Result):
    """One measure, judged by the present marks."""

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


MeaningKind = Literal["colours", "parts", "centres", "directions"]


class Weighed(Result):
    """A group of differences, with its share in distances."""

    factor: float = Field(description="share of the squared distance after over that before: 2 counts twice as much")
    before: float = Field(description="share of the squared distance of photographs drawn by chance, as it was")
    after: float = Field(description="the same by the metric")


class WeighedColour(Weighed):
    """One colour."""

    rgb: tuple[int, int, int] = Field(description="sRGB, 0 to 255")


class WeighedPart(Weighed):
    """One part of a fusion."""

    name: Message = Field(description="what it compares, in plain words")
    descriptor: str


class WeighedCentre(Weighed):
    """One centre of a vocabulary, with the differences of local features near it."""

    number: int = Field(description="from 0")
    photographs: list[int] = Field(description="those in which most falls to it, of a sample")


class WeighedDirection(Weighed):
    """One direction, as a scale from one end to the other."""

    one_end: list[int] = Field(description="photographs, the farthest first")
    other_end: list[int]


class MetricMeaning(Result):
    """The result of ``metric_meaning``. Lists that do not apply are empty; each has the largest factor first."""

    kind: MeaningKind
    sentence: Message
    colours: list[WeighedColour] = Field(default_factory=list)
    parts: list[WeighedPart] = Field(default_factory=list)
    centres: list[WeighedCentre] = Field(default_factory=list)
    directions: list[WeighedDirection] = Field(default_factory=list)
    pairs: int = Field(description="drawn by chance, that shares were measured on")

    @property
    def weighed(self) -> list[Weighed]:
        """All weighed groups, of any kind."""
        return [*self.colours, *self.parts, *self.centres, *self.directions]

    def photographs(self) -> list[int]:
        """Return the photographs that illustrate weights, each once."""
        sizes = [one.photographs for one in self.centres]
        sizes += [end for one in self.directions for end in (one.one_end, one.other_end)]
        return sorted({one for some in sizes for one in some})


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


Reason = Literal["first", "unsure", "disagree"]


class OfferedPair(Result):
    """Two photographs for a person to judge as similar or different."""

    first_id: int
    second_id: int
    first: str = Field(description="path")
    second: str
    first_content: str = Field(description="SHA-256 of the file")
    second_content: str
    why: Reason = Field(
        description="first: to begin with; unsure: neither near nor far; disagree: it was near and is far by what was "
        "learned, or the other way"
    )
    reason: Message = Field(description="the same, for people")
    distance: float = Field(description="as things are")
    learned_distance: float | None = Field(description="by the metric; None where there is none")
    usefulness: float = Field(description="the larger the more its mark would teach")

    @property
    def ids(self) -> tuple[int, int]:
        """Its photographs, the smaller first, so that both orders are one pair."""
        return min(self.first_id, self.second_id), max(self.first_id, self.second_id)

    @property
    def contents(self) -> tuple[bytes, bytes]:
        """Hashes under which the thumbnails of both are stored."""
        return bytes.fromhex(self.first_content), bytes.fromhex(self.second_content)


class OfferResult(Result):
    """The result of ``offer``."""

    index: str
    pairs: list[OfferedPair] = Field(description="the most useful first, no photograph twice")
    considered: int = Field(description="pairs among which these were chosen")
    seconds: float
