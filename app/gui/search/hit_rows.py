"""Rows for the grid: the hits of a search, and what is said of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from app.gui.photo_grid.grid_rows import Caption, Section
from app.language.spoken import _, _n, number, text

if TYPE_CHECKING:
    from app.library.browsing import Photograph
    from app.results import GeometricCheck, Hit, Likeness, Missed, SureDistance

Ids = npt.NDArray[np.int64]


def match_words(points: int, mirrored: bool, inverted: bool, loud: bool = False) -> str:
    """Return a text such as "Same picture: 143 matching points, mirrored".

    Parameters
    ----------
    points : int
    mirrored, inverted : bool
    loud : bool
        Whether to write the number between two pairs of stars, which stand for bold.
    """
    shown = f"**{number(points)}**" if loud else number(points)
    words = _n("Same picture: {points} matching point", "Same picture: {points} matching points", points, points=shown)
    if mirrored:
        words += ", " + _("mirrored")
    if inverted:
        words += ", " + _("in negative")
    return words


@dataclass(frozen=True)
class FoundPhotograph:
    """A hit, or what exact search found besides."""

    photograph: Photograph
    hit: Hit | Missed
    rank: int
    ghost: bool = False

    def spoken(self) -> str:
        """Say rank, name and similarity."""
        words = {"rank": self.rank, "name": self.photograph.name, "similarity": self.hit.similarity}
        if self.ghost:
            said = _("missed; {rank}: {name}, similarity {similarity:.2f}", **words)
        else:
            said = _("{rank}: {name}, similarity {similarity:.2f}", **words)
        check = self.check()
        if check is None or not check.confirmed or self.asked:
            return said
        return f"{said}\n{match_words(check.inliers, check.mirrored, check.inverted)}"

    def check(self) -> GeometricCheck | None:
        """Return what was found out about whether it shows the same; None where that was not looked at."""
        return getattr(self.hit, "check", None)

    @property
    def asked(self) -> bool:
        """Whether it is what was asked with."""
        return bool(getattr(self.hit, "query", False))

    @property
    def confirmed(self) -> bool:
        """Whether it is confirmed to show the same, or is what was asked with itself."""
        check = self.check()
        return self.asked or (check is not None and check.confirmed)

    def is_alike(self, likeness: Likeness) -> bool:
        """Return whether it is similar at least; what was only missed never is."""
        return not self.ghost and likeness.of(cast("Hit", self.hit)) != "less similar"

    def how_alike(self, likeness: Likeness | None) -> str:
        """Say how alike it is, in words where its similarity has some; nothing where it is less similar."""
        if likeness is None or self.ghost:
            return number(self.hit.similarity, ".2f")
        return "" if self.asked else text(likeness.words(cast("Hit", self.hit)))

    def is_sure(self, sure: SureDistance) -> bool:
        """Return whether marks or the check make it sure; what was only missed never is."""
        return not self.ghost and sure.is_sure(cast("Hit", self.hit))


@dataclass(frozen=True, eq=False)
class HitRows:
    """Hits in the order of their ranks, and behind them what was missed; those below the line are quieter."""

    found: Sequence[FoundPhotograph]
    sure: SureDistance | None = None
    likeness: Likeness | None = None
    away: npt.NDArray[np.bool_] = field(init=False)
    ids: Ids = field(init=False)
    hashes: npt.NDArray[np.uint8] = field(init=False)
    shelves: Sequence[Section] = ()
    _quiet: npt.NDArray[np.bool_] = field(init=False)
    _edge: int = field(init=False)

    def __post_init__(self) -> None:
        quiet = [not (one.ghost or one.asked or self._is_near(one)) for one in self.found]
        object.__setattr__(self, "_quiet", np.array(quiet, np.bool_))
        object.__setattr__(self, "_edge", _edge(quiet, [one.ghost for one in self.found]))
        hashes = b"".join(one.photograph.content_hash for one in self.found)
        object.__setattr__(self, "ids", np.array([one.photograph.id for one in self.found], np.int64))
        object.__setattr__(self, "hashes", np.frombuffer(hashes, np.uint8).reshape(-1, 32))
        object.__setattr__(self, "away", np.array([one.photograph.away for one in self.found], np.bool_))

    def _is_near(self, one: FoundPhotograph) -> bool:
        """Return whether a hit stands above the line: by marks where there are enough, otherwise by how alike it is."""
        if self.sure is not None:
            return one.is_sure(self.sure)
        return self.likeness is None or one.is_alike(self.likeness)

    @property
    def count(self) -> int:
        """How many photographs."""
        return len(self.found)

    def caption(self, row: int) -> Caption | None:
        """Return rank, how alike it is, and the bar of its similarity."""
        one = self.found[row]
        left = _("asked") if one.asked else str(one.rank)
        share = max(0.0, min(1.0, one.hit.similarity))
        quiet = bool(self._quiet[row])
        return Caption(
            left, one.how_alike(self.likeness), share, one.asked, one.ghost, one.confirmed, quiet, row == self._edge
        )

    def spoken(self, row: int) -> str:
        """Say rank, name and similarity, and whether it is less sure."""
        said = self.found[row].spoken()
        if not self._quiet[row]:
            return said
        return said + "\n" + (_("less similar") if self.sure is None else _("less sure, as your marks say"))


def _edge(quiet: list[bool], ghosts: list[bool]) -> int:
    """Return the row from which on all hits are quiet, behind some that are not; -1 for none."""
    last = next((row for row in range(len(quiet) - 1, -1, -1) if not quiet[row] and not ghosts[row]), -1)
    first = last + 1
    there = 0 < first < len(quiet) and quiet[first]
    return first if there and not any(quiet[:first]) else -1
