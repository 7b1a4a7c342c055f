"""Icons have the one colour that is asked for; a button's text is text, shortened where there is no room."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QFile, QSize, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel
from pytestqt.qtbot import QtBot

from twinlens import resources
from twinlens.app.gui.look.buttons import QuietButton, Switch
from twinlens.app.gui.look.labels import Heading
from twinlens.app.gui.look.page_parts import label
from twinlens.app.gui.look.style_sheet import apply_theme
from twinlens.app.gui.look.theme import DARK, LIGHT, Sign, let_style_sheets_find_icons, pixmap

NAMES = sorted(path.stem for path in Path(resources.__file__).with_name("icons").glob("*.svg"))


@pytest.mark.parametrize("name", NAMES)
def test_a_drawing_has_the_colour_that_is_asked_for(qapp: QApplication, name: str) -> None:
    let_style_sheets_find_icons()
    image = pixmap(name, "#c2571a", 20, 2).toImage()
    assert (image.width(), image.height()) == (40, 40)
    inks = {
        image.pixelColor(x, y).name() for x in range(40) for y in range(40) if image.pixelColor(x, y).alpha() == 255
    }
    assert inks == {"#c2571a"}
    assert QFile.exists(f"icons:{name}.svg")


def test_a_sign_follows_the_theme(qtbot: QtBot, qapp: QApplication) -> None:
    apply_theme(qapp, "light")
    sign = Sign("opens", 24)
    qtbot.addWidget(sign)
    sign.show()
    assert sign.pixmap().toImage() == pixmap("opens", LIGHT.quiet, 24, sign.devicePixelRatioF()).toImage()
    apply_theme(qapp, "dark")
    assert sign.pixmap().toImage() == pixmap("opens", DARK.quiet, 24, sign.devicePixelRatioF()).toImage()
    apply_theme(qapp, "light")


@pytest.mark.parametrize("made", [Heading, lambda words: label(words, "section")], ids=["heading", "section"])
def test_capitals_have_room_for_their_dots(qtbot: QtBot, qapp: QApplication, made: Callable[[str], QLabel]) -> None:
    apply_theme(qapp, "light")

    def inked(words: str) -> int:
        """Return how many rows of a heading have ink."""
        shown = made(words)
        qtbot.addWidget(shown)
        shown.resize(shown.sizeHint() if room is None else shown.sizeHint() + room)
        image = shown.grab().toImage()
        ground = image.pixel(0, image.height() - 1)
        rows = range(image.height())
        return sum(any(image.pixel(x, y) != ground for x in range(image.width())) for y in rows)

    room: QSize | None = None
    fitting = inked("öäü")
    room = QSize(0, 40)
    assert fitting == inked("öäü")


def drawn(button: QuietButton) -> str:
    return str(button.drawn_option().text)


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
