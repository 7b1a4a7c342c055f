"""One example of the query: picture, chip and weight."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from app.gui.look.painted_button import PaintedButton
from app.gui.look.pills import HEIGHT, paint_pill
from app.gui.look.theme import theme
from app.language.spoken import _, number

_WIDEST = 200
_READABLE = 60  # px: less has no room for beginning and end of a name
_CROSS = 24  # width of the place of the ×


@dataclass(frozen=True)
class ShownExample:
    """An example as it is shown.

    Attributes
    ----------
    name : str
    jpeg : bytes
        A thumbnail; empty while it is not known.
    weight : float
        Negative: the results should not be like it.
    cropped : bool
        Only a part of the picture is meant.
    colours : bool
        It is a palette or a sketch, of which no part can be meant.
    """

    name: str
    jpeg: bytes
    weight: float = 1.0
    cropped: bool = False
    colours: bool = False

    def colour(self) -> str:
        """Return the colour of its frame: accent, or orange for "not like"."""
        return theme().accent if self.weight >= 0 else theme().warn


class ExamplePicture(QWidget):
    """The picture of an example, in a frame."""

    def __init__(self, example: ShownExample, parent: QWidget) -> None:
        super().__init__(parent)
        self._pixmap = QPixmap()
        self.set_example(example)

    def set_example(self, example: ShownExample) -> None:
        """Show an example."""
        self._example = example
        self._pixmap = QPixmap()
        if example.jpeg:
            self._pixmap.loadFromData(example.jpeg)
        name = example.name
        self.setAccessibleName(_("Like {name}", name=name) if example.weight >= 0 else _("Not like {name}", name=name))
        self.setToolTip(example.name)
        self.update()

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the picture, filling the frame."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        whole = QRectF(self.rect())
        painter.setPen(QPen(QColor(self._example.colour()), 2))
        painter.setBrush(QColor(now.paper))
        painter.drawRoundedRect(whole.adjusted(1, 1, -1, -1), 7, 7)
        inner = whole.adjusted(4, 4, -4, -4)
        outline = QPainterPath()
        outline.addRoundedRect(inner, 4, 4)
        painter.fillPath(outline, QColor(now.well))
        if not self._pixmap.isNull():
            painter.setClipPath(outline)
            painter.drawPixmap(inner, self._pixmap, _middle(self._pixmap))
        painter.end()


def _middle(pixmap: QPixmap) -> QRectF:
    """Return the square in the middle of a picture."""
    side = min(pixmap.width(), pixmap.height())
    return QRectF((pixmap.width() - side) / 2, (pixmap.height() - side) / 2, side, side)


class ExampleChip(QWidget):
    """Name and weight of an example, and a cross that removes it.

    Signals
    -------
    removed()
    opened()
        Its weight is to be changed.
    """

    removed = Signal()
    opened = Signal()

    def __init__(self, example: ShownExample, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = _Part(self)
        self._cross = _Part(self)
        self._cross.setText("×")
        self._words.clicked.connect(self.opened)
        self._cross.clicked.connect(self.removed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.set_example(example)

    def set_example(self, example: ShownExample) -> None:
        """Show an example."""
        self._example = example
        self._words.setText(written(example))
        self._words.setAccessibleName(_("{name}: change its weight", name=written(example)))
        self._words.setToolTip(
            _(
                "{name}\nWeight {weight:+.1f}. Click to change it, Del to remove it.",
                name=example.name,
                weight=example.weight,
            )
        )
        self._cross.setAccessibleName(_("Remove {name} from the search", name=example.name))
        self._cross.setToolTip(_("Remove (Del)"))
        self.updateGeometry()
        self.update()

    def stops(self) -> list[QWidget]:
        """Return where Tab stops."""
        return [self._words, self._cross]

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """As wide as the name, within bounds."""
        width = QFontMetrics(self.font()).horizontalAdvance(self._words.text())
        return QSize(min(_WIDEST, 14 + width + 2 + _CROSS + 6), HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Cross at the right, words in the rest."""
        super().resizeEvent(event)
        self._words.setGeometry(0, 0, max(0, self.width() - _CROSS - 6), self.height())
        self._cross.setGeometry(max(0, self.width() - _CROSS - 6), 0, _CROSS + 6, self.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Remove it with Del."""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw outline, words and cross."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = now.warn if self._example.weight < 0 else ""
        held = self._words if self._words.hasFocus() else self
        paint_pill(painter, QRectF(self.rect()), held, colour=edge)
        painter.setFont(self.font())
        painter.setPen(QColor(now.ink))
        room = QRectF(14, 0, max(0, self.width() - 14 - _CROSS - 6), self.height())
        painter.drawText(room.adjusted(0, 0, 2, 0), Qt.AlignmentFlag.AlignVCenter, self._fitting(int(room.width()) + 1))
        middle = QPointF(self.width() - 6 - _CROSS / 2, self.height() / 2)
        if self._cross.hasFocus() or self._cross.underMouse():
            painter.setPen(QPen(QColor(now.accent), 1.5) if self._cross.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(now.well))
            painter.drawEllipse(middle, 10, 10)
        painter.setPen(QPen(QColor(now.ink if self._cross.underMouse() else now.quiet), 1.4))
        for slope in (1, -1):
            painter.drawLine(middle + QPointF(-3.5, -3.5 * slope), middle + QPointF(3.5, 3.5 * slope))
        painter.end()

    def _fitting(self, room: int) -> str:
        """Return the text that fits: first the name is shortened, then sign and weight stand alone."""
        metrics = QFontMetrics(self.font())
        lead, name, tail = parts(self._example)
        left = room - metrics.horizontalAdvance(lead + tail)
        how = Qt.TextElideMode.ElideMiddle if left > _READABLE else Qt.TextElideMode.ElideRight
        short = metrics.elidedText(name, how, left)
        offered = (f"{lead}{short}{tail}" if len(short) > 1 else "", f"{lead}{tail}", tail, lead)
        return next((words.strip() for words in offered if 0 < metrics.horizontalAdvance(words.strip()) <= room), "")


class _Part(PaintedButton):
    """A part of a chip that can be pressed; the chip draws it."""

    def __init__(self, chip: QWidget) -> None:
        super().__init__(chip)
        self._chip = chip

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw nothing."""

    def event(self, event: QEvent) -> bool:
        """Let the chip draw what happens here."""
        done = super().event(event)
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut, QEvent.Type.HoverEnter, QEvent.Type.HoverLeave):
            self._chip.update()
        return done


def written(example: ShownExample) -> str:
    """Return the text of an example: crop, sign, name, and weight if it is not 1."""
    return "".join(parts(example))


def parts(example: ShownExample) -> tuple[str, str, str]:
    """Return the signs before the name, the name, and the weight after it."""
    lead = "◩ " * example.cropped + "− " * (example.weight < 0)
    weight = abs(example.weight)
    return lead, example.name, f" ×{number(weight, '.1f')}" if abs(weight - 1) > 0.04 else ""
