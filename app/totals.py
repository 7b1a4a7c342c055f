"""How much a library holds, counted fast enough to be asked again and again."""

from __future__ import annotations

from dataclasses import dataclass

from app.library import Library
from storage.schema import State


@dataclass(frozen=True)
class Totals:
    """Counts of a library.

    Attributes
    ----------
    photographs : int
        That were read, present or missing.
    problems : int
        Files that could not be read and were not set aside.
    folders : int
        That were added.
    """

    photographs: int
    problems: int
    folders: int


def totals(library: Library) -> Totals:
    """Count."""
    with library.store.reading() as r:
        counts = r.photographs.counts()
        return Totals(counts[State.READY] + counts[State.MISSING], r.problems.count(), len(r.folders.all()))
