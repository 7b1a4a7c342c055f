"""Overlay of a map: pictures, names of clusters, rings and lassos over its points.

No picture pops up and none hides another: each photograph has a spacing from which on it is shown as a picture
(:func:`twinlens.core.embedding.plane.spacings_of_appearance`). Names cover neither each other nor a picture.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen, QPixmap, QPolygonF

from twinlens.app.gui.look.labels import small, strong
from twinlens.app.gui.look.theme import Theme
from twinlens.app.gui.map.camera import Camera
from twinlens.app.gui.map.dots import PointShape, shape_path
from twinlens.app.language.texts import current_language
from twinlens.core.arrays import Float32Vectors, Int64Rows
from twinlens.core.embedding.plane import representatives

if TYPE_CHECKING:
    from twinlens.app.map.map_results import PhotoCluster


_FRAME, _FRAME_LARGE = 2.0, 3.0
_LARGE_PX = 90.0
_FAINT = 0.28
_PLATE_ALPHA = 222
_BADGED_PX = 44.0  # smaller pictures stand among points, which have the shape themselves
BADGE_PX, _SHAPE_PX = 13, 4.0


class PaintedPicture(NamedTuple):
    """A picture with its place and frame.

    Attributes
    ----------
    x, y : float
        Its middle, px.
    side : float
        Of the longer one, px.
    colour : str
        Of the group.
    badge : QPixmap, optional
        The shape of the group, for who does not tell its colour from others.
    """

    x: float
    y: float
    side: float
    picture: QPixmap | QImage
    colour: str
    selected: bool = False
    faint: bool = False
    badge: QPixmap | None = None


def box_of(picture: QPixmap | QImage, x: float, y: float, side: float) -> QRectF:
    """Return the rectangle of a picture in whole pixels, so that it stays sharp."""
    share = side / max(picture.width(), picture.height(), 1)
    width, height = max(1, round(picture.width() * share)), max(1, round(picture.height() * share))
    return QRectF(round(x - width / 2), round(y - height / 2), width, height)


class MapPainter:
    """Painter of everything over the points.

    Parameters
    ----------
    smooth : bool
        Whether pictures of another size are smoothed, which takes time.
    """

    def __init__(self, painter: QPainter, now: Theme, font: QFont, smooth: bool) -> None:
        self._painter, self._now, self._font = painter, now, font
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)

    def pictures(self, seen: Sequence[PaintedPicture], ratio: float) -> None:
        """Paint pictures, each in a frame of its group's colour."""
        painter = self._painter
        for one in seen:
            box = box_of(one.picture, one.x, one.y, one.side)
            frame = _FRAME if one.side < _LARGE_PX else _FRAME_LARGE
            ink = QColor(self._now.accent if one.selected else one.colour)
            grown = frame + 1 if one.selected else frame
            around = box.adjusted(-grown, -grown, grown, grown)
            if one.faint:  # neither points nor the colour of the frame shine through the picture
                painter.setOpacity(1.0)
                painter.fillRect(around, QColor(self._now.ground))
                painter.setOpacity(_FAINT)
                painter.fillRect(around, ink)
                painter.setOpacity(1.0)
                painter.fillRect(box, QColor(self._now.ground))
            painter.setOpacity(_FAINT if one.faint else 1.0)
            if not one.faint:
                painter.fillRect(around, ink)
            if isinstance(one.picture, QImage):
                painter.drawImage(box, one.picture)
            elif round(box.width() * ratio) == one.picture.width():
                one.picture.setDevicePixelRatio(ratio)
                painter.drawPixmap(box.topLeft(), one.picture)
            else:
                one.picture.setDevicePixelRatio(1)
                painter.drawPixmap(box, one.picture, QRectF(one.picture.rect()))
            if one.badge is not None and one.side >= _BADGED_PX:
                painter.drawPixmap(around.bottomLeft() - QPointF(0, BADGE_PX), one.badge)
        painter.setOpacity(1.0)

    def names(self, names: Sequence[PlacedName]) -> None:
        """Paint names on their plates."""
        painter, now = self._painter, self._now
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(name_font(self._font))
        plate = QColor(now.paper)
        plate.setAlpha(_PLATE_ALPHA)
        for one in names:
            painter.setPen(QPen(QColor(now.line), 1))
            painter.setBrush(plate)
            painter.drawRoundedRect(one.plate, one.plate.height() / 2, one.plate.height() / 2)
            painter.setPen(QColor(now.ink))
            painter.drawText(one.plate, Qt.AlignmentFlag.AlignCenter, one.text)

    def ring(self, box: QRectF, colour: str, width: float = 2.0) -> None:
        """Paint a ring with a pale edge around a picture or a point, visible on any ground."""
        painter = self._painter
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for ink, wide, out in ((self._now.paper, width + 2, 2.0), (colour, width, 2.0)):
            painter.setPen(QPen(QColor(ink), wide, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            grown = box.adjusted(-out, -out, out, out)
            painter.drawRoundedRect(grown, min(5.0, grown.width() / 2), min(5.0, grown.height() / 2))

    def flag(self, box: QRectF, words: str) -> None:
        """Mark a picture or a point of a search, with a word above it."""
        painter, now = self._painter, self._now
        self.ring(box, now.warn, 3.0)
        plate = flag_plate(box, words, self._font)
        painter.setFont(_flag_font(self._font))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(now.warn))
        painter.drawRoundedRect(plate, plate.height() / 2, plate.height() / 2)
        painter.setPen(QColor(now.paper))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, words)

    def lasso(self, corners: Sequence[tuple[float, float]]) -> None:
        """Paint the line of the lasso."""
        painter, now = self._painter, self._now
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = QPolygonF([QPointF(x, y) for x, y in corners])
        inside = QColor(now.accent)
        inside.setAlpha(28)
        painter.setBrush(inside)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawPolygon(line)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(now.accent), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPolyline(line)
        if len(corners) > 2:
            painter.setPen(QPen(QColor(now.accent), 1, Qt.PenStyle.DashLine))
            painter.drawLine(line.last(), line.first())

    def count(self, x: float, y: float, words: str) -> None:
        """Paint beside the pointer how many photographs are inside."""
        painter, now = self._painter, self._now
        font = strong(small(self._font))
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        plate = QRectF(x + 14, y + 10, metrics.horizontalAdvance(words) + 16, metrics.height() + 6)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(now.accent))
        painter.drawRoundedRect(plate, plate.height() / 2, plate.height() / 2)
        painter.setPen(QColor(now.paper))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, words)


