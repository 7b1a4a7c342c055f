"""The sheet of keys: everything that can be done by them, on one page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QFrame, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.gui.look.page_parts import label
from app.language.spoken import _

_MARGIN = 24
_NARROWEST, _WIDEST, _HIGHEST = 640, 1000, 760


class Shortcut(NamedTuple):
    """A key and what it does; keys are written as in Qt ("Ctrl+A"), alternatives apart by " / "."""

    keys: str
    what: str
    group: str


class ShortcutsSheet(QDialog):
    """Lists keys in their groups, as they are given.

    Parameters
    ----------
    shortcuts : sequence of Shortcut
    parent : QWidget
    """

    def __init__(self, shortcuts: Sequence[Shortcut], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Keys"))
        self.setAccessibleName(_("Keys"))
        self.setProperty("role", "sheet")
        groups: dict[str, list[Shortcut]] = {}
        for shortcut in shortcuts:
            groups.setdefault(shortcut.group, []).append(shortcut)
        columns: list[list[str]] = [[], []]
        heights = [0, 0]
        for group, members in groups.items():
            shorter = 0 if heights[0] <= heights[1] else 1
            columns[shorter].append(group)
            heights[shorter] += len(members) + 2
        sheet = QWidget()
        sheet.setProperty("role", "paper")
        around = QVBoxLayout(sheet)
        around.setContentsMargins(32, 24, 32, 24)
        around.setSpacing(20)
        around.addWidget(label(_("Keys"), "title"))
        row = QHBoxLayout()
        row.setSpacing(40)
        around.addLayout(row)
        for names in columns:
            column = QVBoxLayout()
            column.setSpacing(24)
            for name in names:
                column.addWidget(_group(name, groups[name]))
            column.addStretch()
            row.addLayout(column, 1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # words go on in the next line
        area.setWidget(sheet)
        area.setAccessibleName(_("Keys"))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)
        room = parent.window().size() if parent is not None else QSize(_WIDEST, _HIGHEST)
        width = max(_NARROWEST, min(_WIDEST, room.width() - 2 * _MARGIN))
        self.resize(width, min(_HIGHEST, room.height() - 2 * _MARGIN, sheet.sizeHint().height() + 8))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Close with the keys that open it, too."""
        if event.key() in (Qt.Key.Key_F1, Qt.Key.Key_Question):
            self.close()
        else:
            super().keyPressEvent(event)


def _group(name: str, members: Sequence[Shortcut]) -> QWidget:
    widget = QWidget()
    grid = QGridLayout(widget)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(16)
    grid.setVerticalSpacing(6)
    grid.setColumnStretch(0, 1)
    grid.addWidget(label(name, "section"), 0, 0, 1, 2)
    for row, shortcut in enumerate(members, 1):
        grid.addWidget(label(shortcut.what, wrap=True), row, 0)
        caps = QHBoxLayout()
        caps.setSpacing(4)
        caps.addStretch()
        for place, keys in enumerate(shortcut.keys.split(" / ")):
            if place:
                caps.addWidget(label("/", "quiet"))
            caps.addWidget(_cap(keys))
        grid.addLayout(caps, row, 1)
    return widget


def _cap(keys: str) -> QLabel:
    shown = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
    return label(shown or keys, "key")
