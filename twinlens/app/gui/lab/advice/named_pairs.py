"""Pairs of photographs that should match, and pairs that should not, as two lists of cards.

A person adds to them from the library, which is shown beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from twinlens.app.gui.actions.action import attach, offer
from twinlens.app.gui.actions.lab_actions import advice_actions
from twinlens.app.gui.library.library_listing import ListingRows
from twinlens.app.gui.lists.card import Card, CardLine, CardLook
from twinlens.app.gui.lists.card_list import CardList
from twinlens.app.gui.look.page_parts import STRETCH, PageCard, column_of, command_button, label, row_of
from twinlens.app.gui.photo_grid.photo_grid import PhotoGrid
from twinlens.app.gui.pictures.small_pictures import PictureFeed, SmallPictures
from twinlens.app.lab.advice.advice_settings import NamedPairs
from twinlens.app.language.texts import _, _n
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.gui.services.workspace import Workspace
    from twinlens.app.library.browsing.listing import PhotoListing
    from twinlens.app.library.browsing.photographs import Photograph
    from twinlens.app.library.library import Library


_GRID_PX = 264
_TILE_PX = 96
_TYPED_MS = 150


class PairsPanel(PageCard):
    """The lists of pairs, and the library to add from.

    Signals
    -------
    photographs_wanted : str
        The library is to be listed, as far as it has these words.
    """

    photographs_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.thumbnails = SmallPictures(self)
        hint = _("Drop two photos here, or choose them below")
        self.match = PairList(_("These should match"), hint, self.thumbnails)
        self.differ = PairList(_("These should not"), hint, self.thumbnails)
        strips = row_of(gap=16)
        for words, strip in ((_("These should match"), self.match), (_("These should not"), self.differ)):
            strips.addLayout(column_of(label(words, "section"), strip, STRETCH, gap=6), 1)
        marks = command_button(_("Use my marks  M"), advice_actions()["marks"])
        self._choose = command_button(_("Choose photos"), advice_actions()["pairs"])
        self._choose.setCheckable(True)
        self._count = label("", "quiet")
        row = row_of(self._choose, marks, (self._count, 1), gap=8)
        self.column.addLayout(strips)
        self.column.addLayout(row)
        self.column.addWidget(self._make_chooser())
        self.show_pairs([])

    def _make_chooser(self) -> QWidget:
        self._chooser = QWidget()
        self.grid = PhotoGrid()
        self.grid.tile_side = _TILE_PX
        self.grid.setFixedHeight(_GRID_PX)
        self.words = QLineEdit()
        self.words.setPlaceholderText(_("Filter by name or folder"))
        self.words.setAccessibleName(_("Filter by name or folder"))
        self._typed = QTimer(self)
        self._typed.setSingleShot(True)
        self._typed.setInterval(_TYPED_MS)
        self._typed.timeout.connect(lambda: self.photographs_wanted.emit(self.words.text()))
        self.words.textChanged.connect(lambda __: self._typed.start())
        self._similar = command_button(_("S  should match"), advice_actions()["match"])
        self._different = command_button(_("D  should not"), advice_actions()["differ"])
        self.grid.selection_changed.connect(self._on_selected)
        self._hint = label("", "quiet")
        row = row_of((self.words, 1), self._hint, self._similar, self._different, gap=8)
        column_of(row, self.grid, on=self._chooser, gap=8, margins=(0, 4, 0, 0))
        self._chooser.hide()
        self._on_selected(0)
        return self._chooser

    def show_pairs(self, pairs: Sequence[PhotographPair]) -> None:
        """Show pairs."""
        self.match.show_pairs([one for one in pairs if one.match])
        self.differ.show_pairs([one for one in pairs if not one.match])
        self._count.setText(_n("{count} pair", "{count} pairs", len(pairs)) if pairs else "")

    def choosing(self) -> bool:
        """Return whether the library is shown."""
        return self._choose.isChecked()

    def show_chooser(self) -> None:
        """Show the library while its button is down."""
        self._chooser.setVisible(self.choosing())
        if self.choosing():
            self.photographs_wanted.emit(self.words.text())
            self.grid.setFocus()

    def _on_selected(self, count: int) -> None:
        two = count == 2
        self._similar.setEnabled(two)
        self._different.setEnabled(two)
        self._hint.setText("" if two else _("Choose two: click one, Ctrl+click the other"))


MOST_PAIRS = 200
"""Pairs that are taken from marks: more measure no better, and take longer."""


class PairsControl(QObject):
    """Controller of the pairs of an advice."""

    changed = Signal()

    def __init__(self, panel: PairsPanel, window: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._panel, self._window, self._opened, self._jobs = panel, window, window.opened, window.jobs
        self._looking = self._jobs.latest()
        self._listing = self._jobs.latest()
        self.pairs: list[PhotographPair] = []
        self._feed = PictureFeed(panel.grid.pictures, window.opened, window.jobs)
        self._pictures = PictureFeed(panel.thumbnails, window.opened, window.jobs)
        for strip, match in ((panel.match, True), (panel.differ, False)):
            strip.removed.connect(self.remove)
            strip.dropped.connect(lambda paths, match=match: self._on_dropped(paths, match))
        panel.photographs_wanted.connect(self._list)
        acts = {"match": partial(self._add_selected, True), "differ": partial(self._add_selected, False)}
        offer(panel, advice_actions(), acts, ())
        attach(panel.grid, advice_actions(), acts)

    def restore(self, kept: object) -> None:
        """Show the remembered pairs."""
        triples = kept if isinstance(kept, list) else []
        found = [
            (a, b, bool(match)) for one in triples if isinstance(one, list) and len(one) == 3 for a, b, match in [one]
        ]
        if found:
            self._look_up(found, quietly=True)

    def state(self) -> list[list[Any]]:
        """Return the pairs to remember."""
        return [[one.first.id, one.second.id, one.match] for one in self.pairs]

    def named(self) -> NamedPairs:
        """Return the pairs as options of advice."""
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
        """Add pairs, or change the kind of known ones; return how many are new."""
        by = {one.ids: one for one in self.pairs}
        known = len(by)
        by |= {one.ids: one for one in pairs if one.first.id != one.second.id}
        self._show(list(by.values()))
        return len(by) - known

    def take_marks(self) -> None:
        """Add the marked pairs, the newest first; pairs that are marked both ways are left out."""
        opened = self._opened

        def work(__: Progress) -> list[PhotographPair]:
            from twinlens.app.marks.marks import list_marks

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

    def _add_selected(self, match: bool) -> None:
        ids = [int(one) for one in self._panel.grid.selected_ids()]
        if len(ids) == 2:
            self._look_up([(ids[0], ids[1], match)])
            self._panel.grid.clear_selection()
        else:
            self._window.status.show_message(_("Choose exactly two photos."))

    def _on_dropped(self, paths: list[str], match: bool) -> None:
        if len(paths) < 2 or len(paths) % 2:
            self._window.status.show_message(_("Drop two photos at a time."))
            return
        files = [Path(one) for one in paths]
        self._look_up([(files[n], files[n + 1], match) for n in range(0, len(files), 2)])

    def _look_up(self, wanted: Sequence[tuple[int | Path, int | Path, bool]], quietly: bool = False) -> None:
        opened = self._opened

        def work(__: Progress) -> tuple[list[PhotographPair], str]:
            from twinlens.app.lab.advice.advice_queries import find_pairs

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
            from twinlens.app.library.browsing.listing import ListingFilter, listing
            from twinlens.app.library.browsing.overview import ListingOrder

            return listing(opened.library, ListingOrder("folder"), ListingFilter(words=words), progress)

        self._listing.begin(work).then(lambda made: self._panel.grid.show_rows(ListingRows(made), keep=True))


def _pairs(library: Library, ids: Sequence[tuple[int | None, int | None, bool]]) -> list[PhotographPair]:
    """Find the photographs of pairs, except those that the library lacks."""
    from twinlens.app.library.browsing.photographs import photographs

    wanted = {one for first, second, __ in ids for one in (first, second) if one is not None}
    known: dict[int | None, Photograph] = {one.id: one for one in photographs(library, list(wanted))}
    return [PhotographPair(known[a], known[b], match) for a, b, match in ids if a in known and b in known]


_SEEN = 3
"""Cards that are seen at once."""


@dataclass(frozen=True)
class PhotographPair:
    """Two photographs that should match, or should not."""

    first: Photograph
    second: Photograph
    match: bool = True

    @property
    def ids(self) -> tuple[int, int]:
        """Its photographs, the smaller first, so that both orders are one pair."""
        return min(self.first.id, self.second.id), max(self.first.id, self.second.id)


class PairList(CardList[PhotographPair]):
    """List of pairs; a cross or Delete removes one, and dropped photographs become new ones.

    Signals
    -------
    removed : PhotographPair
    dropped : list of str
        Local paths.
    """

    removed = Signal(object)
    dropped = Signal(list)

    def __init__(self, name: str, nothing: str, thumbnails: SmallPictures) -> None:
        super().__init__(lambda one: one.ids, _pair_card, CardLook(lines=1, margin=10, framed=True), thumbnails)
        self._name = name
        self._nothing = label(nothing, "quiet", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        QVBoxLayout(self.viewport()).addWidget(self._nothing)
        self.viewport().setAcceptDrops(True)
        self.remove_wanted.connect(self._on_remove)
        attach(self, advice_actions(), {"remove": self.remove_chosen})
        self.show_pairs(())

    def show_pairs(self, pairs: Sequence[PhotographPair]) -> None:
        """Show pairs."""
        self.show_rows(pairs)
        self._nothing.setVisible(not pairs)
        self.setAccessibleName(_("{name}: {count}", name=self._name, count=len(pairs)))
        height = self.sizeHintForIndex(self.cards.index(0)).height() if pairs else 84
        self.setFixedHeight(height * max(1, min(_SEEN, len(pairs))) + 8)

    def _on_remove(self, keys: Sequence[tuple[int, int]]) -> None:
        for one in [one for one in self.rows() if one.ids in keys]:
            self.removed.emit(one)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 (Qt's name, as all below)
        """Accept photographs."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:  # noqa: N802
        """Accept photographs anywhere."""
        event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Add the dropped photographs."""
        event.acceptProposedAction()
        self.dropped.emit([url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()])


def _pair_card(one: PhotographPair) -> Card:
    first, second = one.first.name, one.second.name
    pictures = (one.first.content_hash, one.second.content_hash)
    return Card(CardLine(first, "ink"), f"{first}, {second}", lines=(CardLine(second, "ink"),), pictures=pictures)
