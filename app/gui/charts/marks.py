"""Marks of points: few are painted one by one, thousands at once as a picture of how they cover each other."""

from __future__ import annotations

from functools import cache

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF, QTransform

from app.lab.figures.palette import marker_of
from app.lab.figures.word_places import LabelBox
from core.arrays import Float64Values

_CORNERS = {
    "s": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "^": ((0, -1.1), (1.1, 0.9), (-1.1, 0.9)),
    "v": ((0, 1.1), (1.1, -0.9), (-1.1, -0.9)),
    "D": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
    "P": (
        (-0.4, -1.2), (0.4, -1.2), (0.4, -0.4), (1.2, -0.4), (1.2, 0.4), (0.4, 0.4),
        (0.4, 1.2), (-0.4, 1.2), (-0.4, 0.4), (-1.2, 0.4), (-1.2, -0.4), (-0.4, -0.4),
    ),
}  # fmt: skip
_THROUGH = 0.59  # how much each of many points covers
_STEP = 64  # sizes of pictures: quickly transformed


@cache
def mark_path(place: int, size: float) -> QPainterPath:
    """Return the outline of the mark of a place in the palette, around 0."""
    name = marker_of(place)
    path = QPainterPath()
    if name == "o":
        path.addEllipse(QPointF(0, 0), 1, 1)
    else:  # an X is a + that is turned
        path.addPolygon(QPolygonF([QPointF(*one) for one in _CORNERS["P" if name == "X" else name]]))
        path.closeSubpath()
    return QTransform().scale(size / 2, size / 2).rotate(45 if name == "X" else 0).map(path)


def paint_marks(
    painter: QPainter, x: Float64Values, y: Float64Values, path: QPainterPath, ink: QColor, border: QPen
) -> None:
    """Paint a mark at each of a few places."""
    painter.setPen(border)
    painter.setBrush(ink)
    for across, down in zip(x.tolist(), y.tolist(), strict=True):
        painter.drawPath(path.translated(across, down))


def paint_many(
    painter: QPainter, x: Float64Values, y: Float64Values, path: QPainterPath, ink: QColor, plot: LabelBox
) -> None:
    """Paint a mark at each of very many places in a plot, letting through what lies behind.

    What shows through is the product of what each mark lets through: in logarithms a sum, which is the convolution of
    how many points lie on each pixel with the mark.
    """
    ratio = painter.device().devicePixelRatioF()
    stamp = _stamp(path, ratio)
    half = stamp.shape[0] // 2
    left, top = int(plot.left * ratio) - half, int(plot.top * ratio) - half
    width, height = (-(-int(one * ratio + 4 * half) // _STEP) * _STEP for one in (plot.width, plot.height))
    column, row = np.floor(x * ratio).astype(np.int64) - left, np.floor(y * ratio).astype(np.int64) - top
    inside = (column >= 0) & (row >= 0) & (column < width - 2 * half) & (row < height - 2 * half)
    count = np.bincount(row[inside] * width + column[inside], minlength=width * height).astype(np.float32)
    kernel = np.zeros((height, width), np.float32)
    kernel[: stamp.shape[0], : stamp.shape[1]] = np.log1p(-_THROUGH * stamp)
    through = np.fft.irfft2(np.fft.rfft2(count.reshape(height, width)) * np.fft.rfft2(kernel), (height, width))
    cover = 1 - np.exp(np.minimum(through, 0))
    full = np.array([ink.red(), ink.green(), ink.blue(), 255], np.float32)
    colours = np.rint(cover[..., None] * full).astype(np.uint8)
    image = QImage(colours.tobytes(), width, height, 4 * width, QImage.Format.Format_RGBA8888_Premultiplied)
    image.setDevicePixelRatio(ratio)
    painter.drawImage(QPointF((left - half) / ratio, (top - half) / ratio), image)


def _stamp(path: QPainterPath, ratio: float) -> Float64Values:
    """Return how much of each pixel of a screen a mark covers, the point in the middle."""
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
