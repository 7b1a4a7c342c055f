"""Ways to look at widgets in tests."""

from __future__ import annotations

import os
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAccessible, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from twinlens.app.gui.actions.action import press
from twinlens.app.gui.frame.photograph_commands import PhotographCommand, PhotographCommands

One = TypeVar("One", bound=QObject)

LONG = int(os.environ.get("TWINLENS_PATIENCE_MS", "30000"))
"""Longest wait for something that is seen, ms; it only passes where a test fails."""


def words(widget: QWidget) -> list[str]:
    """Return what the visible labels in a widget say, without the places where long words may be broken."""
    shown = [one.text() for one in widget.findChildren(QLabel) if one.isVisibleTo(widget)]
    return [text.replace("\u200b", "") for text in shown if text]


def said(widget: QWidget) -> str:
    """Return all that the visible labels in a widget say."""
    return " ".join(words(widget))


def part(widget: QObject, kind: type[One]) -> One:
    """Find the one object of a type in a widget."""
    (found,) = widget.findChildren(kind)
    return found


def named(widget: QObject, name: str) -> QWidget:
    """Find the one widget of an accessible name that is shown; the one that is not shown, where there is no other."""
    every = [one for one in widget.findChildren(QWidget) if name in (one.accessibleName(), _written_on(one))]
    found = [one for one in every if one.isVisible()] or every
    assert len(found) == 1, (name, [one.accessibleName() for one in widget.findChildren(QWidget)])
    return found[0]


def _written_on(widget: QWidget) -> str | None:
    """Return the words of a button that has no other name: they are read out."""
    return widget.text() if isinstance(widget, QAbstractButton) and not widget.accessibleName() else None


def edit(widget: QObject, name: str) -> QLineEdit:
    """Find the line of an accessible name."""
    found = named(widget, name)
    assert isinstance(found, QLineEdit)
    return found


def chooser(widget: QObject, name: str) -> QComboBox:
    """Find the list of an accessible name."""
    found = named(widget, name)
    assert isinstance(found, QComboBox)
    return found


def button(widget: QObject, name: str) -> QAbstractButton:
    """Find the button of an accessible name."""
    found = named(widget, name)
    assert isinstance(found, QAbstractButton)
    return found


def choose(box: QComboBox, text: str) -> None:
    """Choose as a person does: the signal comes along."""
    place = next(i for i in range(box.count()) if box.itemText(i).startswith(text))
    box.setCurrentIndex(place)
    box.activated.emit(place)


def nameless(widget: QWidget) -> list[QWidget]:
    """Return what takes the focus and has no name for those who cannot see it."""
    found: list[QWidget] = []
    for one in widget.findChildren(QWidget):
        takes_focus = one.focusPolicy() != Qt.FocusPolicy.NoFocus and one.isVisibleTo(widget)
        if takes_focus and isinstance(one, QAbstractButton | QComboBox | QLineEdit | QPlainTextEdit):
            interface = QAccessible.queryAccessibleInterface(one)
            if interface is None or not interface.text(QAccessible.Text.Name):
                found.append(one)
    return found


def show(qtbot: QtBot, widget: QWidget) -> None:
    """Show a widget, and wait until keys go to it."""
    qtbot.addWidget(widget)
    with qtbot.waitActive(widget):
        widget.show()
        widget.activateWindow()


def do_key(widget: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Do the action that a key means in a widget, or in one around it, though the window has no keys."""
    event = QKeyEvent(QEvent.Type.KeyPress, key, modifiers)
    while not press(widget, event):
        above = widget.parentWidget()
        assert above is not None, f"{key} means nothing"
        widget = above


def menu_commands(window: QWidget, one: int, ids: list[int]) -> list[PhotographCommand]:
    """Return what the menu of a photograph offers."""
    found = window.findChild(PhotographCommands)
    assert found is not None
    return [command for section in found.offered(one, ids) for command in section]
