"""The answer, and what one must know to understand it: the first thing that is read on the page."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.gui.look.theme import theme


class Answer(QWidget):
    """A card with a line of the accent at its left."""

    def __init__(self) -> None:
        super().__init__()
        self.answer, self.more, self.background = QLabel(), QLabel(), QLabel()
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 14, 20, 14)
        column.setSpacing(6)
        for one, pixels in ((self.answer, 15), (self.more, 13), (self.background, 12)):
            one.setWordWrap(True)
            one.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            font = one.font()
            font.setPixelSize(pixels)
            one.setFont(font)
            column.addWidget(one)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._quiet = False
        self._colour()

    @property
    def words(self) -> str:
        """The whole answer."""
        return " ".join(filter(None, [self.answer.text(), self.more.text()]))

    def say(self, answer: str, background: str, quiet: bool = False) -> None:
        """Show an answer, quietly what is no answer yet."""
        first, _, rest = answer.partition(". ")
        self.answer.setText(f"{first}." if rest else answer)
        self.more.setText(rest)
        self.more.setVisible(bool(rest))
        self.background.setText(background)
        self._quiet = quiet
        self._colour()

    def _colour(self) -> None:
        now = theme()
        said = now.quiet if self._quiet else now.ink
        for one, ink in ((self.answer, said), (self.more, said), (self.background, now.quiet)):
            palette = one.palette()
            palette.setColor(QPalette.ColorRole.WindowText, QColor(ink))
            one.setPalette(palette)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Apply the current colours."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange and self.property("coloured") != theme().paper:
            self.setProperty("coloured", theme().paper)
            self._colour()
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the card."""
        del event
        now, painter = theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(now.line))
        painter.setBrush(QColor(now.paper))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(now.accent))
        painter.drawRoundedRect(QRectF(0, 12, 3, self.height() - 24), 1.5, 1.5)
        painter.end()
