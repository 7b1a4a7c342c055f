"""Charts that offer theory, and the one that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.charts.chart_board import ChartBoard
from app.gui.lab.theory.layer_over_curves import laid_over
from app.gui.lab.theory.theory_words import theory_topic
from app.language.spoken import _, translate

if TYPE_CHECKING:
    from app.lab.figures.figure import Figure
    from app.lab.theory.results import Theory


class ChartLayers(QObject):
    """Switches of theory at charts.

    Parameters
    ----------
    board : ChartBoard
    parent : QObject

    Signals
    -------
    switched : str, bool
        Name of a figure, and whether theory is to be laid over it.
    changed
        The charts are to be drawn anew.
    told : str
        Why theory cannot be laid over any.
    """

    switched = Signal(str, bool)
    changed = Signal()
    told = Signal(str)

    def __init__(self, board: ChartBoard, parent: QObject) -> None:
        super().__init__(parent)
        self._board = board
        self.over = ""
        """Name of the figure that theory is laid over; empty for none."""
        self._found: Theory | None = None
        self._kinds: Mapping[str, tuple[str, ...]] = {}
        board.layer_switched.connect(self.switched)

    def show(self, kinds: Mapping[str, tuple[str, ...]]) -> None:
        """Offer theory over some figures, by their names, with what it can be asked there."""
        self._kinds = kinds
        self.offer()

    def offer(self) -> None:
        """Put a switch at each chart that theory can say something of."""
        for chart in self._board.charts:
            name = "" if chart.figure is None else chart.figure.name
            kinds = self._kinds.get(name, ())
            words = _("Theory") if kinds else ""
            chart.offer_layer(words, theory_topic(kinds[0]).heading if kinds else "", name == self.over)

    def lay(self, figure: str, found: Theory | None = None) -> None:
        """Lay theory over a figure; over none where its name is empty."""
        self.over, self._found = figure, found
        self.changed.emit()

    def press(self) -> None:
        """Lay theory over the first figure that it can say something of, or hide it."""
        known = [one.name for one in self._board.figures if self._kinds.get(one.name)]
        first = next((name for name in known if name.endswith("-rank")), known[0] if known else "")
        if self.over or first:
            self.switched.emit(self.over or first, not self.over)
        elif names := ", ".join(translate(one.title) for one in self._board.figures):
            self.told.emit(_("Theory says nothing about {figures}.", figures=names))

    def hide(self) -> None:
        """Have theory hidden."""
        self.switched.emit(self.over, False)

    def drawn(self, figure: Figure) -> Figure:
        """Return a figure with what theory says along its axes, where it is laid over it."""
        return figure if self._found is None or figure.name != self.over else laid_over(figure, self._found)
