"""What ``duplicates`` gives: groups of photographs that are the same, or nearly."""

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
    """Photographs of which each is like another of the group; the one with the most pixels first."""

    photographs: list[Duplicate]


class DuplicatesResult(Result):
    """Of ``duplicates``."""

    index: str
    similarity: float = Field(description="from which two photographs count as the same")
    threshold: SureDistance | None = Field(default=None, description="by which it was chosen, where marks did")
    of: int = Field(description="photographs in the index")
    groups: list[DuplicateGroup] = Field(description="the largest first")
    superfluous: int = Field(description="photographs beside the first of each group")
    bytes: int = Field(description="of their files")
