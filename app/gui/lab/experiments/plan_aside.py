"""Beside the form of a plan: the name of the experiment, and the forecast of its time."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from app.gui.look.page_parts import PageCard, label
from app.language.spoken import _, _n
from app.machine.durations import time_left

if TYPE_CHECKING:
    from app.lab.experiments.forecast import Forecast


class PlanAside(QWidget):
    """Two cards.

    Signals
    -------
    name_changed
    """

    name_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._taken: Collection[str] = ()
        self.name = QLineEdit()
        self.name.setAccessibleName(_("Name of the experiment"))
        self.name.setPlaceholderText(_("as the question"))
        self.name.textEdited.connect(self._on_name)
        self._name_fault, self._fault = label("", "error", wrap=True), label("", "error", wrap=True)
        self._name_fault.hide()
        self._cost = label("…", wrap=True)
        self._cost.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._cost.setMinimumHeight(7 * self._cost.fontMetrics().lineSpacing())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        for heading, widgets in (
            (_("Name"), (self.name, self._name_fault)),
            (_("Time and steps"), (self._cost, self._fault)),
        ):
            card = PageCard(heading)
            for widget in widgets:
                card.column.addWidget(widget)
            column.addWidget(card)

    def refuse(self, taken: Collection[str]) -> None:
        """Refuse names that other experiments have."""
        self._taken = taken
        self._on_name()

    def is_free(self) -> bool:
        """Return whether no other experiment has the name."""
        return self.name.text().strip() not in self._taken

    def _on_name(self, *__: object) -> None:
        self._name_fault.setText("" if self.is_free() else _("An experiment with this name exists already."))
        self._name_fault.setVisible(not self.is_free())
        self.name_changed.emit()

    def show_fault(self, fault: str) -> None:
        """Show why the plan cannot be run; what it costs stays where nothing is wrong."""
        self._fault.setText(fault)
        if fault:
            self._cost.setText("")

    def show_reckoning(self, found: Forecast) -> None:
        """Show what the plan costs."""
        self.show_fault("")
        lines = [
            _("About {time_left} on this computer.", time_left=time_left(_round(found.seconds))),
            "",
            _n(
                "{count} step, one for each method, search structure and seed",
                "{count} steps, one for each method, search structure and seed",
                found.steps,
            ),
            _(
                "{photos} photos with {dimensions} dimensions, {queries} queries",
                photos=found.photographs,
                dimensions=found.dimensions,
                queries=found.queries,
            ),
        ]
        self._cost.setText("\n".join(lines))


def _round(seconds: float) -> float:
    """Round an estimate to what is known."""
    for step in (5, 10, 30, 60, 300):
        if seconds <= 12 * step:
            return step * max(1, round(seconds / step))
    return 600 * round(seconds / 600)
