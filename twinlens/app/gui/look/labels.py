"""Labels: plain text from outside, elided lines, headings of sections, and sentences with emphasized numbers.

Text from outside (names, folders, cameras, errors) is shown letter by letter, never as rich text. A line that lacks
room ends in dots and has its whole text as a tooltip.
"""

from __future__ import annotations

import html
import re

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QWidget

from twinlens.app.gui.look.theme import theme

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


_STRONG = re.compile(r"\*\*(.+?)\*\*")


def small(font: QFont, share: float = 0.88) -> QFont:
    """Return a font a little smaller than another."""
    made = QFont(font)
    if font.pointSizeF() > 0:
        made.setPointSizeF(font.pointSizeF() * share)
    else:
        made.setPixelSize(max(1, round(font.pixelSize() * share)))
    return made


def strong(font: QFont) -> QFont:
    """Return the same font, heavier."""
    made = QFont(font)
    made.setWeight(QFont.Weight.DemiBold)
    return made


def write_in_capitals(shown: QLabel, font: QFont) -> None:
    """Write a label in capitals of a font, with room above for the dots of Ö: a line of text has none."""
    font.setCapitalization(QFont.Capitalization.AllUppercase)
    shown.setFont(font)
    metrics = shown.fontMetrics()
    shown.setContentsMargins(0, max(0, -metrics.tightBoundingRect("ÄÖÜ").top() - metrics.ascent()), 0, 0)


class Heading(QLabel):
    """The heading of a section: small and quiet, in capitals."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.setWordWrap(True)
        font = strong(small(self.font(), 0.82))
        font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, 1)
        write_in_capitals(self, font)


class Sentence(RichLabel):
    """A quiet sentence with emphasis between pairs of stars: ``**36** bits differ``."""

    def __init__(self, sentence: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self._words = ""  # with <b> around emphasized words
        self._loud = False
        self.say(sentence)

    def say(self, sentence: str) -> None:
        """Show a sentence."""
        self._loud = False
        self.setAccessibleName(plain_sentence(sentence))
        self._write(_STRONG.sub(r"<b>\1</b>", html.escape(breakable(sentence), quote=False)))

    def tell(self, words: str, loud: bool = False) -> None:
        """Show words verbatim, a name for instance."""
        self._loud = loud
        self.setAccessibleName(words)
        self._write(html.escape(breakable(words), quote=False))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Apply the current colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._write(self._words)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Apply the current colours, since hidden widgets do not always learn of a change."""
        super().showEvent(event)
        self._write(self._words)

    def _write(self, words: str) -> None:
        now = theme()
        self._words = words
        mark = f'<span style="color:{now.ink}; font-weight:600">'
        runs = words.replace("<b>", mark).replace("</b>", "</span>")
        text = f'<span style="color:{now.ink if self._loud else now.quiet}">{runs}</span>' if words else ""
        if text != self.text():
            self.setText(text)


def breakable(words: str) -> str:
    """Return a text whose long words (names of files, for instance) can be broken."""
    return re.sub(r"[^\s*]{20,}", _with_breaks, words)


def _with_breaks(found: re.Match[str]) -> str:
    """Allow a break after the separators of a name or a path, or anywhere if there are none for long."""
    parts = re.sub(r"([/\\_.\-])", "\\1\u200b", found.group()).split("\u200b")
    return "\u200b".join("\u200b".join(part) if len(part) > 20 else part for part in parts)


def plain_sentence(sentence: str) -> str:
    """Return a sentence without its stars."""
    return _STRONG.sub(r"\1", sentence)
