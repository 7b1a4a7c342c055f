"""Points of a map as one image, painted by NumPy from a stamp for each colour, shape and edge.

It is made for a hundred thousand points. Where shapes are drawn larger, they are outlines.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainterPath, QPolygonF

from twinlens.core.arrays import Float32Vectors, Int64Numbers

Pixels = npt.NDArray[np.uint32]
MOST_PX, LEAST_PX = 3.8, 1.1
"""Radius of a point, px."""

_SHAPED_FROM_PX = 2.6  # smaller ones are all round: nobody could tell them apart
_COVERED = 0.05  # share of the view that points cover, were they spread evenly
_SAMPLES = 5  # along each side of a pixel, to know how much of it a shape covers
_LEVELS = (0.3, 0.62, 1.0)  # of how much of the colour a pixel gets


class PointShape(IntEnum):
    """Shape of a group's points, which tells groups apart without colour."""

    DISC = 0
    SQUARE = 1
    DIAMOND = 2
    TRIANGLE = 3
    RING = 4
    CROSS = 5
    WEDGE = 6
    """A triangle on its tip."""


@dataclass(frozen=True, eq=False)
class PointInks:
    """Colours of groups.

    Attributes
    ----------
    colours : tuple of (int, int, int)
        Of each group.
    """

    colours: tuple[tuple[int, int, int], ...]
    shapes: tuple[PointShape, ...]


class PaintBuffer:
    """Memory that successive images share: allocating it takes longer than painting."""

    def __init__(self) -> None:
        self._pixels: Pixels = np.empty(0, np.uint32)

    def blank(self, height: int, width: int, colour: int) -> Pixels:
        """Return pixels of one colour, (height, width)."""
        if len(self._pixels) < height * width:
            self._pixels = np.empty(height * width, np.uint32)
        pixels = self._pixels[: height * width].reshape(height, width)
        pixels.fill(colour)
        return pixels


def radius_for(count: int, width: float, height: float) -> float:
    """Return the radius of points by the number of visible ones, px: the more, the smaller.

    Examples
    --------
    >>> radius_for(20, 900, 600), radius_for(100_000, 900, 600)
    (3.8, 1.1)
    """
    even = float(np.sqrt(_COVERED * width * height / (np.pi * max(count, 1))))
    return min(max(even, LEAST_PX), MOST_PX)


def rows_in_view(px: Float32Vectors, py: Float32Vectors, width: int, height: int, margin: float = 0.0) -> Int64Numbers:
    """Return the rows of the visible points, ascending."""
    return np.flatnonzero((px >= -margin) & (px < width + margin) & (py >= -margin) & (py < height + margin))


def painted_points(
    size: tuple[int, int],
    ground: tuple[int, int, int],
    px: Float32Vectors,
    py: Float32Vectors,
    groups: npt.NDArray[np.uint8],
    inks: PointInks,
    ratio: float = 1.0,
    paper: PaintBuffer | None = None,
) -> QImage:
    """Paint points; later points cover earlier ones.

    Parameters
    ----------
    size : tuple of int
        Of the image: width and height, device px.
    ground : tuple of int
        Colour behind them.
    px, py : ndarray of float32, (n,)
        In device pixels; those outside are left out.
    groups : ndarray of uint8, (n,)
        Places in ``inks``.
    ratio : float
        Device pixels in one.
    paper : PaintBuffer, optional
        To paint on: then what was painted on it before is gone.
    """
    width, height = size
    margin = _reach(MOST_PX * ratio)
    rows = rows_in_view(px, py, width, height, margin)
    radius = radius_for(len(rows), width / ratio, height / ratio) * ratio
    pad = margin + _reach(radius) + 1
    buffer = (paper or PaintBuffer()).blank(height + 2 * pad, width + 2 * pad, _packed(ground))
    x, y = np.take(px, rows), np.take(py, rows)
    x += np.float32(pad)  # nothing is negative then, so that to cut off is to round down
    y += np.float32(pad)
    at = y.astype(np.int32) * np.int32(buffer.shape[1]) + x.astype(np.int32)
    group = np.take(groups, rows)
    flat = buffer.reshape(-1)
    table = _table(inks.colours, ground)
    shapes = np.array(inks.shapes, np.uint8) if radius >= _SHAPED_FROM_PX else np.zeros(len(inks.shapes), np.uint8)
    for shape in np.unique(shapes[group]).tolist() if len(rows) else ():
        own = shapes[group] == shape
        places, which = (at, group) if own.all() else (at[own], group[own])
        for level, offsets in enumerate(_stamp(PointShape(shape), round(radius, 1))):
            colours = np.take(table[level], which)
            for right, below in offsets:
                flat[places + (below * buffer.shape[1] + right)] = colours
    return _image(buffer, pad, width, height)


def _packed(colour: tuple[int, int, int]) -> int:
    return 0xFF000000 | colour[0] << 16 | colour[1] << 8 | colour[2]


