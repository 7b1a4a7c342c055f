"""Icons: every drawing has one colour, which is the one that is asked for, and is found by style sheets."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QFile
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import resources
from app.gui.look.style_sheet import apply_theme
from app.gui.look.theme import DARK, LIGHT, Sign, let_style_sheets_find_icons, pixmap

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
