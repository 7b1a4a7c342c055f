"""The button of the window: its text is text, it is shortened where there is no room, and Enter presses it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStyleOptionButton
from pytestqt.qtbot import QtBot

from app.gui.look.buttons import QuietButton, Switch


def drawn(button: QuietButton) -> str:
    option = QStyleOptionButton()
    button.initStyleOption(option)
    return str(option.text)


def test_an_ampersand_is_text_and_another_text_leaves_the_shortcut(qtbot: QtBot) -> None:
    button = QuietButton("Tom")
    qtbot.addWidget(button)
    button.setShortcut(QKeySequence("Ctrl+T"))
    button.setText("Tom & Jerry")
    button.resize(button.sizeHint())
    assert button.shortcut() == QKeySequence("Ctrl+T")
    assert drawn(button) == "Tom && Jerry"


def test_what_has_no_room_ends_in_dots(qtbot: QtBot) -> None:
    button = QuietButton("a rather long name of a file", sign="close")
    qtbot.addWidget(button)
    button.resize(button.sizeHint())
    assert drawn(button) == button.text()
    button.resize(button.width() - 40, button.height())
    assert drawn(button).endswith("…")


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_keys_press_it(qtbot: QtBot, key: Qt.Key) -> None:
    button = Switch("on or off")
    qtbot.addWidget(button)
    QTest.keyClick(button, key)
    assert button.isChecked()
    assert button.sign()[0] == "on"


def test_labels_in_it_show_the_words(qtbot: QtBot) -> None:
    button = QuietButton("words")
    qtbot.addWidget(button)
    inner = QHBoxLayout(button)
    inner.addWidget(QLabel("words and more of them"))
    assert drawn(button) == ""
    assert button.sizeHint() == inner.totalSizeHint()
