"""Pills: the round-ended buttons of the question, painted, so that they are the same on every system."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeySequence, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.gui.query.words import strong
from app.gui.theme import theme

HEIGHT = 32
_PADDING = 13


class Pill(QAbstractButton):
    """A button with round ends.

    Parameters
    ----------
    text : str
        Its words.
    name : str
        What it does, for the tooltip and for those who listen.
    key : str
        The key that does the same, in Qt's spelling; shown in the tooltip.
    invites : bool
        Whether it offers to add something: quiet, with a dashed line.
    """

    def __init__(
        self, text: str, name: str = "", key: str = "", invites: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._invites = invites
        self._lead = ""
        self._tail = ""
        self._widest = 16777215
        self.setText(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name or text)
        if key:
            self.setShortcut(QKeySequence(key))
        shown_key = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
        self.setToolTip(f"{name or text} ({shown_key})" if key else name)

    def set_words(self, lead: str, text: str, tail: str = "") -> None:
        """Show quiet words, then strong ones, then quiet ones again."""
        self._lead, self._tail = lead, tail
        self.setText(text)
        self.updateGeometry()
        self.update()

    def set_widest(self, pixels: int) -> None:
        """Bound the width; what is longer ends in dots."""
        self._widest = pixels
        self.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """As wide as the words, as high as all pills."""
        quiet, loud = QFontMetrics(self.font()), QFontMetrics(self._loud())
        words = quiet.horizontalAdvance(self._lead) + loud.horizontalAdvance(self.text())
        words += quiet.horizontalAdvance(self._tail)
        return QSize(min(words + 2 * _PADDING + 2, self._widest), HEIGHT)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """May be narrower; then the words end in dots."""
        return QSize(HEIGHT, HEIGHT)

    def _loud(self) -> QFont:
        return strong(self.font()) if self._lead or self._tail else self.font()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw it."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_pill(painter, QRectF(self.rect()), self, self._invites)
        x = float(_PADDING + 1)
        room = self.width() - 2 * x
        loud, quiet = QFontMetrics(self._loud()), QFontMetrics(self.font())
        lead, tail = quiet.horizontalAdvance(self._lead), quiet.horizontalAdvance(self._tail)
        words = loud.elidedText(self.text(), Qt.TextElideMode.ElideMiddle, int(max(0, room - lead - tail)) + 1)
        centred = x + max(0.0, (room - lead - tail - loud.horizontalAdvance(words)) / 2)
        x = x if self._lead or self._tail else centred
        dull = not self.isEnabled() or (self._invites and not self.underMouse())
        for text, font, width, colour in (
            (self._lead, self.font(), lead, now.quiet),
            (words, self._loud(), loud.horizontalAdvance(words), now.quiet if dull else now.ink),
            (self._tail, self.font(), tail, now.quiet),
        ):
            painter.setFont(font)
            painter.setPen(QColor(colour))
            painter.drawText(QRectF(x, 0, width + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, text)
            x += width
        painter.end()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Measure again in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()


def paint_pill(painter: QPainter, box: QRectF, widget: QWidget, dashed: bool = False, colour: str = "") -> None:
    """Paint the outline of a pill for what happens with a widget: rest, pointer over it, pressed, focus."""
    now = theme()
    focus = widget.hasFocus()
    width = 2.0 if focus else 1.0
    box = box.adjusted(width / 2, width / 2, -width / 2, -width / 2)
    edge = QColor(colour or now.line)
    if focus or (widget.underMouse() and widget.isEnabled()):
        edge = QColor(colour or now.accent)
    pen = QPen(edge, width)
    if dashed and not focus:
        pen.setStyle(Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([3, 3])
    pressed = isinstance(widget, QAbstractButton) and (widget.isDown() or widget.isChecked())
    painter.setPen(pen)
    painter.setBrush(QColor(now.well if pressed else now.paper))
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
