"""Ranked pictures of one query by a line of the table, provisional first and exact soon after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy

from app.gui.compare.board_data import RankedTile
from app.gui.lab.explore.answer_pictures import ResultPictures
from app.gui.lab.explore.explore_words import found_words
from app.gui.look.flow_layout import FlowLayout
from app.gui.look.page_parts import PageCard, button
from app.gui.look.sentences import Sentence
from app.gui.look.text_size import grown
from app.language.spoken import _

if TYPE_CHECKING:
    from app.lab.explore.explorer import ExplorerReading

_HEIGHT = 208  # of two rows, beside each other


class LinePictures(PageCard):
    """The card of ranked pictures.

    Signals
    -------
    turn_wanted
        The knobs of the line are to be turned.
    another_wanted
        Another photograph is to ask.
    """

    turn_wanted = Signal()
    another_wanted = Signal()

    def __init__(self) -> None:
        super().__init__(_("Ranked photos"))
        self.pictures = ResultPictures()
        self.pictures.setFixedHeight(grown(_HEIGHT))
        self._said = Sentence()
        self._said.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._said.setMinimumWidth(grown(240))
        self._turn = button(_("Turn a knob  V"), _("Change a parameter of this line, and see what it does"), "V")
        self._another = button(_("Another photo"), _("Search with another photo"))
        self._turn.clicked.connect(self.turn_wanted)
        self._another.clicked.connect(self.another_wanted)
        row = FlowLayout(8, 4)
        row.addWidget(self._said)
        row.addWidget(self._another)
        row.addWidget(self._turn)
        self.column.addLayout(row)
        self.column.addWidget(self.pictures)
        self.hide()

    def press_turn(self) -> None:
        """Turn the knobs, where the line has some."""
        if not self.isHidden():
            self._turn.click()

    def show_line(self, line: str) -> None:
        """Keep the room of what a line finds; nothing where it is empty."""
        self.setVisible(bool(line))
        self.pictures.show_answer(None, [], [])
        self._another.setEnabled(False)
        self._said.say(_("**{line}**: reading the vectors…", line=line) if line else "")

    def show_fault(self, sentence: str) -> None:
        """Show why there are no pictures."""
        self._said.say(sentence)

    def show_answer(
        self,
        question: RankedTile | None,
        hits: Sequence[RankedTile],
        ghosts: Sequence[RankedTile],
        reading: ExplorerReading,
    ) -> None:
        """Show what one photograph finds."""
        self._another.setEnabled(True)
        self.pictures.show_answer(question, hits, ghosts)
        self._said.say(f"**{reading.setting.method.text()}** · {found_words(question, hits, reading)}")
