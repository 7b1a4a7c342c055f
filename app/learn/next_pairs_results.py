"""Results of ``offer``: pairs whose marks would teach most."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from app.results import Result
from core.message import Message

Reason = Literal["first", "unsure", "disagree"]


class OfferedPair(Result):
    """Two photographs of which a person should say whether they are alike."""

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
        """Hashes under which the thumbnails of both lie."""
        return bytes.fromhex(self.first_content), bytes.fromhex(self.second_content)


class OfferResult(Result):
    """The result of ``offer``."""

    index: str
    pairs: list[OfferedPair] = Field(description="the most useful first, no photograph twice")
    considered: int = Field(description="pairs among which these were chosen")
    seconds: float
