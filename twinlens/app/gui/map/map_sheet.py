"""Visible map: points of all photographs, pictures where they have room, names, highlights and the selection.

Texts describe the map and its points, also for screen readers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QWidget

from twinlens.app.gui.look.theme import theme
from twinlens.app.gui.map import dots, overlay
from twinlens.app.gui.map.colouring import ColourBy, Colouring, PointGroup, group_colour, group_inks, rgb
from twinlens.app.gui.map.map_scene import DrawnPoints, MapScene
from twinlens.app.gui.map.overlay import MapPainter, PaintedPicture, badge_of, box_of, name_font, spacings_of
from twinlens.app.gui.pictures.accessible_items import AccessibleItems
from twinlens.app.gui.pictures.photograph import written_date
from twinlens.app.gui.pictures.small_pictures import PictureStyle, bare
from twinlens.app.language.texts import _, _n, current_language
from twinlens.core.arrays import Int64Rows
from twinlens.core.embedding import plane

if TYPE_CHECKING:
    from twinlens.app.gui.map.colouring import Colouring
    from twinlens.app.map.map_results import MapFacts, MapResult


Modifier = Qt.KeyboardModifier
_EDGE_PX = 48  # from the border: what the keys are on is brought into view
_AROUND, _BEYOND = 8, 1.3  # of its neighbours are seen, too, where one photograph is shown; and a little beyond
_CLOSE = 9.0  # of the closest neighbours would have room side by side where one photograph is shown


class MapSheet(MapScene):
    """Painter of a map under any view."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._paper = dots.PaintBuffer()
        self._widths: dict[str, float] = {}  # of names, px
        self.names: dict[str, int] = {}  # that are painted: at which side of its cluster each stands
        self._boxes = _NO_BOXES  # of pictures that are painted: left, top, right, bottom, px
        self._badges: dict[tuple[dots.PointShape, str, str, float], QPixmap] = {}
        self._beside: tuple[tuple[bytes, PictureStyle], ...] = ()  # pictures that are shown elsewhere

    def want_beside(self, wanted: tuple[tuple[bytes, PictureStyle], ...]) -> None:
        """Load pictures for the panels beside the map; ``pictures.came`` reports them."""
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
        """Return the points in drawing order; None without a map."""
        if self._drawn is None and self.coloured is not None and self.found is not None:
            self._order = self._order or self._ordered(self.coloured)
            order, inks = self._order
            xy = self.motion.xy[order]
            self._drawn = DrawnPoints(order, np.ascontiguousarray(xy[:, 0]), np.ascontiguousarray(xy[:, 1]), inks)
        return self._drawn

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint the map, and highlights over it."""
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
        """Paint the layer that does not change while only the pointer moves."""
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
            self._placed = overlay.PlacedPictures(np.empty(0, np.int64), np.empty(0, np.float32))
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
        """Paint the pictures that have room, and report missing ones."""
        facts, camera, ratio = self.facts, self.camera, self.devicePixelRatioF()
        assert facts is not None
        fold, now = self.motion.fold, theme()
        self._boxes = _NO_BOXES
        if self.motion.unsettled and fold == 0:
            self._placed = overlay.PlacedPictures(np.empty(0, np.int64), np.empty(0, np.float32))
            return
        self._placed = overlay.placed_pictures(camera, self.motion.xy, self._shown_at, self._spacings, self._allowed)
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
        """Return the shape on a group's pictures; none for ordered colours, which differ in lightness, and grey."""
        if coloured.steps or group.place < 0:
            return None
        key = (group.shape, colour, theme().paper, ratio)
        if key not in self._badges:
            self._badges[key] = badge_of(group.shape, colour, theme(), ratio)
        return self._badges[key]

    def _paint_names(self, painter: QPainter) -> None:
        if self.names_shown and not self.motion.travels and not self.motion.unsettled:
            metrics = QFontMetricsF(name_font(self.font()))
            above = _ABOVE * overlay.side_px(self.camera, self._spacings)
            flags = [overlay.flag_plate(box, words, self.font()) for box, words in self._flagged()]
            names = overlay.placed_names(
                self._named, self.camera, self._width_of, metrics.height(), above, self._boxes, self.names, flags
            )
            self.names = {one.text: one.side for one in names}
            MapPainter(painter, theme(), self.font(), smooth=True).names(names)

    def _width_of(self, name: str) -> float:
        width = self._widths.get(name)
        if width is None:
            width = self._widths[name] = QFontMetricsF(name_font(self.font())).horizontalAdvance(name)
        return width

    def _flagged(self) -> list[tuple[QRectF, str]]:
        """Return the box and the word of each flagged photograph of the map."""
        rows = {} if self.found is None else self.found.rows
        return [(self.box(rows[one]), words) for one, words in self.flags.items() if one in rows]

    def _paint_over(self, brush: MapPainter) -> None:
        now = theme()
        if self.found is None:
            return
        for box, words in self._flagged():
            brush.flag(box, words)
        if self.current >= 0:
            brush.ring(self.box(self.current), now.accent if self.hasFocus() else now.quiet, 2.5)
        if self.hovered >= 0 and self.hovered != self.current:
            brush.ring(self.box(self.hovered), now.ink, 1.5)
        if self.lasso is not None:
            brush.lasso([self.camera.to_px(one) for one in self.lasso.corners])


