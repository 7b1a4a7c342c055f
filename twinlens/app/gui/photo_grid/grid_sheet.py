"""The grid sheet is the visible part of a grid: its layout, thumbnail requests, painting and smooth scrolling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QAbstractAnimation,
    QEasingCurve,
    QEvent,
    QObject,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPixmap, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QScrollBar, QWidget

from twinlens.app.gui.look.theme import theme
from twinlens.app.gui.marks.mark_controls import Verdict
from twinlens.app.gui.photo_grid.cell_painting import GridCellPainter, GridTile, foot_height, heading_height
from twinlens.app.gui.photo_grid.grid_layout import (
    GridLayout,
    GridMeasures,
    GridRows,
    NoRows,
    RowSelection,
    section_starts,
)
from twinlens.app.gui.pictures.photograph import PhotographSigns
from twinlens.app.gui.pictures.small_pictures import PictureStyle, SmallPictures
from twinlens.app.language.texts import _, number

SMALLEST, USUAL, LARGEST = 96, 176, 320
_WISH_MS = 15
_FRAME = 8  # frame of a photograph beyond its tile, generously


class GridSheet(QAbstractScrollArea):
    """The visible part of a grid: rows, layout, pictures, selection and current row.

    Keys, mouse and signals are those of ``PhotoGrid``.
    """

    tile_side_changed = Signal(int)
    laid_out = Signal()
    """The layout is another one."""

    def __init__(self, parent: QWidget | None = None, bar: QScrollBar | None = None) -> None:
        super().__init__(parent)
        if bar is not None:
            self.setVerticalScrollBar(bar)
        self._pointed: int | None = None
        self.signs_of: Callable[[int], PhotographSigns] | None = None
        """Returns what is noted of a photograph, by its id; None where that is not shown."""
        self.pictures = SmallPictures(self)
        self.selection = RowSelection(0)
        self._rows: GridRows = NoRows()
        self._starts: NDArray[np.int64] = section_starts(self._rows)
        self._layout = GridLayout(self._starts, 1, GridMeasures())
        self._side = USUAL
        self._current = -1
        self._verdicts: dict[int, Verdict] = {}
        self._downward = True
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Always visible, since lines would be laid out again at another width whenever it came or went.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._glide = SmoothScroll(self.verticalScrollBar())
        self._wishes = QTimer(self)
        self._wishes.setSingleShot(True)
        self._wishes.setInterval(_WISH_MS)
        self._wishes.timeout.connect(self._on_wishes)
        self.pictures.made.connect(self._on_made)
        self.verticalScrollBar().sliderPressed.connect(self.viewport().update)
        self.verticalScrollBar().sliderReleased.connect(self.viewport().update)

    def rows(self) -> GridRows:
        """Return the rows."""
        return self._rows

    def ids(self) -> NDArray[np.int64]:
        """Return the photographs, in order."""
        return self._rows.ids

    def show_verdicts(self, verdicts: Mapping[int, Verdict]) -> None:
        """Show the signs of marks by photograph id; all others have none."""
        if dict(verdicts) != self._verdicts:
            self._verdicts = dict(verdicts)
            self.viewport().update()

    def verdicts(self) -> dict[int, Verdict]:
        """Return the marks by photograph id."""
        return dict(self._verdicts)

    def spoken(self, row: int) -> str:
        """Return the text of a row, with its mark."""
        words, verdict = self._rows.spoken(row), self._verdicts.get(int(self._rows.ids[row]))
        return words if verdict is None else f"{words}, {verdict.words()}"

    def current_id(self) -> int:
        """Return the id of the current photograph, or -1."""
        return int(self._rows.ids[self._current]) if self._current >= 0 else -1

    def current_row(self) -> int:
        """Return the row of the current photograph, or -1."""
        return self._current

    @property
    def tile_side(self) -> int:
        """Return the wanted side of a tile, px; the actual one differs a little to fill the lines."""
        return self._side

    @tile_side.setter
    def tile_side(self, side: int) -> None:
        side = min(max(side, SMALLEST), LARGEST)
        if side != self._side:
            anchor = self._held()
            self._side = side
            self._lay_out(anchor)
            self.tile_side_changed.emit(side)

    def rubber_band(self) -> QRect | None:
        """Return the rubber band in content coordinates, while one is drawn."""
        return None

    # ---- geometry ---------------------------------------------------------------------------------------------------

    @property
    def layout_now(self) -> GridLayout:
        """Return the layout."""
        return self._layout

    def top(self) -> int:
        """Return the content's y at the top of the view."""
        return self.verticalScrollBar().value()

    def seen(self) -> QRect:
        """Return the visible part, in content coordinates."""
        return self.viewport().rect()

    def tile_rect(self, row: int) -> QRect:
        """Return the place of a tile, in the viewport's coordinates."""
        return QRect(*self._layout.box(row)).translated(0, -self.top())

    def well_rect(self, row: int) -> QRect:
        """Return the place of a photograph without the words below it, in the viewport's coordinates."""
        tile = self.tile_rect(row)
        return QRect(tile.topLeft(), QSize(tile.width(), tile.width()))

    def row_under(self, point: QPoint) -> int:
        """Return the row whose tile is at a point of the viewport, or -1."""
        return -1 if self.heading_under(point) >= 0 else self._layout.row_at(point.x(), point.y() + self.top())

    def heading_under(self, point: QPoint) -> int:
        """Return the section whose heading is at a point of the viewport, or -1."""
        top, height = self.top(), self._layout.measures.heading
        if not self._rows.shelves:
            return -1
        section = self._layout.section_at(top + point.y())
        return section if 0 <= top + point.y() - self._layout.heading(section, top) < height else -1

    def point_at(self, y: int | None) -> None:
        """Name the section at a height of the content, as a timeline beside the grid points at it; None for none."""
        if y != self._pointed:
            self._pointed = y
            self.viewport().update()

    def visible_rows(self) -> range:
        """Return the visible rows."""
        return range(*self._layout.between(self.top(), self.top() + self.viewport().height()))

    def scroll_by(self, distance: int) -> None:
        """Scroll at once."""
        self._glide.stop()
        self.verticalScrollBar().setValue(self.top() + distance)

    def scroll_to(self, row: int) -> None:
        """Scroll just enough to show a whole photograph."""
        layout, top, height = self._layout, self.top(), self.viewport().height()
        box, gap = layout.box(row), layout.measures.gap
        highest = box.y - (layout.measures.heading or gap)
        lowest = box.y + box.height + gap - height
        if box.y == layout.box(0).y:
            highest = 0  # with the margin above the first line and below the last
        elif box.y + box.height + layout.measures.margin >= layout.height:
            lowest = layout.height - height
        self._glide.stop()
        if highest < top:
            self.verticalScrollBar().setValue(highest)
        elif lowest > top:
            self.verticalScrollBar().setValue(min(lowest, highest))

    def _lay_out(self, anchor: tuple[int, int] | None) -> None:
        """Lay out again; the anchor is a row and its height in the view, or None for the top."""
        first = self._rows.caption(0) if self._rows.count else None
        measures = GridMeasures(
            side=self._side,
            gap=8 if first is None else 16,
            foot=0 if first is None else foot_height(self.font(), bar=first.share is not None),
            heading=heading_height(self.font()) if self._rows.shelves else 0,
        )
        height = self.viewport().height()
        self._layout = GridLayout(self._starts, self.viewport().width(), measures)
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, self._layout.height - height))
        bar.setPageStep(height)
        bar.setSingleStep(self._layout.pitch // 2)
        bar.setValue(0 if anchor is None else self._layout.box(anchor[0]).y - anchor[1])
        self._wishes.start()
        self.viewport().update()
        self.laid_out.emit()

    def _held(self) -> tuple[int, int] | None:
        """Return the row that keeps its place during a new layout, and its height; None at the top."""
        seen = self.visible_rows()
        if not seen or not self.top():
            return None
        limit = self._layout.measures.heading
        whole = self._current in seen and self.tile_rect(self._current).top() >= limit
        row = self._current if whole else seen[0]
        return row, self.tile_rect(row).top()

    def first_seen(self) -> int:
        """Return the first wholly visible row below the heading."""
        seen = self.visible_rows()
        limit = self._layout.measures.heading
        return next((row for row in seen if self.tile_rect(row).top() >= limit), seen[0] if seen else 0)

    # ---- thumbnails -------------------------------------------------------------------------------------------------

    def _on_wishes(self) -> None:
        if not self.isVisible():
            return
        top, height = self.top(), self.viewport().height()
        seen = self._hashes(top, top + height)
        if self._downward:
            ahead = self._hashes(top + height, top + 2 * height)
        else:
            ahead = self._hashes(top - height, top)[::-1]
        make = self._make()
        self.pictures.look_at((one, make) for one in seen + ahead)

    def _make(self) -> PictureStyle:
        ratio, colours = self.devicePixelRatioF(), theme()
        side = max(1, round(self._layout.side * ratio))
        return PictureStyle(side, side, ratio, colours.well, colours.ground)

    def _on_made(self, content_hashes: set[bytes]) -> None:
        seen = self.visible_rows()
        for row, content_hash in zip(seen, self._hashes_of(seen.start, seen.stop), strict=True):
            if content_hash in content_hashes:
                self.viewport().update(self.tile_rect(row))

    def _hashes(self, top: int, bottom: int) -> list[bytes]:
        first, end = self._layout.between(top, bottom)
        return self._hashes_of(first, end)

    def _hashes_of(self, first: int, end: int) -> list[bytes]:
        joined = self._rows.hashes[first:end].tobytes()
        return [joined[at : at + 32] for at in range(0, len(joined), 32)]

    # ---- events -----------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Make thumbnails again for a finer screen or other colours, and lay out again for another font."""
        if event.type() in (QEvent.Type.DevicePixelRatioChange, QEvent.Type.PaletteChange):
            self._wishes.start()
        elif event.type() == QEvent.Type.FontChange:
            self._lay_out(self._held())
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name, as all below)
        """Lay out again; the visible part stays."""
        self._lay_out(self._held())

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Request the visible thumbnails."""
        self._wishes.start()
        super().showEvent(event)

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802
        """Move the visible part, paint the new part, and request its thumbnails."""
        self._downward = dy <= 0
        if self.rubber_band() is not None or self._points():
            self.viewport().update()  # these do not move with the photographs
        else:
            self.viewport().scroll(0, dy)
            self.viewport().update(0, 0, self.viewport().width(), self._layout.measures.heading + max(dy, 0))
        if not self._wishes.isActive():
            self._wishes.start()

    # ---- painting ---------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint the visible tiles, the headings over them, and the rubber band."""
        colours, top = theme(), self.top()
        painter = QPainter(self.viewport())
        brush = GridCellPainter(painter, colours, self.font(), _("query"))
        rows: set[int] = set()
        for area in cast(
            "Iterable[QRect]", event.region()
        ):  # after a scroll: a strip at one end and the heading at the other
            painter.fillRect(area, QColor(colours.ground))
            rows.update(range(*self._layout.between(top + area.top() - _FRAME, top + area.bottom() + 1 + _FRAME)))
        if rows:
            self._paint_tiles(brush, min(rows), max(rows) + 1, rows)
        if self._rows.shelves:
            self._paint_headings(brush)
        band = self.rubber_band()
        if band is not None:
            brush.band(band.translated(0, -top))
        if self._rows.shelves and self._points():
            self._paint_sign(brush)
        painter.end()

    def picture_of(self, content_hash: bytes) -> tuple[QPixmap, float] | None:
        """Return a picture, and its stretch while it has another size; None until there is one."""
        found = self.pictures.nearest(content_hash)
        if found is None:
            return None
        pixmap, made = found
        return pixmap, self._layout.side / (made.width / made.ratio)

    def _paint_tiles(self, brush: GridCellPainter, first: int, end: int, rows: set[int]) -> None:
        top, side, away = self.top(), self._layout.side, self._rows.away
        # The frame of a single selected photograph suffices.
        ring = self._current if self.hasFocus() else -1
        if self.selection.count == 1 and ring >= 0 and ring in self.selection:
            ring = -1
        hashes, corners = self._hashes_of(first, end), self._layout.corners(first, end)
        for row in sorted(rows):
            content_hash, (x, y) = hashes[row - first], corners[row - first]
            pixmap = self.picture_of(content_hash)
            tile = GridTile(
                pixmap=pixmap,
                unreadable=pixmap is None and self.pictures.unreadable(content_hash),
                caption=self._rows.caption(row),
                away=away is not None and bool(away[row]),
                selected=row in self.selection,
                current=row == ring,
                signs=None if self.signs_of is None else self.signs_of(int(self._rows.ids[row])),
                verdict=self._verdicts.get(int(self._rows.ids[row])) if self._verdicts else None,
            )
            brush.tile(QRect(x, y - top, side, side), tile)

    def _paint_headings(self, brush: GridCellPainter) -> None:
        top, height, width = self.top(), self._layout.measures.heading, self.viewport().width()
        first, last = self._layout.section_at(top), self._layout.section_at(top + self.viewport().height() - 1)
        for section in range(first, last + 1):
            shelf = self._rows.shelves[section]
            y = self._layout.heading(section, top)
            stuck = section == first and top > self._layout.heading(section, -1)
            brush.heading(QRect(0, y - top, width, height), shelf.heading, number(shelf.photographs), stuck=stuck)

    def _points(self) -> bool:
        """Return whether a place of the content is pointed at, by the scroll bar or beside it."""
        return self._pointed is not None or self.verticalScrollBar().isSliderDown()

    def _paint_sign(self, brush: GridCellPainter) -> None:
        bar, height = self.verticalScrollBar(), self.viewport().height()
        if self._pointed is None:
            y, middle = self.top() + self._layout.measures.heading, round(height * self.top() / max(bar.maximum(), 1))
        else:
            y, middle = self._pointed, round(height * self._pointed / max(self._layout.height, height, 1))
        shelf = self._rows.shelves[self._layout.section_at(y)]
        brush.sign(self.viewport().width() - 8, middle, (8, height - 8), shelf.heading)


_DURATION_MS = 140


class SmoothScroll(QObject):
    """Moves a scroll bar smoothly."""

    def __init__(self, bar: QScrollBar) -> None:
        super().__init__(bar)
        self._bar = bar
        self._goal = 0
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(_DURATION_MS)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(self._on_value)
        bar.sliderPressed.connect(self.stop)

    def by(self, distance: int) -> None:
        """Scroll on by a distance from the present goal, px."""
        start = self._bar.value()
        moving = self._animation.state() is QAbstractAnimation.State.Running
        goal = (self._goal if moving else start) + distance
        self._goal = min(max(goal, self._bar.minimum()), self._bar.maximum())
        self._animation.stop()
        self._animation.setStartValue(start)
        self._animation.setEndValue(self._goal)
        self._animation.start()

    def stop(self) -> None:
        """Stop."""
        self._animation.stop()

    def _on_value(self, value: object) -> None:
        if isinstance(value, int):
            self._bar.setValue(value)
