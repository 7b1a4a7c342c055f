"""Controller of the pairs of the Advice page: found photographs, marks, dropped files, and undo."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.gui.lab.advice.pair_list import PhotographPair
from app.gui.lab.advice.pairs_panel import PairsPanel
from app.gui.library.listing_rows import ListingRows
from app.gui.pictures.picture_feed import PictureFeed
from app.lab.advice.questions import NamedPairs
from app.language.spoken import _, _n
from core.progress import Progress

if TYPE_CHECKING:
    from app.gui.frame.window import WorkspaceServices
    from app.library.browsing import Photograph, PhotoListing
    from app.library.library import Library

MOST_PAIRS = 200
"""Pairs that are taken from marks: more measure no better, and take longer."""


class PairsControl(QObject):
    """Keeps the pairs.

    Parameters
    ----------
    panel : PairsPanel
    window : Window
    parent : QObject
    """

    changed = Signal()

    def __init__(self, panel: PairsPanel, window: WorkspaceServices, parent: QObject) -> None:
        super().__init__(parent)
        self._panel, self._window, self._opened, self._jobs = panel, window, window.opened, window.jobs
        self._looking = self._jobs.latest()
        self._listing = self._jobs.latest()
        self.pairs: list[PhotographPair] = []
        self._feed = PictureFeed(panel.grid.pictures, window.opened, window.jobs)
        self._pictures = PictureFeed(panel.thumbnails, window.opened, window.jobs)
        panel.chosen.connect(lambda ids, match: self._look_up([(ids[0], ids[1], match)]))
        panel.dropped.connect(self._on_dropped)
        panel.removed.connect(self.remove)
        panel.marks_wanted.connect(self.take_marks)
        panel.photographs_wanted.connect(self._list)
        panel.refused.connect(window.status.show_message)

    def restore(self, kept: object) -> None:
        """Show the pairs that were remembered."""
        triples = kept if isinstance(kept, list) else []
        found = [
            (a, b, bool(match)) for one in triples if isinstance(one, list) and len(one) == 3 for a, b, match in [one]
        ]
        if found:
            self._look_up(found, quietly=True)

    def state(self) -> list[list[Any]]:
        """Return what is remembered."""
        return [[one.first.id, one.second.id, one.match] for one in self.pairs]

    def named(self) -> NamedPairs:
        """Return the pairs as advice is asked with them."""
        match, differ = (
            [(one.first.id, one.second.id) for one in self.pairs if one.match is is_] for is_ in (True, False)
        )
        return NamedPairs(tuple(match), tuple(differ))

    def remove(self, pair: PhotographPair) -> None:
        """Remove a pair; it can be undone."""
        before = self.pairs
        self._show([one for one in before if one != pair])
        self._window.undoing.offer(_("Pair removed."), lambda: self._show(before))

    def add(self, pairs: Sequence[PhotographPair]) -> int:
        """Add pairs; one that is there is said anew. Gives how many are new."""
        by = {one.ids: one for one in self.pairs}
        known = len(by)
        by |= {one.ids: one for one in pairs if one.first.id != one.second.id}
        self._show(list(by.values()))
        return len(by) - known

    def take_marks(self) -> None:
        """Take the pairs that are marked, the newest first; pairs that are marked both ways say nothing."""
        opened = self._opened

        def work(__: Progress) -> list[PhotographPair]:
            from app.marks.marks import list_marks

            usable = [one for one in reversed(list_marks(opened.library).marks) if not one.contradicted]
            ids = [(one.first_id, one.second_id, one.similar) for one in usable if not one.missing]
            return _pairs(opened.library, ids[:MOST_PAIRS])

        def then(found: list[PhotographPair]) -> None:
            before = self.pairs
            if not found:
                words = _("You have no marks yet. Press S or D on search results, or choose photos here.")
                self._window.status.show_message(words)
            elif self.add(found):
                words = _n(
                    "{count} pair taken from your marks.",
                    "{count} pairs taken from your marks.",
                    len(self.pairs) - len(before),
                )
                self._window.undoing.offer(words, lambda: self._show(before))
            else:
                self._window.status.show_message(_("All your marks are in the list already."))

        self._looking.begin(work).then(then)

    def _on_dropped(self, paths: list[str], match: bool) -> None:
        if len(paths) < 2 or len(paths) % 2:
            self._window.status.show_message(_("Drop two photos at a time."))
            return
        files = [Path(one) for one in paths]
        self._look_up([(files[n], files[n + 1], match) for n in range(0, len(files), 2)])

    def _look_up(self, wanted: Sequence[tuple[int | Path, int | Path, bool]], quietly: bool = False) -> None:
        opened = self._opened

        def work(__: Progress) -> tuple[list[PhotographPair], str]:
            from app.lab.advice.questions import find_pairs

            ids, fault = find_pairs(opened.library, wanted)
            return _pairs(opened.library, ids), fault

        def then(found: tuple[list[PhotographPair], str]) -> None:
            before, (pairs, fault) = self.pairs, found
            self.add(pairs)
            if fault and not quietly:
                self._window.status.show_message(fault)
            elif pairs and not quietly:
                self._window.undoing.offer(_("Pair added."), lambda: self._show(before))

        self._looking.begin(work).then(then)

    def _show(self, pairs: list[PhotographPair]) -> None:
        self.pairs = list(pairs)
        self._panel.show_pairs(self.pairs)
        self.changed.emit()

    # --- pictures ----------------------------------------------------------------------------------------------------

    def _list(self, words: str) -> None:
        opened = self._opened

        def work(progress: Progress) -> PhotoListing:
            from app.library.browsing import ListingFilter, ListingOrder, listing

            return listing(opened.library, ListingOrder("folder"), ListingFilter(words=words), progress)

        self._listing.begin(work).then(lambda made: self._panel.grid.show_rows(ListingRows(made), keep=True))


def _pairs(library: Library, ids: Sequence[tuple[int | None, int | None, bool]]) -> list[PhotographPair]:
    """Look up the photographs of pairs; without those that the library does not have."""
    from app.library.browsing import photographs

    wanted = {one for first, second, __ in ids for one in (first, second) if one is not None}
    known: dict[int | None, Photograph] = {one.id: one for one in photographs(library, list(wanted))}
    return [PhotographPair(known[a], known[b], match) for a, b, match in ids if a in known and b in known]
