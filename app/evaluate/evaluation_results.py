"""Results of ``evaluate``: how often edited copies find their photographs, by index and edit."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from app.results import Result
from core.message import Message


class EditFigures(Result):
    """One edit, or the mean over several, by one index."""

    edit: str
    questions: int = Field(description="edited copies used as queries")
    recall: dict[str, float] = Field(description="recall@R: share whose photograph is among the first R, by R")
    map: float = Field(description="mean average precision; of one right photograph, the mean of 1 / its rank")


class EvaluatedIndex(Result):
    """One column: an index, a descriptor measured exactly, or the yardstick."""

    name: str
    text: str = Field(description="descriptor · method · search, in text form")
    kind: Literal["index", "descriptor", "yardstick"]
    edits: list[EditFigures]
    further: list[EditFigures] = Field(default_factory=list, description="harder edits, which are in no mean")
    mean: EditFigures = Field(description="of the edits, each counting the same")
    seconds: float = Field(description="a question, on average; of indexes asked at once without reading the copy")


class EvaluateResult(Result):
    """Result of ``evaluate``."""

    truth: str = Field(description="edits: an edited copy is the question, its photograph the answer")
    photographs: int = Field(description="photographs drawn and edited")
    of: int = Field(description="photographs of different content that could have been drawn")
    library: int = Field(description="photographs searched")
    questions: int = Field(description="edited copies used as queries")
    depth: int = Field(description="a photograph that is not among the first so many counts as not found")
    seed: int
    check: bool | None = Field(description="whether hits were checked geometrically; None: as a search does")
    indexes: list[EvaluatedIndex] = Field(description="those that were asked for, then the yardstick")
    advice: list[Message] = Field(description="which index to trust for which edits, a sentence each")
    notes: list[Message] = Field(default_factory=list)
    seconds: float = Field(description="time taken")
    cancelled: bool = Field(default=False, description="stopped early; the figures are of the queries so far")


class KindFigures(Result):
    """One kind."""

    kind: str = Field(description="the folder, or one of the photographs that marks hold together")
    photographs: int = Field(description="different ones of this kind in the library")
    questions: int
    precision: dict[str, float] = Field(description="share of the first results that are of the kind, by index")


class KindsResult(Result):
    """Result of ``evaluate --truth folders`` and ``--truth marks``."""

    truth: Literal["folders", "marks"]
    first: int = Field(description="results looked at; of small kinds as many as there are others")
    questions: int = Field(description="photographs asked with")
    library: int = Field(description="photographs searched")
    indexes: list[str]
    kinds: list[KindFigures]
    precision: dict[str, float] = Field(description="mean over all questions, by index")
    seed: int
    check: bool | None = Field(description="whether hits were checked geometrically; None: as a search does")
    notes: list[Message] = Field(default_factory=list)
    seconds: float = Field(description="time taken")
    cancelled: bool = Field(default=False, description="stopped early; the figures are of the questions so far")
