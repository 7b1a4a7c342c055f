"""The place of the results: the grid, or a sentence and a way out where there is none."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.gui.look.empty_state import EmptyState
from app.language.spoken import _


class ResultPages(QStackedWidget):
    """Shows one of them.

    Signals
    -------
    range_reset_wanted
        Results of every similarity should be shown.
    every_match_wanted
        Results that are no matches should be shown, too.
    all_wanted
        All filters should be cleared.
    rescan_wanted
    way_out_wanted
        The remedy of a refusal is wanted.
    """

    range_reset_wanted = Signal()
    every_match_wanted = Signal()
    all_wanted = Signal()
    rescan_wanted = Signal()
    way_out_wanted = Signal()

    def __init__(self, grid: QWidget) -> None:
        super().__init__()
        self.grid = grid
        self.nothing = EmptyState(_("No results are this similar."), _("Show all results"))
        self.nothing.wanted.connect(self.range_reset_wanted)
        self.unfit = EmptyState(_("No photos pass these filters."), _("Show all"))
        self.unfit.wanted.connect(self.all_wanted)
        self.gone = EmptyState(_("The photos of this search are missing."), _("Look for them"), "F5")
        self.gone.wanted.connect(self.rescan_wanted)
        self.unconfirmed = EmptyState(_("None of these results shows the same picture."), _("Show all results"))
        self.unconfirmed.wanted.connect(self.every_match_wanted)
        self._refusal: EmptyState | None = None
        for page in (grid, self.nothing, self.unfit, self.gone, self.unconfirmed):
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
