"""A palette: colours with shares in whole percents that add up to 100, and the strip that changes the shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import colour_actions
from twinlens.app.gui.look.labels import small
from twinlens.app.gui.look.theme import theme
from twinlens.app.language.texts import _

Colour = tuple[int, int, int]
"""sRGB, 0 to 255 each."""

MOST_COLOURS = 8
LEAST_SHARE = 2
"""Least percent: a smaller share is not visible and cannot be grasped."""


@dataclass(frozen=True)
class PaletteMix:
    """Colours and shares; each change returns another mix.

    Attributes
    ----------
    colours : tuple of Colour
        At most `MOST_COLOURS`.
    shares : tuple of int
        Percents, each at least `LEAST_SHARE`, together 100.
    """

    colours: tuple[Colour, ...] = ()
    shares: tuple[int, ...] = ()

    @classmethod
    def of(cls, weighted: Sequence[tuple[Colour, float]]) -> PaletteMix:
        """Make a mix of colours with relative weights; at most `MOST_COLOURS` are kept."""
        kept = list(weighted)[:MOST_COLOURS]
        return cls(tuple(colour for colour, _ in kept), whole_percents([weight for _, weight in kept]))

    def __len__(self) -> int:
        return len(self.colours)

    def weighted(self) -> list[tuple[Colour, float]]:
        """Return colours with weights."""
        return [(colour, float(share)) for colour, share in zip(self.colours, self.shares, strict=True)]

    def text(self) -> str:
        """Write it as palettes are written: ``#cc3333:40,#ffffff:60``."""
        return ",".join(
            f"{colour_code(colour)}:{share}" for colour, share in zip(self.colours, self.shares, strict=True)
        )

    def with_colour(self, colour: Colour) -> PaletteMix:
        """Add a colour with the average share; without room nothing changes."""
        if len(self) >= MOST_COLOURS or colour in self.colours:
            return self
        mean = 100 / max(1, len(self))
        return PaletteMix.of([*self.weighted(), (colour, mean)])

    def without(self, place: int) -> PaletteMix:
        """Remove a colour; the others share its part."""
        return PaletteMix.of([one for own, one in enumerate(self.weighted()) if own != place])

    def replaced(self, place: int, colour: Colour) -> PaletteMix:
        """Replace a colour."""
        colours = (*self.colours[:place], colour, *self.colours[place + 1 :])
        return PaletteMix(colours, self.shares)

    def with_edge(self, edge: int, percent: float) -> PaletteMix:
        """Move the edge between the colours ``edge`` and ``edge + 1`` to a place from 0 to 100; only these change."""
        before = sum(self.shares[:edge])
        both = self.shares[edge] + self.shares[edge + 1]
        left = max(LEAST_SHARE, min(both - LEAST_SHARE, round(percent) - before))
        return PaletteMix(self.colours, (*self.shares[:edge], left, both - left, *self.shares[edge + 2 :]))

    def with_share(self, place: int, percent: int) -> PaletteMix:
        """Return the mix with another share of a colour; the others keep their proportions."""
        others = [share for own, share in enumerate(self.shares) if own != place]
        if not others:
            return self
        mine = max(LEAST_SHARE, min(100 - LEAST_SHARE * len(others), percent))
        rest = whole_percents(others, 100 - mine)
        return PaletteMix(self.colours, (*rest[:place], mine, *rest[place:]))


def whole_percents(weights: Sequence[float], total: int = 100) -> tuple[int, ...]:
    """Return whole percents in proportion to weights, at least `LEAST_SHARE` each, together exactly ``total``."""
    if not weights:
        return ()
    whole = sum(weights)
    parts = [total * weight / whole for weight in weights]
    shares = [int(part) for part in parts]
    lacking = total - sum(shares)
    for place in sorted(range(len(parts)), key=lambda place: shares[place] - parts[place])[:lacking]:
        shares[place] += 1
    for place in range(len(shares)):
        while shares[place] < LEAST_SHARE:
            shares[place] += 1
            shares[shares.index(max(shares))] -= 1
    return tuple(shares)


