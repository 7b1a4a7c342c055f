"""A theme is the colours of the window, light or dark as the system prefers; lengths follow the text size.

It is quiet, with one accent, so that photographs stand out. Lengths that hold text grow with the size that the person
has chosen for all programs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QDir, QEvent, QRectF, Qt
from PySide6.QtGui import QColor, QFontInfo, QIcon, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QLabel

from twinlens import resources


@dataclass(frozen=True)
class Theme:
    """The colours of a theme by their purpose."""

    paper: str
    """Panels and controls."""
    ground: str
    """Ground behind photographs."""
    well: str
    """Well of a photograph, and selected rows of a list."""
    line: str
    """Lines between parts."""
    ink: str
    quiet: str
    """Secondary text."""
    accent: str
    warn: str
    """Only for "different", "missed", "this one"."""

    @property
    def faint(self) -> str:
        """Return the colour of disabled controls."""
        quiet, paper = QColor(self.quiet), QColor(self.paper)
        parts = zip((quiet.red(), quiet.green(), quiet.blue()), (paper.red(), paper.green(), paper.blue()), strict=True)
        return QColor(*((above + below) // 2 for above, below in parts)).name()


LIGHT = Theme("#ffffff", "#f6f6f3", "#ebebe6", "#dededa", "#1c1c1a", "#6b6b65", "#0f766e", "#c2571a")
DARK = Theme("#1c1c1e", "#151517", "#28282c", "#333338", "#ececea", "#a0a09a", "#2bb3a3", "#e8833f")


def theme() -> Theme:
    """Return the current colours."""
    application = QApplication.instance()
    forced = application.property("twinlens-scheme") if application is not None else None
    if forced in ("light", "dark"):
        return DARK if forced == "dark" else LIGHT
    dark = QApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
    return DARK if dark else LIGHT


_USUAL_PX = 12


def grown(pixels: int) -> int:
    """Return a length for text of the usual size, grown for a larger text size, never shrunk."""
    return max(pixels, round(pixels * QFontInfo(QApplication.font()).pixelSize() / _USUAL_PX))


_FOLDER = "icons"
_INK = "currentColor"


def let_style_sheets_find_icons() -> None:
    """Make ``url(icons:opens.svg)`` work in style sheets; such an icon is grey, which suits every theme."""
    QDir.setSearchPaths(_FOLDER, [str(Path(resources.__file__).with_name(_FOLDER))])


def pixmap(name: str, colour: str, side: int, ratio: float = 1.0) -> QPixmap:
    """Return a picture of an icon.

    Parameters
    ----------
    name : str
        Name of its file, without the suffix.
    colour : str
        ``#rrggbb``.
    side : int
        Side in device-independent pixels.
    ratio : float
        Device pixels per pixel.
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


@cache
def _drawing(name: str) -> str:
    return resources.read_text(f"{_FOLDER}/{name}.svg")


def icon(name: str, colour: str, side: int, ratio: float = 1.0) -> QIcon:
    """Return an icon for a button: see :func:`pixmap`."""
    made = QIcon(pixmap(name, colour, side, ratio))
    made.addPixmap(pixmap(name, colour, side, ratio), QIcon.Mode.Disabled)
    return made


class Sign(QLabel):
    """A label of an icon in the colour of quiet words of the current theme."""

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
