"""Board of a comparison: the pictures of all columns on one wall, which scroll together.

One photograph is highlighted in every column, with a path from each column to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainterPath, QPen, QResizeEvent, QWheelEvent

from twinlens.app.gui.compare.board_layout import GAP, PAD, BoardLayout, RankedTile, ShownColumn
from twinlens.app.gui.look.theme import theme
from twinlens.app.gui.pictures.wall import TilePainter, Wall
from twinlens.app.language.texts import _


class CompareBoard(Wall):
    """Board of the results and the missed photographs of every column.

    Signals
    -------
    lit_changed(int)
        Another photograph is lit, or none: -1.
    column_changed(int)
        The keys are on another column.
    """

    lit_changed = Signal(int)
    column_changed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._columns: Sequence[ShownColumn] = ()
        self._starts = [0]  # of columns among the tiles
        self._k, self._zoom = 20, 0
        self._layout = BoardLayout.of((1, 1), (), self._k)
        self._column = 0  # that has the keys
        self._hovered = -1
        self._keyed = False
        self._lit = -1
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    # --- what is shown -----------------------------------------------------------------------------------------------

    def show_columns(self, columns: Sequence[ShownColumn], k: int, keep: bool = False) -> None:
        """Show columns of k results; with ``keep`` the focus stays on its photograph, if that is still there."""
        held = self.current_id()
        self._columns, self._k = columns, k
        self._starts = [0, *accumulate(len(column.tiles) for column in columns)]
        self._lay_out()
        number = self._column = min(self._column, max(0, len(columns) - 1))
        place = columns[number].place_of(held) if columns and keep else -1
        if place < 0:
            place = next((n for n, tile in enumerate(columns[number].tiles) if not tile.asked), 0) if columns else 0
        if not keep:
            self._hovered, self._keyed = -1, False
            self.verticalScrollBar().setValue(0)
        self.show_tiles([tile for column in columns for tile in column.tiles], self._starts[number] + place)
        self._show_lit()

    def layout_now(self) -> BoardLayout:
        """Return the current layout."""
        return self._layout

    def column(self) -> int:
        """Return the focused column."""
        return self._column

    def set_column(self, column: int) -> None:
        """Move the focus to a column."""
        if 0 <= column < len(self._columns):
            place, count = self._at - self._starts[self._column], len(self._columns[column].tiles)
            self._go(column, max(0, min(place, count - 1)), keyed=self._keyed)

    def current(self) -> RankedTile | None:
        """Return the focused picture."""
        tiles, place = self._column_tiles(), self._at - self._starts[self._column]
        return tiles[place] if 0 <= place < len(tiles) else None

    def current_id(self) -> int:
        """Return the focused photograph, or -1."""
        tile = self.current()
        return -1 if tile is None else tile.id

    def lit(self) -> int:
        """Return the highlighted photograph, or -1."""
        return self._lit

    def ids(self) -> list[int]:
        """Return the photographs of the focused column, in order, as the viewer steps through them."""
        return [tile.id for tile in self._column_tiles()]

    def set_current(self, photograph_id: int) -> None:
        """Move the focus to a photograph of this column, or of the first column that has it."""
        for number in (self._column, *range(len(self._columns))):
            place = self._columns[number].place_of(photograph_id) if number < len(self._columns) else -1
            if place >= 0:
                self.go(self._starts[number] + place)
                return

    def zoom(self, steps: int) -> None:
        """Enlarge or shrink the pictures."""
        before, self._zoom = self._layout.across, self._zoom + steps
        self._lay_out()
        if self._layout.across == before:
            self._zoom -= steps
            self._lay_out()
        self._reveal()
        self.repaint_soon()

    def _column_tiles(self) -> Sequence[RankedTile]:
        return self._columns[self._column].tiles if self._column < len(self._columns) else ()

    # --- places ------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        counts = [len(column.tiles) for column in self._columns]
        self._layout = BoardLayout.of((self.viewport().width(), self.viewport().height()), counts, self._k, self._zoom)
        bar = self.verticalScrollBar()
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(max(16, self._layout.tile[1] // 3))
        bar.setRange(0, max(0, self._layout.height - self.viewport().height()))

    def _column_of(self, place: int) -> tuple[int, int]:
        """Return the column of a tile, and its position in it."""
        column = next(n for n, end in enumerate(self._starts[1:]) if place < end)
        return column, place - self._starts[column]

    def box(self, place: int) -> QRect:
        """Return the place of a tile."""
        return self._layout.rect(*self._column_of(place))

    def moved(self, place: int, dx: int, dy: int) -> int:
        """Return the neighbour; sideways in the next column."""
        column, within = self._layout.moved(self._column, max(0, place - self._starts[self._column]), dx, dy)
        return self._starts[column] + within

    def end(self, *, last: bool) -> int:
        """Return the first or last position of this column."""
        return max(self._starts[self._column + 1] - 1, 0) if last else self._starts[self._column]

    def visible_rows(self) -> list[int]:
        """Return the visible positions."""
        top = self.verticalScrollBar().value()
        places = self._layout.between(top, top + self.viewport().height())
        return [
            start + place
            for start, column in zip(self._starts, self._columns, strict=False)
            for place in places[: max(0, len(column.tiles) - places.start)]
        ]

    def row_under(self, point: QPoint) -> int:
        """Return the position at a point of the viewport; -1 for none."""
        found = self._layout.at(point + QPoint(0, self.verticalScrollBar().value()))
        return -1 if found is None else self._starts[found[0]] + found[1]

    def box_of(self, column: int, photograph_id: int) -> QRect | None:
        """Return the place of a photograph in a column; None if it is not in it."""
        place = self._columns[column].place_of(photograph_id)
        return None if place < 0 else self.tile_rect(self._starts[column] + place)

    # --- what is lit -------------------------------------------------------------------------------------------------

    def go(self, place: int) -> None:
        """Focus a tile, and highlight its photograph."""
        if self._tiles:
            self._go(*self._column_of(max(0, min(place, len(self._tiles) - 1))))

    def _go(self, column: int, place: int, keyed: bool = True) -> None:
        before = self._column
        self._column, self._keyed, self._hovered = column, keyed, -1
        super().go(self._starts[column] + place)
        self._show_lit()
        if column != before:
            self.column_changed.emit(column)

    def spoken(self, place: int) -> str:
        """Return the text of a tile, with its column."""
        return f"{self._columns[self._column_of(place)[0]].title}. {super().spoken(place)}"

    def is_lit(self, place: int) -> bool:
        """Return whether a tile shows the photograph under the pointer, or the focused one."""
        return self._lit == self._tiles[place].id

    def _show_lit(self) -> None:
        lit = self._hovered if self._hovered >= 0 else self.current_id() if self._keyed else -1
        if lit != self._lit:
            self._lit = lit
            self.lit_changed.emit(lit)
            self.repaint_soon()

    def _hover(self, point: QPoint | None) -> None:
        place = -1 if point is None else self.row_under(point)
        self._hovered = -1 if place < 0 else self._tiles[place].id
        self._show_lit()

    def _on_scrolled(self) -> None:
        if self._hovered >= 0:
            self._hover(self.viewport().mapFromGlobal(self.cursor().pos()))

    # --- keys, pointer, painting -------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name, as all below)
        """Allow only leaving a column without photographs."""
        if self.current() is None and event.key() not in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Highlight the photograph under the pointer in every column."""
        self._hover(event.position().toPoint())

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Move the focus to the clicked picture, or the clicked column."""
        super().mousePressEvent(event)
        at = event.position().toPoint()
        if self.row_under(at) >= 0:
            self._hover(at)
        else:
            boxes = self._layout.columns()
            self.set_column(next((n for n, box in enumerate(boxes) if box.left() <= at.x() <= box.right()), -1))

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Scroll; with Ctrl, zoom."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1 if event.angleDelta().y() > 0 else -1)
        else:
            super().wheelEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802
        """End the highlight when the pointer leaves."""
        if event.type() == QEvent.Type.Leave:
            self._hover(None)
        return super().viewportEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Highlight the focused photograph after Tab."""
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self._keyed = True
            self._show_lit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Lay out again."""
        super().resizeEvent(event)
        self._lay_out()

    def paint_under(self, brush: TilePainter) -> None:
        """Paint the lines between columns."""
        for box in self._layout.columns()[1:]:
            brush.painter.fillRect(box.left(), 0, 1, self.viewport().height(), QColor(theme().line))
        if self._columns and all(column.one is not None and not column.tiles for column in self._columns):
            brush.words(self.viewport().rect(), _("No photos pass these filters."))

    def paint_over(self, brush: TilePainter) -> None:
        """Paint the path of the highlighted photograph."""
        if self._lit >= 0:
            boxes = [self.box_of(number, self._lit) for number in range(len(self._columns))]
            paint_path(brush, boxes, [box.left() for box in self._layout.columns()])


_BELOW = GAP / 2 + 1


def paint_path(brush: TilePainter, boxes: Sequence[QRect | None], edges: Sequence[int]) -> None:
    """Paint a line through the places of one photograph, dashed across a column without it."""
    painter, now = brush.painter, brush.colours
    for path, whole in paths(boxes, edges):
        halo = QColor(now.ground)
        halo.setAlphaF(0.75)
        line = QColor(now.warn)
        for colour, width in ((halo, 6.0), (line, 2.4)):
            style = Qt.PenStyle.SolidLine if whole or width > 3 else Qt.PenStyle.DashLine
            painter.setPen(QPen(colour, width, style, Qt.PenCapStyle.RoundCap))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(path)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(line)
        for end in (path.pointAtPercent(0), path.pointAtPercent(1)):
            painter.drawEllipse(end, 3.4, 3.4)


def paths(boxes: Sequence[QRect | None], edges: Sequence[int]) -> list[tuple[QPainterPath, bool]]:
    """Return a line from each place of a photograph to the next, and whether no column lies between.

    A line runs in the gaps below pictures, and changes its height between columns, so that it covers none.

    Parameters
    ----------
    boxes : sequence of QRect or None
        Where it stands in each column; None where it does not.
    edges : sequence of int
        Where each column begins, px.
    """
    there = [(column, box) for column, box in enumerate(boxes) if box is not None]
    found = []
    for (column, box), (beside, other) in pairwise(there):
        edge = edges[beside]
        start, end = (
            QPointF(box.center().x(), box.bottom() + _BELOW),
            QPointF(other.center().x(), other.bottom() + _BELOW),
        )
        path = QPainterPath(start)
        path.lineTo(edge - PAD, start.y())
        path.cubicTo(
            QPointF(edge + PAD * 0.4, start.y()), QPointF(edge - PAD * 0.4, end.y()), QPointF(edge + PAD, end.y())
        )
        path.lineTo(end)
        found.append((path, beside == column + 1))
    return found