class MapChooser(MapSheet):
    """Selection and navigation on the map, for other parts of the window.

    Signals
    -------
    current_changed(int)
        Photograph, or -1.
    selection_changed(int)
        So many are selected.
    """

    current_changed = Signal(int)
    selection_changed = Signal(int)

    voices: AccessibleItems
    """Announces photographs to screen readers."""

    # --- looking from elsewhere --------------------------------------------------------------------------------------

    def zoom(self, factor: float, place: QPointF | None = None) -> None:
        """Zoom by a factor about a pixel; without one about the focused photograph, or the centre."""
        at = place or self._middle()
        goal = self.motion.goal.zoomed(factor, (at.x(), at.y())).kept_within(self.most_scale)
        if goal.scale != self.motion.goal.scale or factor == 1:
            self.motion.glide(goal)

    def _middle(self) -> QPointF:
        if self.current >= 0:
            x, y = self.place_of(self.current)
            if 0 <= x <= self.width() and 0 <= y <= self.height():
                return QPointF(x, y)
        return QPointF(self.width() / 2, self.height() / 2)

    def fit(self) -> None:
        """Show the whole map; with several selected photographs these first."""
        goal = self.fitting(self.selection.rows() if self.selection.count > 1 else None)
        if abs(goal.scale / self.motion.goal.scale - 1) < 0.01 and self.selection.count > 1:
            goal = self.fitting()
        self.glide_to_fit(goal)

    def pan(self, across: float, down: float) -> None:
        """Move the map by pixels, at once."""
        self.motion.look(self.motion.camera.panned(across, down).kept_within(self.most_scale))

    def throw(self, across_px_s: float, down_px_s: float) -> None:
        """Let the map glide on."""
        self.motion.throw(across_px_s, down_px_s, self.most_scale)

    def hold(self) -> None:
        """Stop the map."""
        self.motion.glide(self.motion.camera)

    def show_photographs(self, ids: list[int]) -> bool:
        """Select photographs and zoom to them; return whether any is on the map."""
        found = self.found
        rows = np.array([found.rows[one] for one in ids if one in found.rows] if found is not None else [], np.int64)
        if found is None or not len(rows):
            return False
        if len(rows) == 1:
            x, y = found.xy[rows[0]].tolist()
            spacing = max(spacings_of(found.shown_at).closest, 1e-4)
            away = np.sort(np.abs(found.xy - found.xy[rows[0]]).max(axis=1))[: _AROUND + 1]
            around = min(self.width(), self.height()) / (2 * _BEYOND * max(float(away[-1]), 1e-4))
            close = max(2 * self.fitting().scale, min(around, self.width() / (_CLOSE * spacing), self.most_scale))
            self.motion.glide(self.motion.goal.centred((x, y), close).kept_within(self.most_scale))
            self._go(int(rows[0]), reveal=False)
            self._select(self.selection.nothing())
        else:
            mask = np.zeros(len(found.ids), np.bool_)
            mask[rows] = True
            self._select(self.selection.take(mask))
            self._go(int(rows[0]), reveal=False)
            self.motion.glide(self.fitting(rows).kept_within(self.most_scale))
        return True

    # --- choosing ----------------------------------------------------------------------------------------------------

    def ids(self) -> npt.NDArray[np.int64]:
        """Return the photographs to step through: the selection, else all, the nearest on the map first."""
        found = self.found
        if found is None:
            return np.empty(0, np.int64)
        if self.selection.count > 1:
            return self.selected_ids()
        if self.current < 0:
            return found.ids
        away = np.square(found.xy - found.xy[self.current]).sum(axis=1)
        return found.ids[np.argsort(away, kind="stable")]

    def current_row(self) -> int:
        """Return the focused row, or -1."""
        return self.current

    def current_id(self) -> int:
        """Return the focused photograph, or -1."""
        return self.id_of(self.current)

    def chosen_ids(self) -> list[int]:
        """Return the selection, else the focused photograph."""
        selected: list[int] = self.selected_ids().tolist()
        return selected or ([self.current_id()] if self.current >= 0 else [])

    def set_current(self, photograph_id: int) -> None:
        """Focus a photograph, and move it into view."""
        if self.found is not None and photograph_id in self.found.rows:
            self._go(self.found.rows[photograph_id])

    def select_rows(self, mask: npt.NDArray[np.bool_]) -> None:
        """Select the rows of a mask."""
        self._select(self.selection.take(mask))

    def select_seen(self) -> None:
        """Select all visible photographs."""
        if self.found is not None:
            mask = np.zeros(self.count, np.bool_)
            mask[plane.points_in_rectangle(self.motion.xy, self.camera.seen())] = True
            self.select_rows(mask if self.allowed is None else mask & self.allowed)

    def select_group(self) -> None:
        """Select the group of the focused photograph."""
        if self.coloured is not None and self.current >= 0:
            self.select_rows(self.coloured.of == self.coloured.of[self.current])

    def clear_selection(self) -> None:
        """Select nothing."""
        self._select(self.selection.nothing())

    def _select(self, changed: bool) -> None:
        if changed:
            self.selection_changed_here()
            self.voices.tell_selection()
            self.selection_changed.emit(self.selection.count)

    def _go(self, row: int, reveal: bool = True) -> None:
        if reveal and row >= 0:
            self._reveal(row)
        if row != self.current:
            self.current = row
            self.update()
            self.voices.tell_current()
            self.current_changed.emit(self.id_of(row))

    def _reveal(self, row: int) -> None:
        x, y = self.motion.goal.to_px((float(self.motion.xy[row, 0]), float(self.motion.xy[row, 1])))
        across = max(0.0, _EDGE_PX - x) - max(0.0, x - (self.width() - _EDGE_PX))
        down = max(0.0, _EDGE_PX - y) - max(0.0, y - (self.height() - _EDGE_PX))
        if across or down:
            self.motion.glide(self.motion.goal.panned(across, down))

    def click(self, place: QPointF, modifiers: Modifier) -> None:
        """Select the photograph at a pixel; with Ctrl, add or remove it."""
        row = self.row_under(place)
        if modifiers & (Modifier.ControlModifier | Modifier.ShiftModifier):
            if row >= 0:
                self._toggle(row)
            return
        self._select(self.selection.nothing())
        self._go(row, reveal=False)

    def _toggle(self, row: int) -> None:
        mask = self.selection.mask()
        if self.selection.count == 0 and self.current >= 0:
            mask[self.current] = True  # the one chosen before is meant, too
        mask[row] = not mask[row]
        self._go(row, reveal=False)
        self._select(self.selection.take(mask))

    # --- for those who do not see it ---------------------------------------------------------------------------------

    def viewport(self) -> QWidget:
        """Return the widget that paints: the map itself."""
        return self

    def tile_rect(self, row: int) -> QRect:
        """Return the box of a photograph."""
        return self.box(row).toAlignedRect()

    def spoken(self, row: int) -> str:
        """Return the text of a photograph for screen readers."""
        assert self.found is not None
        return point_description(self.found, self.facts, self.coloured, row)


