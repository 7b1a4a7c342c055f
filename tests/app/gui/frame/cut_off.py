"""What is cut off in a window: words without room, widgets over each other, widgets outside their place."""

from __future__ import annotations

from itertools import combinations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QToolButton,
    QWidget,
)

from app.gui.forms.parameter_controls import Chooser
from app.gui.look.buttons import QuietButton

SLACK_PX = 2
_HELD = QLabel | QAbstractButton | QLineEdit | QComboBox | QAbstractSpinBox


def faults(window: QWidget) -> list[str]:
    """Return a sentence for each visible widget of a window of which a person misses something."""
    shown = [one for one in window.findChildren(QWidget) if one.isVisible() and one.window() is window]
    found = [said for one in shown for said in (_outside(one), _cut(one)) if said]
    parents = {one.parentWidget() for one in shown}
    return found + [said for parent in parents if parent is not None for said in _overlapping(parent)]


def _outside(one: QWidget) -> str:
    parent = one.parentWidget()
    if parent is None or _scrolled(one) or one.size().isEmpty():
        return ""
    area = parent.parentWidget()
    here = one.geometry()
    if not isinstance(area, QScrollArea) and isinstance(area, QAbstractScrollArea) and area.viewport() is parent:
        return ""  # editors and the like in a list that scrolls
    beyond = here.adjusted(SLACK_PX, SLACK_PX, -SLACK_PX, -SLACK_PX)
    return "" if parent.rect().contains(beyond) else f"{_name(one)} reaches out of {_name(parent)} by {_over(one)}"


def _over(one: QWidget) -> str:
    parent = one.parentWidget()
    assert parent is not None
    here, room = one.geometry(), parent.rect()
    return f"{here.getRect()} in {room.size().toTuple()}"


def _scrolled(one: QWidget) -> bool:
    """Return whether a widget is what a scroll area scrolls."""
    parent = one.parentWidget()
    area = parent.parentWidget() if parent is not None else None
    if not (isinstance(area, QScrollArea) and area.widget() is one):
        return False
    bar = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    beside = area.verticalScrollBar().sizeHint().width() + SLACK_PX  # some leave this margin for the bar
    wide = one.width() > area.viewport().width() + beside and area.horizontalScrollBarPolicy() == bar
    high = one.height() > area.viewport().height() and area.verticalScrollBarPolicy() == bar
    return not (wide or high)


def _cut(one: QWidget) -> str:
    words = _words(one)
    if not words.strip() or (isinstance(one, QPushButton) and one.layout() is not None):
        return ""  # the labels in a button show its words
    room = one.contentsRect()
    if isinstance(one, QLabel):
        room.setHeight(one.height())  # what is needed counts the margins
    wide, high = _needed(one, words)
    if wide <= room.width() + SLACK_PX and high <= room.height() + SLACK_PX:
        return ""
    ends_in_dots = isinstance(one, QLabel | QComboBox | QuietButton)
    if high <= room.height() + SLACK_PX and ends_in_dots and _tip_has(one, words):
        return ""
    return f"{_name(one)} has {room.width()} x {room.height()} for {wide} x {high}"


def _words(one: QWidget) -> str:
    if isinstance(one, QLabel | QAbstractButton):
        return one.text()
    return one.currentText() if isinstance(one, QComboBox) else ""


def _tip_has(one: QWidget, words: str) -> bool:
    """Return whether the whole is said where the pointer rests; a `Chooser` says what is chosen by itself."""
    return isinstance(one, Chooser) or words.split("…", maxsplit=1)[0].strip() in one.toolTip()


def _needed(one: QWidget, words: str) -> tuple[int, int]:
    if isinstance(one, QLabel):
        if one.wordWrap():
            longest = max(words.split(), key=len) if one.textFormat() is Qt.TextFormat.PlainText else ""
            wide = one.fontMetrics().horizontalAdvance(longest.split("\u200b")[0])
            return wide, one.heightForWidth(one.width())
        hint = one.minimumSizeHint()
        return (hint.width() if one.textFormat() is not Qt.TextFormat.PlainText else _width(one, words)), hint.height()
    if not isinstance(one, QComboBox | QPushButton | QToolButton | QCheckBox):  # painted
        hint = one.sizeHint()
        return hint.width(), min(hint.height(), QFontMetrics(one.font()).height())
    if isinstance(one, QPushButton):
        return _width(one, words.replace("&&", "&")), one.fontMetrics().height()
    return _width(one, words) + (16 if isinstance(one, QComboBox) else 0), one.fontMetrics().height()


def _width(one: QWidget, words: str) -> int:
    return max(one.fontMetrics().horizontalAdvance(line) for line in words.split("\n"))


def _overlapping(parent: QWidget) -> list[str]:
    held = [
        one
        for one in parent.children()
        if isinstance(one, _HELD) and one.isVisible() and not (isinstance(one, QLabel) and not one.text())
    ]
    found = []
    for first, second in combinations(held, 2):
        common: QRect = first.geometry().intersected(second.geometry())
        if common.width() > SLACK_PX and common.height() > SLACK_PX:
            found.append(f"{_name(first)} lies over {_name(second)}")
    layout = parent.layout()
    if layout is not None:
        items = [layout.itemAt(i) for i in range(layout.count())]
        boxes = [one.geometry() for one in items if one is not None and not one.isEmpty()]
        for one, other in combinations(boxes, 2):
            common = one.intersected(other)
            if common.width() > SLACK_PX and common.height() > SLACK_PX:
                found.append(f"In {_name(parent)} {one.getRect()} lies over {other.getRect()}")
    return found


def _name(one: QWidget) -> str:
    said = _words(one) or one.accessibleName() or one.objectName()
    parent = one.parentWidget()
    around = f" in {type(parent).__name__}" if parent is not None else ""
    return f"{type(one).__name__} “{said[:60]}”{around}"
