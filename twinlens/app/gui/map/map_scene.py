"""Scene of a map: photographs, their places and colours, hidden and selected ones, the camera, and the lasso."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

from twinlens.app.gui.map import overlay
from twinlens.app.gui.map.camera import BORDER_PX, Camera, Motion, Place, Rect
from twinlens.app.gui.map.colouring import Colouring
from twinlens.app.gui.map.overlay import box_of
from twinlens.app.gui.photo_grid.grid_layout import RowSelection
from twinlens.app.gui.pictures.small_pictures import SmallPictures
from twinlens.core.arrays import BoolMask, Float32Vectors, Int64Rows
from twinlens.core.embedding import plane
from twinlens.core.embedding.plane import points_in_polygon

if TYPE_CHECKING:
    from twinlens.app.map.map_results import MapFacts, MapResult, PhotoCluster


_NEAR_PX = 9.0  # of a point: the pointer means it
_RING_PX = 7.0
_EDGE_PX = 10.0
_WIDEST_BORDER = 0.3  # of the view
_STILL_NAMED = 0.2  # of the photographs of a cluster are shown: so is its name


class DrawnPoints(NamedTuple):
    """The points in the order of drawing, with their places and inks."""

    order: Int64Rows
    x: npt.NDArray[np.float32]
    y: npt.NDArray[np.float32]
    inks: npt.NDArray[np.uint8]


class MapScene(QWidget):
    """State of the visible map, and positions on it.

    Signals
    -------
    looked()
        It is looked at from elsewhere.
    renewed()
        Points are others, or have other colours.
    room_wanted(object, object)
        Only some photographs are shown, by a mask: which of them are seen as pictures is to be worked out
        (:meth:`take_room`); then where all lie.
    """

    looked = Signal()
    renewed = Signal()
    room_wanted = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.motion = Motion(self)
        self.pictures = SmallPictures(self)
        self.pictures.made.connect(lambda __: self.repaint_soon())
        self.motion.moved.connect(self._on_moved)
        self.found: MapResult | None = None
        self.facts: MapFacts | None = None
        self.coloured: Colouring | None = None
        self.selection = RowSelection(0)
        self.lasso: Lasso | None = None
        self.current = self.hovered = -1
        self.names_shown = True
        self._spacings, self._most = overlay.Spacings(), 1.0
        self._fitted: Camera | None = None
        self._lit: int | None = None
        self._only: frozenset[int] = frozenset()
        self._allowed: BoolMask | None = None
        self._shown_at = self.motion.xy[:, 0]  # from which spacing on each that is shown is a picture
        self._named: tuple[PhotoCluster, ...] = ()
        self.flags: dict[int, str] = {}
        self._by_height: Int64Rows = np.empty(0, np.int64)
        self._order: tuple[Int64Rows, npt.NDArray[np.uint8]] | None = (
            None  # of points as they are drawn, with their inks
        )
        self._drawn: DrawnPoints | None = None
        self._places = self.motion.xy  # of the points that are drawn
        self._placed = overlay.PlacedPictures(np.empty(0, np.int64), np.empty(0, np.float32))
        self._painted: QPixmap | None = None
        self._stale = True
        self.setMinimumSize(200, 160)

    # --- what is shown -----------------------------------------------------------------------------------------------

    @property
    def camera(self) -> Camera:
        """The camera."""
        return self.motion.camera

    @property
    def count(self) -> int:
        """The number of photographs."""
        return 0 if self.found is None else len(self.found.ids)

    def show_map(self, found: MapResult, facts: MapFacts, coloured: Colouring) -> None:
        """Show a map; points of the former map move to their new positions."""
        before, selected = self.found, self.selected_ids()
        current = self.id_of(self.current)
        self.found, self.facts = found, facts
        self.motion.unsettled = False
        start = found.xy if before is None else self._carried(before, found)
        if start is not self.motion.xy:
            self.motion.place(start)
        if start is not found.xy:
            self.motion.travel(found.xy)
        self._spacings = overlay.spacings_of(found.shown_at)
        self._most = overlay.most_scale(found.shown_at)
        self._by_height = np.argsort(found.xy[:, 1], kind="stable")
        self.selection = RowSelection(len(found.ids))
        if len(selected):
            self.selection.take(np.isin(found.ids, selected))
        self.current, self.hovered, self.lasso = found.rows.get(current, -1), -1, None
        self.show_colours(coloured)
        if before is None:
            self._fitted = self.fitting()
            self.motion.look(self._fitted)
        elif self.shows_all():
            self.glide_to_fit(self.fitting())

    def shows_all(self) -> bool:
        """Return whether the whole map is visible, and stays so."""
        return self.motion.goal is self._fitted

    def glide_to_fit(self, camera: Camera) -> None:
        """Glide to the whole map, and keep it whole when the view or the map changes."""
        self._fitted = camera
        self.motion.glide(camera)

    def _carried(self, before: MapResult, found: MapResult) -> npt.NDArray[np.float32]:
        """Return the starting positions of points: their visible ones; new points start at their goals."""
        if len(before.ids) == 0:
            return found.xy
        if np.array_equal(before.ids, found.ids):
            return self.motion.xy
        places = np.minimum(np.searchsorted(before.ids, found.ids), len(before.ids) - 1)
        known = before.ids[places] == found.ids
        start = found.xy.copy()
        start[known] = self.motion.xy[places[known]]
        return start

    def show_layout(self, ids: Int64Rows, xy: npt.NDArray[np.float32]) -> None:
        """Move points to a layout of a map that is still being made."""
        if self.found is not None and np.array_equal(ids, self.found.ids):
            self.motion.unsettled = True
            self.motion.travel(xy)

    def show_nothing(self) -> None:
        """Show no map."""
        self.found = self.facts = self.coloured = None
        self.selection, self.current, self.hovered = RowSelection(0), -1, -1
        self.flags, self._only, self._lit, self.lasso = {}, frozenset(), None, None
        self.motion.place(np.empty((0, 2), np.float32))

    def show_colours(self, coloured: Colouring) -> None:
        """Show another colouring; all groups are shown again."""
        if self.coloured is None or self.coloured.by is not coloured.by:
            self._only = frozenset()
        self.coloured, self._lit = coloured, None
        self._leave_out()

    def light(self, group: int | None) -> None:
        """Highlight a group, or none."""
        if group != self._lit:
            self._lit = group
            self._renew()

    def lit_group(self) -> int | None:
        """Return the highlighted group, or None."""
        return self._lit

    def show_only(self, groups: Iterable[int]) -> None:
        """Show only some groups; all for none."""
        self._only = frozenset(groups)
        self._leave_out()

    def _leave_out(self) -> None:
        """Hide photographs outside of the groups that are shown alone, and the names of their clusters."""
        found, coloured = self.found, self.coloured
        self._allowed = None
        if found is not None:
            self._shown_at, self._named = found.shown_at, found.clusters
            if coloured is not None and self._only:
                self._allowed = allowed = np.isin(coloured.of, list(self._only))
                there = np.bincount(found.cluster[allowed & (found.cluster >= 0)], minlength=len(found.clusters))
                self._named = tuple(
                    one
                    for one, count in zip(found.clusters, there.tolist(), strict=True)
                    if count >= _STILL_NAMED * one.photographs
                )
                self.room_wanted.emit(allowed, found.xy)
        self._renew()

    def take_room(self, allowed: BoolMask, shown_at: npt.NDArray[np.float32]) -> None:
        """Set the spacing from which on each photograph shown alone is a picture, unless the groups changed."""
        if allowed is self._allowed:
            self._shown_at = shown_at
            self.repaint_soon()

    @property
    def only(self) -> frozenset[int]:
        """The groups shown alone; empty for all."""
        return self._only

    def show_flags(self, flags: dict[int, str]) -> None:
        """Flag photographs of a search, by id, each with a word."""
        self.flags = flags
        self.repaint_soon()  # names make room for them

    def show_names(self, shown: bool) -> None:
        """Show the names of clusters, or hide them."""
        self.names_shown = shown
        self.repaint_soon()

    def selected_ids(self) -> Int64Rows:
        """Return the selected photographs, ascending."""
        return np.empty(0, np.int64) if self.found is None else self.found.ids[self.selection.rows()]

    def id_of(self, row: int) -> int:
        """Return the photograph of a row, or -1."""
        return int(self.found.ids[row]) if self.found is not None and 0 <= row < len(self.found.ids) else -1

    @property
    def allowed(self) -> BoolMask | None:
        """The visible photographs; None for all."""
        return self._allowed

    @property
    def most_scale(self) -> float:
        """The largest scale."""
        return self._most

    def fitting(self, rows: Int64Rows | None = None) -> Camera:
        """Return the view of the whole map, or of some rows."""
        xy = self.motion.xy if self.found is None else self.found.xy
        xy = xy if rows is None else xy[rows]
        rect: Rect = (0.0, 0.0, 1.0, 1.0)
        if len(xy):
            (left, top), (right, bottom) = xy.min(axis=0).tolist(), xy.max(axis=0).tolist()
            rect = left, top, right, bottom
        wide = Camera.fitting(self.width(), self.height())
        most = self._most / 4 if rows is not None else 2.5 * wide.scale
        made = Camera.fitting(self.width(), self.height(), rect)
        for _ in range(3):  # those at the edge are seen whole; pictures are the smaller the further away one is
            border = max(BORDER_PX, overlay.side_px(made, self._spacings) / 2 + _EDGE_PX)
            border = min(border, _WIDEST_BORDER * min(self.width(), self.height()))
            made = Camera.fitting(self.width(), self.height(), rect, border)
        return made.centred((made.x, made.y), min(made.scale, most))

    # --- what lies where ---------------------------------------------------------------------------------------------

    def visible_rows(self) -> list[int]:
        """Return the photographs that are visible as pictures, from the top left to the bottom right."""
        rows = self._placed.rows
        xy = self.motion.xy
        return rows[np.lexsort((xy[rows, 0], np.round(xy[rows, 1] * self.camera.scale / 64)))].tolist()  # type: ignore[no-any-return]

    def place_of(self, row: int) -> tuple[float, float]:
        """Return the pixel of a photograph."""
        x, y = self.motion.xy[row].tolist()
        return self.camera.to_px((x, y))

    def box(self, row: int) -> QRectF:
        """Return the box of a photograph: its picture, or the surroundings of its point."""
        x, y = self.place_of(row)
        at = np.flatnonzero(self._placed.rows == row)
        made = None if self.facts is None else self.pictures.nearest(self.facts.hashes[row].tobytes())
        if len(at) and made is not None and self.motion.fold == 1:
            return box_of(made[0], x, y, float(self._placed.sides[at[0]]))
        return QRectF(x - _RING_PX, y - _RING_PX, 2 * _RING_PX, 2 * _RING_PX)

    def row_under(self, at_px: QPointF | QPoint) -> int:
        """Return the photograph at a pixel: a picture, else the nearest point; -1 for none."""
        place = QPointF(at_px)
        if self.found is None or not len(self.found.ids):
            return -1
        rows, sides, xy, camera = self._placed.rows, self._placed.sides, self.motion.xy, self.camera
        x, y = camera.to_map((place.x(), place.y()))
        reach = sides / (2 * camera.scale)
        near = np.flatnonzero((np.abs(xy[rows, 0] - x) <= reach) & (np.abs(xy[rows, 1] - y) <= reach))
        for at in near[::-1].tolist():
            if self.box(int(rows[at])).contains(place):
                return int(rows[at])
        radius = _NEAR_PX / camera.scale
        if self._allowed is None:
            found = plane.nearest_point(xy, (x, y), radius)
            return -1 if found is None else found
        some = plane.points_in_rectangle(xy, (x - radius, y - radius, x + radius, y + radius))
        some = some[self._allowed[some]]
        found = plane.nearest_point(xy[some], (x, y), radius)
        return -1 if found is None else int(some[found])

    # --- what has changed --------------------------------------------------------------------------------------------

    def repaint_soon(self) -> None:
        """Paint everything again."""
        self._stale = True
        self.update()

    def _renew(self) -> None:
        """Sort and colour points again."""
        self._drawn = self._order = None
        self.repaint_soon()
        self.renewed.emit()

    def selection_changed_here(self) -> None:
        """Paint the new selection."""
        self._renew()

    def _on_moved(self) -> None:
        if self._places is not self.motion.xy or self.motion.travels:
            self._drawn, self._places = None, self.motion.xy
        self.repaint_soon()
        self.looked.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Keep the centre."""
        super().resizeEvent(event)
        self._painted = None
        if self.shows_all():
            self._fitted = self.fitting()
            self.motion.look(self._fitted)
        else:
            self.motion.look(self.motion.goal.resized(max(1, self.width()), max(1, self.height())))


