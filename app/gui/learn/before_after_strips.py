"""The ranked list of one photograph before and after learning, one over the other."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from app.gui.learn.headline import section
from app.gui.look.elided_line import ElidedLine
from app.gui.look.page_parts import button
from app.gui.look.sentences import small
from app.gui.look.text_size import grown
from app.gui.look.theme import theme
from app.gui.pictures.picture_make import filling
from app.gui.pictures.small_pictures import SmallPictures
from app.language.spoken import _, number
from app.learn.before_after_results import BeforeAfterResult, RankedBothWays
from core.files.untrusted_input import plain_name

MOST = 16
"""Photographs in a strip at most."""

_GAP = 8
_TILE_PX = 92
_SHAPE = 0.75
_CAPTION_PX = 18
_ROUND = 5
_OUTLINED = ("similar", "different")


class Strip(QWidget):
    """One ranked list: the photograph that is asked with, then what is nearest to it; perhaps how far each moved.

    Left and Right go along it, Enter searches with a photograph, Space shows it large; a click ranks by it here.

    Signals
    -------
    asked_with, search_wanted, large_wanted : int
    left_for : int
        Up (-1) or down (1) out of the strip.
    """

    asked_with = Signal(int)
    search_wanted = Signal(int)
    large_wanted = Signal(int)
    left_for = Signal(int)

    def __init__(self, name: str, thumbnails: SmallPictures, says_moves: bool = False) -> None:
        super().__init__()
        self._name, self._says_moves = name, says_moves
        self._thumbnails = thumbnails
        self._ranked: Sequence[RankedBothWays] = ()
        self._words = ""
        self._current = 0
        self._over = -1
        self._pressed: int | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        thumbnails.came.connect(self.update)
        self._fit()

    def show_ranked(self, ranked: Sequence[RankedBothWays], words: str = "") -> None:
        """Show a list; where it is empty, words in its place."""
        self._ranked, self._words = ranked, words
        self._current = min(self._current, max(0, len(ranked) - 1))
        self._speak()
        self._thumbnails.want(bytes.fromhex(one.content) for one in self.shown())
        self.update()

    def shown(self) -> Sequence[RankedBothWays]:
        """Return what there is room for."""
        return self._ranked[: self.room()]

    def room(self) -> int:
        """Return how many photographs there is room for."""
        return max(3, min(MOST, (self.width() + _GAP) // (_TILE_PX + _GAP)))

    def current(self) -> RankedBothWays | None:
        """Return the photograph that keys work on."""
        return self.shown()[self._current] if self._current < len(self.shown()) else None

    def set_current(self, place: int) -> None:
        """Go to a photograph."""
        self._current = max(0, min(place, len(self.shown()) - 1))
        self._speak()
        self.update()

    def place(self) -> int:
        """Return where the current photograph stands."""
        return self._current

    def tile(self, place: int) -> QRectF:
        """Return where a photograph is drawn."""
        room = self.room()
        width = (self.width() - (room - 1) * _GAP) / room
        left, right = round(place * (width + _GAP)), round(place * (width + _GAP) + width)
        return QRectF(left, 0, right - left, round(width * _SHAPE))  # whole pixels: outlines stay crisp

    def _speak(self) -> None:
        one = self.current()
        self.setAccessibleDescription(self._words if one is None else self.spoken(one))

    def caption(self, one: RankedBothWays) -> str:
        """Write the rank of a photograph, and what it was."""
        return caption(one.rank, one.other_rank if self._says_moves else None)

    def spoken(self, one: RankedBothWays) -> str:
        """Say of a photograph what is drawn of it."""
        parts = [plain_name(one.path), _("asked with") if one.query else self.caption(one)]
        if one.judged in _OUTLINED:
            parts.append(_("marked similar") if one.judged == "similar" else _("marked different"))
        return ", ".join(parts)

    # --- size --------------------------------------------------------------------------------------------------------

    def _fit(self) -> None:
        self.setFixedHeight(round(self.tile(0).height()) + grown(_CAPTION_PX))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Fill the width with whole photographs."""
        super().resizeEvent(event)
        self._fit()
        self.set_current(self._current)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Fit a narrow window."""
        return QSize(240, 80)

    # --- keys and pointer --------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Go along, search, look."""
        key, one = event.key(), self.current()
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.set_current(self._current + (1 if key == Qt.Key.Key_Right else -1))
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.left_for.emit(1 if key == Qt.Key.Key_Down else -1)
        elif key == Qt.Key.Key_Space and one is not None:
            self.large_wanted.emit(one.id)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and one is not None and not _controls(event):
            self.search_wanted.emit(one.id)
        else:
            super().keyPressEvent(event)

    def _at(self, where: QPointF) -> int:
        for place in range(len(self.shown())):
            if self.tile(place).contains(where):
                return place
        return -1

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Take a photograph."""
        place = self._at(event.position())
        if place >= 0 and event.button() is Qt.MouseButton.LeftButton:
            self._pressed = self.shown()[place].id
            self.set_current(place)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Rank by it."""
        place = self._at(event.position())
        if place >= 0 and self._pressed == self.shown()[place].id:
            self.asked_with.emit(self._pressed)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Search with it: with what was clicked first, for the list may be another one by now."""
        pressed, self._pressed = self._pressed, None
        if pressed is not None:
            self.search_wanted.emit(pressed)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Light what is under the pointer."""
        self._light(self._at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Light nothing."""
        super().leaveEvent(event)
        self._light(-1)

    def _light(self, place: int) -> None:
        if place != self._over:
            self._over = place
            self.setCursor(Qt.CursorShape.PointingHandCursor if place >= 0 else Qt.CursorShape.ArrowCursor)
            self.update()

    def event(self, event: QEvent) -> bool:
        """Say the name of what is under the pointer."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self._at(QPointF(event.pos()))
            if place >= 0:
                hint = _("Click ranks by it here, Enter searches with it, Space shows it large.")
                QToolTip.showText(event.globalPos(), f"{self.spoken(self.shown()[place])}\n{hint}", self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Show where the keys are."""
        super().focusInEvent(event)
        self.update()

    # --- drawing -----------------------------------------------------------------------------------------------------

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the photographs, their outlines and ranks."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self._ranked:
            box = QRectF(0, 0, self.width(), self.tile(0).height()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.setPen(QPen(QColor(now.line), 1, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(box, _ROUND, _ROUND)
            painter.setPen(QColor(now.quiet))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(box.adjusted(24, 4, -24, -4), flags, self._words)
        for place, one in enumerate(self.shown()):
            self._draw(painter, place, one)
        painter.end()

    def _draw(self, painter: QPainter, place: int, one: RankedBothWays) -> None:
        now, tile = theme(), self.tile(place)
        inner = tile.adjusted(3, 3, -3, -3) if one.judged in _OUTLINED else tile
        pixmap = self._thumbnails.pixmap(
            bytes.fromhex(one.content), filling(inner.size().toSize(), self.devicePixelRatioF())
        )
        if pixmap is None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(now.well))
            painter.drawRoundedRect(inner, _ROUND, _ROUND)
        else:
            painter.drawPixmap(inner.topLeft(), pixmap)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if one.judged in _OUTLINED:
            painter.setPen(QPen(QColor(now.accent if one.judged == "similar" else now.warn), 2))
            painter.drawRoundedRect(tile.adjusted(1, 1, -1, -1), _ROUND, _ROUND)
        if place == self._over or (self.hasFocus() and place == self._current):
            pen = QPen(QColor(now.ink), 2 if self.hasFocus() and place == self._current else 1)
            painter.setPen(pen)
            painter.drawRoundedRect(inner.adjusted(1, 1, -1, -1), _ROUND - 1, _ROUND - 1)
        painter.setFont(small(self.font()))
        nearer = self._says_moves and not one.query and (one.other_rank or 0) > one.rank
        painter.setPen(QColor(now.ink if nearer else now.quiet))
        words = _("asked") if one.query else self.caption(one)
        line = QRectF(tile.left(), tile.bottom() + 1, tile.width(), grown(_CAPTION_PX))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words)


class StripsView(QWidget):
    """Both lists, with their headings.

    Signals
    -------
    another_wanted
        Rank by another photograph.
    asked_with, search_wanted, large_wanted : int
    """

    another_wanted = Signal()
    asked_with = Signal(int)
    search_wanted = Signal(int)
    large_wanted = Signal(int)

    def __init__(self, thumbnails: SmallPictures) -> None:
        super().__init__()
        self.before = Strip(_("Before"), thumbnails)
        self.after = Strip(_("After"), thumbnails, says_moves=True)
        self._before_name, self._after_name = ElidedLine("quiet"), ElidedLine("quiet")
        self._another = button(_("Another  A"), _("Rank by another photograph"), "A", "link")
        self._another.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._another.clicked.connect(self.another_wanted)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for heading, words, strip in (
            (_("Before"), self._before_name, self.before),
            (_("After"), self._after_name, self.after),
        ):
            row = QHBoxLayout()
            row.setSpacing(12)
            row.addWidget(section(heading))
            row.addWidget(words, 1)
            if strip is self.before:
                row.addWidget(self._another)
            column.addLayout(row)
            column.addWidget(strip)
            strip.asked_with.connect(self.asked_with)
            strip.search_wanted.connect(self.search_wanted)
            strip.large_wanted.connect(self.large_wanted)
        self.before.left_for.connect(lambda step: self._go(self.before, step))
        self.after.left_for.connect(lambda step: self._go(self.after, step))
        self.show_rankings(None)

    def show_rankings(self, rankings: BeforeAfterResult | None) -> None:
        """Show both lists; without any, what will stand here."""
        if rankings is None:
            self.before.show_ranked((), _("Choose a photograph above to see how the library is ranked by it."))
            self.after.show_ranked((), _("The new ranking appears here after learning."))
            self._before_name.say("")
            self._after_name.say("")
            return
        self.before.show_ranked(rankings.before)
        self.after.show_ranked(rankings.after, _("The new ranking appears here after learning."))
        self._before_name.say(_("as “{index}” measures", index=rankings.index))
        self._after_name.say(_("by “{name}”", name=rankings.metric) if rankings.metric else "")

    def say(self, sentence: str) -> None:
        """Show why there is no order to be seen."""
        self.before.show_ranked((), sentence)
        self.after.show_ranked((), "")

    def _go(self, strip: Strip, step: int) -> None:
        other = self.after if strip is self.before else self.before
        if (step > 0) == (strip is self.before) and other.shown():
            other.set_current(strip.place())
            other.setFocus(Qt.FocusReason.OtherFocusReason)
        elif step < 0:
            self.focusPreviousChild()
        else:
            self.focusNextChild()


def caption(rank: int, was: int | None) -> str:
    """Write a rank, and where it was.

    Examples
    --------
    >>> caption(1, 3), caption(2, 2), caption(2, None)
    ('3 → 1', '2', '2')
    """
    return number(rank) if was is None or was == rank else f"{number(was)} → {number(rank)}"


def _controls(event: QKeyEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
