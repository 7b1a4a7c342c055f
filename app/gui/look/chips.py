"""Chips that say which figures are seen: a click, or the number of one, shows or hides it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.gui.look.flow_layout import Flow
from app.lab.figures.figure import Figure, figure_text
from app.language.spoken import _, text

_FIRST = 2
_NUMBERED = 9


class FigureChips(QWidget):
    """Chooses figures; what a person has chosen holds for every run that has them.

    Signals
    -------
    changed
        Other figures are to be seen.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._names: list[str] = []
        self._buttons: dict[str, QPushButton] = {}
        self._wanted: dict[str, bool] = {}
        self._flow = Flow(6)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 10, 16, 2)
        row.addWidget(self._flow)

    def show_figures(self, figures: Sequence[Figure]) -> None:
        """Offer figures."""
        names = [one.name for one in figures]
        if names != self._names:
            self._names = names
            self._buttons = {one.name: self._button(place, one) for place, one in enumerate(figures)}
            self._flow.set_widgets(list(self._buttons.values()))
        seen = self.seen()
        for name, button in self._buttons.items():
            button.setChecked(name in seen)

    def seen(self) -> list[str]:
        """Name the figures that are seen: what was chosen, and of the others the first few."""
        first = [name for name in self._names if name not in self._wanted][: max(0, _FIRST - len(self._own()))]
        return [name for name in self._names if self._wanted.get(name, name in first)]

    def _own(self) -> list[str]:
        return [name for name in self._names if self._wanted.get(name)]

    def wanted(self) -> dict[str, bool]:
        """Return what the person has chosen, to be remembered."""
        return dict(self._wanted)

    def set_wanted(self, wanted: dict[str, bool]) -> None:
        """Take what was remembered."""
        self._wanted = {str(name): bool(shown) for name, shown in wanted.items()}

    def press(self, number: int) -> None:
        """Show or hide the figure of a number, from 1."""
        if 1 <= number <= len(self._names):
            self._buttons[self._names[number - 1]].click()

    def _button(self, place: int, figure: Figure) -> QPushButton:
        spoken = figure_text(figure, text)
        made = QPushButton(str(spoken.title))
        made.setObjectName("small")
        made.setCheckable(True)
        made.setAutoDefault(False)
        made.setCursor(Qt.CursorShape.PointingHandCursor)
        key = f" ({place + 1})" if place < _NUMBERED else ""
        made.setToolTip(f"{spoken.reading}{key}")
        made.setAccessibleName(_("Figure {title}", title=spoken.title))
        made.clicked.connect(lambda shown: self._on_clicked(figure.name, shown))
        return made

    def _on_clicked(self, name: str, shown: bool) -> None:
        seen: Collection[str] = self.seen()  # from now on, what is seen is what was chosen
        self._wanted |= {one: one in seen for one in self._names}
        self._wanted[name] = shown
        self.changed.emit()
