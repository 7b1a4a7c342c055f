"""The pointer of a grid selects, draws the rubber band, which scrolls at the edges, and drags photographs out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QMimeData, QObject, QPoint, QRect, QRectF, Qt, QTimer, QUrl
from PySide6.QtGui import QColor, QDrag, QMouseEvent, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from twinlens.app.gui.look.theme import theme
from twinlens.app.gui.photo_grid.grid_layout import GridBox, GridLayout, RowSelection
from twinlens.app.gui.pictures.photograph import put_photographs
from twinlens.app.language.texts import number
from twinlens.core.arrays import BoolMask

_EDGE = 24
_TICK_MS = 16
Modifier = Qt.KeyboardModifier


class PointerSurface(Protocol):
    """Effects of the pointer on its grid."""

    @property
    def layout_now(self) -> GridLayout: ...  # noqa: D102

    @property
    def selection(self) -> RowSelection: ...  # noqa: D102

    def top(self) -> int: ...  # noqa: D102

    def seen(self) -> QRect: ...  # noqa: D102

    def heading_under(self, point: QPoint) -> int: ...  # noqa: D102

    def row_under(self, point: QPoint) -> int: ...  # noqa: D102

    def choose(self, row: int, modifiers: Modifier) -> None: ...  # noqa: D102

    def choose_group(self, section: int, modifiers: Modifier) -> None: ...  # noqa: D102

    def tell_selection(self, changed: bool) -> None: ...  # noqa: D102

    def scroll_by(self, distance: int) -> None: ...  # noqa: D102

    def drag_out(self, row: int) -> None: ...  # noqa: D102

    def repaint_soon(self) -> None: ...  # noqa: D102


class GridPointer(QObject):
    """The left button of a grid, from press to release."""

    def __init__(self, surface: PointerSurface, parent: QObject) -> None:
        super().__init__(parent)
        self._surface = surface
        self._pressed: QPoint | None = None  # in content coordinates
        self._row = self._heading = -1
        self._on_release = self._adds = False
        self._base: BoolMask | None = None
        self._last = QPoint()
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._on_time)

    def press(self, event: QMouseEvent) -> None:
        """Select the photograph under the pointer, or begin a rubber band beside the photographs.

        A heading selects its photographs on release, unless a rubber band began there.
        """
        surface = self._surface
        self._last = event.position().toPoint()
        self._pressed = self._last + QPoint(0, surface.top())
        self._heading, self._row = surface.heading_under(self._last), surface.row_under(self._last)
        self._on_release = False
        self._base = None
        modifiers = event.modifiers()
        plain = not modifiers & (Modifier.ControlModifier | Modifier.ShiftModifier)
        self._adds = not plain
        if self._row >= 0:
            # A press on one of several selected ones may begin a drag of all: only the release selects it alone.
            self._on_release = plain and self._row in surface.selection
            if not self._on_release:
                surface.choose(self._row, modifiers)
        elif plain and self._heading < 0:
            surface.tell_selection(surface.selection.nothing())

    def move(self, event: QMouseEvent) -> None:
        """Drag the pressed photograph, or extend the rubber band."""
        self._last = event.position().toPoint()
        if self._pressed is None:
            return
        far = (self._last + QPoint(0, self._surface.top()) - self._pressed).manhattanLength()
        if self._row >= 0:
            if far >= QApplication.startDragDistance():
                row, self._pressed, self._on_release = self._row, None, False
                self._surface.drag_out(row)
            return
        if self._base is None and far >= QApplication.startDragDistance():
            self._base = self._surface.selection.mask()
            self._base &= self._adds
        if self._base is not None:
            self._draw()
            if self._beyond() and not self._timer.isActive():
                self._timer.start()

    def release(self, event: QMouseEvent) -> None:
        """End the drag or the rubber band."""
        if self._on_release and self._row >= 0:
            self._surface.choose(self._row, event.modifiers())
        elif self._heading >= 0 and self._base is None:
            self._surface.choose_group(self._heading, event.modifiers())
        self.forget()

    def forget(self) -> None:
        """Forget the press, as when other photographs are shown."""
        self._pressed, self._base, self._row, self._heading, self._on_release = None, None, -1, -1, False
        self._timer.stop()
        self._surface.repaint_soon()

    def band(self) -> QRect | None:
        """Return the rubber band in content coordinates, while there is one."""
        if self._base is None or self._pressed is None:
            return None
        return QRect(self._pressed, self._last + QPoint(0, self._surface.top())).normalized()

    def _draw(self) -> None:
        band = self.band()
        if band is not None and self._base is not None and len(self._base) == self._surface.layout_now.count:
            rows = self._surface.layout_now.rows_in(GridBox(band.x(), band.y(), band.width(), band.height()))
            self._surface.tell_selection(self._surface.selection.banded(self._base, rows))
            self._surface.repaint_soon()

    def _beyond(self) -> int:
        """Return how far the pointer is past the upper (negative) or lower edge, px."""
        seen = self._surface.seen()
        above, below = self._last.y() - (seen.top() + _EDGE), self._last.y() - (seen.bottom() - _EDGE)
        return above if above < 0 else max(below, 0)

    def _on_time(self) -> None:
        beyond = self._beyond()
        if self._base is None or not beyond:
            self._timer.stop()
            return
        self._surface.scroll_by(max(-160, min(160, beyond)) // 2 or (1 if beyond > 0 else -1))
        self._draw()


_STACK_SIDE = 96


def files_to_drag(paths: Sequence[str]) -> QMimeData:
    """Return the data for another program: the files as addresses, and their paths as text."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path) for path in paths])
    data.setText("\n".join(paths))
    return data


