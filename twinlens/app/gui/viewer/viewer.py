"""The viewer shows one photograph on black, as large as the window: zoom, pan, neighbours, and a crop to search."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from twinlens.app.gui.actions.action import attach, show_action
from twinlens.app.gui.actions.declared_actions import note_actions_by
from twinlens.app.gui.actions.picture_actions import crop_actions, slideshow_actions, viewer_actions
from twinlens.app.gui.look.buttons import ROUND_SIDE, RoundButton
from twinlens.app.gui.look.labels import strong
from twinlens.app.gui.look.page_parts import OverWindow
from twinlens.app.gui.look.theme import DARK
from twinlens.app.gui.marks.mark_controls import Verdict, paint_verdict
from twinlens.app.gui.pictures.photograph import fact_lines
from twinlens.app.gui.viewer.crop import CropFrame
from twinlens.app.gui.viewer.zoom import Zoom, turned, turned_region
from twinlens.app.language.texts import _

if TYPE_CHECKING:
    from twinlens.app.library.browsing.photographs import Photograph


_REST_MS = 2000
_BLACK = QColor(12, 12, 13)
_VEIL = QColor(12, 12, 13, 200)
_CAPTION = 40  # height of the line below the picture
_STEP = 1.25  # zoom factor of a key press
_ARROW_PX = 96
_ARROWS = {Qt.Key.Key_Left: (1, 0), Qt.Key.Key_Right: (-1, 0), Qt.Key.Key_Up: (0, 1), Qt.Key.Key_Down: (0, -1)}


class Viewer(OverWindow):
    """The viewer over everything else, in dark colours in any theme.

    Arrows step to its neighbours, or move a picture that is larger than the window; other keys are its actions.

    Signals
    -------
    step(int)
        To the next (1) or previous (-1) photograph.
    closed()
    search_wanted()
    region_chosen(object)
        A :data:`twinlens.app.gui.viewer.crop.Region` of the upright picture.
    judged(bool)
        The photograph is similar to the query (S, True) or different (D, False).
    removal_wanted()
        It is to be moved to the trash (Del).
    slideshow_wanted()
        A slideshow is to begin here (Shift+F5).
    noted(str)
        It is ("favourite"), to be picked or rejected ("pick", "reject"), or no longer.
    pause_wanted()
        The slideshow is to pause, or to go on.
    seconds_wanted(int)
        Photographs of the slideshow are to stay longer (1) or shorter (-1).
    """

    step = Signal(int)
    closed = Signal()
    search_wanted = Signal()
    region_chosen = Signal(object)
    judged = Signal(bool)
    removal_wanted = Signal()
    slideshow_wanted = Signal()
    noted = Signal(str)
    pause_wanted = Signal()
    seconds_wanted = Signal(int)

    def __init__(self, over: QWidget | None = None) -> None:
        super().__init__(over)
        self.setMouseTracking(True)
        self.setAccessibleName(_("Photo"))
        self._photograph: Photograph | None = None
        self._image = QImage()
        self._full = False  # whether the picture itself is shown, not only its thumbnail
        self._scaled = QImage()
        self._message = ""
        self._turns: dict[int, int] = {}  # quarters to the right, of photographs that a person has turned
        self._slideshow, self._paused = "", False
        self._place = Zoom()
        self._dragged: QPointF | None = None
        self._crop: CropFrame | None = None
        self._markable = False
        self._verdict: Verdict | None = None
        self._previous, self._next, self._close = (RoundButton(sign, self) for sign in ("previous", "next", "close"))
        actions = viewer_actions()
        for made, name in ((self._previous, "previous"), (self._next, "next"), (self._close, "close")):
            show_action(made, actions[name])
        self._previous.clicked.connect(lambda: self.step.emit(-1))
        self._next.clicked.connect(lambda: self.step.emit(1))
        self._close.clicked.connect(self.closed)
        self._rest = QTimer(self)  # signs are visible while the pointer moves
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._on_rest)
        self._show_signs(False)
        self._bind()

    # --- content -----------------------------------------------------------------------------------------------------

    def set_photograph(self, photograph: Photograph, thumbnail: bytes | None) -> None:
        """Show a photograph: its thumbnail until :meth:`set_image` replaces it."""
        self._photograph = photograph
        self._image = QImage()
        if thumbnail:
            self._image.loadFromData(thumbnail)
            self._image = turned(self._image, self._turn())
        self._full = False
        self._message = ""
        self._leave_crop()
        self._scaled = QImage()
        self._dragged = None
        self._place.fit()
        self.update()
        self.setAccessibleName(photograph.name)
        self.setAccessibleDescription(self.caption())

    def show_facts(self, photograph: Photograph) -> None:
        """Show other facts of the same photograph, such as its stars."""
        if self._photograph is not None and self._photograph.id == photograph.id:
            self._photograph = photograph
            self.setAccessibleDescription(self.caption())
            self.update()

    def set_image(self, image: QImage) -> None:
        """Show the picture itself, upright; zoom and place stay."""
        before = self._size()[0]
        plain = (QImage.Format.Format_RGB32, QImage.Format.Format_ARGB32_Premultiplied)  # formats that are drawn fast
        alpha = image.hasAlphaChannel()
        self._image = image if image.format() in plain else image.convertToFormat(plain[alpha])
        self._image = turned(self._image, self._turn())
        self._full = not image.isNull()
        self._place.level *= before / self._size()[0] if self._size()[0] else 1
        self._scaled = QImage()
        self._message = ""
        self.update()

    def set_message(self, sentence: str) -> None:
        """Show why there is no larger picture."""
        self._message = sentence
        self.setAccessibleDescription(f"{self.caption()} {sentence}")
        self.update()

    def show_slideshow(self, words: str, paused: bool = False) -> None:
        """Show that a slideshow runs, and what can be done with it; none with empty words."""
        self._slideshow, self._paused = words, paused
        self._enable()
        if words:
            self._rest.start()
        self.update()

    def turn(self, quarters: int) -> None:
        """Turn what is seen by quarters to the right; the file stays as it is."""
        if self._photograph is not None:
            self._turns[self._photograph.id] = (self._turn() + quarters) % 4
            self._image, self._scaled = turned(self._image, quarters), QImage()
            self._place.fit()
            self.update()

    def _turn(self) -> int:
        return 0 if self._photograph is None else self._turns.get(self._photograph.id, 0)

    def show_verdict(self, markable: bool, verdict: Verdict | None) -> None:
        """Show whether the photograph can be marked, and its mark."""
        if (markable, verdict) != (self._markable, self._verdict):
            self._markable, self._verdict = markable, verdict
            words = "" if verdict is None else verdict.words()
            self.setAccessibleDescription(f"{self.caption()} {words}".strip())
            self.update()

    def caption(self) -> str:
        """Return date, camera and size in one line."""
        return " · ".join(fact_lines(self._photograph)) if self._photograph is not None else ""

    def cropping(self) -> bool:
        """Return whether a rectangle is being drawn."""
        return self._crop is not None

    def zoomed(self) -> bool:
        """Return whether the picture is larger than the view."""
        return self._place.overflows()

    # --- geometry ----------------------------------------------------------------------------------------------------

    def _room(self) -> QRectF:
        return QRectF(0, 0, self.width(), max(1, self.height() - (0 if self._slideshow else _CAPTION)))

    def _size(self) -> tuple[float, float]:
        """Return the size for the layout: the photograph's own, so that nothing jumps."""
        if not self._full and self._photograph is not None and self._photograph.width and self._photograph.height:
            sides = float(self._photograph.width), float(self._photograph.height)
            return sides[::-1] if self._turn() % 2 else sides
        return float(self._image.width()), float(self._image.height())

    def target(self) -> QRectF:
        """Return the place of the whole picture."""
        self._lay_out()
        return self._place.target()

    def _lay_out(self) -> None:
        self._place.lay_out(self._size(), self._room(), self.devicePixelRatioF())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Fit the picture again, or keep its place; the signs stay at the edges."""
        super().resizeEvent(event)
        self._lay_out()
        middle = int(self._room().center().y()) - ROUND_SIDE // 2
        self._previous.move(16, middle)
        self._next.move(self.width() - ROUND_SIDE - 16, middle)
        self._close.move(self.width() - ROUND_SIDE - 16, 16)

    # --- keys and pointer --------------------------------------------------------------------------------------------

    def _bind(self) -> None:
        """Bind the actions; of several with one key, the first one that is enabled does it."""
        cropping = attach(self, crop_actions(), {"take": self._take_crop, "leave": self._leave_crop})
        sliding = attach(
            self,
            slideshow_actions(),
            {
                "pause": self.pause_wanted.emit,
                "longer": lambda: self.seconds_wanted.emit(1),
                "shorter": lambda: self.seconds_wanted.emit(-1),
            },
        )
        self._cropping, self._sliding = list(cropping.values()), list(sliding.values())
        always = attach(
            self,
            viewer_actions(),
            {
                "previous": lambda: self.step.emit(-1),
                "next": lambda: self.step.emit(1),
                "larger": lambda: self._zoom(_STEP),
                "smaller": lambda: self._zoom(1 / _STEP),
                "whole": lambda: self._zoom_to(0.0),
                "full size": lambda: self._zoom_to(1.0),
                "similar": lambda: self.judged.emit(True),
                "different": lambda: self.judged.emit(False),
                "crop": self.start_crop,
                "turn": lambda: self.turn(1),
                "turn back": lambda: self.turn(-1),
                "slideshow": self.slideshow_wanted.emit,
                "search": self.search_wanted.emit,
                "remove": self.removal_wanted.emit,
                "close": self.closed.emit,
            },
        )
        noted = {name: partial(self.noted.emit, name) for name in ("favourite", "pick", "reject")}
        noting = attach(self, note_actions_by(alt=False), noted)
        self._always = [*always.values(), *noting.values()]
        self._enable()

    def _enable(self) -> None:
        """Enable the actions of what is shown: a rectangle, a slideshow, a photograph."""
        for actions, enabled in (
            (self._cropping, self.cropping()),
            (self._sliding, bool(self._slideshow) and not self.cropping()),
            (self._always, not self.cropping()),
        ):
            for one in actions:
                one.setEnabled(enabled)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Move the rectangle, or a picture larger than the window, by arrows; for other keys, do the action."""
        way = _ARROWS.get(Qt.Key(event.key()))
        if self._crop is not None and self._crop.key(event):
            self.update()
        elif way is not None and self._crop is None and self.zoomed():
            self._lay_out()
            self._place.pan(*(_ARROW_PX * one for one in way))
            self.update()
        else:
            super().keyPressEvent(event)

    def _zoom(self, times: float) -> None:
        self._lay_out()
        self._place.zoom_by(times)
        self.update()

    def _zoom_to(self, level: float) -> None:
        """Zoom to a level; 0 fits the whole picture."""
        self._lay_out()
        self._place.zoom_to(level or self._place.fitting())
        self.update()

    def _show_signs(self, there: bool) -> None:
        for sign in (self._previous, self._next, self._close):
            sign.setVisible(there or (sign.underMouse() and self._crop is None))
        if there:
            self._rest.start()

    def _on_rest(self) -> None:
        """Hide signs and pointer."""
        self._show_signs(False)
        if self._crop is None and self._dragged is None and not self._close.isVisible():
            self.setCursor(Qt.CursorShape.BlankCursor)
        self.update()

    def start_crop(self) -> None:
        """Draw a rectangle over the picture."""
        if not self._image.isNull():
            self._crop = CropFrame()
            self._enable()
            self._show_signs(False)
            self.update()

    def _take_crop(self) -> None:
        if self._crop is not None:
            region = self._crop.region
            self._leave_crop()
            self.region_chosen.emit(turned_region(region, -self._turn()))

    def _leave_crop(self) -> None:
        self._crop = None
        self._enable()
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Begin to drag the picture, or the rectangle."""
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        if self._crop is not None:
            self._crop.press(event.position(), self.target())
            self.update()
        elif self.zoomed():
            self._dragged = event.position()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Pan, or draw."""
        self._show_signs(self._crop is None)
        held = bool(event.buttons() & Qt.MouseButton.LeftButton)
        if self._crop is not None:
            if held:
                self._crop.drag(event.position(), self.target())
                self.update()
            else:
                self.setCursor(self._crop.cursor(event.position(), self.target()))
        elif self._dragged is not None and held:
            moved = event.position() - self._dragged
            self._dragged = event.position()
            self._lay_out()
            self._place.pan(moved.x(), moved.y())
            self.update()
        else:
            self.setCursor(Qt.CursorShape.OpenHandCursor if self.zoomed() else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, __: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """End the drag."""
        self._dragged = None
        if self._crop is not None:
            self._crop.release()
            self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Switch between fitted and pixel for pixel; inside the rectangle, apply it."""
        if self._crop is not None:
            self._take_crop()
        elif self._place.level:
            self._place.fit()
            self.update()
        else:
            self._lay_out()
            self._place.zoom_to(1.0, event.position())
            self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        """Zoom around the pointer."""
        turned = event.angleDelta().y() or event.pixelDelta().y()
        self._lay_out()
        self._place.zoom_by(1.0015**turned, event.position())
        self.update()
        event.accept()

    # --- drawing -----------------------------------------------------------------------------------------------------

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the picture and the line under it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), _BLACK)
        painter.save()
        painter.setClipRect(self._room())
        target = self.target()
        if self._image.isNull():
            painter.fillRect(target, QColor(DARK.well))
        else:
            self._draw_image(painter, target)
        if self._crop is not None:
            self._crop.draw(painter, target)
        painter.restore()
        if not self._slideshow or self._paused or self._rest.isActive():
            self._draw_caption(painter)
        painter.end()

    def _draw_image(self, painter: QPainter, target: QRectF) -> None:
        """Draw a fitted picture from a copy scaled once with care, a larger one from the picture itself."""
        side = (target.size() * self.devicePixelRatioF()).toSize()
        if side.width() < self._image.width() / (2 if self.zoomed() else 1):
            if self._scaled.size() != side:
                smooth = Qt.TransformationMode.SmoothTransformation
                self._scaled = self._image.scaled(side, Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
            painter.drawImage(target, self._scaled)
            return
        if self._place.level == 1.0:  # each pixel of the picture on one device pixel
            ratio = self.devicePixelRatioF()
            target.moveTopLeft(QPointF(round(target.left() * ratio) / ratio, round(target.top() * ratio) / ratio))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self._place.level < 4)
        seen = target.intersected(self._room())
        x, y = self._image.width() / max(target.width(), 1), self._image.height() / max(target.height(), 1)
        source = QRectF(
            (seen.left() - target.left()) * x, (seen.top() - target.top()) * y, seen.width() * x, seen.height() * y
        )
        painter.drawImage(seen, self._image, source)

    def _draw_caption(self, painter: QPainter) -> None:
        now = DARK
        line = QRectF(16, self.height() - _CAPTION, max(0, self.width() - 32), _CAPTION)
        quiet = QFontMetrics(self.font())
        if self._crop is not None:
            hint = _("Drag a rectangle   ·   Enter searches with it   ·   Esc cancels")
        else:
            hint = _("Enter finds similar photos   ·   R a part of it   ·   Esc back")
            if self._slideshow:
                hint = self._slideshow
                painter.fillRect(0, self.height() - _CAPTION, self.width(), _CAPTION, _VEIL)
            elif self._markable:
                hint = _("S similar   ·   D different") + "   ·   " + hint
        used = quiet.horizontalAdvance(hint) + 24
        painter.setPen(QColor(now.quiet))
        if used < line.width() * 0.6:
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, hint)
            line.setWidth(line.width() - used)
        if self._verdict is not None:
            wide = 17.0 if self._verdict is Verdict.BOTH else 0.0
            paint_verdict(painter, QPointF(line.left() + 12 + wide, line.center().y()), self._verdict, now)
            line.setLeft(line.left() + 32 + wide)
        name = self._photograph.name if self._photograph is not None else ""
        loud = QFontMetrics(strong(self.font()))
        words = loud.elidedText(name, Qt.TextElideMode.ElideMiddle, int(line.width() * 0.5))
        painter.setFont(strong(self.font()))
        painter.setPen(QColor(now.ink))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, words)
        painter.setFont(self.font())
        line.setLeft(line.left() + loud.horizontalAdvance(words) + 16)
        painter.setPen(QColor(now.warn if self._message else now.quiet))
        rest = quiet.elidedText(self._message or self.caption(), Qt.TextElideMode.ElideRight, int(line.width()))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, rest)