_ABOVE = 0.38  # of a picture: names stand there
_NO_BOXES = np.empty((0, 4))
_SMOOTHED = 60  # pictures of another size that are smoothed even while all moves
_SMALL = 6  # photographs: fewer lie as they lie


def map_title(count: int) -> str:
    """Return the title of the map."""
    if count == 1:
        return _("One photo")
    return _("{value} photos, similar ones close together", value=count)


def reading_help(found: MapResult, measure: str) -> str:
    """Explain how to read the map, and how reliable it is.

    Parameters
    ----------
    measure : str
        What its index compares, in plain words.
    """
    count = len(found.ids)
    if count == 1:
        return _("Add more: a map shows which are alike.")
    if count < _SMALL:
        return _(
            "Near means alike by {measure}. So few say little: a map is worth it from some dozens on.", measure=measure
        )
    parts = [_("Similar photos lie close together.")]
    if found.kind == "pca":
        parts = [_("Near means alike by {measure}, seen from the side on which photos differ most.", measure=measure)]
    parts.append(
        _("Of the 10 nearest of each, {share:.0%} are among its 10 nearest here.", share=found.kept_neighbours)
    )
    if count < found.of:
        parts.append(_("A sample of {value} of {of}.", value=count, of=found.of))
    if found.silent:
        parts.append(
            _n(
                "{count} of which it can say nothing lies in the lower left corner.",
                "{count} of which it can say nothing lie in the lower left corner.",
                found.silent,
            )
        )
    if found.placed:
        parts.append(
            _n(
                "{count} came later and lies beside its nearest.",
                "{count} came later and lie beside their nearest.",
                found.placed,
            )
        )
    return " ".join(parts)


def point_description(found: MapResult, facts: MapFacts | None, coloured: Colouring | None, row: int) -> str:
    """Return the description of a photograph: its folder, its date, its group."""
    parts = []
    if facts is not None:
        if facts.folder[row] >= 0:
            parts.append(_("photo in {inner}", inner=facts.inner[facts.folder[row]]))
        taken = f"{int(facts.taken[row]):014}" if facts.taken[row] else ""
        if taken:
            day = f"{taken[:4]}-{taken[4:6]}-{taken[6:8]}".removesuffix("-00").removesuffix("-00")
            clock = f"T{taken[8:10]}:{taken[10:12]}:{taken[12:]}" if int(taken[8:]) else ""
            parts.append(written_date(day + clock))
    cluster = int(found.cluster[row])
    if cluster >= 0:
        parts.append(
            _("among {name}", name=found.clusters[cluster].words(current_language()) or found.clusters[cluster].name)
        )
    if coloured is not None and coloured.groups:
        name = coloured.groups[int(coloured.of[row])].name
        if name not in " ".join(parts):
            parts.append(name)
    return ", ".join(parts)
