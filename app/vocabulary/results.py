"""Results of the commands of ``vocabulary``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from app.results import Result
from core.message import Message


class EditChange(Result):
    """Share of the copies of one edit that find their photograph first."""

    edit: str
    present: float = Field(description="recall@1 with the vocabulary that was in use")
    new: float = Field(description="recall@1 with the new one")


class VocabularyQuality(Result):
    """Effect of a vocabulary, measured on photographs that it was not learned from."""

    photographs: int = Field(description="that were edited and searched with")
    questions: int = Field(description="edited copies of them")
    among: int = Field(description="photographs that could have been found")
    present: float = Field(description="recall@1 with the vocabulary that was in use")
    present_interval: tuple[float, float] = Field(description="95 % confidence")
    new: float = Field(description="recall@1 with the new one")
    new_interval: tuple[float, float] = Field(description="95 % confidence")
    difference_interval: tuple[float, float] = Field(description="95 % confidence, of new - present, in pairs")
    edits: list[EditChange]
    sentence: Message


class VocabularyStatus(Result):
    """One vocabulary: the ready-made one, or one of the library's own."""

    name: str = Field(description="ready-made, or the number of an own one")
    state: Literal["in use", "learned", "being adopted", "dropped"]
    descriptor: str = Field(description="in text form")
    learned: str | None = Field(default=None, description="when; None: it is ready-made")
    photographs: int | None = Field(default=None, description="of the library at that time")
    sample: int | None = Field(default=None, description="photographs that it was learned from")
    quality: VocabularyQuality | None = Field(default=None, description="None: not measured yet")


class VocabularyListResult(Result):
    """Result of the commands of ``vocabulary``."""

    vocabularies: list[VocabularyStatus]
    notice: Message | None = Field(default=None, description="the next step worth taking; None: nothing")
