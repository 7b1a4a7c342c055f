"""One parameter of the explorer: its name, its value, and a slider with the curve of the points measured along it.

A sentence says what the last move changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QComboBox, QLineEdit, QSizePolicy, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.lab_actions import explore_actions
from twinlens.app.gui.forms.parameter_controls import Chooser, limits_of, told
from twinlens.app.gui.lab.explore.explore_figures import value_words
from twinlens.app.gui.look.buttons import Switch
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.labels import small, strong
from twinlens.app.gui.look.page_parts import column_of, label, set_role
from twinlens.app.gui.look.theme import grown, theme
from twinlens.app.gui.process.jobs import outlived
from twinlens.app.language.texts import _, text
from twinlens.core.declaration.parameters import ParameterKind

if TYPE_CHECKING:
    from twinlens.app.lab.explore.knobs import Knob


class KnobRow(QWidget):
    """Row of one knob.

    Signals
    -------
    turned(str, object)
        Its path, and the value that is wanted.
    typed(str, str)
        Its path, and what was written as its value.
    held(bool)
    looked_at(str)
    """

    turned = Signal(str, object)
    typed = Signal(str, str)
    held = Signal(bool)
    looked_at = Signal(str)

    def __init__(self, knob: Knob, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.knob = knob
        self._value: Any = knob.default
        self._name = label(told(knob.name))
        self._name.setFont(strong(self._name.font()))
        self._unit = label(told(knob.about.unit), "quiet")
        self._field = QLineEdit()
        self._field.setFixedWidth(grown(84))
        self._field.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._field.setAccessibleName(_("Value of {name}", name=told(knob.name)))
        self._field.returnPressed.connect(self._on_typed)
        self._field.installEventFilter(self)
        self.slider = CurveSlider(told(knob.name))
        self.slider.moved.connect(self._on_moved)
        self.slider.reset.connect(lambda: self.turned.emit(self.knob.path, self.knob.default))
        self.slider.held.connect(self.held)
        self.slider.looked_at.connect(lambda: self.looked_at.emit(self.knob.path))
        self._chooser, self._switch = Chooser(), Switch()
        self._chooser.activated.connect(self._on_moved)
        self._switch.toggled.connect(self._on_switched)
        for widget in (self._chooser, self._switch):
            widget.setAccessibleName(told(knob.name))
            widget.installEventFilter(self)
        self._said = label("", "quiet")
        self._said.setFont(small(self._said.font()))
        self._said.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self._lay_out()
        self.set_knob(knob, knob.default)

    def _lay_out(self) -> None:
        head = FlowLayout(line_gap=2, right=True)
        self._name.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        head.addWidget(self._name)
        for widget in (self._chooser, self._switch, self._field, self._unit):
            head.addWidget(widget)
        column_of(head, self.slider, self._said, on=self, gap=0, margins=(0, 0, 0, 2))
        self._said.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._said.setFixedHeight(self._said.fontMetrics().height() + 2)
        self._chooser.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._chooser.setMinimumContentsLength(14)

    def set_knob(self, knob: Knob, value: Any) -> None:
        """Show another state of the same parameter."""
        self.knob, self._value = knob, value
        plain = knob.about.kind is not ParameterKind.SWITCH and not knob.slides
        self.slider.setVisible(knob.slides)
        self._field.setVisible(knob.slides)
        self._unit.setVisible(knob.slides and bool(knob.about.unit))
        self._said.setVisible(knob.slides or bool(knob.why_not))
        self._chooser.setVisible(plain)
        self._switch.setVisible(knob.about.kind is ParameterKind.SWITCH)
        shown = getattr(value, "key", value)
        if knob.slides:
            words = value_words(knob.stops[0]), value_words(knob.stops[-1])
            self.slider.set_stops(len(knob.stops), knob.place(value), knob.place(knob.default), words)
            if not self._field.hasFocus():
                self._field.setText(value_words(value))
        elif plain:
            self._chooser.blockSignals(True)
            if [self._chooser.itemText(n) for n in range(self._chooser.count())] != list(knob.stops):
                self._chooser.clear()
                self._chooser.addItems([told(str(stop)) for stop in knob.stops])
            self._chooser.setCurrentIndex(knob.place(shown))
            self._chooser.blockSignals(False)
        else:
            self._switch.blockSignals(True)
            self._switch.setChecked(bool(value))
            self._switch.blockSignals(False)
        self.setEnabled(not knob.why_not)
        default = _("usually {getattr}", getattr=value_words(getattr(knob.default, "key", knob.default)))
        self.setToolTip(
            text(knob.why_not)
            or f"{told(knob.about.help)}\n{limits_of(knob.about) or text(knob.about.accepted())}; {default}"
        )
        if knob.why_not:
            self.say(text(knob.why_not))

    def set_points(self, points: list[CurvePoint], pinned: Any = None, has_pinned: bool = False) -> None:
        """Show the known points along the slider."""
        self.slider.set_points(points, self.knob.place(pinned) if has_pinned else -1)

    def set_beside(self, words: str) -> None:
        """Set the text beside the value, in the place of its unit."""
        self._unit.setText(words or told(self.knob.about.unit))
        self._unit.setVisible(self.knob.slides and bool(self._unit.text()))

    def say(self, sentence: str, wrong: bool = False) -> None:
        """Show the effect of a change, or why it is impossible."""
        set_role(self._said, "error" if wrong else "quiet")
        self._said.setVisible(self.knob.slides or bool(sentence))
        self._said.setToolTip(sentence)
        self._write_said()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Show as much of the sentence as fits."""
        super().resizeEvent(event)
        self._write_said()

    def _write_said(self) -> None:
        measure, words = self._said.fontMetrics(), self.said()
        if self.knob.why_not:  # stands as long as the row does: it may take lines
            folded = measure.boundingRect(0, 0, self.width(), 1_000, Qt.TextFlag.TextWordWrap, words)
            height = folded.height()
        else:
            words, height = measure.elidedText(words, Qt.TextElideMode.ElideRight, self.width()), measure.height()
        self._said.setWordWrap(bool(self.knob.why_not))
        self._said.setFixedHeight(height + 2)
        self._said.setText(words)

    def said(self) -> str:
        """Return the whole sentence."""
        return self._said.toolTip()

    def reset_field(self) -> None:
        """Show the current value in the field."""
        self._field.setText(value_words(self._value))

    def _on_moved(self, place: int) -> None:
        stop = self.knob.stops[place]
        if self.knob.slides:
            self._field.setText(value_words(stop))
        self.turned.emit(self.knob.path, stop)

    def _on_switched(self, on: bool) -> None:
        self.turned.emit(self.knob.path, on)

    def _on_typed(self) -> None:
        self.typed.emit(self.knob.path, self._field.text())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Report the focus; discard a value that was not confirmed with Enter."""
        if outlived(self):
            return False
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.Enter):
            self.looked_at.emit(self.knob.path)
        if watched is self._field and event.type() == QEvent.Type.FocusOut:
            self._field.setText(value_words(self._value))
        return super().eventFilter(watched, event)


_CURVE = 34
_GROOVE = 14
_SIDE = 9
_HANDLE = 7.0
_PAGE = 4  # stops of a page: a doubling, where the slider goes by factors


@dataclass(frozen=True)
class CurvePoint:
    """A measured stop of the slider: its recall, and whether that is exact."""

    stop: int
    value: float
    exact: bool


class CurveSlider(QWidget):
    """Slider with stops, and the curve of the measured points along it.

    Signals
    -------
    moved(int)
        The person has moved it to a stop; also while dragging.
    held(bool)
        It is being dragged now, or no longer.
    reset()
        It is to go back to its default.
    looked_at()
        The keys or the pointer have come to it.
    """

    moved = Signal(int)
    held = Signal(bool)
    reset = Signal()
    looked_at = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stops, self._place, self._default, self._words = 2, 0, 0, ("", "")
        self._points: Sequence[CurvePoint] = ()
        self._pinned = -1
        self._drags = False
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        attach(self, explore_actions(), {"own": self.reset.emit})

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size as high as curve and groove."""
        return QSize(200, _CURVE + _GROOVE + 4)

    def set_stops(self, count: int, place: int, default: int, words: tuple[str, str]) -> None:
        """Set the number of stops, the current and the default one, and the labels of both ends."""
        self._stops, self._place, self._default, self._words = count, place, default, words
        self.update()

    def set_points(self, points: Sequence[CurvePoint], pinned: int = -1) -> None:
        """Draw the measured points and the pinned value."""
        if (list(points), pinned) != (list(self._points), self._pinned):
            self._points, self._pinned = list(points), pinned
            self.update()

    def place(self) -> int:
        """Return the current stop."""
        return self._place

    def points(self) -> Sequence[CurvePoint]:
        """Return the measured points."""
        return self._points

    def x_of(self, stop: int) -> float:
        """Return the x of a stop."""
        return _SIDE + (self.width() - 2 * _SIDE) * stop / max(1, self._stops - 1)

    def stop_at(self, x: float) -> int:
        """Return the nearest stop."""
        share = (x - _SIDE) / max(1, self.width() - 2 * _SIDE)
        return min(max(0, round(share * (self._stops - 1))), self._stops - 1)

    def _move(self, place: int) -> None:
        place = min(max(0, place), self._stops - 1)
        if place != self._place:
            self._place = place
            self.update()
            self.moved.emit(place)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Begin to drag at the pressed point."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._drags = True
            self.held.emit(True)
            self._move(self.stop_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Drag."""
        if self._drags:
            self._move(self.stop_at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Let go."""
        if self._drags and event.button() == Qt.MouseButton.LeftButton:
            self._drags = False
            self.held.emit(False)

    def mouseDoubleClickEvent(self, _: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Go back to the default."""
        self._drags = False
        self.held.emit(False)
        self.reset.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Step with arrows, pages, Home and End."""
        steps = {
            Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1,
            Qt.Key.Key_PageDown: -_PAGE, Qt.Key.Key_PageUp: _PAGE, Qt.Key.Key_Home: -self._stops,
            Qt.Key.Key_End: self._stops,
        }  # fmt: skip
        key = Qt.Key(event.key())
        if key in steps and event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier):
            self._move(self._place + steps[key])
        else:
            event.ignore()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        """Let the page scroll."""
        event.ignore()

    def enterEvent(self, _: object) -> None:  # noqa: N802 (Qt's name)
        """Report the pointer."""
        self.looked_at.emit()
        self.update()

    def leaveEvent(self, _: object) -> None:  # noqa: N802 (Qt's name)
        """Report that the pointer left."""
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Report the focus."""
        self.looked_at.emit()
        super().focusInEvent(event)

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the curve over the groove, and the handle under its current point."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if self.isEnabled() else 0.4)
        self._paint_curve(painter)
        groove = _CURVE + _GROOVE / 2
        painter.setPen(QPen(QColor(now.line), 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(QPointF(_SIDE, groove), QPointF(self.width() - _SIDE, groove))
        usual = self.x_of(self._default)
        painter.setPen(QPen(QColor(now.quiet), 1.5))
        painter.drawLine(QPointF(usual, groove - 5), QPointF(usual, groove + 5))
        if self._pinned >= 0:
            at = self.x_of(self._pinned)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(now.warn))
            painter.drawPolygon([QPointF(at - 4, groove + 9), QPointF(at + 4, groove + 9), QPointF(at, groove + 3)])
        x = self.x_of(self._place)
        lively = self.hasFocus() or self.underMouse() or self._drags
        painter.setPen(QPen(QColor(now.ink if self.hasFocus() else now.accent), 2))
        painter.setBrush(QColor(now.accent if lively else now.paper))
        painter.drawEllipse(QPointF(x, groove), _HANDLE, _HANDLE)
        painter.end()

    def _paint_curve(self, painter: QPainter) -> None:
        now = theme()
        painter.setPen(QPen(QColor(now.well), 1))
        for share in (0.0, 0.5, 1.0):
            y = self._y(share)
            painter.drawLine(QPointF(_SIDE, y), QPointF(self.width() - _SIDE, y))
        pale, firm = QColor(now.accent), QColor(now.accent)
        pale.setAlphaF(0.45)
        places = [QPointF(self.x_of(one.stop), self._y(one.value)) for one in self._points]
        for (one, a), (other, b) in zip(
            zip(self._points, places, strict=True), list(zip(self._points, places, strict=True))[1:], strict=False
        ):
            painter.setPen(QPen(firm if one.exact and other.exact else pale, 1.4))
            painter.drawLine(a, b)
        for point, at in zip(self._points, places, strict=True):
            here = point.stop == self._place
            colour = firm if point.exact else pale
            painter.setPen(QPen(colour, 1.2))
            painter.setBrush(colour if point.exact or here else QColor(now.paper))
            painter.drawEllipse(at, 3.6 if here else 1.8, 3.6 if here else 1.8)
            if here:
                painter.setPen(QPen(pale, 1, Qt.PenStyle.DotLine))
                painter.drawLine(at, QPointF(at.x(), _CURVE + _GROOVE / 2))

    def _y(self, value: float) -> float:
        return QRectF(0, 4, 1, _CURVE - 8).bottom() - (_CURVE - 8) * min(max(value, 0.0), 1.0)
