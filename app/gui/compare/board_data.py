"""Plain data of the compare view: columns, pictures and their ranks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from app.language.spoken import _, number

if TYPE_CHECKING:
    from app.compare.results import ColumnStanding, ComparedColumn


@dataclass(frozen=True)
class RankedTile:
    """One picture of a column; outlined where exact search does not have it among its first.

    Attributes
    ----------
    id : int
    content : bytes
    name : str
    rank : int
        Among the hits, from 1; of a ghost in the exact answer.
    ghost : bool
        It was missed.
    agrees : bool or None
        Exact search has it among its first, too; None while that is not known.
    asked : bool
        It is what was asked with.
    true_rank : int or None
    """

    id: int
    content: bytes
    name: str
    rank: int
    ghost: bool = False
    agrees: bool | None = None
    asked: bool = False
    true_rank: int | None = None

    @property
    def captions(self) -> tuple[str, ...]:
        """Its rank."""
        if self.ghost:
            return _("missed, true rank {rank}", rank=self.rank), _("true {rank}", rank=self.rank)
        return (_("query") if self.asked else number(self.rank),)

    @property
    def aside(self) -> str:
        """Its true rank, where it is none of the first."""
        differs = self.agrees is False and self.true_rank is not None
        return _("true rank {rank}", rank=self.true_rank) if differs else ""

    @property
    def outline(self) -> str:
        """The accent where exact search does not have it."""
        return "accent" if self.agrees is False else ""

    def spoken(self) -> str:
        """Return the text for screen readers."""
        if self.ghost:
            return _("Missed: {name}, true rank {rank}", name=self.name, rank=self.rank)
        words = _("{rank}: {name}", rank=self.rank, name=self.name)
        if self.asked:
            return words + _(", your photo")
        if self.agrees:
            return words + _(", also found by exact search")
        if self.true_rank is not None:
            return words + _(", true rank {rank}", rank=self.true_rank)
        return words


def _no_code(photograph_id: int) -> None:
    return None


@dataclass(frozen=True, eq=False)
class ShownColumn:
    """One column.

    Attributes
    ----------
    title, text, short : str
        Its heading, exactly what it is, and that in plain words.
    one : ComparedColumn or None
        Its answer; None while there is none.
    tiles : sequence of RankedTile
        Hits, and after them what was missed.
    standings : mapping of int to Standing
        By photograph; empty while these are not known.
    differ : function of int
        Says which bits of a photograph's code differ; None where it has none.
    changed, pinned : bool
    waits : str
        What it waits for; empty where it does not.
    done : float
        How much of that is done, from 0 to 1.
    fault : str
        Why there is none.
    """

    title: str
    text: str
    short: str
    one: ComparedColumn | None = None
    tiles: Sequence[RankedTile] = ()
    standings: Mapping[int, ColumnStanding] = field(default_factory=dict)
    differ: Callable[[int], npt.NDArray[np.bool_] | None] = _no_code
    changed: bool = False
    pinned: bool = False
    waits: str = ""
    done: float = 0.0
    fault: str = ""

    def place_of(self, photograph_id: int) -> int:
        """Return the place of a photograph among the tiles; -1 if it is not there."""
        return next((place for place, tile in enumerate(self.tiles) if tile.id == photograph_id), -1)
