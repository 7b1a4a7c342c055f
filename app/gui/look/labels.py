"""Labels show text from outside (names, folders, cameras, errors) letter by letter, never as rich text.

A line that lacks room ends in dots and has its whole text as a tooltip.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel

PLAIN_TEXT = """
    QLabel { qproperty-textFormat: PlainText; }
    QToolTip { qproperty-textFormat: PlainText; }
    RichLabel { qproperty-textFormat: RichText; }
"""
"""Rules of style by which every label and tooltip shows plain text, and only a `RichLabel` rich text."""


class RichLabel(QLabel):
    """A label of rich text written by the program; every other text in it must be escaped (`html.escape`)."""


def on_button(text: str) -> str:
    """Return a text for a button or an action with its ampersands doubled, so that they are shown.

    Examples
    --------
    >>> on_button("Tom & Jerry")
    'Tom && Jerry'
    """
    return text.replace("&", "&&")


class ElidedLine(QLabel):
    """A label of one line, elided where there is no room.

    Parameters
    ----------
    role : str
        Role in the style sheet.
    """

    def __init__(self, role: str = "") -> None:
        super().__init__()
        if role:
            self.setProperty("role", role)

    def say(self, words: str) -> None:
        """Show words."""
        self.setText(words)
        self.setAccessibleName(words)
        self._tell()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return no width, so that any room will do."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Show the whole text as a tooltip if it is elided."""
        super().resizeEvent(event)
        self._tell()

    def _tell(self) -> None:
        self.setToolTip(self.text() if self._fitting() != self.text() else "")

    def _fitting(self) -> str:
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the elided text."""
        del event
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), int(self.alignment()), self._fitting())
        painter.end()
