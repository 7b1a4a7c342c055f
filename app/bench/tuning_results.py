"""Results of ``tune``: the proposed declaration and all trials."""

from __future__ import annotations

from pydantic import Field

from app.results import Result
from core.message import NOTHING, Message


class TuneData(Result):
    """Data of a search for good parameters."""

    base: str = Field(description="file of the vectors, or descriptor of the library")
    n: int = Field(description="vectors including held-out queries")
    d: int
    left_out: int = Field(description="all-zero vectors, and vectors beyond the sample")
    queries: int = Field(description="queries held out of each split")
    truth: str = Field(description="truth by which the true neighbours were found")
    seed: int = Field(description="split i is drawn from seed + i; candidates are drawn from seed")


class TuneTrial(Result):
    """Figures of one declaration on the most vectors it was tried on."""

    method: str
    bits: int
    default: bool = Field(description="the requested declaration, except for the bits")
    items: int = Field(description="searched vectors")
    splits: list[int] = Field(description="measured splits; empty if it could not be measured")
    recall: dict[str, float] = Field(description="recall@R of the ranking by Hamming distance, by R")
    spread: dict[str, float] = Field(description="standard deviation over the splits")
    encode_seconds: float = Field(description="time to encode all searched vectors")
    query_seconds: float = Field(description="time of a query: encoding, search and exact ranking")
    fit_seconds: float
    code_bytes: float = Field(description="bytes per vector")
    model_bytes: int
    best_for: list[str] = Field(description="costs (bytes, seconds) for which no other has better recall")
    refused: Message = Field(NOTHING, description="why it could not be measured")


class TuneResult(Result):
    """Result of ``tune``."""

    data: TuneData
    tried: list[TuneTrial]
    trials: int = Field(description="number of measurements")
    budget: Message = Field(description="limit of time or trials")
    seconds: float = Field(description="time taken")
    chosen: str = Field(description="proposed declaration")
    reason: Message
    recall: float = Field(description="its recall@10")
    default: str = Field(description="requested declaration with as many bits; empty if not measured")
    default_recall: float | None
    command: str = Field(description="command that uses the proposal")
    notes: list[Message] = Field(default_factory=list)
    cancelled: bool = Field(default=False, description="stopped early; the proposal rests on the trials so far")
