"""The figures of a setting in one line, with a sign before those that are provisional."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.gui.look.sentences import small, strong
from app.gui.look.text_size import grown
from app.gui.look.theme import theme


@dataclass(frozen=True)
class ShownFigure:
    """One figure: what it is, its value, that of the pinned setting, and whether it is exact."""

    name: str
    value: str
    pinned: str = ""
    exact: bool = True
    about: str = ""


class FiguresBar(QWidget):
    """Shows figures beside each other, each in its own place."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._figures: list[ShownFigure] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_figures(self, figures: Sequence[ShownFigure]) -> None:
        """Show them."""
        if list(figures) == self._figures:
            return
        self._figures = list(figures)
        self.setAccessibleName("; ".join(f"{one.name} {one.value}" for one in figures))
        self.updateGeometry()
        self.update()

    def figures(self) -> Sequence[ShownFigure]:
        """Return what is shown."""
        return self._figures

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return three lines for each row."""
        return QSize(480, self._row_height() * self._rows())

    def _row_height(self) -> int:
        return 20 + self._large().height() + 2 * QFontMetrics(small(self.font())).height()

    def _rows(self) -> int:
        """Return 2 where one row would be too narrow for the values."""
        widest = max((self._large().horizontalAdvance(_provisional(one)) for one in self._figures), default=0)
        return 2 if (max(widest, grown(56)) + 8) * len(self._figures) > self.width() else 1

    def _large(self) -> QFontMetrics:
        return QFontMetrics(self._large_font())

    def _large_font(self) -> QFont:
        font = strong(self.font())
        font.setPointSizeF(font.pointSizeF() * (1.5 if self.width() >= 700 else 1.2))
        return font

    def _box(self, place: int) -> QRectF:
        across = max(1, -(-len(self._figures) // self._rows()))
        width, high = self.width() / across, self._row_height()
        return QRectF(place % across * width, place // across * high + 6, width - 8, high - 12)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Take the height of the rows."""
        super().resizeEvent(event)
        self.updateGeometry()

    def event(self, event: QEvent) -> bool:
        """Return what a figure is, where the pointer rests."""
        if isinstance(event, QHelpEvent):
            for place, one in enumerate(self._figures):
                if self._box(place).contains(event.pos().toPointF()):
                    QToolTip.showText(event.globalPos(), f"{one.name}\n{one.about}".strip(), self)
                    return True
        return super().event(event)

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint name, value, and the pinned value under it."""
        now = theme()
        painter = QPainter(self)
        quiet, large = small(self.font()), self._large_font()
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for place, one in enumerate(self._figures):
            box = self._box(place)
            lines = QFontMetrics(quiet).height()
            painter.setFont(quiet)
            painter.setPen(QColor(now.quiet))
            name = QFontMetrics(quiet).elidedText(one.name, Qt.TextElideMode.ElideRight, int(box.width()))
            painter.drawText(QRectF(box.left(), box.top(), box.width(), lines), left, name)
            painter.setFont(large)
            painter.setPen(QColor(now.ink))
            value = QRectF(box.left(), box.top() + lines + 2, box.width(), QFontMetrics(large).height())
            painter.drawText(value, left, _provisional(one))
            if one.pinned:
                painter.setFont(quiet)
                painter.setPen(QColor(now.warn))
                painter.drawText(QRectF(box.left(), value.bottom() + 2, box.width(), lines), left, f"▾ {one.pinned}")
        painter.end()


def _provisional(one: ShownFigure) -> str:
    """Return a value, with a sign before one that is not exact yet."""
    return one.value if one.exact or one.value == "–" else f"≈ {one.value}"
