"""Results of the demo, as ``--json`` writes them."""

from __future__ import annotations

from pydantic import Field

from app.results import Result
from app.search.results import SearchResult
from core.message import Message


class DemoCopies(Result):
    """Copies that were all spoiled in one way, in ``demo``."""

    name: Message = Field(description="how they were spoiled")
    of: int = Field(description="copies that were searched with")
    found: int = Field(description="of which the first result is the original photograph")
    found_by_hash: int = Field(description="of which the photograph of the nearest perceptual hash (64 bits) is")


class DemoResult(Result):
    """Of ``demo``."""

    photographs: int
    problems: int
    seconds: float = Field(description="that adding took")
    folder: str
    library: str
    sources: list[str] = Field(description="packages the photographs come from, with their licences")
    licences: str = Field(description="file that names author and licence of every photograph")
    notes: list[Message] = Field(description="what could not be fetched")
    sheet: str = Field(description="HTML file that shows everything below in pictures")
    copies: list[DemoCopies] = Field(description="searches with copies that were made on the spot")
    results: list[SearchResult] = Field(description="searches for things of the same kind")
