"""The spectrum of a kernel, and how much of it the kept components hold."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.gui.look.sentences import small
from app.gui.look.theme import theme
from app.language.spoken import _, number

_TICKS = (1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000)


class SpectrumStrip(QWidget):
    """Shows the share of the spectrum that the first so many components hold, and where the rank stands."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shares: npt.NDArray[np.float64] = np.empty(0)
        self._values: npt.NDArray[np.float64] = np.empty(0)
        self._rank, self._exact = 0, True
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return room for a strip."""
        return QSize(300, 104)

    def show_spectrum(self, eigenvalues: npt.NDArray[np.float64] | None, rank: int | None, exact: bool) -> None:
        """Show eigenvalues, the largest first, and how many are kept; none where there is nothing to show."""
        values = np.empty(0) if eigenvalues is None else eigenvalues
        self._values = values
        self._shares = np.cumsum(values) / values.sum() if len(values) else values
        self._rank = len(values) if rank is None else min(rank, len(values))
        self._exact = exact
        self.setAccessibleName(self.sentence())
        self.update()

    def sentence(self) -> str:
        """Say what is seen."""
        if not len(self._shares):
            return ""
        return _(
            "The first {rank} of {shares} components hold {held:.0%} of the kernel's spectrum.",
            rank=self._rank,
            shares=len(self._shares),
            held=self._shares[self._rank - 1],
        )

    def _x(self, rank: float, box: QRectF) -> float:
        last = math.log(max(2, len(self._shares)))
        return box.left() + box.width() * math.log(max(rank, 1.0)) / last

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the decay as bars, the share as a line, and what is kept as ground."""
        if not len(self._shares):
            return
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(small(self.font(), 0.82))
        line = painter.fontMetrics().height()
        box = QRectF(34, 4, self.width() - 44, self.height() - line - 10)
        accent, pale = QColor(now.accent), QColor(now.accent)
        pale.setAlphaF(0.14)
        at = self._x(self._rank, box)
        painter.fillRect(QRectF(box.left(), box.top(), at - box.left(), box.height()), pale)
        painter.setPen(QPen(QColor(now.line), 1))
        painter.drawLine(box.bottomLeft(), box.bottomRight())
        painter.drawLine(box.topLeft(), box.topRight())
        ranks = np.unique(np.geomspace(1, len(self._shares), min(len(self._shares), 160)).round().astype(int))
        top = float(self._values[0])
        painter.setPen(QPen(QColor(now.quiet), 1.2))
        for rank in ranks[:: max(1, len(ranks) // 80)].tolist():
            x = self._x(rank, box)
            height = box.height() * float(self._values[rank - 1]) / top
            painter.drawLine(QPointF(x, box.bottom()), QPointF(x, box.bottom() - height))
        path = QPainterPath()
        for place, rank in enumerate(ranks.tolist()):
            point = QPointF(self._x(rank, box), box.bottom() - box.height() * float(self._shares[rank - 1]))
            path.lineTo(point) if place else path.moveTo(point)
        accent.setAlphaF(1.0 if self._exact else 0.5)
        painter.setPen(QPen(accent, 2))
        painter.drawPath(path)
        painter.setPen(QPen(accent, 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(at, box.top()), QPointF(at, box.bottom()))
        painter.setBrush(accent)
        share = float(self._shares[self._rank - 1])
        painter.drawEllipse(QPointF(at, box.bottom() - box.height() * share), 3.6, 3.6)
        painter.setPen(QColor(now.quiet))
        for tick in _TICKS:
            if tick <= len(self._shares):
                x = self._x(tick, box)
                room = QRectF(x - 30, box.bottom() + 3, 60, line)
                painter.drawText(room, Qt.AlignmentFlag.AlignCenter, number(tick))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(0, box.top() - 2, 30, line), right, "100 %")
        painter.drawText(QRectF(0, box.bottom() - line, 30, line), right, "0")
        painter.end()
