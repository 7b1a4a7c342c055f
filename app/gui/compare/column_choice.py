"""The choice of columns to add or to change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.compare.add_panel import AddPanel
from app.gui.frame.opened import OpenLibrary
from app.gui.process.jobs import Jobs
from core.progress import Progress

if TYPE_CHECKING:
    from app.compare.columns import ComparisonColumn
    from app.compare.offers import ColumnOffers


class ColumnChoice(QObject):
    """Fills the panel, in a job."""

    chosen = Signal(object)
    """A `Column` to add."""
    changed = Signal(object, object)
    """A `Column`, and its replacement."""

    def __init__(self, panel: AddPanel, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._panel, self._jobs = panel, jobs
        self._offering = self._jobs.latest()
        self._edited: ComparisonColumn | None = None
        panel.added.connect(self.chosen)
        panel.changed.connect(self._on_changed)

    def offer(self, opened: OpenLibrary, present: Sequence[ComparisonColumn], default: str, like: int = 0) -> None:
        """Offer columns to add beside the visible ones, and to change one of these, by its place.

        Where none is seen, ``default`` is changed.
        """
        self._edited = None
        own = present[like] if like < len(present) else None
        ordered = list(present) if own is None else [own, *(one for one in present if one != own)]

        def show(offers: ColumnOffers) -> None:
            alike = own is not None and own.index == offers.base
            method, search = (own.method, own.search) if own is not None and alike else ("", "")
            self._panel.open(offers, method, search)

        self._look(opened, ordered, default, show)

    def offer_change(
        self, opened: OpenLibrary, present: Sequence[ComparisonColumn], default: str, column: ComparisonColumn
    ) -> None:
        """Offer to change the parameters of a column."""
        self._edited = column

        def show(offers: ColumnOffers) -> None:
            own = next((one for one in offers.bases if one.name == column.index), offers.bases[0])
            method, search = column.method or own.method, column.search or own.search
            self._panel.open_to_change(offers.bases, own.name, method, search)

        self._look(opened, present, default, show)

    def _look(
        self,
        opened: OpenLibrary,
        present: Sequence[ComparisonColumn],
        default: str,
        show: Callable[[ColumnOffers], None],
    ) -> None:
        def work(_: Progress) -> ColumnOffers:
            from app.compare.offers import offers

            return offers(opened.library, present, default, opened.put_away)

        self._offering.begin(work).then(show)

    def _on_changed(self, column: ComparisonColumn) -> None:
        edited, self._edited = self._edited, None
        self.changed.emit(edited, column)
