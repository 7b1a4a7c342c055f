"""The indexes that an evaluation asks: those that are named, else all that can answer."""

from __future__ import annotations

from collections.abc import Sequence

from app.indexes.loaded_index import LoadedIndex
from app.indexes.usable import usable_indexes
from app.search.scope import Moment
from app.search.searcher import Searcher
from core.errors import Remedy, TwinlensError
from core.message import Message


def asked_indexes(searcher: Searcher, moment: Moment, named: Sequence[str]) -> tuple[list[LoadedIndex], list[Message]]:
    """Return the indexes to ask, each once, and a note about each unnamed one that cannot answer.

    Raises
    ------
    TwinlensError
        If a named one is not there or cannot answer.
    """
    found, notes = [], []
    for name in dict.fromkeys(named or [row.name for row in usable_indexes(moment.r)]):
        try:
            found.append(searcher.index(moment, name))
        except TwinlensError as error:
            if named:
                raise
            notes.append(error.whole)
    return found, notes


def no_index() -> TwinlensError:
    """Return the error of a library of which no index can answer."""
    return TwinlensError(Message("No index has photos yet."), Remedy("add folder"))
