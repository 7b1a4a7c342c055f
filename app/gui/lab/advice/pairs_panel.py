"""The panel in which a person names photographs that should match: two lists of pairs, and the library."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.gui.lab.advice.pair_list import PairList, PhotographPair
from app.gui.look.page_parts import PageCard, bind, button, label
from app.gui.photo_grid.grid import PhotoGrid
from app.gui.pictures.small_pictures import SmallPictures
from app.language.spoken import _, _n

_GRID_PX = 264
_TILE_PX = 96
_TYPED_MS = 150


class PairsPanel(PageCard):
    """Pairs, and what adds to them.

    Signals
    -------
    chosen : list of int, bool
        Two photographs, and whether they should match.
    removed : Pair
    dropped : list of str, bool
        Paths, and whether they should match.
    marks_wanted
    photographs_wanted : str
        The library is to be listed, as far as it has these words.
    refused : str
    """

    chosen = Signal(list, bool)
    removed = Signal(object)
    dropped = Signal(list, bool)
    marks_wanted = Signal()
    photographs_wanted = Signal(str)
    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.thumbnails = SmallPictures(self)
        hint = _("Drop two photos here, or choose them below")
        self.match = PairList(_("These should match"), hint, self.thumbnails)
        self.differ = PairList(_("These should not"), hint, self.thumbnails)
        strips = QHBoxLayout()
        strips.setSpacing(16)
        for words, strip, match in (
            (_("These should match"), self.match, True),
            (_("These should not"), self.differ, False),
        ):
            strip.removed.connect(self.removed)
            strip.dropped.connect(lambda paths, match=match: self.dropped.emit(paths, match))
            half = QVBoxLayout()
            half.setSpacing(6)
            half.addWidget(label(words, "section"))
            half.addWidget(strip)
            half.addStretch()
            strips.addLayout(half, 1)
        self._marks = button(_("Use my marks  M"), _("Add the pairs that you have marked"), "M")
        self._choose = button(_("Choose photos"), _("Choose pairs of photos from the library"), "Shift+P")
        self._choose.setCheckable(True)
        self._count = label("", "quiet")
        self._marks.clicked.connect(self.marks_wanted)
        self._choose.toggled.connect(self._on_choose)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._choose)
        row.addWidget(self._marks)
        row.addWidget(self._count, 1)
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
        self._similar = button(_("S  should match"), _("These two should match"), "S")
        self._different = button(_("D  should not"), _("These two should not match"), "D")
        self._similar.clicked.connect(lambda: self._say(True))
        self._different.clicked.connect(lambda: self._say(False))
        for key, match in (("S", True), ("D", False)):
            bind(self.grid, key, partial(self._say, match)).setAutoRepeat(False)
        self.grid.selection_changed.connect(self._on_selected)
        self._hint = label("", "quiet")
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.words, 1)
        row.addWidget(self._hint)
        row.addWidget(self._similar)
        row.addWidget(self._different)
        column = QVBoxLayout(self._chooser)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self.grid)
        self._chooser.hide()
        self._on_selected(0)
        return self._chooser

    def show_pairs(self, pairs: Sequence[PhotographPair]) -> None:
        """Show pairs."""
        self.match.show_pairs([one for one in pairs if one.match])
        self.differ.show_pairs([one for one in pairs if not one.match])
        self._count.setText(_n("{count} pair", "{count} pairs", len(pairs)) if pairs else "")

    def open_chooser(self) -> None:
        """Show the library, or hide it."""
        self._choose.click()

    def choosing(self) -> bool:
        """Return whether the library is shown."""
        return self._choose.isChecked()

    def _on_choose(self, shown: bool) -> None:
        self._chooser.setVisible(shown)
        if shown:
            self.photographs_wanted.emit(self.words.text())
            self.grid.setFocus()

    def _on_selected(self, count: int) -> None:
        two = count == 2
        self._similar.setEnabled(two)
        self._different.setEnabled(two)
        self._hint.setText("" if two else _("Choose two: click one, Ctrl+click the other"))

    def _say(self, match: bool) -> None:
        ids = [int(one) for one in self.grid.selected_ids()]
        if len(ids) == 2:
            self.chosen.emit(ids, match)
            self.grid.clear_selection()
        else:
            self.refused.emit(_("Choose exactly two photos."))