def colour_code(colour: Colour) -> str:
    """Write a colour: ``#cc3333``."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


_BAND = 48
_FOOT = 18
_GRASP = 6  # px to both sides of an edge
_STEP = 2  # percent by a key
_RING = 3


class ShareStrip(QWidget):
    """Shows a mix and changes its shares.

    Left and right choose a colour, up and down give it more or less, Del takes it away.

    Signals
    -------
    mix_changed(object)
        The mix as the person made it.
    chosen(int)
        A colour, by its place.
    """

    mix_changed = Signal(object)
    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mix = PaletteMix()
        self._current = 0
        self._edge: int | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setToolTip(_("Drag an edge to change shares (Up, Down). Del removes a colour."))
        attach(
            self,
            colour_actions(),
            {
                "more": lambda: self._change_share(_STEP),
                "less": lambda: self._change_share(-_STEP),
                "remove": self.remove_current,
            },
        )
        self._name()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a band, and percents under it."""
        return QSize(240, _BAND + _FOOT)

    def mix(self) -> PaletteMix:
        """Return the mix."""
        return self._mix

    def current(self) -> int:
        """Return the place of the chosen colour."""
        return self._current

    def set_mix(self, mix: PaletteMix, current: int | None = None) -> None:
        """Show a mix."""
        self._mix = mix
        self._current = max(0, min(len(mix) - 1, self._current if current is None else current))
        self._name()
        self.update()

    def _take(self, mix: PaletteMix, current: int | None = None) -> None:
        if mix != self._mix:
            self.set_mix(mix, current)
            self.mix_changed.emit(mix)

    def _choose(self, place: int) -> None:
        if 0 <= place < len(self._mix) and place != self._current:
            self._current = place
            self._name()
            self.update()
            self.chosen.emit(place)

    def _name(self) -> None:
        if not len(self._mix):
            self.setAccessibleName(_("Colours of the palette: none yet"))
            return
        listed = ", ".join(f"{colour_code(c)} {s} %" for c, s in zip(self._mix.colours, self._mix.shares, strict=True))
        self.setAccessibleName(_("Colours of the palette: {told}", told=listed))
        mine = f"{colour_code(self._mix.colours[self._current])} {self._mix.shares[self._current]} %"
        self.setAccessibleDescription(_("Chosen: {mine}", mine=mine))

    # --- where things are --------------------------------------------------------------------------------------------

    def _room(self) -> QRectF:
        return QRectF(_RING, _RING, self.width() - 2 * _RING, _BAND - 2 * _RING)

    def edges(self) -> list[float]:
        """Return the ends of the colours, px; the last is the end of the strip."""
        room, edges, so_far = self._room(), [], 0
        for share in self._mix.shares:
            so_far += share
            edges.append(room.left() + room.width() * so_far / 100)
        return edges

    def _edge_at(self, x: float) -> int | None:
        edges = self.edges()[:-1]
        near = [(abs(x - edge), place) for place, edge in enumerate(edges) if abs(x - edge) <= _GRASP]
        return min(near)[1] if near else None

    def place_at(self, x: float) -> int:
        """Return the place of the colour at a point."""
        return next((place for place, edge in enumerate(self.edges()) if x < edge), len(self._mix) - 1)

    # --- mouse and keys ----------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Grasp an edge, or choose a colour."""
        x = event.position().x()
        if event.button() is not Qt.MouseButton.LeftButton or not len(self._mix):
            return
        self._edge = self._edge_at(x)
        if self._edge is None:
            self._choose(self.place_at(x))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Move the edge."""
        x = event.position().x()
        if self._edge is not None:
            room = self._room()
            self._take(self._mix.with_edge(self._edge, 100 * (x - room.left()) / room.width()))
            return
        over = self._edge_at(x) is not None
        self.setCursor(Qt.CursorShape.SplitHCursor if over else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Let go."""
        del event
        self._edge = None

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Choose the colour beside."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self._choose(self._current + step)

    def _change_share(self, more: int) -> None:
        if len(self._mix):
            self._take(self._mix.with_share(self._current, self._mix.shares[self._current] + more))

    def remove_current(self) -> None:
        """Remove the chosen colour."""
        if len(self._mix):
            self._take(self._mix.without(self._current))
            self.chosen.emit(self._current)

    # --- drawing -----------------------------------------------------------------------------------------------------

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the colours, a ring around the chosen one, and the percents."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        room = self._room()
        outline = QPainterPath()
        outline.addRoundedRect(room, 6, 6)
        if not len(self._mix):
            self._paint_empty(painter, room)
            return
        painter.setClipPath(outline)
        left = room.left()
        for place, edge in enumerate(self.edges()):
            painter.fillRect(QRectF(left, room.top(), edge - left, room.height()), QColor(*self._mix.colours[place]))
            left = edge
        painter.setClipping(False)
        painter.setPen(QPen(QColor(now.line), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(outline)
        self._paint_edges(painter, room)
        self._paint_percents(painter)
        painter.end()

    def _paint_empty(self, painter: QPainter, room: QRectF) -> None:
        now = theme()
        pen = QPen(QColor(now.accent if self.hasFocus() else now.line), 1, Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([3, 3])
        painter.setPen(pen)
        painter.drawRoundedRect(room.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setPen(QColor(now.quiet))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, _("Choose a colour below"))
        painter.end()

    def _paint_edges(self, painter: QPainter, room: QRectF) -> None:
        """Draw handles on the edges, and the ring."""
        now = theme()
        edges = self.edges()
        for edge in edges[:-1]:
            grip = QRectF(edge - 2, room.center().y() - 9, 4, 18)
            painter.setPen(QPen(QColor(0, 0, 0, 90), 1))
            painter.setBrush(QColor("#ffffff"))
            painter.drawRoundedRect(grip, 2, 2)
        start = edges[self._current - 1] if self._current else room.left()
        ring = QRectF(QPointF(start, room.top()), QPointF(edges[self._current], room.bottom()))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(now.paper), 4))
        painter.drawRoundedRect(ring, 4, 4)
        painter.setPen(QPen(QColor(now.accent if self.hasFocus() else now.ink), 2.5 if self.hasFocus() else 1.5))
        painter.drawRoundedRect(ring.adjusted(-1.5, -1.5, 1.5, 1.5), 6, 6)

    def _paint_percents(self, painter: QPainter) -> None:
        now = theme()
        font = small(self.font(), 0.85)
        metrics = QFontMetrics(font)
        painter.setFont(font)
        left = self._room().left()
        for place, edge in enumerate(self.edges()):
            words = f"{self._mix.shares[place]} %"
            if metrics.horizontalAdvance(words) > edge - left - 2:
                words = str(self._mix.shares[place])
            if metrics.horizontalAdvance(words) <= edge - left:
                painter.setPen(QColor(now.ink if place == self._current else now.quiet))
                painter.drawText(QRectF(left, _BAND, edge - left, _FOOT), Qt.AlignmentFlag.AlignCenter, words)
            left = edge
