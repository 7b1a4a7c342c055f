"""Columns to add, or to change: what is offered, and what is chosen of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.compare.add_panel import AddPanel
from app.gui.compare.offers import Offers, gather_offers
from app.gui.jobs import Jobs
from app.gui.opened import Opened

if TYPE_CHECKING:
    from app.compare_columns import Column

_OFFERS = "compare offers"


class ColumnChoosing(QObject):
    """Fills the panel, in a job."""

    chosen = Signal(object)
    """A `Column` to add."""
    changed = Signal(object, object)
    """A `Column`, and what is to stand in its place."""

    def __init__(self, panel: AddPanel, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._panel, self._jobs = panel, jobs
        self._edited: Column | None = None
        panel.added.connect(self.chosen)
        panel.changed.connect(self._on_changed)

    def offer(self, opened: Opened, present: Sequence[Column], default: str) -> None:
        """Offer columns to add beside those that are seen; ``default`` is changed where there are none."""
        self._edited = None
        panel = self._panel
        self._gather(opened, present, default, lambda one: panel.open(one.kept, one.worth, one.bases, one.base))

    def offer_change(self, opened: Opened, present: Sequence[Column], default: str, column: Column) -> None:
        """Offer to change the parameters of a column."""
        self._edited = column

        def show(offers: Offers) -> None:
            own = next((one for one in offers.bases if one.name == column.index), offers.bases[0])
            method, search = column.method or own.method, column.search or own.search
            self._panel.open_to_change(offers.bases, own.name, method, search)

        self._gather(opened, present, default, show)

    def _gather(self, opened: Opened, present: Sequence[Column], default: str, show: Callable[[Offers], None]) -> None:
        self._jobs.start(_OFFERS, lambda _: gather_offers(opened, present, default), show)

    def _on_changed(self, column: Column) -> None:
        edited, self._edited = self._edited, None
        self.changed.emit(edited, column)