def flag_plate(box: QRectF, words: str, font: QFont) -> QRectF:
    """Return the place of the word above a flagged picture or point."""
    metrics = QFontMetricsF(_flag_font(font))
    width, height = metrics.horizontalAdvance(words) + 12, metrics.height() + 2
    return QRectF(box.center().x() - width / 2, box.top() - height - 6, width, height)


def _flag_font(font: QFont) -> QFont:
    return strong(small(font, 0.9))


def badge_of(shape: PointShape, colour: str, now: Theme, ratio: float) -> QPixmap:
    """Return the corner of a frame with the cut-out shape of its group."""
    made = QPixmap(round(BADGE_PX * ratio), round(BADGE_PX * ratio))
    made.setDevicePixelRatio(ratio)
    made.fill(QColor(colour))
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillPath(shape_path(shape, QPointF(BADGE_PX / 2, BADGE_PX / 2), _SHAPE_PX), QColor(now.paper))
    painter.end()
    return made


def name_font(font: QFont) -> QFont:
    """Return the font of names."""
    return strong(small(font, 0.92))


MOST_PICTURE_PX = 440
"""Side of a picture at most."""

_LEAST_PX, _USUAL_PX = 50.0, 124.0
_ACROSS = 11.0  # pictures that fit into a square as large as the view, along each side
_MOST_SHOWN = 0.9  # of the photographs
_FILLED = 0.14  # of the map by pictures: where they fill less, they grow as one comes closer, and no more come
_GROWN = 1.7  # of the usual side
_GAP = 0.93
_SEEN_FROM_PX = 9.0


@dataclass(frozen=True, eq=False)
class PlacedPictures:
    """Pictures in view, the smallest first.

    Attributes
    ----------
    rows : ndarray of int64, (m,)
    sides : ndarray of float32, (m,)
        Of the squares that they fill in one direction, px.
    """

    rows: Int64Rows
    sides: Float32Vectors


@dataclass(frozen=True)
class Spacings:
    """Spacings at which pictures become more, and at which they become larger.

    Attributes
    ----------
    filled : float
        The least at which pictures fill the map well; among closer ones it is empty.
    closest : float
        The least at which most photographs are not shown yet.
    """

    filled: float = 1.0
    closest: float = 1.0


def spacings_of(shown_at: Float32Vectors) -> Spacings:
    """Return the spacings of a map."""
    spacings, counts = np.unique(shown_at[shown_at > 0].astype(np.float64), return_counts=True)
    filled = np.cumsum(counts[::-1])[::-1] * np.square(spacings)
    most = counts.cumsum()  # shown only below these
    closest = spacings[most >= (1 - _MOST_SHOWN) * most[-1]].min(initial=1.0) if len(most) else 1.0
    return Spacings(float(spacings[filled >= _FILLED].min(initial=1.0)), float(closest))


def side_px(camera: Camera, spacings: Spacings) -> float:
    """Return the side of a picture.

    It is the same while more and more fill the map; where that would be empty it grows a little with what it lies on,
    then lets what lies close together part, and at last grows until one is looked at alone.
    """
    usual = min(max(math.sqrt(camera.width * camera.height) / _ACROSS, _LEAST_PX), _USUAL_PX)
    parted = min(max(usual, spacings.filled * camera.scale), _GROWN * usual)
    return max(parted, min(spacings.closest * camera.scale, MOST_PICTURE_PX))


