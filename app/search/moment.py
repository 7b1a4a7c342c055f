"""The library at one moment of a search."""

from __future__ import annotations

from dataclasses import dataclass

from storage.library.transaction import Transaction


@dataclass(frozen=True)
class Moment:
    """The library at one moment.

    Attributes
    ----------
    r : Transaction
    version : int or None
        Equal at two moments if nothing changed in between; None while something is changing, or if it is unknown.
    """

    r: Transaction
    version: int | None = None
