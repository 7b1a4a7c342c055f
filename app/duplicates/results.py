"""Results of ``duplicates``: groups of photographs that are one picture, or made from one, or one shot."""

from __future__ import annotations

from pydantic import Field

from app.results import Result
from core.message import NOTHING, Message


class DuplicateMember(Result):
    """One photograph of a group beside the one that is kept."""

    path: str
    id: int
    sort: str = Field(description="identical, same, edited, series or raw: what it is to the photograph ‘of’")
    of: int = Field(description="id of the photograph that is kept in its place, or beside it")
    differs: list[Message] = Field(description="how an edited version differs")
    goes: bool = Field(description="the rules propose to let it go")
    width: int
    height: int
    bytes: int = Field(description="of its file")
    format: str
    taken: str | None
    camera: str | None


class KeptPhotograph(Result):
    """The photograph that stands for a group."""

    path: str
    id: int
    width: int
    height: int
    bytes: int
    format: str
    taken: str | None
    camera: str | None


class DuplicateGroup(Result):
    """A photograph that is kept, and what belongs to it."""

    keeper: KeptPhotograph
    reason: Message = Field(default=NOTHING, description="why it is kept")
    undecided: bool = Field(description="there are copies, and nothing tells which to keep")
    members: list[DuplicateMember]


class DuplicatesResult(Result):
    """Result of ``duplicates``."""

    of: int = Field(description="photographs of the library")
    compared: int = Field(description="of them compared with all others for the first time")
    rules: str = Field(description="by which the kept ones were chosen, in text form")
    groups: list[DuplicateGroup] = Field(description="those that free most first")
    counts: dict[str, int] = Field(description="groups by the sort of their photographs")
    copies: int = Field(description="photographs that the rules propose to let go")
    bytes: int = Field(description="of their files")
    undecided: int = Field(description="groups in which nothing tells which copy to keep")
    seconds: float