def _table(colours: tuple[tuple[int, int, int], ...], ground: tuple[int, int, int]) -> list[Pixels]:
    """Return the colours of groups at each level of coverage."""
    made = np.array(colours, np.float64).reshape(-1, 3)
    behind = np.array(ground, np.float64)
    tables = []
    for level in _LEVELS:
        mixed = np.rint(behind + level * (made - behind)).astype(np.uint32)
        packed = 0xFF000000 | mixed[:, 0] << 16 | mixed[:, 1] << 8 | mixed[:, 2]
        tables.append(packed.astype(np.uint32))
    return tables


def _image(buffer: Pixels, pad: int, width: int, height: int) -> QImage:
    """Return the middle of a buffer as an image, which keeps the buffer."""
    line = buffer.strides[0]
    start = pad * line + pad * buffer.itemsize
    memory = buffer.data.cast("B")[start:]
    image = QImage(memory, width, height, line, QImage.Format.Format_RGB32)
    image.buffer = buffer  # type: ignore[attr-defined]  # Qt looks into it as long as the image is there
    return image


def _reach(radius: float) -> int:
    """Return the extent of a shape from its point, px."""
    return int(np.ceil(1.25 * radius)) + 1


@lru_cache(maxsize=256)
def _stamp(shape: PointShape, radius: float) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the pixel offsets of a shape around its point, by level of coverage."""
    reach = _reach(radius)
    steps = (np.arange(-reach * _SAMPLES, (reach + 1) * _SAMPLES) + 0.5) / _SAMPLES - 0.5
    x, y = steps[None, :], steps[:, None]
    inside = _inside(shape, x, y, radius)
    cells = 2 * reach + 1
    covered = inside.reshape(cells, _SAMPLES, cells, _SAMPLES).mean(axis=(1, 3))
    least = [0.12, *((low + high) / 2 for low, high in pairwise(_LEVELS)), 1.1]
    return tuple(
        tuple(
            (int(right) - reach, int(below) - reach)
            for below, right in np.argwhere((covered >= low) & (covered < high))
        )
        for low, high in pairwise(least)
    )


def _inside(
    shape: PointShape, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], r: float
) -> npt.NDArray[np.bool_]:
    """Return which positions lie in a shape; all shapes have about the same area."""
    out = np.hypot(x, y)
    match shape:
        case PointShape.SQUARE:
            return np.asarray(np.maximum(np.abs(x), np.abs(y)) <= 0.88 * r)
        case PointShape.DIAMOND:
            return np.asarray(np.abs(x) + np.abs(y) <= 1.25 * r)
        case PointShape.TRIANGLE | PointShape.WEDGE:
            up = y if shape is PointShape.TRIANGLE else -y
            return np.asarray((up <= 0.75 * r) & (up >= -1.1 * r + 1.85 * np.abs(x)))
        case PointShape.RING:
            return np.asarray((out <= 1.1 * r) & (out >= 0.55 * r))
        case PointShape.CROSS:
            return np.asarray((np.minimum(np.abs(x), np.abs(y)) <= 0.34 * r) & (np.maximum(abs(x), abs(y)) <= 1.1 * r))
        case _:
            return np.asarray(out <= r)


def shape_path(shape: PointShape, middle: QPointF, r: float) -> QPainterPath:
    """Return the outline of a shape, as points are painted."""
    x, y = middle.x(), middle.y()
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.OddEvenFill)
    match shape:
        case PointShape.SQUARE:
            path.addRect(QRectF(x - 0.88 * r, y - 0.88 * r, 1.76 * r, 1.76 * r))
        case PointShape.DIAMOND:
            reach = 1.25 * r
            corners = [(0, -reach), (reach, 0), (0, reach), (-reach, 0)]
            path.addPolygon(QPolygonF([QPointF(x + a, y + b) for a, b in corners]))
        case PointShape.TRIANGLE | PointShape.WEDGE:
            up = 1 if shape is PointShape.TRIANGLE else -1
            corners = [(0, -1.1 * r * up), (r, 0.75 * r * up), (-r, 0.75 * r * up)]
            path.addPolygon(QPolygonF([QPointF(x + a, y + b) for a, b in corners]))
        case PointShape.RING:
            path.addEllipse(middle, 1.1 * r, 1.1 * r)
            path.addEllipse(middle, 0.55 * r, 0.55 * r)
        case PointShape.CROSS:
            path.setFillRule(Qt.FillRule.WindingFill)
            path.addRect(QRectF(x - 1.1 * r, y - 0.34 * r, 2.2 * r, 0.68 * r))
            path.addRect(QRectF(x - 0.34 * r, y - 1.1 * r, 0.68 * r, 2.2 * r))
        case _:
            path.addEllipse(middle, r, r)
    path.closeSubpath()
    return path
