"""Pills: the round-ended buttons of the question, painted, so that they are the same on every system."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.gui.actions.action import Action, give
from app.gui.look.painted_button import PaintedButton
from app.gui.look.sentences import strong
from app.gui.look.theme import theme

HEIGHT = 32
_PADDING = 13
_CHEVRON = 18  # room for the sign of a list


class Pill(PaintedButton):
    """A button with round ends.

    Parameters
    ----------
    text : str
        Its words.
    name : str
        What it does, for the tooltip and for those who listen.
    action : Action, optional
        What it does; its key is shown in the tooltip.
    invites : bool
        Whether it offers to add something: quiet, with a dashed line.
    """

    def __init__(
        self,
        text: str,
        name: str = "",
        action: Action | None = None,
        invites: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._invites = invites
        self._lead = ""
        self._tail = ""
        self._opens = False
        self.setText(text)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name or text)
        if action is not None:
            give(self, action)
        self.setToolTip(f"{name or text} ({action.keys_text()})" if action is not None else name)

    def set_words(self, lead: str, text: str, tail: str, opens: bool = False) -> None:
        """Show quiet words, then strong ones, then quiet ones again; and whether it opens a list."""
        self._lead, self._tail, self._opens = lead, tail, opens
        self.setText(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """As wide as the words, as high as all pills; never narrower than a circle."""
        quiet, loud = QFontMetrics(self.font()), QFontMetrics(self._loud())
        words = quiet.horizontalAdvance(self._lead) + loud.horizontalAdvance(self.text())
        words += quiet.horizontalAdvance(self._tail) + _CHEVRON * self._opens
        alone = len(self.text()) == 1 and not self._lead
        return QSize(HEIGHT if alone else words + 2 * _PADDING + 2, HEIGHT)

    def least_width(self) -> int:
        """Return the width at which all but the last quiet words can be read."""
        return self.sizeHint().width() - QFontMetrics(self.font()).horizontalAdvance(self._tail)

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
        painter.setOpacity(1 if self.isEnabled() else 0.5)
        paint_pill(painter, QRectF(self.rect()), self, self._invites)
        dull = not self.isEnabled() or (self._invites and not self.underMouse())
        if not (self._lead or self._tail or self._opens):
            painter.setFont(self.font())
            painter.setPen(QColor(now.quiet if dull else now.ink))
            room = self.width() - 2 * _PADDING if len(self.text()) > 1 else self.width()
            words = QFontMetrics(self.font()).elidedText(self.text(), Qt.TextElideMode.ElideRight, room + 1)
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, words)
        else:
            self._paint_runs(painter, QColor(now.quiet if dull else now.ink))
        painter.end()

    def _paint_runs(self, painter: QPainter, ink: QColor) -> None:
        """Draw quiet, strong and quiet words; where there is little room, the last end in dots first."""
        quiet_ink = QColor(theme().quiet)
        x, end = float(_PADDING + 1), float(self.width() - _PADDING - 1)
        if self._opens:
            paint_chevron(painter, QPointF(end - 4, self.height() / 2))
            end -= _CHEVRON
        for text, font, colour in (
            (self._lead, self.font(), quiet_ink),
            (self.text(), self._loud(), ink),
            (self._tail, self.font(), quiet_ink),
        ):
            metrics = QFontMetrics(font)
            words = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0, int(end - x) + 1))
            if words != text and text == self._tail and len(words) < 8:
                break  # a letter or two say nothing
            painter.setFont(font)
            painter.setPen(colour)
            painter.drawText(QRectF(x, 0, end - x + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, words)
            x += metrics.horizontalAdvance(words)
            if words != text:
                break

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
    chosen = isinstance(widget, QAbstractButton) and widget.isChecked()
    if focus or chosen or (widget.underMouse() and widget.isEnabled()):
        edge = QColor(colour or now.accent)
    pen = QPen(edge, width)
    if dashed and not focus:
        pen.setStyle(Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([3, 3])
    pressed = chosen or (isinstance(widget, QAbstractButton) and widget.isDown())
    painter.setPen(pen)
    painter.setBrush(QColor(now.well if pressed else now.paper))
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)


def paint_chevron(painter: QPainter, middle: QPointF) -> None:
    """Paint the sign that something opens."""
    painter.setPen(QPen(QColor(theme().quiet), 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    for side in (-4, 4):
        painter.drawLine(middle + QPointF(side, -2), middle + QPointF(0, 2))
