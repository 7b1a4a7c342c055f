"""What a grid of photographs needs to know: which there are, and how they look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.library import Library
from app.results import shown
from storage.filters import Filter
from storage.schema import State


@dataclass(frozen=True)
class Photograph:
    """One photograph of a grid.

    Attributes
    ----------
    id : int
    path : str
        For people.
    content_hash : bytes
        Under which its thumbnail lies.
    """

    id: int
    path: str
    content_hash: bytes


def photographs(library: Library, ids: Sequence[int] | None = None) -> list[Photograph]:
    """Give photographs that were read, in the order of the ids; by default all, by id."""
    with library.store.reading() as r:
        wanted = r.photographs.matching(Filter(states=(State.READY,))) if ids is None else ids
        rows = [row for row in r.photographs.by_id(wanted) if row.content_hash is not None]
        return [
            Photograph(row.id, shown(path), row.content_hash or b"")
            for row, path in zip(rows, library.paths(r, rows), strict=True)
        ]
