"""A wall shows a few hundred photographs at any places: their tiles, keys, pointer and texts for screen readers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, Signal, SignalInstance
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import photograph_actions
from twinlens.app.gui.look.labels import small, strong
from twinlens.app.gui.look.theme import Theme, theme
from twinlens.app.gui.pictures.accessible_items import AccessibleItems
from twinlens.app.gui.pictures.small_pictures import CORNER_RADIUS, SmallPictures, filling

_ARROWS = {
    Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1),
}  # fmt: skip
_PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
_EDGE = 14  # outline of a photograph beyond its box


class Wall(QAbstractScrollArea):
    """Base of the walls: a subclass lays tiles out (:meth:`box`) and says where arrows lead (:meth:`moved`).

    Parameters
    ----------
    pictures : SmallPictures, optional
        A shared store; by default its own.
    ground : str
        Name of the colour behind the photographs.
    asked(int)
        Enter or a double click on a photograph: search with it, by its id.
    looked_at(int)
        Space: the photograph is to be shown large.
    """

    asked = Signal(int)
    looked_at = Signal(int)
    clicked = Signal(int)
    menu_wanted = Signal(int, QPoint)

    def __init__(self, pictures: SmallPictures | None = None, ground: str = "ground") -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        for set_policy in (self.setVerticalScrollBarPolicy, self.setHorizontalScrollBarPolicy):
            set_policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.pictures = SmallPictures(self) if pictures is None else pictures
        self.pictures.came.connect(self.repaint_soon)
        self.voices = AccessibleItems(self, self)
        self._ground = ground
        self._tiles: Sequence[WallTile] = ()
        self._words = ""  # shown if there are no tiles
        self._at = 0
        self._pressed = -1
        acts = {"search": lambda: self._emit_current(self.asked), "large": lambda: self._emit_current(self.looked_at)}
        attach(self, photograph_actions(), acts)

    def _emit_current(self, signal: SignalInstance) -> None:
        if self.current_id() >= 0:
            signal.emit(self.current_id())

    # --- for subclasses ----------------------------------------------------------------------------------------------

    def box(self, place: int) -> QRect:
        """Return the box of a tile, in content coordinates."""
        raise NotImplementedError

    def moved(self, place: int, dx: int, dy: int) -> int:
        """Return the place to which an arrow leads; by default the same."""
        return place

    def is_lit(self, place: int) -> bool:
        """Return whether a tile is highlighted."""
        return False

    def opacity(self, tile: WallTile) -> float:
        """Return the opacity of a picture."""
        return 1.0

    def paint_under(self, brush: TilePainter) -> None:
        """Paint under the tiles."""

    def paint_over(self, brush: TilePainter) -> None:
        """Paint over the tiles."""

    # --- content -----------------------------------------------------------------------------------------------------

    def show_tiles(self, tiles: Sequence[WallTile], current: int | None = None, words: str = "") -> None:
        """Show tiles, or words without any; the focus is on ``current``, by default where it was."""
        self._tiles, self._words = tiles, words
        self._at = max(0, min(self._at if current is None else current, len(tiles) - 1))
        self.voices.tell_rows()
        self._speak()
        self.repaint_soon()

    def tiles(self) -> Sequence[WallTile]:
        """Return all tiles."""
        return self._tiles

    def ids(self) -> list[int]:
        """Return the photographs, as the viewer steps through them."""
        return [tile.id for tile in self._tiles]

    def current_id(self) -> int:
        """Return the id of the focused photograph, or -1."""
        return self._tiles[self._at].id if self._at < len(self._tiles) else -1

    def set_current(self, photograph_id: int) -> None:
        """Go to a photograph, if it is shown."""
        place = next((place for place, tile in enumerate(self._tiles) if tile.id == photograph_id), -1)
        if place >= 0:
            self.go(place)

    def go(self, place: int) -> None:
        """Move the focus to a tile."""
        self._at = max(0, min(place, len(self._tiles) - 1))
        self._reveal()
        self._speak()
        self.voices.tell_current()
        self.repaint_soon()

    def repaint_soon(self) -> None:
        """Paint everything visible again."""
        self.viewport().update()

    def _speak(self) -> None:
        self.setAccessibleDescription(self.spoken(self._at) if self._tiles else self._words)
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))

    def _reveal(self) -> None:
        bar = self.verticalScrollBar()
        if self._tiles and bar.maximum():
            box = self.box(self._at)
            lowest = box.bottom() + _EDGE - self.viewport().height()
            bar.setValue(min(max(bar.value(), lowest), box.top() - _EDGE))

    # --- for screen readers, and the pointer -------------------------------------------------------------------------

    @property
    def selection(self) -> Collection[int]:
        """Return the focused place as a selection."""
        return (self._at,)

    def current_row(self) -> int:
        """Return the focused place, or -1."""
        return self._at if self._tiles else -1

    def visible_rows(self) -> list[int]:
        """Return the visible places."""
        seen = self.viewport().rect()
        return [place for place in range(len(self._tiles)) if self.tile_rect(place).intersects(seen)]

    def row_under(self, point: QPoint) -> int:
        """Return the place at a point of the viewport; -1 for none."""
        return next((place for place in self.visible_rows() if self.tile_rect(place).contains(point)), -1)

    def tile_rect(self, place: int) -> QRect:
        """Return the box of a tile in the viewport."""
        return self.box(place).translated(0, -self.verticalScrollBar().value())

    def spoken(self, place: int) -> str:
        """Return the text of a tile."""
        return self._tiles[place].spoken()

    # --- keys and pointer --------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name, as all below)
        """Move by arrows, Home and End; leave all other keys."""
        key, plain = Qt.Key(event.key()), event.modifiers() in _PLAIN
        if key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            super().keyPressEvent(event)
        elif not (plain and self._tiles):
            event.ignore()
        elif key in _ARROWS:
            self.go(self.moved(self._at, *_ARROWS[key]))
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.go(self.end(last=key == Qt.Key.Key_End))
        else:
            event.ignore()

    def end(self, *, last: bool) -> int:
        """Return the place to which Home or End leads."""
        return len(self._tiles) - 1 if last else 0

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Move the focus to the pressed tile."""
        place = self.row_under(event.position().toPoint())
        self._pressed = -1
        if place >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self._pressed = self._tiles[place].id
            self.go(place)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Signal a click."""
        place = self.row_under(event.position().toPoint())
        if place >= 0 and self._pressed == self._tiles[place].id:
            self.clicked.emit(self._pressed)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Search with the tile of the first click: others may be shown by now."""
        pressed, self._pressed = self._pressed, -1
        if pressed >= 0:
            self.asked.emit(pressed)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Ask for the menu of a photograph."""
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            place = self.row_under(event.pos())
            if place >= 0:
                self.go(place)
                self.menu_wanted.emit(self.current_id(), event.globalPos())
        elif self._tiles:
            self.menu_wanted.emit(self.current_id(), self.viewport().mapToGlobal(self.tile_rect(self._at).center()))

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802
        """Show the tooltip of a photograph."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self.row_under(event.pos())
            QToolTip.showText(event.globalPos(), self.spoken(place) if place >= 0 else "", self)
            return True
        return super().viewportEvent(event)

    # --- painting ----------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Lay out again."""
        super().resizeEvent(event)
        self.repaint_soon()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Show the focus ring."""
        super().focusInEvent(event)
        self.voices.tell_current()
        self.repaint_soon()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Hide the focus ring."""
        super().focusOutEvent(event)
        self.repaint_soon()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Paint again in other colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.repaint_soon()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint the visible tiles, with the subclass's painting under and over them."""
        painter, ratio = QPainter(self.viewport()), self.devicePixelRatioF()
        painter.fillRect(event.rect(), QColor(getattr(theme(), self._ground)))
        brush = TilePainter(painter, theme(), self.font())
        self.paint_under(brush)
        if not self._tiles and self._words:
            brush.words(self.viewport().rect(), self._words, framed=True)
        for place in self.visible_rows():
            tile, box = self._tiles[place], self.tile_rect(place)
            brush.tile(
                box,
                tile,
                self.pictures.pixmap(tile.content, filling(box.size(), ratio)),
                lit=self.is_lit(place),
                current=self.hasFocus() and place == self._at,
                opacity=self.opacity(tile),
            )
        self.paint_over(brush)
        painter.end()


