"""List of every key under its heading, narrowed down by what is sought."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.gui.actions.action import Action, by_heading
from app.gui.look.page_parts import label
from app.language.spoken import _


class KeyList(QScrollArea):
    """Lists the keys of actions in two columns.

    Parameters
    ----------
    actions : sequence of Action
        Those without a key are left out.
    """

    def __init__(self, actions: Sequence[Action]) -> None:
        super().__init__()
        self._actions = [one for one in actions if one.keys]
        self._shown: list[Action] = []
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # words go on in the next line
        self.setAccessibleName(_("Keys"))
        self.narrow("")

    def shown(self) -> list[Action]:
        """Return the actions that are listed now."""
        return list(self._shown)

    def narrow(self, words: str) -> int:
        """List the actions that all words fit, and return how many there are."""
        sought = words.casefold().split()
        self._shown = [
            one
            for one in self._actions
            if all(word in f"{one.words} {one.heading} {one.keys_text()}".casefold() for word in sought)
        ]
        groups = by_heading(self._shown)
        columns: list[list[str]] = [[], []]
        heights = [0, 0]
        for heading, members in groups.items():
            shorter = 0 if heights[0] <= heights[1] else 1
            columns[shorter].append(heading)
            heights[shorter] += len(members) + 2
        sheet = QWidget()
        sheet.setProperty("role", "paper")
        row = QHBoxLayout(sheet)
        row.setContentsMargins(32, 24, 32, 24)
        row.setSpacing(40)
        for names in columns:
            column = QVBoxLayout()
            column.setSpacing(24)
            for name in names:
                column.addWidget(_group(name, groups[name]))
            column.addStretch()
            row.addLayout(column, 1)
        self.setWidget(sheet)
        return len(self._shown)


def _group(heading: str, members: Sequence[Action]) -> QWidget:
    widget = QWidget()
    grid = QGridLayout(widget)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(16)
    grid.setVerticalSpacing(6)
    grid.setColumnStretch(0, 1)
    grid.addWidget(label(heading, "section"), 0, 0, 1, 2)
    for row, action in enumerate(members, 1):
        grid.addWidget(label(action.words, wrap=True), row, 0)
        caps = QHBoxLayout()
        caps.setSpacing(4)
        caps.addStretch()
        for place, key in enumerate(action.keys):
            if place:
                caps.addWidget(label("/", "quiet"))
            caps.addWidget(_cap(key))
        grid.addLayout(caps, row, 1)
    return widget


def _cap(key: str) -> QLabel:
    shown = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
    return label(shown or key, "key")
