"""Results of commands on marks: what was marked, what a library has, and what a file held."""

from __future__ import annotations

from pydantic import Field

from twinlens.app.results import PhotographPath, Result
from twinlens.core.message import Message


class MarkStatus(Result):
    """One mark: two pictures, in no order, and the judgement."""

    id: int
    first: PhotographPath = Field(description="path: where it lies now, else where it lay when it was marked")
    second: PhotographPath
    first_id: int | None = Field(description="photograph that has the content; None: the library has none")
    second_id: int | None
    similar: bool = Field(description="false: different")
    origin: str = Field(description="where it was made: results, selection, group, folder:..., import:..., asked")
    created: str = Field(description="UTC")
    contradicted: bool = Field(description="the pair is marked the other way too; neither mark is used")
    missing: bool = Field(description="not both photographs are there and read; the mark waits for them")
    first_content: str = Field(description="SHA-256 of the file")
    second_content: str

    @property
    def contents(self) -> tuple[bytes, bytes]:
        """Hashes under which the thumbnails of both lie."""
        return bytes.fromhex(self.first_content), bytes.fromhex(self.second_content)


class MarkResult(Result):
    """The result of ``mark_pairs`` and ``marks import``."""

    added: list[MarkStatus]
    repeated: int = Field(default=0, description="pairs that were marked so before")
    contradicting: list[MarkStatus] = Field(
        default_factory=list, description="earlier marks that say the opposite; these and the new ones are not used"
    )
    refused: list[Message] = Field(default_factory=list, description="a sentence for each pair that is not marked")
    notes: list[Message] = Field(default_factory=list, description="what else is worth knowing")
    total: int = Field(description="marks that the library keeps now")


class MarksResult(Result):
    """The result of ``marks list``."""

    marks: list[MarkStatus] = Field(description="those that were asked for")
    total: int = Field(description="all marks of the library")
    similar: int
    different: int
    contradicted: int = Field(description="pairs that are marked both ways")
    missing: int = Field(description="marks that wait for a photograph")

    def counts(self) -> tuple[int, int, int, int, int]:
        """Return how many there are: all, similar, different, marked both ways, waiting."""
        return self.total, self.similar, self.different, self.contradicted, self.missing


NO_MARKS = MarksResult(marks=[], total=0, similar=0, different=0, contradicted=0, missing=0)
"""The result of a library without marks."""


class RemovedMarks(Result):
    """The result of ``marks remove``; removed marks can be restored."""

    removed: list[MarkStatus]
    refused: list[Message] = Field(default_factory=list, description="a sentence for each mark that there is not")
    total: int = Field(description="marks that the library keeps now")
    file: str | None = Field(default=None, description="into which the removed ones were written")


class MarksFileResult(Result):
    """The result of ``marks export``."""

    file: str
    marks: int
    bytes: int
