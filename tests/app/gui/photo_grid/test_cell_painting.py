"""What is painted for a tile stays within it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPixmap
from pytestqt.qtbot import QtBot

from app.gui.look.theme import LIGHT
from app.gui.photo_grid.cell_painting import GridCellPainter, GridTile
from app.gui.photo_grid.grid_layout import Caption


@pytest.mark.parametrize("stretch", [1.0, 0.9, 1.5])
def test_a_photograph_that_was_made_for_larger_tiles_does_not_spill(qtbot: QtBot, stretch: float) -> None:
    large = QPixmap(120, 90)
    large.fill(QColor("#ff0000"))
    image = QImage(160, 160, QImage.Format.Format_RGB32)
    image.fill(QColor("#00ff00"))
    painter = QPainter(image)
    tile = GridTile(pixmap=(large, stretch), unreadable=False, caption=None, away=False, selected=False, current=False)
    GridCellPainter(painter, LIGHT, QFont(), "asked").tile(QRect(40, 40, 80, 80), tile)
    painter.end()
    assert image.pixelColor(80, 80) == QColor("#ff0000")
    around = [image.pixelColor(x, 80) for x in (30, 36, 123, 130)] + [
        image.pixelColor(80, y) for y in (30, 36, 123, 130)
    ]
    assert set(map(QColor.name, around)) == {"#00ff00"}


@pytest.mark.parametrize("side", [96, 320])
def test_what_is_confirmed_has_a_disc_with_a_tick_in_its_corner(qtbot: QtBot, side: int) -> None:
    assert _corner(side, Caption(confirmed=True)).name() == LIGHT.accent
    assert _corner(side, Caption()).name() == LIGHT.well
    assert _corner(side, Caption(confirmed=True, marked=True)).name() == LIGHT.well  # it is what was asked with


def _corner(side: int, caption: Caption) -> QColor:
    """Paint a tile without a photograph, and give the colour in the upper right of its well, beside the tick."""
    image = QImage(side + 40, side + 80, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.ground))
    painter = QPainter(image)
    tile = GridTile(pixmap=None, unreadable=False, caption=caption, away=False, selected=False, current=False)
    GridCellPainter(painter, LIGHT, QFont(), "asked").tile(QRect(20, 20, side, side), tile)
    painter.end()
    return image.pixelColor(20 + side - 17, 20 + 17 - 6)