LassoMask = npt.NDArray[np.bool_]
_STEP_PX = 3.0  # nearer corners change nothing that is seen


class LassoMode(Enum):
    """The effect of a lasso on the photographs inside."""

    ALONE = "alone"
    ADDED = "added"
    REMOVED = "removed"

    @classmethod
    def by(cls, modifiers: Qt.KeyboardModifier) -> LassoMode:
        """Return the kind of selection by the keys held."""
        if modifiers & Qt.KeyboardModifier.AltModifier:
            return cls.REMOVED
        return cls.ADDED if modifiers & Qt.KeyboardModifier.ControlModifier else cls.ALONE


class Lasso:
    """Corners of a lasso in map coordinates, so it stays in its place."""

    def __init__(self, start: Place) -> None:
        self.corners: list[Place] = [start]

    def draw(self, place: Place, camera: Camera) -> bool:
        """Extend the lasso; return whether a corner was added."""
        (x, y), (left, top) = place, self.corners[-1]
        if max(abs(x - left), abs(y - top)) * camera.scale < _STEP_PX:
            return False
        self.corners.append(place)
        return True

    def inside(self, xy: Float32Vectors, allowed: LassoMask | None) -> LassoMask:
        """Return which points are inside, (n,)."""
        found = np.zeros(len(xy), np.bool_)
        found[points_in_polygon(xy, self.corners)] = True
        return found if allowed is None else found & allowed

    def takes(self, before: LassoMask, xy: Float32Vectors, allowed: LassoMask | None, taking: LassoMode) -> LassoMask:
        """Return the new selection."""
        own = self.inside(xy, allowed)
        if taking is LassoMode.ADDED:
            return before | own
        return before & ~own if taking is LassoMode.REMOVED else own