_FADED = 0.34
_OUTLINE = 2.0
_LIT = 3.0
_PILL = 18  # padding of words, both sides together


class WallTile(Protocol):
    """A tile: one photograph with its texts, shown and spoken."""

    @property
    def id(self) -> int:
        """Return the id of the photograph."""

    @property
    def content(self) -> bytes:
        """Return the hash of its content, for its small picture."""

    @property
    def captions(self) -> tuple[str, ...]:
        """Return words for the left of its foot, of which the first that fit are shown."""

    @property
    def aside(self) -> str:
        """Return words for the right of its foot, shown where there is room; empty for none."""

    @property
    def outline(self) -> str:
        """Return the name of the colour of its outline; empty for none."""

    @property
    def asked(self) -> bool:
        """Return whether it is the query."""

    @property
    def ghost(self) -> bool:
        """Return whether the search missed it."""

    def spoken(self) -> str:
        """Return the text for screen readers and the tooltip."""


class TilePainter:
    """Painter of tiles in the colours of one theme."""

    def __init__(self, painter: QPainter, colours: Theme, font: QFont) -> None:
        self.painter = painter
        self.colours = colours
        self._font = strong(small(font, 0.86))
        self._metrics = QFontMetrics(self._font)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)

    def tile(
        self, box: QRect, tile: WallTile, pixmap: QPixmap | None, *, lit: bool, current: bool, opacity: float = 1.0
    ) -> None:
        """Paint a tile: the picture, its words, its outline, and the focus ring."""
        painter, now = self.painter, self.colours
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(now.well))
        painter.drawRoundedRect(QRectF(box), CORNER_RADIUS, CORNER_RADIUS)
        if pixmap is not None:
            painter.setOpacity(_FADED if tile.ghost and not lit else opacity)
            painter.drawPixmap(box.topLeft(), pixmap)
            painter.setOpacity(1.0)
        wide = self._metrics.horizontalAdvance
        room = box.width() - _PILL
        captions = [one for one in tile.captions if wide(one) <= room] or tile.captions[-1:]
        if captions:
            self._words(box, captions[0], left=True, warn=tile.ghost, marked=tile.asked)
        beside = room - wide(captions[0]) - _PILL if captions else room
        if tile.aside and wide(tile.aside) <= beside:
            self._words(box, tile.aside, left=False)
        self._outline(box, tile, lit=lit)
        if current:
            painter.setPen(QPen(QColor(now.ink), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(box).adjusted(-3.5, -3.5, 3.5, 3.5), CORNER_RADIUS + 3, CORNER_RADIUS + 3)

    def words(self, room: QRect, words: str, *, framed: bool = False) -> None:
        """Paint words where there is no photograph."""
        painter, now = self.painter, self.colours
        if framed:
            painter.setPen(QPen(QColor(now.line), 1, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(room).adjusted(0.5, 0.5, -0.5, -0.5), CORNER_RADIUS, CORNER_RADIUS)
        painter.setPen(QColor(now.quiet))
        painter.drawText(room.adjusted(20, 4, -20, -4), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, words)

    def _outline(self, box: QRect, tile: WallTile, *, lit: bool) -> None:
        now = self.colours
        if lit:
            pen = QPen(QColor(now.warn), _LIT)
        elif tile.ghost:
            pen = QPen(QColor(now.quiet), 1.0, Qt.PenStyle.DashLine)
        elif tile.outline:
            pen = QPen(QColor(getattr(now, tile.outline)), _OUTLINE)
        else:
            return
        half = pen.widthF() / 2 - 1
        self.painter.setPen(pen)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        self.painter.drawRoundedRect(QRectF(box).adjusted(half, half, -half, -half), CORNER_RADIUS, CORNER_RADIUS)

    def _words(self, box: QRect, words: str, *, left: bool, warn: bool = False, marked: bool = False) -> None:
        """Paint words at the foot of a picture, on a dark pill that any photograph leaves legible."""
        words = self._metrics.elidedText(words, Qt.TextElideMode.ElideRight, box.width() - _PILL)
        width = self._metrics.horizontalAdvance(words) + 10
        height = self._metrics.height() + 2
        x = box.left() + 4 if left else box.right() - 3 - width
        pill = QRectF(x, box.bottom() - 3 - height, width, height)
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(QColor(self.colours.accent) if marked else QColor(0, 0, 0, 165))
        self.painter.drawRoundedRect(pill, height / 2, height / 2)
        self.painter.setFont(self._font)
        self.painter.setPen(QColor("#f0a878" if warn else self.colours.paper if marked else "#ffffff"))
        self.painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, words)
