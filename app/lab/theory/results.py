"""Results of theory: figures, and the numbers of their sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import Field

from app.lab.figures.figure import Figure, document, sentences
from app.lab.theory.answers import answer, short_sentence
from app.results import Result
from core.message import Message


class TheoryResult(Result):
    """One kind of theory, for programs."""

    kind: str
    answer: Message = Field(description="what was found, in sentences")
    declaration: str = Field(description="what was looked at: text form of a method or a kernel, or name of a metric")
    sample: Message = Field(description="which vectors, and how many of how many")
    seed: int
    numbers: dict[str, float | None] = Field(description="what the sentences say; null where there is no such number")
    figures: list[dict[str, Any]] = Field(description="each with its axes, series, markers and sentences")


@dataclass(frozen=True)
class Theory:
    """One kind of theory, drawn over what was measured.

    Attributes
    ----------
    kind : str
        Of `app.lab.theory.theory.KINDS`.
    declaration : str
    sample : Message
        A sentence.
    seed : int
    figures : sequence of Figure
        The most telling first.
    numbers : mapping of str to float
        NaN for what there is not.
    """

    kind: str
    declaration: str
    sample: Message
    seed: int
    figures: Sequence[Figure]
    numbers: dict[str, float]

    @property
    def answer(self) -> Message:
        """The answer in sentences."""
        return answer(self.kind, self.numbers)

    @property
    def short_answer(self) -> Message:
        """The answer in a few words."""
        return short_sentence(self.kind, self.numbers)

    def result(self) -> TheoryResult:
        """Return it for programs."""
        numbers = {name: value if value == value else None for name, value in self.numbers.items()}  # noqa: PLR0124
        return TheoryResult(
            kind=self.kind,
            answer=self.answer,
            declaration=self.declaration,
            sample=self.sample,
            seed=self.seed,
            numbers=numbers,
            figures=[document(one) for one in self.figures],
        )

    def with_sample(self) -> Theory:
        """Return it with the sample below every figure."""
        figures = [replace(one, note=sentences([one.note, self.sample])) for one in self.figures]
        return replace(self, figures=figures)
