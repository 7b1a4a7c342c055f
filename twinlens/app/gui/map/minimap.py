"""Minimap: the whole map small in a corner, with the visible part, which a click or a drag moves."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QEnterEvent,
    QImage,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QWidget

from twinlens.app.gui.look.theme import theme
from twinlens.app.gui.map import dots
from twinlens.app.gui.map.camera import Rect
from twinlens.app.gui.map.colouring import group_inks, rgb
from twinlens.app.gui.map.map_sheet import MapSheet
from twinlens.app.language.texts import _

_MOST = QSize(176, 132)
_LEAST_PX = 64  # of each side
_PAD = 8.0  # around the points
_AWAY = 12  # from the corner
_ROOM = QSize(440, 320)  # in a smaller view it would hide too much of what it is an overview of
_POINTS = 20_000  # of more, every second or third is painted: nobody can tell so small
_RADIUS = 6.0
_FRAME_LEAST_PX = 8.0  # of what is seen: it is found again however close one is
_AROUND = 160  # how much of the paper covers what is not seen, of 255


class Minimap(QWidget):
    """Minimap in the corner, visible while only a part of the map is.

    Parameters
    ----------
    canvas : MapSheet
        Of which it shows all, and in whose corner it lies.

    Attributes
    ----------
    entered : Signal()
        The pointer is over it, and so over no photograph: these lie beneath.
    """

    entered = Signal()

    def __init__(self, canvas: MapSheet) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._wished = True
        self._sheets: tuple[QPixmap, QPixmap] | None = None  # as it is painted where it is seen, and where it is not
        self._stale = True
        self._box: Rect = (0.0, 0.0, 1.0, 1.0)  # of the points
        self._held = False
        self.setAccessibleName(_("Overview of the map"))
        self.setToolTip(_("All of the map, and what is seen of it: click or drag to go there (O hides it)"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setVisible(False)
        canvas.looked.connect(self.follow)
        canvas.renewed.connect(self._on_renewed)
        canvas.motion.rested.connect(self._on_rested)

    @property
    def wished(self) -> bool:
        """Whether the person wants it."""
        return self._wished

    def wish(self, wished: bool) -> None:
        """Show it, or hide it always."""
        self._wished = wished
        self.follow()

    def follow(self) -> None:
        """Show the visible part in the corner; nothing if all is visible."""
        shown = self._wished and self._parts()
        if shown and (self._sheets is None or (self._stale and not self._canvas.motion.moves)):
            self._make()
        self.setVisible(shown)
        if shown:
            canvas = self._canvas
            self.move(canvas.width() - self.width() - _AWAY, canvas.height() - self.height() - _AWAY)
            # It is painted with the map, which paints whenever it is looked at from elsewhere: asked for here as well,
            # each frame would be painted twice.

    def _parts(self) -> bool:
        """Return whether only a part of the points is visible."""
        canvas = self._canvas
        if not canvas.count or canvas.width() < _ROOM.width() or canvas.height() < _ROOM.height():
            return False
        left, top, right, bottom = canvas.camera.seen()
        box = self._box
        return left > box[0] or top > box[1] or right < box[2] or bottom < box[3]

    def _on_renewed(self) -> None:
        """Paint the points again when the motion ends, since they moved or changed colour."""
        self._stale = True
        if not self._canvas.motion.moves:
            self._on_rested()

    def _on_rested(self) -> None:
        xy = self._canvas.motion.xy
        if self._canvas.count:
            (left, top), (right, bottom) = xy.min(axis=0).tolist(), xy.max(axis=0).tolist()
            if (left, top, right, bottom) != self._box:
                self._box, self._stale = (left, top, right, bottom), True
            if self._wished and self._stale and not self._canvas.motion.moves:
                self._make()  # before it is needed: then no frame waits for it
        self.follow()

    def _make(self) -> None:
        """Paint the points as small as possible, and fit the size to them."""
        canvas, now, ratio = self._canvas, theme(), self.devicePixelRatioF()
        left, top, right, bottom = self._box
        across, down = max(right - left, 1e-6), max(bottom - top, 1e-6)
        scale = min((_MOST.width() - 2 * _PAD) / across, (_MOST.height() - 2 * _PAD) / down)
        self.setFixedSize(
            max(_LEAST_PX, round(across * scale + 2 * _PAD)), max(_LEAST_PX, round(down * scale + 2 * _PAD))
        )
        drawn = canvas.drawn()
        if drawn is None or canvas.coloured is None:
            return
        every = slice(None, None, -(-max(1, len(drawn.x)) // _POINTS))
        (dx, dy), share = self._shift(), self._scale() * ratio
        px = drawn.x[every] * share + dx * ratio
        py = drawn.y[every] * share + dy * ratio
        size = round(self.width() * ratio), round(self.height() * ratio)
        image = dots.painted_points(
            size,
            rgb(now.paper),
            px.astype("f4"),
            py.astype("f4"),
            drawn.inks[every],
            group_inks(canvas.coloured, now),
            ratio,
        )
        image.setDevicePixelRatio(ratio)
        self._sheets, self._stale = (self._sheet(image, 0), self._sheet(image, _AROUND)), False
        self.update()

    def _sheet(self, image: QImage, veiled: int) -> QPixmap:
        """Return a picture of the whole map under a veil of paper, so that a frame only copies it."""
        now, ratio = theme(), self.devicePixelRatioF()
        made = QPixmap(image.width(), image.height())
        made.setDevicePixelRatio(ratio)
        made.fill(Qt.GlobalColor.transparent)
        whole, outline = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), QPainterPath()
        outline.addRoundedRect(whole, _RADIUS, _RADIUS)
        veil = QColor(now.paper)
        veil.setAlpha(veiled)
        painter = QPainter(made)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipPath(outline)
        painter.drawImage(0, 0, image)
        painter.fillPath(outline, veil)
        painter.setClipping(False)
        painter.setPen(QPen(QColor(now.line), 1))
        painter.drawPath(outline)
        painter.end()
        return made

    def _scale(self) -> float:
        """Return the pixels in a unit of the map."""
        left, top, right, bottom = self._box
        across, down = max(right - left, 1e-6), max(bottom - top, 1e-6)
        return min((self.width() - 2 * _PAD) / across, (self.height() - 2 * _PAD) / down)

    def _shift(self) -> tuple[float, float]:
        """Return the pixel of the map's origin."""
        left, top, right, bottom = self._box
        scale = self._scale()
        return self.width() / 2 - scale * (left + right) / 2, self.height() / 2 - scale * (top + bottom) / 2

    def seen(self) -> QRectF:
        """Return the frame of the visible part, px."""
        left, top, right, bottom = self._canvas.camera.seen()
        (dx, dy), scale = self._shift(), self._scale()
        frame = QRectF(QPointF(left * scale + dx, top * scale + dy), QPointF(right * scale + dx, bottom * scale + dy))
        whole, middle = QRectF(self.rect()).adjusted(2, 2, -2, -2), frame.center()
        frame.setSize(frame.size().expandedTo(QSizeF(_FRAME_LEAST_PX, _FRAME_LEAST_PX)))
        frame.moveCenter(middle)
        if not frame.intersects(whole):  # far from all points: at the side on which it is
            least = _FRAME_LEAST_PX
            x = min(max(middle.x() - least / 2, whole.left()), whole.right() - least)
            y = min(max(middle.y() - least / 2, whole.top()), whole.bottom() - least)
            frame = QRectF(x, y, least, least)
        return frame.intersected(whole)

    # --- what a hand does --------------------------------------------------------------------------------------------

    def _place(self, at: QPointF) -> tuple[float, float]:
        (dx, dy), scale = self._shift(), self._scale()
        return (at.x() - dx) / scale, (at.y() - dy) / scale

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name, as all below)
        """Glide to the pressed position."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._held = True
            motion = self._canvas.motion
            motion.glide(motion.goal.centred(self._place(event.position())).kept_within(self._canvas.most_scale))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Follow the pointer."""
        if self._held:
            motion = self._canvas.motion
            motion.look(motion.goal.centred(self._place(event.position())).kept_within(self._canvas.most_scale))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """End the drag."""
        self._held = False

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Show no menu, since there is no photograph."""
        event.accept()

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802
        """Clear the photograph under the pointer."""
        super().enterEvent(event)
        self.entered.emit()

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802
        """Paint the points, paler outside of the visible part, and its frame."""
        if self._sheets is None:
            return
        plain, pale = self._sheets
        frame, ratio = self.seen(), self.devicePixelRatioF()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, pale)
        painter.drawPixmap(frame, plain, QRectF(frame.topLeft() * ratio, frame.size() * ratio))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme().accent), 2))
        painter.drawRoundedRect(frame, 2, 2)
        painter.end()
