"""Colours and text size of the window: light and dark as the system says, quiet, one accent, the photograph loudest.

Lengths that hold text follow the size that the person has chosen for all programs.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontInfo
from PySide6.QtWidgets import QApplication


@dataclass(frozen=True)
class Theme:
    """Colours by what they are for."""

    paper: str
    """Of panels and controls."""
    ground: str
    """Behind photographs."""
    well: str
    """Of the square that a photograph lies in, and of what is chosen in a list."""
    line: str
    """Between parts."""
    ink: str
    quiet: str
    """Of what is said beside the main thing."""
    accent: str
    warn: str
    """Only for "different", "missed", "this one"."""

    @property
    def faint(self) -> str:
        """Of what cannot be pressed now."""
        quiet, paper = QColor(self.quiet), QColor(self.paper)
        parts = zip((quiet.red(), quiet.green(), quiet.blue()), (paper.red(), paper.green(), paper.blue()), strict=True)
        return QColor(*((above + below) // 2 for above, below in parts)).name()


LIGHT = Theme("#ffffff", "#f6f6f3", "#ebebe6", "#dededa", "#1c1c1a", "#6b6b65", "#0f766e", "#c2571a")
DARK = Theme("#1c1c1e", "#151517", "#28282c", "#333338", "#ececea", "#a0a09a", "#2bb3a3", "#e8833f")


def theme() -> Theme:
    """Return the colours that hold now."""
    application = QApplication.instance()
    forced = application.property("twinlens-scheme") if application is not None else None
    if forced in ("light", "dark"):
        return DARK if forced == "dark" else LIGHT
    dark = QApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
    return DARK if dark else LIGHT


_USUAL_PX = 12


def grown(pixels: int) -> int:
    """Return a length that holds text of the usual size, for the size that the person has chosen; never less."""
    return max(pixels, round(pixels * QFontInfo(QApplication.font()).pixelSize() / _USUAL_PX))
