"""Ranked pictures of one query by a row of the table, outlined where exact search differs, and the missed ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from twinlens.app.gui.actions.lab_actions import lab_actions
from twinlens.app.gui.compare.board_layout import RankedTile
from twinlens.app.gui.lab.explore.explore_figures import found_words
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.labels import Sentence, small
from twinlens.app.gui.look.page_parts import PageCard, button, command_button
from twinlens.app.gui.look.theme import grown
from twinlens.app.gui.pictures.wall import TilePainter, Wall
from twinlens.app.language.texts import _

if TYPE_CHECKING:
    from twinlens.app.lab.explore.explorer import ExplorerReading


_HEIGHT = 208  # of two rows, beside each other


class LinePictures(PageCard):
    """Card of the ranked pictures of a row.

    Signals
    -------
    turn_wanted
        The knobs of the line are to be turned.
    another_wanted
        Another photograph is to ask.
    """

    def __init__(self) -> None:
        super().__init__(_("Ranked photos"))
        self.pictures = ResultPictures()
        self.pictures.setFixedHeight(grown(_HEIGHT))
        self._said = Sentence()
        self._said.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._said.setMinimumWidth(grown(240))
        turn = command_button(_("Explore settings  V"), lab_actions()["turn"])
        self.another = button(_("Another photo"), _("Search with another photo"))
        row = FlowLayout(8, 4)
        row.addWidget(self._said)
        row.addWidget(self.another)
        row.addWidget(turn)
        self.column.addLayout(row)
        self.column.addWidget(self.pictures)
        self.hide()

    def show_line(self, line: str) -> None:
        """Show the row's name and reserve room for its pictures; nothing if it is empty."""
        self.setVisible(bool(line))
        self.pictures.show_results(None, [], [])
        self.another.setEnabled(False)
        self._said.say(_("**{line}**: reading the vectors…", line=line) if line else "")

    def show_fault(self, sentence: str) -> None:
        """Show why there are no pictures."""
        self._said.say(sentence)

    def show_results(
        self,
        query: RankedTile | None,
        results: Sequence[RankedTile],
        ghosts: Sequence[RankedTile],
        reading: ExplorerReading,
    ) -> None:
        """Show the results of one photograph."""
        self.another.setEnabled(True)
        self.pictures.show_results(query, results, ghosts)
        self._said.say(f"**{reading.setting.method.text()}** · {found_words(query, results, reading)}")


_GAP = 8
_LEAST, _MOST = 64, 290
_RATIO = 3 / 4
RESULTS_SHOWN = 10


class ResultPictures(Wall):
    """Pictures of one query; missed photographs begin in a row of their own."""

    def __init__(self) -> None:
        super().__init__(ground="paper")
        self._found = 0  # tiles that were found
        self._across, self._tile = 1, QSize(_LEAST, round(_LEAST * _RATIO))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(320, 200)
        self.setAccessibleName(_("What one photo finds"))

    def show_results(
        self, query: RankedTile | None, results: Sequence[RankedTile], ghosts: Sequence[RankedTile]
    ) -> None:
        """Show the results of a query."""
        tiles = [*([query] if query else []), *results, *ghosts]
        if tiles != self._tiles:
            self._found = len(tiles) - len(ghosts)
            self.show_tiles(tiles)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Make pictures as large as all of them fit."""
        super().resizeEvent(event)
        words = self._words_height()
        best = (0, 1)
        for across in (11, 6, 4, 3):
            rows = -(-(RESULTS_SHOWN + 1) // across) + -(-RESULTS_SHOWN // across)
            high = (self.height() - words - 8 - rows * _GAP) / rows / _RATIO
            wide = (self.width() - (across - 1) * _GAP - 8) / across
            best = max(best, (int(min(high, wide, _MOST)), across))
        width = max(_LEAST, best[0])
        self._across, self._tile = best[1], QSize(width, round(width * _RATIO))

    def _words_height(self) -> int:
        return self.fontMetrics().height() + 10

    def _ghosts_top(self) -> int:
        rows = -(-(RESULTS_SHOWN + 1) // self._across)
        return 4 + rows * (self._tile.height() + _GAP)

    def box(self, place: int) -> QRect:
        """Return the place of a picture; missed photographs lie below their heading."""
        top = 4
        if place >= self._found:
            place -= self._found
            top = self._ghosts_top() + self._words_height()
        row, column = divmod(place, self._across)
        corner = QPoint(4 + column * (self._tile.width() + _GAP), top + row * (self._tile.height() + _GAP))
        return QRect(corner, self._tile)

    def moved(self, place: int, dx: int, dy: int) -> int:
        """Return the picture beside, above or below the current one."""
        return place + dx + dy * self._across

    def paint_under(self, brush: TilePainter) -> None:
        """Draw the heading of the missed photographs."""
        if self._found < len(self._tiles):
            brush.painter.setFont(small(self.font()))
            brush.painter.setPen(QColor(brush.colours.warn))
            room = QRect(4, self._ghosts_top(), self.width(), self._words_height() - 4)
            words = _("Missed of the true {hits}", hits=RESULTS_SHOWN)
            brush.painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), words)
