"""The results of a search as rows of the grid: captions, headings, stacks of one series or picture.

Beside them stand the link that folds less similar results, and the pages in their place where there are none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from twinlens.app.gui.actions.declared_actions import window_actions
from twinlens.app.gui.look.buttons import Link
from twinlens.app.gui.look.labels import small
from twinlens.app.gui.look.page_parts import EmptyState
from twinlens.app.gui.photo_grid.grid_layout import Caption, GridSection
from twinlens.app.language.texts import _, _n, number, text
from twinlens.app.library.browsing.overview import ListingSection
from twinlens.app.search.search_results import HEADINGS, band_names
from twinlens.core.arrays import Int64Ids

if TYPE_CHECKING:
    from twinlens.app.library.browsing.photographs import Photograph
    from twinlens.app.search.search_results import (
        ConfidenceThreshold,
        GeometricCheck,
        MissedPhotograph,
        ResultPhotograph,
        SimilarityLevels,
    )


def match_words(points: int, mirrored: bool, inverted: bool, loud: bool = False) -> str:
    """Return a text such as "Same picture: 143 matching points, mirrored".

    Parameters
    ----------
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
    """A result with its photograph; ``missed`` if only exact search found it."""

    photograph: Photograph
    result: ResultPhotograph | MissedPhotograph
    rank: int
    missed: bool = False

    def spoken(self) -> str:
        """Return rank, name and similarity as text."""
        values = {"rank": self.rank, "name": self.photograph.name, "similarity": self.result.similarity}
        if self.missed:
            line = _("missed; {rank}: {name}, similarity {similarity:.2f}", **values)
        else:
            line = _("{rank}: {name}, similarity {similarity:.2f}", **values)
        check = self.check()
        if check is None or not check.confirmed or self.is_query:
            return line
        return f"{line}\n{match_words(check.inliers, check.mirrored, check.inverted)}"

    def check(self) -> GeometricCheck | None:
        """Return the comparison with the query, keypoint by keypoint; None where there was none."""
        return getattr(self.result, "check", None)

    def how_same(self) -> str:
        """Return how a match differs from the query: mirrored, in negative, or not at all."""
        check = self.check()
        if check is None or not check.confirmed or self.is_query:
            return ""
        return ", ".join([*[_("mirrored")] * check.mirrored, *[_("in negative")] * check.inverted])

    @property
    def stack(self) -> int | None:
        """Id of the first photograph of its stack; None where it stands alone.

        A match stands alone: copies are what one looks for.
        """
        found: int | None = getattr(self.result, "stack", None)
        return None if self.confirmed else found

    @property
    def is_query(self) -> bool:
        """Whether it is a photograph of the query."""
        return bool(getattr(self.result, "query", False))

    @property
    def confirmed(self) -> bool:
        """Whether it is a match, or a photograph of the query."""
        check = self.check()
        return self.is_query or (check is not None and check.confirmed)

    def is_alike(self, levels: SimilarityLevels) -> bool:
        """Return whether it is at least similar; a missed one never is."""
        return not self.missed and levels.of(cast("ResultPhotograph", self.result)) != "less similar"

    def how_alike(self, levels: SimilarityLevels | None) -> str:
        """Return the similarity as a word; empty where it has none."""
        if levels is None or self.missed:
            return number(self.result.similarity, ".2f")
        return "" if self.is_query else text(levels.words(cast("ResultPhotograph", self.result)))

    def is_sure(self, sure: ConfidenceThreshold) -> bool:
        """Return whether marks or the check make it certain; a missed one never is."""
        return not self.missed and sure.is_sure(cast("ResultPhotograph", self.result))


