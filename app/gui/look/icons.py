"""Icons: drawings of one colour in ``resources/icons``, in any colour, and as sharp as the screen is."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QDir, QEvent, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QLabel

import resources
from app.gui.look.theme import theme

_FOLDER = "icons"
_INK = "currentColor"


def let_style_sheets_find_icons() -> None:
    """Let ``url(icons:opens.svg)`` in a style sheet be found: such an icon is grey, and suits every theme."""
    QDir.setSearchPaths(_FOLDER, [str(Path(resources.__file__).with_name(_FOLDER))])


def pixmap(name: str, colour: str, side: int, ratio: float = 1.0) -> QPixmap:
    """Draw an icon.

    Parameters
    ----------
    name : str
        Of its file, without the ending.
    colour : str
        ``#rrggbb``.
    side : int
        Pixels, as widgets count them.
    ratio : float
        Device pixels in one of these.
    """
    key = f"icon {name} {colour} {side} {ratio}"
    made = QPixmap()
    if QPixmapCache.find(key, made):
        return made
    whole = round(side * ratio)
    made = QPixmap(whole, whole)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    QSvgRenderer(QByteArray(_drawing(name).replace(_INK, colour).encode())).render(painter, QRectF(0, 0, whole, whole))
    painter.end()
    made.setDevicePixelRatio(ratio)
    QPixmapCache.insert(key, made)
    return made


def icon(name: str, colour: str, side: int, ratio: float = 1.0) -> QIcon:
    """Return an icon for a button: see :func:`pixmap`."""
    made = QIcon(pixmap(name, colour, side, ratio))
    made.addPixmap(pixmap(name, colour, side, ratio), QIcon.Mode.Disabled)
    return made


@cache
def _drawing(name: str) -> str:
    return resources.read_text(f"{_FOLDER}/{name}.svg")


class Sign(QLabel):
    """Shows an icon in the colour of quiet words, whatever theme holds."""

    def __init__(self, name: str, side: int) -> None:
        super().__init__()
        self._name, self._side = name, side
        self.setFixedWidth(side)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._draw()

    def _draw(self) -> None:
        self.setPixmap(pixmap(self._name, theme().quiet, self._side, self.devicePixelRatioF()))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Apply the current colours."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.DevicePixelRatioChange):
            self._draw()
