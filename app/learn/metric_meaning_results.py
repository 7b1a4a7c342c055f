"""Results of ``metric_meaning``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from app.results import Result
from core.message import Message

MeaningKind = Literal["colours", "parts", "centres", "directions"]


class Weighed(Result):
    """Something that differences are made of, and how much of them it makes."""

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
    """One centre of a vocabulary: differences of what is near it."""

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
        """All that is weighed, of whichever kind."""
        return [*self.colours, *self.parts, *self.centres, *self.directions]

    def photographs(self) -> list[int]:
        """Return those that are told of, each once."""
        told = [one.photographs for one in self.centres]
        told += [end for one in self.directions for end in (one.one_end, one.other_end)]
        return sorted({one for some in told for one in some})
