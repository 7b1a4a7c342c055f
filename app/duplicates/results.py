"""Results of ``duplicates``: groups of photographs that are the same, or nearly."""

from __future__ import annotations

from pydantic import Field

from app.results import Result, SureDistance


class Duplicate(Result):
    """One photograph of a group of duplicates."""

    path: str
    id: int
    similarity: float = Field(description="to the first of the group")
    width: int | None
    height: int | None
    bytes: int = Field(description="of its file")


class DuplicateGroup(Result):
    """A group in which each photograph is similar to another; the one with the most pixels first."""

    photographs: list[Duplicate]


class DuplicatesResult(Result):
    """Result of ``duplicates``."""

    index: str
    similarity: float = Field(description="from which two photographs count as the same")
    threshold: SureDistance | None = Field(
        default=None, description="from which the similarity was chosen, if marks did"
    )
    of: int = Field(description="photographs in the index")
    groups: list[DuplicateGroup] = Field(description="the largest first")
    superfluous: int = Field(description="photographs beside the first of each group")
    bytes: int = Field(description="of their files")
