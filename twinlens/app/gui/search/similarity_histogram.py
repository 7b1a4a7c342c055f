"""The histogram of similarities, with two handles that filter results at once."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QWidget

from twinlens.app.gui.look.labels import small
from twinlens.app.gui.look.theme import theme
from twinlens.app.language.texts import _, number

STEPS = 1000  # places of a handle
_SIDE = 20  # of a handle's widget, px
_RADIUS = 5.5
_TOP = 4
_BARS = 34  # height of the tallest bar
_NEAR = 8  # px from the triangle that count as a click on it


class RangeHandle(QAbstractSlider):
    """One end of the range: a round handle on the axis; arrows, PgUp, PgDn, Home and End move it."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setRange(0, STEPS)
        self.setSingleStep(STEPS // 100)
        self.setPageStep(STEPS // 10)
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.resize(_SIDE, _SIDE)
        self._held_at = 0.0  # how far from its middle

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the handle."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = QPointF(_SIDE / 2, _SIDE / 2)
        if self.hasFocus():
            painter.setPen(QPen(QColor(now.accent), 1.5))
            painter.setBrush(QColor(now.paper))
            painter.drawEllipse(middle, _RADIUS + 3, _RADIUS + 3)
        painter.setPen(QPen(QColor(now.paper), 1.5))
        painter.setBrush(QColor(now.accent))
        radius = _RADIUS + (1 if self.underMouse() or self.isSliderDown() else 0)
        painter.drawEllipse(middle, radius, radius)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Take hold."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._held_at = event.position().x() - _SIDE / 2
            self.setSliderDown(True)
            self.raise_()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Follow the pointer."""
        parent = self.parent()
        if self.isSliderDown() and isinstance(parent, SimilarityHistogram):
            self.setValue(parent.step_at(self.mapToParent(event.position()).x() - self._held_at))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Let go."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.setSliderDown(False)
            self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Reset both: the histogram does it."""
        event.ignore()


class SimilarityHistogram(QWidget):
    """Similarities of a sample of the library and of the results, with a range of chosen ones.

    The height never changes: before the first results there is the bare axis.

    Signals
    -------
    range_changed(float low, float high)
        Similarities that are wanted, both included; at once while a handle moves.
    """

    range_changed = Signal(float, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts: tuple[int, ...] = ()
        self._bounds = (0.0, 1.0)  # of the counts
        self._axis = (0.0, 1.0)  # of all that is drawn: the counts and the results
        self._similarities: tuple[float, ...] = ()
        self._sure: float | None = None
        self._pinned: tuple[int, float] | None = None  # a place of the lower handle that stands for an exact value
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Similarities"))
        self._meaning = (
            _("Similarities of a sample of your photos to this search. Heights are square roots of counts.")
            + "\n"
            + _("Drag a handle, or use the arrow keys, to hide results. Double-click to show all.")
        )
        self.setToolTip(self._meaning)
        self._lower = RangeHandle(_("Least similarity"), self)
        self._upper = RangeHandle(_("Greatest similarity"), self)
        self._upper.setValue(STEPS)
        self._lower.valueChanged.connect(self._on_lower)
        self._upper.valueChanged.connect(self._on_upper)
        self._place()
        self._show_handles()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the one height."""
        return QSize(208, 64)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Narrower where there is little room."""
        return QSize(128, 64)

    # --- what is shown -----------------------------------------------------------------------------------------------

    def set_histogram(self, counts: Sequence[int], low: float, high: float, similarities: Sequence[float]) -> None:
        """Show the similarities of a sample and of the results; the range becomes all of it.

        Parameters
        ----------
        counts : sequence of int
            Of equal bins between ``low`` and ``high``; empty: nothing is known.
        """
        self._counts, self._similarities = tuple(counts), tuple(similarities)
        self._bounds = (low, high)
        self._axis = (min((low, *similarities)), max((high, *similarities)))
        self._pinned = None
        self._quietly(0, STEPS)
        self._show_handles()
        self.update()

    def set_sure(self, similarity: float | None, wrong: float = 0.0) -> None:
        """Mark the similarity from which about a share of results is wrong; None if unknown."""
        self._sure = similarity
        words = _(
            "Based on your marks, about {wrong:.2g} % right of the triangle are wrong. Click it to show only these.",
            wrong=100 * wrong,
        )
        self.setToolTip(self._meaning if similarity is None else f"{self._meaning}\n{words}")
        self.update()

    def clear(self) -> None:
        """Show the bare axis."""
        self.set_sure(None)
        self.set_histogram((), 0, 1, ())

    def chosen_range(self) -> tuple[float, float]:
        """Return the least and the greatest chosen similarity."""
        return self._value(self._lower.value()), self._value(self._upper.value())

    def want_sure(self) -> None:
        """Choose certain results alone, exactly, though a handle has only so many places."""
        x = self.sure_x()
        if x is not None and self._sure is not None:
            step = min(max(1, self.step_at(x)), self._upper.value())
            self._pinned = step, self._sure
            self._moved(step, self._upper.value())

    def wants_sure(self) -> bool:
        """Return whether certain results alone are chosen."""
        return self._pinned is not None and self._lower.value() == self._pinned[0] and self._sure == self._pinned[1]

    def is_narrowed(self) -> bool:
        """Return whether a part of the results is chosen."""
        return (self._lower.value(), self._upper.value()) != (0, STEPS)

    def reset(self) -> None:
        """Choose all results again."""
        if self.is_narrowed():
            self._quietly(0, STEPS)
            self.range_changed.emit(*self.chosen_range())

    def step_at(self, x: float) -> int:
        """Return the place of a handle that is drawn at ``x``."""
        left, right = self._span()
        return round(min(1.0, max(0.0, (x - left) / (right - left))) * STEPS)

    # --- handles -----------------------------------------------------------------------------------------------------

    def _value(self, step: int) -> float:
        low, high = self._axis
        if self._pinned is not None and step == self._pinned[0]:
            return self._pinned[1]
        if step in (0, STEPS):
            return low if step == 0 else high  # exactly: the first and the last result stay
        return low + (high - low) * step / STEPS

    def _quietly(self, lower: int, upper: int) -> None:
        for handle, value in ((self._lower, lower), (self._upper, upper)):
            handle.blockSignals(True)
            handle.setValue(value)
            handle.blockSignals(False)
        self._place()

    def _on_lower(self, step: int) -> None:
        self._moved(min(step, self._upper.value()), self._upper.value())

    def _on_upper(self, step: int) -> None:
        self._moved(self._lower.value(), max(step, self._lower.value()))

    def _moved(self, lower: int, upper: int) -> None:
        self._quietly(lower, upper)
        self.update()
        self.range_changed.emit(*self.chosen_range())

    def _show_handles(self) -> None:
        there = self._axis[0] < self._axis[1] and bool(self._counts or self._similarities)
        for handle in (self._lower, self._upper):
            handle.setVisible(there)

    def _span(self) -> tuple[float, float]:
        return _SIDE / 2, self.width() - _SIDE / 2

    def _x(self, similarity: float) -> float:
        left, right = self._span()
        low, high = self._axis
        return left + (right - left) * (similarity - low) / (high - low) if high > low else left

    def _place(self) -> None:
        left, right = self._span()
        for handle in (self._lower, self._upper):
            x = left + (right - left) * handle.value() / STEPS
            handle.move(round(x - _SIDE / 2), _TOP + _BARS - _SIDE // 2)
            low, high = self._axis
            handle.setAccessibleDescription(number(low + (high - low) * handle.value() / STEPS, ".2f"))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Keep the handles at their values."""
        super().resizeEvent(event)
        self._place()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Choose certain results when their triangle is clicked."""
        x = self.sure_x()
        if x is None or event.button() is not Qt.MouseButton.LeftButton or abs(event.position().x() - x) > _NEAR:
            super().mousePressEvent(event)
            return
        self.want_sure()
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Choose all results again."""
        self.reset()
        event.accept()

    # --- drawing -----------------------------------------------------------------------------------------------------

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the bars of the sample, the results on the axis, and the numbers under it."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        base = float(_TOP + _BARS)
        left, right = self._span()
        painter.setPen(QPen(QColor(now.line), 1))
        painter.drawLine(QPointF(left, base), QPointF(right, base))
        self._draw_bars(painter, base)
        if self._counts or self._similarities:
            low, high = self.chosen_range()
            painter.setPen(QPen(QColor(now.accent), 2))
            painter.drawLine(QPointF(self._x(low), base), QPointF(self._x(high), base))
            self._draw_results(painter, base)
            self._draw_sure(painter, base)
            self._draw_numbers(painter, base + 8)
        painter.end()

    def _draw_bars(self, painter: QPainter, base: float) -> None:
        if not any(self._counts):
            return
        colour = QColor(theme().quiet)
        colour.setAlphaF(0.55)
        tallest = max(self._counts)
        low, high = self._bounds
        width = (high - low) / len(self._counts)
        for place, count in enumerate(self._counts):
            if count:
                x, end = self._x(low + place * width), self._x(low + (place + 1) * width)
                height = max(1.0, _BARS * sqrt(count / tallest))  # roots: few must be visible beside many
                painter.fillRect(QRectF(x, base - height, max(1.0, end - x - 1), height), colour)

    def _draw_results(self, painter: QPainter, base: float) -> None:
        low, high = self.chosen_range()
        accent, dull = QColor(theme().accent), QColor(theme().quiet)
        dull.setAlphaF(0.6)
        for similarity in self._similarities:
            wanted = low <= similarity <= high
            painter.fillRect(QRectF(self._x(similarity) - 0.75, base - 8, 1.5, 8), accent if wanted else dull)

    def sure_x(self) -> float | None:
        """Return the place of the triangle; nowhere if it lies beyond the axis."""
        low, high = self._axis
        there = self._sure is not None and low <= self._sure <= high and bool(self._counts or self._similarities)
        return self._x(self._sure) if there and self._sure is not None else None

    def _draw_sure(self, painter: QPainter, base: float) -> None:
        x = self.sure_x()
        if x is None:
            return
        colour = QColor(theme().accent)
        painter.setPen(QPen(colour, 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, _TOP), QPointF(x, base))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawPolygon(QPolygonF([QPointF(x, _TOP - 3), QPointF(x + 7, _TOP + 1), QPointF(x, _TOP + 5)]))

    def _draw_numbers(self, painter: QPainter, top: float) -> None:
        font = small(self.font(), 0.8)
        metrics = QFontMetrics(font)
        painter.setFont(font)
        painter.setPen(QColor(theme().quiet))
        taken: list[tuple[float, float]] = []
        low, high = self.chosen_range()
        moved = [value for value, end in ((low, self._axis[0]), (high, self._axis[1])) if value != end]
        for value in (*moved, *self._axis):
            words = number(round(value, 2), "g") if value in self._axis else number(value, ".2f")
            width = metrics.horizontalAdvance(words)
            x = min(max(0.0, self._x(value) - width / 2), self.width() - width)
            if all(x + width + 4 < start or x > end + 4 for start, end in taken):
                painter.drawText(QPointF(x, top + metrics.ascent()), words)
                taken.append((x, x + width))
