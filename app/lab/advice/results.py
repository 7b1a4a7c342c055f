"""Results of ``advise``: the measured indexes, and the one proposed."""

from __future__ import annotations

from pydantic import Field

from app.results import Result
from core.message import NOTHING, Message


class IndexParts(Result):
    """The declarations of one index, whether the library has it or not."""

    key: str = Field(description="descriptor · metric · method · search, in text form")
    descriptor: str
    metric: str = Field("", description="name or text form; empty for none")
    method: str = Field("", description="hash method; empty for exact search")
    search: str


class AdvicePoint(IndexParts):
    """One measured index."""

    bits: int | None = None
    index: str = Field("", description="name of the library's index with these declarations; empty for none")
    exact: bool = Field(False, description="searched without hash codes")
    photographs: int = Field(description="photographs searched: the whole library or a sample")
    questions: int = Field(description="queries asked")
    recall: float = Field(description="share of the right photographs among the first 10 results")
    precision: float | None = Field(
        None, description="share of right photographs among the first 10 results, or among as many as there can be"
    )
    wrong: float | None = Field(None, description="share of the wrong photographs among the first 10 results")
    overlap: float = Field(description="share of the exact first 10 found")
    seconds: float = Field(description="median time of a query: encoding, finding and exact ranking")
    speed: str = Field(description="class of that time, the only measure of speed in proposals")
    bytes_per_photograph: float = Field(description="bytes read per photograph: code and structure, or the vector")
    model_bytes: int = Field(0, description="size of the learned model")
    bytes: int = Field(description="size for the whole library, model included")
    seconds_tenfold: float = Field(description="most time of a query with ten times as many photographs")
    bytes_tenfold: int
    frontier: bool = Field(False, description="no other index is better in recall, speed and size at once")

    @property
    def judged(self) -> float:
        """Recall less the share of wrong photographs."""
        return self.recall - (self.wrong or 0.0)


class AdviceResult(Result):
    """The result of ``advise``."""

    truth: str = Field(description="edits, marks, pairs, or neighbours")
    meaning: Message = Field(description="meaning of a right result")
    photographs: int = Field(description="of the library")
    questions: int = Field(description="most queries asked of one index")
    seed: int
    time_limit: float
    seconds: float = Field(description="time taken")
    points: list[AdvicePoint] = Field(description="all measured indexes, the best first")
    peers: list[AdvicePoint] = Field(
        default_factory=list, description="indexes of other programs, to compare with; none of them is proposed"
    )
    proposed: str = Field(description="key of the proposed index")
    present: str = Field("", description="key of the library's default index; empty if it was not measured")
    reasons: list[Message] = Field(description="reasons for the proposal, a sentence each")
    existing: Message = Field(NOTHING, description="an index of the library that is as good; empty for none")
    speeds: Message = Field(description="meaning of the classes of time")
    tried: int
    not_tried: list[IndexParts] = Field(default_factory=list, description="indexes there was no time for")
    refused: list[Message] = Field(default_factory=list, description="indexes that cannot be made, and why")
    notes: list[Message] = Field(default_factory=list)
    command: str = Field(description="command that creates the index; empty if the library has it")
    built: str = Field("", description="name of the index created by --build")
    cancelled: bool = False

    def point(self) -> AdvicePoint:
        """Return the proposed index."""
        return next(one for one in self.points if one.key == self.proposed)
