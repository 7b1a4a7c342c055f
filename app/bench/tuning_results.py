"""What ``tune`` gives: the declaration that is advised, and all that was tried."""

from __future__ import annotations

from pydantic import Field

from app.results import Result


class TuneData(Result):
    """What a search for good parameters was made on."""

    base: str = Field(description="file of the vectors, or the descriptor in the library")
    n: int = Field(description="vectors, held-out queries among them")
    d: int
    left_out: int = Field(description="vectors that are zero throughout, or beyond as many as are looked at")
    queries: int = Field(description="held out in each split: neither searched nor learned from")
    truth: str = Field(description="by which the true neighbours were found")
    seed: int = Field(description="split i is drawn from seed + i; candidates are drawn from seed")


class TuneTrial(Result):
    """One declaration that was tried, on the most vectors that it was tried on."""

    method: str
    bits: int
    default: bool = Field(description="as it was asked for, but for the bits")
    items: int = Field(description="vectors that were searched")
    splits: list[int] = Field(description="that it was measured with; empty if it could not be measured")
    recall: dict[str, float] = Field(description="recall@R of the ranking by Hamming distance, by R")
    spread: dict[str, float] = Field(description="standard deviation over the splits")
    encode_seconds: float = Field(description="of everything that is searched")
    query_seconds: float = Field(description="to encode and to search, with the exact ranking of the candidates")
    fit_seconds: float
    code_bytes: float = Field(description="a vector")
    model_bytes: int
    best_for: list[str] = Field(description="bytes, seconds: nothing has better recall for as few")
    refused: str = Field("", description="why it could not be measured")


class TuneResult(Result):
    """Of ``tune``."""

    data: TuneData
    tried: list[TuneTrial]
    trials: int = Field(description="measurements in all")
    budget: str = Field(description="what was allowed")
    seconds: float = Field(description="that it took")
    chosen: str = Field(description="the declaration that is advised")
    reason: str
    recall: float = Field(description="recall@10 of it")
    default: str = Field(description="the declaration that was asked for, with as many bits; empty if not measured")
    default_recall: float | None
    command: str = Field(description="ready to be run")
    notes: list[str] = Field(default_factory=list)
    cancelled: bool = Field(default=False, description="stopped before the end; the answer is from what was tried")
