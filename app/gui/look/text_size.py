"""Text size, as the person has chosen it for all programs, and lengths that follow it."""

from __future__ import annotations

from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication

_USUAL_PX = 12


def grown(pixels: int) -> int:
    """Return a length that holds text of the usual size, for the size that the person has chosen; never less."""
    return max(pixels, round(pixels * QFontInfo(QApplication.font()).pixelSize() / _USUAL_PX))
