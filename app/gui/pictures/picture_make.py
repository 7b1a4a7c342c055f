"""A small picture as it is painted: scaled once for its box, with round corners."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPainterPath, QPixmap

CORNER_RADIUS = 4
"""Radius of the corners of pictures that fill their box."""
_ROUND_WHOLE = 3
_ENLARGED = 2  # an icon stays an icon
_CUT = 0.36  # of a picture at most, where it fills its box: of portraits in wide boxes, heads would be lost
_SMOOTH = Qt.TransformationMode.SmoothTransformation


class PictureStyle(NamedTuple):
    """The box and look of a picture.

    Attributes
    ----------
    width, height : int
        Of the box, device px.
    ratio : float
        Device pixels in one.
    well, ground : str
        Colours in the box and outside, which show behind round corners, of a picture that lies in its box as a
        whole; empty where it fills the box and its edges are cut, as far as that leaves most of it.
    bare : bool
        It lies in its box as a whole, with its own corners, and is not enlarged.
    """

    width: int
    height: int
    ratio: float
    well: str = ""
    ground: str = ""
    bare: bool = False

    @property
    def whole(self) -> bool:
        """Whether all of the picture is seen."""
        return self.bare or bool(self.well)

    def picture(self, image: QImage) -> QPixmap:
        """Make it of an image."""
        how = _bare if self.bare else _fitted if self.whole else _filled
        made = QPixmap.fromImage(how(image, self))
        made.setDevicePixelRatio(self.ratio)
        return made


def filling(size: QSize, ratio: float) -> PictureStyle:
    """Return the make of a picture that fills a box of so many pixels of the window."""
    return PictureStyle(round(size.width() * ratio), round(size.height() * ratio), ratio)


def bare(side: float, ratio: float) -> PictureStyle:
    """Return the make of a picture with its own corners, whose longer side has at most so many pixels."""
    device = max(1, round(side * ratio))
    return PictureStyle(device, device, ratio, bare=True)


def _bare(image: QImage, make: PictureStyle) -> QImage:
    if max(image.width() - make.width, image.height() - make.height) <= 0:
        return image
    return image.scaled(make.width, make.height, Qt.AspectRatioMode.KeepAspectRatio, _SMOOTH)


def _fitted(image: QImage, make: PictureStyle) -> QImage:
    """Scale to lie in the box; opaque, since that paints faster."""
    least = min(make.width / image.width(), make.height / image.height(), _ENLARGED * make.ratio)
    size = QSize(max(1, round(image.width() * least)), max(1, round(image.height() * least)))
    smooth = image.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, _SMOOTH)
    made = QImage(size, QImage.Format.Format_RGB32)
    # The corners of a square photograph are those of the well: outside them is the ground.
    covers = min(size.width() - make.width, size.height() - make.height) > -_ROUND_WHOLE * make.ratio
    made.fill(QColor(make.ground if covers else make.well))
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(smooth))
    painter.drawRoundedRect(QRectF(made.rect()), _ROUND_WHOLE * make.ratio, _ROUND_WHOLE * make.ratio)
    painter.end()
    return made


def _filled(image: QImage, make: PictureStyle) -> QImage:
    """Scale to fill the box, and cut what is over; what would lose too much lies in it as a whole."""
    box = QSize(make.width, make.height)
    shape, room = image.width() / image.height(), make.width / make.height
    fills = min(shape, room) >= (1 - _CUT) * max(shape, room)
    how = Qt.AspectRatioMode.KeepAspectRatioByExpanding if fills else Qt.AspectRatioMode.KeepAspectRatio
    scaled = image.scaled(box, how, _SMOOTH)
    made = QImage(box, QImage.Format.Format_ARGB32_Premultiplied)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    path = QPainterPath()
    shown = QRectF(0, 0, min(scaled.width(), box.width()), min(scaled.height(), box.height()))
    shown.moveCenter(QRectF(made.rect()).center())
    path.addRoundedRect(shown, CORNER_RADIUS * make.ratio, CORNER_RADIUS * make.ratio)
    painter.setClipPath(path)
    painter.drawImage((box.width() - scaled.width()) // 2, (box.height() - scaled.height()) // 2, scaled)
    painter.end()
    return made