def most_scale(shown_at: Float32Vectors) -> float:
    """Return the largest useful scale: the closest neighbours are pictures side by side."""
    positive = shown_at[shown_at > 0]
    closest = max(float(positive.min(initial=1.0)), 1 / 2048)
    return 2 * MOST_PICTURE_PX / closest


def placed_pictures(
    camera: Camera,
    xy: Float32Vectors,
    shown_at: Float32Vectors,
    spacings: Spacings,
    allowed: npt.NDArray[np.bool_] | None = None,
) -> PlacedPictures:
    """Return the pictures in view.

    Parameters
    ----------
    xy : ndarray, (n, 2)
    shown_at : ndarray, (n,)
    allowed : ndarray of bool, (n,), optional
    """
    side = side_px(camera, spacings)
    least = float(np.float32(side / camera.scale / np.sqrt(2)))
    rows = representatives(xy, camera.seen(side / 2), least, shown_at)
    if allowed is not None:
        rows = rows[allowed[rows]]
    grown = np.clip(2 * np.log2(shown_at[rows].astype(np.float64) * camera.scale / side) + 1, 0, 1)
    sides = (_GAP * side * grown).astype(np.float32)
    large = sides >= _SEEN_FROM_PX
    rows, sides = rows[large], sides[large]
    order = np.argsort(sides, kind="stable")
    return PlacedPictures(rows[order], sides[order])


Boxes = npt.NDArray[np.float64]
MOST_NAMES = 16
_PAD_X, _PAD_Y, _APART = 7.0, 2.0, 6.0
_NO_PICTURES: Boxes = np.empty((0, 4))


class PlacedName(NamedTuple):
    """A name, its plate, px, and its side of the cluster."""

    text: str
    plate: QRectF
    side: int = 0


def placed_names(
    clusters: Sequence[PhotoCluster],
    camera: Camera,
    width_of: Callable[[str], float],
    height: float,
    above: float,
    pictures: Boxes = _NO_PICTURES,
    before: Mapping[str, int] = MappingProxyType({}),
    flags: Sequence[QRectF] = (),
) -> list[PlacedName]:
    """Return the names that have room, of larger clusters first, without clusters that have only a number.

    Each stands at the side of its cluster at which it covers no picture, above it rather than below or beside it; where
    it covers some at every side, at that where it covers least.

    Parameters
    ----------
    clusters : sequence of PhotoCluster
        The largest first.
    width_of : callable
        Gives the width of a text, px.
    height : float
        Of a line, px.
    above : float
        How far above the place of a cluster its name stands, so that it does not hide the picture there, px.
    pictures : ndarray, (m, 4)
        Left, top, right and bottom of those that are seen, px.
    before : mapping
        At which side each name stood: it stays there as long as it can, so that names do not dance.
    flags : sequence of QRectF
        The words above flagged photographs, which no name may touch.
    """
    names: list[PlacedName] = []
    for one in clusters:
        word = one.words(current_language())
        if not word or len(names) >= MOST_NAMES:
            continue
        x, y = camera.to_px((one.x, one.y))
        if not (0 <= x <= camera.width and 0 <= y <= camera.height):
            continue
        width, tall = width_of(word) + 2 * _PAD_X, height + 2 * _PAD_Y
        plates = _sides(x, y, width, tall, above)
        covered = np.round(_covered(plates, pictures))
        others = np.array([other.getCoords() for other in (*flags, *(name.plate for name in names))]).reshape(-1, 4)
        free = _covered(plates + np.array([-_APART, -_APART, _APART, _APART]), others) == 0
        if not free.any():
            continue
        covered[~free] = np.inf
        kept = before.get(word, 0)
        side = kept if covered[kept] == covered.min() else int(covered.argmin())
        left, top, _, _ = plates[side].tolist()
        names.append(PlacedName(word, QRectF(left, top, width, tall), side))
    return names


def _sides(x: float, y: float, width: float, tall: float, above: float) -> Boxes:
    """Return the possible places of a name, the best first."""
    beside = width / 2 + above
    middles = [(0.0, -above - tall / 2), (0.0, above + tall / 2), (beside, 0.0), (-beside, 0.0)]
    middles += [(across, down) for down in (-above - tall / 2, above + tall / 2) for across in (beside, -beside)]
    middles += [(across, down) for down in (-2 * above - tall, 2 * above + tall) for across in (0.0, beside, -beside)]
    middle = np.array(middles) + np.array([x, y])
    half = np.array([width / 2, tall / 2])
    return np.concatenate([middle - half, middle + half], axis=1)


def _covered(plates: Boxes, boxes: Boxes) -> Boxes:
    """Return the area of boxes that each plate covers, px²."""
    low = np.maximum(plates[:, None, :2], boxes[None, :, :2])
    high = np.minimum(plates[:, None, 2:], boxes[None, :, 2:])
    return np.asarray(np.maximum(high - low, 0).prod(axis=2).sum(axis=1))