@dataclass(frozen=True, eq=False)
class ResultRows:
    """The rows of a grid: results in the order of their ranks, then missed ones; results beyond ``sure`` are quieter.

    Where similarities have words, these are the headings. ``stacks`` has what each stack hides by the id of its first
    photograph, nothing where it is open; captions ``in_detail`` show ranks and similarities, others names.
    """

    found: Sequence[FoundPhotograph]
    sure: ConfidenceThreshold | None = None
    levels: SimilarityLevels | None = None
    stacks: Mapping[int, Sequence[FoundPhotograph]] = field(default_factory=dict)
    in_detail: bool = False
    away: npt.NDArray[np.bool_] = field(init=False)
    ids: Int64Ids = field(init=False)
    hashes: npt.NDArray[np.uint8] = field(init=False)
    shelves: Sequence[GridSection] = field(init=False)
    _quiet: npt.NDArray[np.bool_] = field(init=False)
    _edge: int = field(init=False)

    def __post_init__(self) -> None:
        sure = self.sure
        quiet = [sure is not None and not (one.missed or one.is_query or one.is_sure(sure)) for one in self.found]
        shelves = [] if self.levels is None else _headings(self.found, self.levels, self.stacks)
        object.__setattr__(self, "shelves", shelves)
        object.__setattr__(self, "_quiet", np.array(quiet, np.bool_))
        object.__setattr__(self, "_edge", _edge(quiet, [one.missed for one in self.found]))
        hashes = b"".join(one.photograph.content_hash for one in self.found)
        object.__setattr__(self, "ids", np.array([one.photograph.id for one in self.found], np.int64))
        object.__setattr__(self, "hashes", np.frombuffer(hashes, np.uint8).reshape(-1, 32))
        object.__setattr__(self, "away", np.array([one.photograph.away for one in self.found], np.bool_))

    @property
    def count(self) -> int:
        """The number of photographs."""
        return len(self.found)

    def caption(self, row: int) -> Caption | None:
        """Return the name and how a match shows the query; in detail the rank and the similarity; and the bar."""
        one = self.found[row]
        return Caption(
            left=(_("query") if one.is_query else str(one.rank)) if self.in_detail else one.photograph.name,
            right=one.how_alike(self.levels) if self.in_detail else one.how_same(),
            share=max(0.0, min(1.0, one.result.similarity)),
            marked=one.is_query,
            ghost=one.missed,
            confirmed=one.confirmed,
            quiet=bool(self._quiet[row]),
            edge=row == self._edge,
            stack=self._stack_sign(one.photograph.id),
        )

    def _stack_sign(self, photograph_id: int) -> str:
        hidden = self.stacks.get(photograph_id)
        return "" if hidden is None else f"+{number(len(hidden))}" if hidden else "−"

    def spoken(self, row: int) -> str:
        """Return rank, name and similarity as text, and whether the result is less certain."""
        line = self.found[row].spoken()
        if not self._quiet[row]:
            return line
        return line + "\n" + _("less sure, as your marks say")


def _headings(
    found: Sequence[FoundPhotograph],
    levels: SimilarityLevels,
    stacks: Mapping[int, Sequence[FoundPhotograph]],
) -> list[ListingSection]:
    """Return the headings: the bands of the results, then "Missed".

    Each counts the results of its band, also those behind closed stacks, and never the query: as the line above does.
    """
    results = [one for one in found if not one.missed and not one.is_query]
    headings = _bands(results, levels)
    counts, there = Counter(headings), set(headings)
    for one, heading in zip(results, headings, strict=True):
        for hidden in stacks.get(one.photograph.id, ()):
            own = _bands((one, hidden), levels)[-1]
            counts[own if own in there else heading] += 1
    first = headings[0] if headings else _("Your photo")  # the query stands with the first, or alone
    missed = _missed_count(found)
    headings = [*[first] * (len(found) - len(results) - missed), *headings, *[_("Missed")] * missed]
    shelves: list[ListingSection] = []
    start = 0
    for heading, rows in groupby(headings):
        shelves.append(ListingSection(heading, start, sum(1 for _row in rows), stands_for=counts.get(heading)))
        start += shelves[-1].count
    return shelves


def _bands(results: Sequence[FoundPhotograph], levels: SimilarityLevels) -> list[str]:
    """Return the heading of the band of each result."""
    names = band_names(levels, [cast("ResultPhotograph", one.result) for one in results])
    return [text(levels.heading(name) if levels else HEADINGS[name]) for name in names]


def _photographs(found: Sequence[FoundPhotograph], stacks: Mapping[int, Sequence[FoundPhotograph]]) -> int:
    """Count results with those behind their stacks."""
    return sum(1 + len(stacks.get(one.photograph.id, ())) for one in found)


def _missed_count(found: Sequence[FoundPhotograph]) -> int:
    return sum(one.missed for one in found)


def _edge(quiet: list[bool], ghosts: list[bool]) -> int:
    """Return the row from which on all results are quiet, behind some that are not; -1 for none."""
    last = next((row for row in range(len(quiet) - 1, -1, -1) if not quiet[row] and not ghosts[row]), -1)
    first = last + 1
    there = 0 < first < len(quiet) and quiet[first]
    return first if there and not any(quiet[:first]) else -1


