"""Results of moving duplicates away and of bringing them back."""

from __future__ import annotations

from pydantic import Field

from app.results import Result
from core.message import Message


class LeftFile(Result):
    """A file that stays where it is, and why."""

    path: str
    reason: Message


class DisposalResult(Result):
    """Of moving photographs to the trash or to a folder."""

    run: int | None = Field(description="under which the log has them; none where nothing was to be moved")
    destination: str | None = Field(description="the folder; none for the trash")
    moved: int = Field(description="photographs")
    companions: int = Field(description="files that went with them")
    bytes: int = Field(description="of all that was moved")
    left: list[LeftFile]
    undoable: bool = Field(description="whether they can be brought back from here")
    cancelled: bool


class RestoreResult(Result):
    """Of bringing photographs back."""

    restored: int = Field(description="photographs")
    companions: int = Field(description="files that came back with them")
    left: list[LeftFile] = Field(description="those that stay where they are")
    cancelled: bool


class SettleResult(Result):
    """Of looking for what became of files that were being moved when the program was killed."""

    done: int = Field(description="that had moved")
    left: int = Field(description="that are where they were")
    waiting: int = Field(description="whose disk is not connected")
