"""The visible map: points of all photographs, pictures where they have room, names, and highlights."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from app.gui.look.theme import theme
from app.gui.map import cluster_labels, dots, picture_places
from app.gui.map.colouring import ColourBy, Colouring, PointGroup
from app.gui.map.group_palette import group_colour, group_inks, rgb
from app.gui.map.overlay_painting import MapPainter, PaintedPicture, badge_of, box_of, name_font
from app.gui.map.scene import DrawnPoints, MapScene
from app.gui.pictures.picture_make import PictureStyle, bare
from core.arrays import Int64Rows

_ABOVE = 0.38  # of a picture: names stand there
_NO_BOXES = np.empty((0, 4))
_SMOOTHED = 60  # pictures of another size that are smoothed even while all moves


class MapSheet(MapScene):
    """Paints a map from wherever it is looked at."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._paper = dots.PaintBuffer()
        self._widths: dict[str, float] = {}  # of names, px
        self.names: dict[str, int] = {}  # that are painted: at which side of its cluster each stands
        self._boxes = _NO_BOXES  # of pictures that are painted: left, top, right, bottom, px
        self._badges: dict[tuple[dots.PointShape, str, str, float], QPixmap] = {}
        self._beside: tuple[tuple[bytes, PictureStyle], ...] = ()  # pictures that are shown elsewhere

    def want_beside(self, wanted: tuple[tuple[bytes, PictureStyle], ...]) -> None:
        """Let pictures come that are shown beside the map; they are told by ``pictures.came``."""
        if wanted != self._beside:
            self._beside = wanted
            self.repaint_soon()

    def _ordered(self, coloured: Colouring) -> tuple[Int64Rows, npt.NDArray[np.uint8]]:
        """Return the order in which points are drawn, and the ink of each.

        What stands out comes over what is dim, and that over what is gone; colours over grey, and who is more alike
        over who is less: they are few, and looked for.
        """
        state = np.zeros(len(coloured.of), np.uint8)
        if self.selection.count > 1:
            state[~self.selection.mask()] = 1
        if self._lit is not None:
            state[:] = coloured.of != self._lit
        if self._allowed is not None:
            state[~self._allowed] = 2
        heights = [
            0 if one.place < 0 else 1 + one.place * (coloured.by is ColourBy.LIKENESS) for one in coloured.groups
        ]
        height = np.array(heights, np.uint8)[coloured.of]
        height += (2 - state) * np.uint8(1 + max(heights, default=0))
        order = self._by_height
        if len(height) and height.min() != height.max():
            order = order[np.argsort(height[order], kind="stable")]
        return order, coloured.of[order] + state[order] * np.uint8(len(coloured.groups))

    def drawn(self) -> DrawnPoints | None:
        """Return the points in the order in which they are drawn; None where there is no map."""
        if self._drawn is None and self.coloured is not None and self.found is not None:
            self._order = self._order or self._ordered(self.coloured)
            order, inks = self._order
            xy = self.motion.xy[order]
            self._drawn = DrawnPoints(order, np.ascontiguousarray(xy[:, 0]), np.ascontiguousarray(xy[:, 1]), inks)
        return self._drawn

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint what is seen, and over it what is meant."""
        painter = QPainter(self)
        if self.motion.moves:
            self._paint_sheet(painter)  # it is another one in the next frame: none is kept
            self._stale = True
        else:
            if self._stale or self._painted is None:
                self._keep_sheet()
            if self._painted is not None:
                painter.drawPixmap(0, 0, self._painted)
        self._paint_over(MapPainter(painter, theme(), self.font(), smooth=True))
        painter.end()

    def _device_size(self) -> QSize:
        ratio = self.devicePixelRatioF()
        return QSize(max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio)))

    def _keep_sheet(self) -> None:
        """Paint what stays the same while only the pointer moves."""
        size = self._device_size()
        if self._painted is None or self._painted.size() != size:
            self._painted = QPixmap(size)
        self._painted.setDevicePixelRatio(self.devicePixelRatioF())
        painter = QPainter(self._painted)
        self._paint_sheet(painter)
        painter.end()
        self._stale = False

    def _paint_sheet(self, painter: QPainter) -> None:
        now, ratio, size = theme(), self.devicePixelRatioF(), self._device_size()
        coloured, found = self.coloured, self.found
        if coloured is None or found is None:
            painter.fillRect(self.rect(), QColor(now.ground))
            self._placed = picture_places.PlacedPictures(np.empty(0, np.int64), np.empty(0, np.float32))
        else:
            drawn, camera = self.drawn(), self.camera
            assert drawn is not None
            px, py = camera.columns_to_px(drawn.x, drawn.y, ratio)
            extent = size.width(), size.height()
            image = dots.painted_points(
                extent, rgb(now.ground), px, py, drawn.inks, group_inks(coloured, now), ratio, self._paper
            )
            image.setDevicePixelRatio(ratio)
            painter.drawImage(0, 0, image)
            self._paint_pictures(painter, coloured)
            self._paint_names(painter)

    def _paint_pictures(self, painter: QPainter, coloured: Colouring) -> None:
        """Paint the pictures that have room, and say which are not there yet."""
        facts, camera, ratio = self.facts, self.camera, self.devicePixelRatioF()
        assert facts is not None
        fold, now = self.motion.fold, theme()
        self._boxes = _NO_BOXES
        if self.motion.unsettled and fold == 0:
            self._placed = picture_places.PlacedPictures(np.empty(0, np.int64), np.empty(0, np.float32))
            return
        self._placed = picture_places.placed_pictures(
            camera, self.motion.xy, self._shown_at, self._spacings, self._allowed
        )
        if self.motion.travels and fold == 0:
            return
        rows, sides = self._placed.rows, self._placed.sides * np.float32(fold)
        px, py = camera.all_to_px(self.motion.xy[rows])
        colours = [group_colour(one, coloured, now) for one in coloured.groups]
        badges = [
            self._badge(one, colour, coloured, ratio) for one, colour in zip(coloured.groups, colours, strict=True)
        ]
        groups = coloured.of[rows]
        faint = np.zeros(len(rows), np.bool_)
        if self._lit is not None:
            faint |= groups != self._lit
        selected = np.array([row in self.selection for row in rows.tolist()], np.bool_)
        if self.selection.count > 1:
            faint |= ~selected
        seen: list[PaintedPicture] = []
        wishes: list[tuple[bytes, PictureStyle]] = []
        for at, row in enumerate(rows.tolist()):
            content_hash = facts.hashes[row].tobytes()
            side = float(sides[at])
            wishes.append((content_hash, bare(float(self._placed.sides[at]), ratio)))
            made = self.pictures.nearest(content_hash)
            if made is not None:
                seen.append(
                    PaintedPicture(
                        float(px[at]), float(py[at]), side, made[0], colours[groups[at]], bool(selected[at]),
                        bool(faint[at]), badges[groups[at]],
                    )
                )  # fmt: skip
        boxes = [box_of(one.picture, one.x, one.y, one.side).getCoords() for one in seen]
        self._boxes = np.array(boxes, np.float64).reshape(-1, 4)
        still = not self.motion.moves
        MapPainter(painter, now, self.font(), smooth=still or len(seen) <= _SMOOTHED).pictures(seen, ratio)
        self.pictures.look_at([*reversed(wishes), *self._beside], anew=still)

    def _badge(self, group: PointGroup, colour: str, coloured: Colouring, ratio: float) -> QPixmap | None:
        """Return the shape of a group for its pictures; steps are told by how light they are, and grey is none."""
        if coloured.steps or group.place < 0:
            return None
        key = (group.shape, colour, theme().paper, ratio)
        if key not in self._badges:
            self._badges[key] = badge_of(group.shape, colour, theme(), ratio)
        return self._badges[key]

    def _paint_names(self, painter: QPainter) -> None:
        if self.names_shown and not self.motion.travels and not self.motion.unsettled:
            metrics = QFontMetricsF(name_font(self.font()))
            above = _ABOVE * picture_places.side_px(self.camera, self._spacings)
            names = cluster_labels.placed_names(
                self._named, self.camera, self._width_of, metrics.height(), above, self._boxes, self.names
            )
            self.names = {one.text: one.side for one in names}
            MapPainter(painter, theme(), self.font(), smooth=True).names(names)

    def _width_of(self, name: str) -> float:
        width = self._widths.get(name)
        if width is None:
            width = self._widths[name] = QFontMetricsF(name_font(self.font())).horizontalAdvance(name)
        return width

    def _paint_over(self, brush: MapPainter) -> None:
        found, now = self.found, theme()
        if found is None:
            return
        for photograph, words in self.flags.items():
            row = found.rows.get(photograph)
            if row is not None:
                brush.flag(self.box(row), words)
        if self.current >= 0:
            brush.ring(self.box(self.current), now.accent if self.hasFocus() else now.quiet, 2.5)
        if self.hovered >= 0 and self.hovered != self.current:
            brush.ring(self.box(self.hovered), now.ink, 1.5)
        if self.lasso is not None:
            brush.lasso([self.camera.to_px(one) for one in self.lasso.corners])
