"""What ``advise`` gives: the indexes that were measured, the best of them, and the one that is proposed."""

from __future__ import annotations

from pydantic import Field

from app.results import Result


class AdvicePoint(Result):
    """One index that was measured, whether the library keeps it or not."""

    key: str = Field(description="descriptor · metric · method · search, in text form")
    descriptor: str
    metric: str = Field("", description="name or text form; empty for none")
    method: str = Field("", description="hash method; empty of exact search")
    search: str
    bits: int | None = None
    index: str = Field("", description="name of an index of the library that is this one")
    exact: bool = Field(False, description="nothing is hashed")
    photographs: int = Field(description="that were searched: all of the library, or a sample")
    questions: int = Field(description="it was asked")
    recall: float = Field(description="share of what is right by the truth that is among the first 10 answers")
    wrong: float | None = Field(None, description="share of what shall not match that is there nevertheless")
    overlap: float = Field(description="share of the exact first 10 that it finds")
    seconds: float = Field(description="a question, the median: encoding, finding and exact ranking")
    speed: str = Field(description="the class of that time, by which alone proposals are made")
    bytes_per_photograph: float = Field(description="that a search goes through: code and structure, else the vector")
    model_bytes: int = Field(0, description="what was learned")
    bytes: int = Field(description="of all photographs of the library, with what was learned")
    seconds_tenfold: float = Field(description="a question at ten times as many photographs, at most")
    bytes_tenfold: int
    frontier: bool = Field(False, description="no other has better recall, speed and bytes")

    @property
    def judged(self) -> float:
        """What it is judged by: what it finds less what it should not find."""
        return self.recall - (self.wrong or 0.0)


class AdviceResult(Result):
    """Of ``advise``."""

    truth: str = Field(description="edits, marks, pairs, or neighbours")
    meaning: str = Field(description="what counts as right, in words")
    photographs: int = Field(description="of the library")
    questions: int = Field(description="at most, of one index")
    seed: int
    time_limit: float
    seconds: float = Field(description="that it took")
    points: list[AdvicePoint] = Field(description="all that was measured, the best first")
    proposed: str = Field(description="key of the one that is proposed")
    present: str = Field("", description="key of the index that answers now; empty where it is not among the points")
    reasons: list[str] = Field(description="why, a sentence each")
    speeds: str = Field(description="the classes of time")
    tried: int
    not_tried: list[str] = Field(default_factory=list, description="what there was no time for, as text forms")
    refused: list[str] = Field(default_factory=list, description="what cannot be, and why")
    notes: list[str] = Field(default_factory=list)
    command: str = Field(description="that makes the index; empty where it is there")
    built: str = Field("", description="name of the index that was made of it")
    cancelled: bool = False

    def point(self) -> AdvicePoint:
        """Return the one that is proposed."""
        return next(one for one in self.points if one.key == self.proposed)

    def frontier(self) -> list[AdvicePoint]:
        """Return those that no other is better than."""
        return [one for one in self.points if one.frontier]
