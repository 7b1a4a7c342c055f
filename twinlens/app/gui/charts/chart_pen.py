"""The pen that paints charts in the window.

Few marks of points are painted one by one; thousands are painted at once, as a picture of how densely they cover each
other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath, QPen, QPolygonF

from twinlens.app.gui.look.theme import DARK, theme
from twinlens.app.lab.figures.figure import series_colour
from twinlens.app.lab.figures.label_places import LabelBox
from twinlens.app.lab.figures.painting import THROUGH, Align, FigurePen, LineStyle, dashed_parts, mark_corners
from twinlens.core.arrays import Float64Values

_SMALL = 11  # size of letters, px
_RING = 7.5
_BORDER = 1.0  # of marks
_STEP = 64  # sizes of pictures are multiples of this: quick Fourier transforms
_LONG = 2.5  # length in diagonals of the chart from which Qt takes seconds to join the parts of a line
_ENDLESS = 200.0  # and from which dashes take seconds
_ALIGNED = {"left": Qt.AlignmentFlag.AlignLeft, "middle": Qt.AlignmentFlag.AlignHCenter,
            "right": Qt.AlignmentFlag.AlignRight}  # fmt: skip


def chart_font(font: QFont) -> QFont:
    """Return a font with the small letters of a chart."""
    small = QFont(font)
    small.setPixelSize(_SMALL)
    return small


class ChartPen(FigurePen):
    """A pen that paints on the window's paper.

    Parameters
    ----------
    font : QFont
        That of `chart_font`.
    """

    def __init__(self, painter: QPainter, font: QFont) -> None:
        self.dark = theme() is DARK
        self.ground = theme().paper
        self._painter = painter
        self._font = font
        self._bold = QFont(font)
        self._bold.setBold(True)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def width_of(self, words: str) -> float:
        """Return the width of small words."""
        return QFontMetricsF(self._font).horizontalAdvance(words)

    @contextmanager
    def within(self, box: LabelBox) -> Iterator[None]:
        """Cut off what is drawn outside of a box."""
        self._painter.save()
        self._painter.setClipRect(QRectF(*box))
        yield
        self._painter.restore()

    def line(self, corners: Float64Values, style: LineStyle) -> None:
        """Draw a line through corners, one in a row."""
        pen = QPen(_ink(style.colour, style.share), style.width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap if style.round else Qt.PenCapStyle.FlatCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        device = self._painter.device()
        diagonal = float(np.hypot(device.width(), device.height())) / device.devicePixelRatioF()
        length = float(np.hypot(*np.diff(corners, axis=0).T).sum())
        if length <= _LONG * diagonal:
            if style.dashes:
                pen.setDashPattern(style.dashes)
            self._painter.setPen(pen)
            self._painter.drawPolyline([QPointF(*one) for one in corners.tolist()])
            return
        dashes = [one * style.width for one in style.dashes] if length <= _ENDLESS * diagonal else []
        if not dashes:
            pen.setCapStyle(Qt.PenCapStyle.SquareCap)
        self._painter.setPen(pen)
        self._painter.drawLines([QLineF(*one) for one in dashed_parts(corners, dashes).tolist()])

    def area(self, corners: Float64Values, colour: str, share: float = 1.0) -> None:
        """Fill the polygon of corners, one in a row."""
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(_ink(colour, share))
        self._painter.drawPolygon(_polygon(corners))

    def marks(self, points: Float64Values, place: int, size: float) -> None:
        """Draw the mark of a palette slot at each point, with a border of the ground's colour."""
        path = _mark_path(place, size)
        self._painter.setPen(QPen(QColor(self.ground), _BORDER))
        self._painter.setBrush(ink_of(place))
        for across, down in points.tolist():
            self._painter.drawPath(path.translated(across, down))

    def many_marks(self, points: Float64Values, place: int, size: float, plot: LabelBox) -> None:
        """Draw a translucent mark at each of very many points.

        The transparency of a pixel is the product of the transparencies of all marks on it: in logarithms a sum, which
        is the convolution of the counts of points per pixel with the mark.
        """
        ink = ink_of(place)
        ratio = self._painter.device().devicePixelRatioF()
        stamp = _stamp(_mark_path(place, size), ratio)
        half = stamp.shape[0] // 2
        left, top = int(plot.left * ratio) - half, int(plot.top * ratio) - half
        width, height = (-(-int(one * ratio + 4 * half) // _STEP) * _STEP for one in (plot.width, plot.height))
        column, row = (np.floor(points * ratio).astype(np.int64) - (left, top)).T
        inside = (column >= 0) & (row >= 0) & (column < width - 2 * half) & (row < height - 2 * half)
        count = np.bincount(row[inside] * width + column[inside], minlength=width * height).astype(np.float32)
        kernel = np.zeros((height, width), np.float32)
        kernel[: stamp.shape[0], : stamp.shape[1]] = np.log1p(-THROUGH * stamp)
        through = np.fft.irfft2(np.fft.rfft2(count.reshape(height, width)) * np.fft.rfft2(kernel), (height, width))
        cover = 1 - np.exp(np.minimum(through, 0))
        full = np.array([ink.red(), ink.green(), ink.blue(), 255], np.float32)
        colours = np.rint(cover[..., None] * full).astype(np.uint8)
        image = QImage(colours.tobytes(), width, height, 4 * width, QImage.Format.Format_RGBA8888_Premultiplied)
        image.setDevicePixelRatio(ratio)
        self._painter.drawImage(QPointF((left - half) / ratio, (top - half) / ratio), image)

    def cells(self, box: LabelBox, colours: npt.NDArray[np.uint8]) -> None:
        """Fill a box with cells."""
        rows, columns = colours.shape[:2]
        image = QImage(colours.tobytes(), columns, rows, 4 * columns, QImage.Format.Format_RGBA8888)
        self._painter.drawImage(QRectF(*box), image)

    def words(self, box: LabelBox, words: str, colour: str, align: Align = "left", bold: bool = False) -> None:
        """Write small words in the middle of a box's height."""
        self._painter.setFont(self._bold if bold else self._font)
        self._painter.setPen(QColor(colour))
        self._painter.drawText(QRectF(*box), Qt.AlignmentFlag.AlignVCenter | _ALIGNED[align], words)

    def words_alone(self, where: QRectF, words: str) -> None:
        """Show why there is no chart."""
        self._painter.setFont(self._font)
        self._painter.setPen(QColor(theme().quiet))
        wrapped = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        self._painter.drawText(where.adjusted(20, 0, -20, 0), wrapped, words)

    def ring(self, where: QPointF, place: int, width: float) -> None:
        """Paint a ring around a point."""
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        for pen in (QPen(QColor(self.ground), width + 2), QPen(ink_of(place), width)):
            self._painter.setPen(pen)
            self._painter.drawEllipse(where, _RING, _RING)


def ink_of(place: int) -> QColor:
    """Return the colour at a place of the palette."""
    return QColor(series_colour(place, theme() is DARK))


def _ink(colour: str, share: float) -> QColor:
    ink = QColor(colour)
    ink.setAlphaF(share)
    return ink


def _polygon(corners: Float64Values) -> QPolygonF:
    return QPolygonF([QPointF(*one) for one in corners.tolist()])


@cache
def _mark_path(place: int, size: float) -> QPainterPath:
    """Return the outline of the mark at a place of the palette, around 0."""
    path = QPainterPath()
    corners = mark_corners(place, size)
    if corners is None:
        path.addEllipse(QPointF(0, 0), size / 2, size / 2)
    else:
        path.addPolygon(_polygon(corners))
        path.closeSubpath()
    return path


def _stamp(path: QPainterPath, ratio: float) -> Float64Values:
    """Return the coverage of each device pixel by a mark, with the point in the middle."""
    half = int(np.ceil(path.boundingRect().width() / 2 * ratio)) + 1
    image = QImage(2 * half + 1, 2 * half + 1, QImage.Format.Format_Alpha8)
    image.fill(0)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(half + 0.5, half + 0.5)
    painter.scale(ratio, ratio)
    painter.fillPath(path, Qt.GlobalColor.black)
    painter.end()
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : image.width()] / 255