class ResultStacks:
    """The stacks among the results, and which of them are open."""

    def __init__(self) -> None:
        self._open: set[int] = set()

    def close(self) -> None:
        """Close all."""
        self._open = set()

    def toggle(self, stack: int) -> None:
        """Open a stack, or close it."""
        self._open ^= {stack}

    def visible(
        self, found: Sequence[FoundPhotograph]
    ) -> tuple[list[FoundPhotograph], dict[int, list[FoundPhotograph]]]:
        """Return the results, closed stacks as their first ones alone, and what each stack hides by its first id."""
        heads: dict[int, int] = {}
        for one in found:
            if one.stack is not None:
                heads.setdefault(one.stack, one.photograph.id)
        kept: list[FoundPhotograph] = []
        behind: dict[int, list[FoundPhotograph]] = {}
        for one in found:
            if one.stack is None or heads[one.stack] == one.photograph.id:
                kept.append(one)
                continue
            hidden = behind.setdefault(heads[one.stack], [])
            (kept if one.stack in self._open else hidden).append(one)
        return kept, behind


class LessSimilarLink(Link):
    """The link that shows or folds less similar results; hidden where nothing is folded."""

    def __init__(self) -> None:
        super().__init__("")
        self.setCheckable(True)
        self.setFont(small(self.font(), 0.9))
        self.hide()

    def fold(
        self,
        found: Sequence[FoundPhotograph],
        levels: SimilarityLevels | None,
        sure: ConfidenceThreshold | None,
        folds: bool,
        stacks: Mapping[int, Sequence[FoundPhotograph]],
    ) -> list[FoundPhotograph]:
        """Return the results without less similar ones behind the first dozen, where these are folded."""
        from twinlens.app.search.search_results import LEAST

        room = LEAST + sum(one.is_query for one in found)
        above = [
            one
            for place, one in enumerate(found)
            if place < room or levels is None or one.is_alike(levels) or (sure is not None and one.is_sure(sure))
        ]
        count = _photographs(found, stacks) - _photographs(above, stacks) if folds else 0
        words = _n("Show {count} less similar photo", "Show {count} less similar photos", count)
        self.setText(_("Hide what is less similar") if self.isChecked() else words)
        self.setAccessibleName(self.text())
        self.setVisible(count > 0)
        return above if folds and not self.isChecked() else list(found)


class ResultPages(QStackedWidget):
    """The pages in the place of the results: the grid, or why there are none; one is visible.

    Attributes
    ----------
    searching : EmptyState
        A search is under way.
    nothing, unconfirmed : EmptyState
        No result is in the range of similarities, or confirmed.
    unfit, gone : EmptyState
        No photograph passes the filters, or is there any more.
    """

    way_out_wanted = Signal()
    """The remedy of a refusal is wanted."""

    def __init__(self, grid: QWidget) -> None:
        super().__init__()
        self.grid = grid
        self.nothing = EmptyState(_("No results are this similar."), _("Show all results"))
        self.unfit = EmptyState(_("No photos pass these filters."), _("Show all"))
        self.gone = EmptyState(
            _("The photos of this search are missing."), _("Look for them"), window_actions()["rescan"].keys[0]
        )
        self.unconfirmed = EmptyState(_("No copies found, only similar photos."), _("Show all results"))
        self.searching = EmptyState(_("Searching…"))
        self._refusal: EmptyState | None = None
        for page in (grid, self.searching, self.nothing, self.unfit, self.gone, self.unconfirmed):
            self.addWidget(page)

    def refuse(self, sentence: str, way_out: str) -> None:
        """Show why there is no result, and what to do about it."""
        if self._refusal is not None:
            self.removeWidget(self._refusal)
            self._refusal.deleteLater()
        self._refusal = EmptyState(sentence, way_out)
        self._refusal.wanted.connect(self.way_out_wanted)
        self.addWidget(self._refusal)
        self.setCurrentWidget(self._refusal)

    def show_page(self, page: QWidget) -> None:
        """Show a page; it has the keys if the one before had them."""
        if page is self.currentWidget():
            return
        held = self.window().focusWidget()
        held_here = held is None or self.isAncestorOf(held)
        self.setCurrentWidget(page)
        if held_here and self.isVisible():
            page.setFocus(Qt.FocusReason.OtherFocusReason)
