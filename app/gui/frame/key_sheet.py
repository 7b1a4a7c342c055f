"""The sheet of keys: everything that can be done by them on one page, narrowed down as one types."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.gui.actions.action import Action, by_heading
from app.gui.look.page_parts import label, surface
from app.language.spoken import _

_MARGIN = 24
_NARROWEST, _WIDEST, _HIGHEST = 640, 1000, 760


class KeySheet(QDialog):
    """Lists the keys under their headings.

    Parameters
    ----------
    actions : sequence of Action
    parent : QWidget
    """

    def __init__(self, actions: Sequence[Action], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Keys"))
        self.setAccessibleName(_("Keys"))
        self.setProperty("role", "sheet")
        self._actions = [one for one in actions if one.keys]
        self._sought = QLineEdit()
        self._sought.setPlaceholderText(_("What do you want to do?"))
        self._sought.setAccessibleName(_("What do you want to do?"))
        self._sought.setClearButtonEnabled(True)
        self._sought.textChanged.connect(self._show)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # words go on in the next line
        self._area.setAccessibleName(_("Keys"))
        head = QWidget()
        surface(head, "paper")
        row = QHBoxLayout(head)
        row.setContentsMargins(32, 20, 32, 12)
        row.setSpacing(24)
        row.addWidget(label(_("Keys"), "title"))
        row.addWidget(self._sought, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(head)
        outer.addWidget(self._area, 1)
        self._show("")
        room = parent.window().size() if parent is not None else QSize(_WIDEST, _HIGHEST)
        width = max(_NARROWEST, min(_WIDEST, room.width() - 2 * _MARGIN))
        self.resize(width, min(_HIGHEST, room.height() - 2 * _MARGIN))

    def shown(self) -> list[Action]:
        """Return the actions that are listed now."""
        words = self._sought.text().casefold().split()
        return [
            one
            for one in self._actions
            if all(word in f"{one.words} {one.heading} {one.keys_text()}".casefold() for word in words)
        ]

    def _show(self, __: str) -> None:
        groups = by_heading(self.shown())
        columns: list[list[str]] = [[], []]
        heights = [0, 0]
        for heading, members in groups.items():
            shorter = 0 if heights[0] <= heights[1] else 1
            columns[shorter].append(heading)
            heights[shorter] += len(members) + 2
        sheet = QWidget()
        sheet.setProperty("role", "paper")
        row = QHBoxLayout(sheet)
        row.setContentsMargins(32, 8, 32, 24)
        row.setSpacing(40)
        for names in columns:
            column = QVBoxLayout()
            column.setSpacing(24)
            for name in names:
                column.addWidget(_group(name, groups[name]))
            column.addStretch()
            row.addLayout(column, 1)
        self._area.setWidget(sheet)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Close with the key that opens it, too."""
        if event.key() == Qt.Key.Key_F1:
            self.close()
        else:
            super().keyPressEvent(event)


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