def drag_files(source: QWidget, paths: Sequence[str], pixmap: QPixmap | None, ids: Sequence[int] = ()) -> None:
    """Drag the files of photographs out; returns when they are dropped. They are only ever copied or linked."""
    dragged, data = QDrag(source), files_to_drag(paths)
    put_photographs(data, ids)
    dragged.setMimeData(data)
    dragged.setPixmap(stack_pixmap(pixmap, len(paths), source.devicePixelRatioF()))
    dragged.setHotSpot(QPoint(_STACK_SIDE // 2, _STACK_SIDE // 2))
    dragged.exec(Qt.DropAction.CopyAction | Qt.DropAction.LinkAction, Qt.DropAction.CopyAction)


def stack_pixmap(pixmap: QPixmap | None, count: int, ratio: float) -> QPixmap:
    """Return the picture under the pointer: a photograph, sheets behind it for more, and their number."""
    colours = theme()
    side = _STACK_SIDE + 16
    picture = QPixmap(round(side * ratio), round(side * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    front = QRectF(0, 0, _STACK_SIDE, _STACK_SIDE)
    if pixmap is not None:
        size = pixmap.deviceIndependentSize().scaled(front.size(), Qt.AspectRatioMode.KeepAspectRatio)
        front = QRectF((_STACK_SIDE - size.width()) / 2, (_STACK_SIDE - size.height()) / 2, size.width(), size.height())
    painter.setPen(QColor(colours.line))
    painter.setBrush(QColor(colours.well))
    for sheet in range(min(count, 3) - 1, -1, -1):
        painter.drawRoundedRect(front.translated(4 * sheet + 0.5, 4 * sheet + 0.5), 4, 4)
    if pixmap is not None:
        painter.drawPixmap(front, pixmap, QRectF(pixmap.rect()))
    if count > 1:
        font = painter.font()
        font.setBold(True)
        painter.setFont(font)
        words = number(count)
        width = painter.fontMetrics().horizontalAdvance(words) + 16
        pill = QRectF(side - max(width, 24), 0, max(width, 24), 24)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.accent))
        painter.drawRoundedRect(pill, 12, 12)
        painter.setPen(QColor(colours.paper))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, words)
    painter.end()
    return picture
