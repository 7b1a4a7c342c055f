"""The view and the selection of the map, for pointer, keys and other views."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRect, Qt, Signal
from PySide6.QtWidgets import QWidget

from app.gui.map.map_sheet import MapSheet
from app.gui.map.picture_places import spacings_of
from app.gui.photo_grid.accessible_grid import AccessibleItems
from core.embedding import plane

Modifier = Qt.KeyboardModifier

_EDGE_PX = 48  # from the border: what the keys are on is brought into view
_AROUND, _BEYOND = 8, 1.3  # of its neighbours are seen, too, where one photograph is shown; and a little beyond
_CLOSE = 9.0  # of the closest neighbours would have room side by side where one photograph is shown


class MapChooser(MapSheet):
    """Is looked at from elsewhere, and chosen from.

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
    """Tell those who do not see it."""

    # --- looking from elsewhere --------------------------------------------------------------------------------------

    def zoom(self, factor: float, place: QPointF | None = None) -> None:
        """Come closer by a factor, about a pixel; about what the keys are on, or the middle, without one."""
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
        """Show all; of several that are selected, all of these; if that is seen already, everything."""
        goal = self.fitting(self.selection.rows() if self.selection.count > 1 else None)
        if abs(goal.scale / self.motion.goal.scale - 1) < 0.01 and self.selection.count > 1:
            goal = self.fitting()
        self.glide_to_fit(goal)

    def pan(self, across: float, down: float) -> None:
        """Move the sheet by pixels, at once."""
        self.motion.look(self.motion.camera.panned(across, down).kept_within(self.most_scale))

    def throw(self, across_px_s: float, down_px_s: float) -> None:
        """Let the sheet glide on."""
        self.motion.throw(across_px_s, down_px_s, self.most_scale)

    def hold(self) -> None:
        """Hold the sheet where it is."""
        self.motion.glide(self.motion.camera)

    def show_photographs(self, ids: list[int]) -> bool:
        """Select photographs and come close to them; tell whether any is on the map."""
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
        """Return what is stepped through: what is selected, else the nearest on the map first."""
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
        """Return the row that the keys are on, or -1."""
        return self.current

    def current_id(self) -> int:
        """Return the photograph that the keys are on, or -1."""
        return self.id_of(self.current)

    def chosen_ids(self) -> list[int]:
        """Return what is selected, else what the keys are on."""
        selected: list[int] = self.selected_ids().tolist()
        return selected or ([self.current_id()] if self.current >= 0 else [])

    def set_current(self, photograph_id: int) -> None:
        """Focus a photograph, and bring it into view."""
        if self.found is not None and photograph_id in self.found.rows:
            self._go(self.found.rows[photograph_id])

    def select_rows(self, mask: npt.NDArray[np.bool_]) -> None:
        """Select what a mask says."""
        self._select(self.selection.take(mask))

    def select_seen(self) -> None:
        """Select all that is in view."""
        if self.found is not None:
            mask = np.zeros(self.count, np.bool_)
            mask[plane.points_in_rectangle(self.motion.xy, self.camera.seen())] = True
            self.select_rows(mask if self.allowed is None else mask & self.allowed)

    def select_group(self) -> None:
        """Select all that has the colour of what the keys are on."""
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
        """Choose what is at a pixel; with Ctrl, one more or one less."""
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
        """Return what pictures are painted on: the map itself."""
        return self

    def tile_rect(self, row: int) -> QRect:
        """Return what a photograph fills."""
        return self.box(row).toAlignedRect()

    def spoken(self, row: int) -> str:
        """Return what a photograph is."""
        from app.gui.map.map_words import point_description

        assert self.found is not None
        return point_description(self.found, self.facts, self.coloured, row)
