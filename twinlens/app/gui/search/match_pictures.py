"""The two pictures of a match side by side, with lines between matching points: small in the panel, or enlarged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.picture_actions import match_actions
from twinlens.app.gui.look.labels import Sentence
from twinlens.app.gui.look.page_parts import STRETCH, column_of, surface, tip_with_key
from twinlens.app.gui.look.theme import Theme, theme
from twinlens.app.gui.process.jobs import outlived
from twinlens.app.language.texts import _, _n

PictureBox = tuple[float, float, float, float]
_GAP = 8
_HIGHEST = 176
_FEW = 24  # lines in a small picture


class MatchPair(QWidget):
    """The query and a result, whole and as large as the width allows.

    Lines are calm; the one under the pointer stands out, and left and right go from one to the next by keys.

    Signals
    -------
    pressed()
        Both should be shown large.
    """

    pressed = Signal()

    def __init__(self, parent: QWidget | None = None, highest: int = _HIGHEST, scale: float = 1) -> None:
        super().__init__(parent)
        self._left, self._right = QPixmap(), QPixmap()
        self._every: tuple[Line, ...] = ()
        self._lines: tuple[Line, ...] = ()
        self._bright: int | None = None
        self._shows_lines = True
        self._highest, self._scale = highest, scale
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        acts = {"next": lambda: self._go(1), "previous": lambda: self._go(-1), "large": self._enlarge}
        attach(self, match_actions(), acts)
        self._tip = tip_with_key(_("Click to enlarge both"), match_actions()["large"].keys[0])
        self._name()

    def set_pictures(self, left: bytes | None, right: bytes | None, part: PictureBox | None = None) -> None:
        """Show two pictures (JPEG, PNG), of the left one only a part if the query is one."""
        self._left, self._right = QPixmap(), QPixmap()
        for pixmap, image in ((self._left, left), (self._right, right)):
            if image:
                pixmap.loadFromData(image)
        if part is not None and not self._left.isNull():
            width, height = self._left.width(), self._left.height()
            box = QRectF(part[0] * width, part[1] * height, (part[2] - part[0]) * width, (part[3] - part[1]) * height)
            self._left = self._left.copy(box.toAlignedRect())
        self.set_lines(())
        self.setFixedHeight(self.heightForWidth(self.width()))
        self.update()

    def pictures(self) -> tuple[QPixmap, QPixmap]:
        """Return both pictures."""
        return self._left, self._right

    def show_pixmaps(self, left: QPixmap, right: QPixmap) -> None:
        """Show two pixmaps."""
        self._left, self._right = left, right
        self.setFixedHeight(self.heightForWidth(self.width()))
        self.update()

    def set_lines(self, lines: Sequence[Line]) -> None:
        """Set the lines; of very many, those far from each other are drawn."""
        self._every, self._bright = tuple(lines), None
        self._lines = spread_lines(lines, _FEW if self._scale == 1 else MOST_LINES)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if self._lines else Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor if self._lines else Qt.CursorShape.ArrowCursor)
        self.setToolTip(self._tip if self._lines else "")
        self._name()
        self.update()

    def lines(self) -> tuple[Line, ...]:
        """Return the drawn lines."""
        return self._lines if self._shows_lines else ()

    def all_lines(self) -> tuple[Line, ...]:
        """Return all lines, drawn or not."""
        return self._every

    def show_lines(self, shown: bool) -> None:
        """Show or hide the lines."""
        self._shows_lines, self._bright = shown, None
        self.update()

    def _name(self) -> None:
        words = _("Your photo and the result")
        if self._lines:
            words += ", " + _n(
                "{count} line between matching points", "{count} lines between matching points", len(self._lines)
            )
        self.setAccessibleName(words)

    # --- where things are --------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the height for the width."""
        return QSize(256, self.heightForWidth(self.width() or 256))

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        """Return the height at which both fill the width."""
        shapes = [_shape(self._left), _shape(self._right)]
        return max(48, min(self._highest, int((width - _GAP) / sum(shapes))))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Take the height for the width."""
        super().resizeEvent(event)
        self.setFixedHeight(self.heightForWidth(self.width()))

    def boxes(self) -> tuple[QRectF, QRectF]:
        """Return the places of the pictures."""
        height = self.height()
        left, right = (_shape(pixmap) * height for pixmap in (self._left, self._right))
        return QRectF(0, 0, left, height), QRectF(left + _GAP, 0, right, height)

    def ends(self) -> list[tuple[QPointF, QPointF]]:
        """Return the ends of the lines."""
        left, right = self.boxes()
        return [(_point_in(left, start), _point_in(right, end)) for start, end in self.lines()]

    # --- mouse and keys ----------------------------------------------------------------------------------------------

    def _look_at(self, line: int | None) -> None:
        if line != self._bright:
            self._bright = line
            self.update()

    def bright(self) -> int | None:
        """Return the highlighted line."""
        return self._bright

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Highlight the line under the pointer."""
        self._look_at(nearest_line(self.ends(), event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Emit the wish to be enlarged."""
        if event.button() is Qt.MouseButton.LeftButton and self._lines:
            self.pressed.emit()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Highlight no line."""
        super().leaveEvent(event)
        self._look_at(None)

    def _go(self, step: int) -> None:
        count = len(self.lines())
        if count:
            start = -1 if step == 1 else 0
            self._look_at(((start if self._bright is None else self._bright) + step) % count)

    def _enlarge(self) -> None:
        if self._lines:
            self.pressed.emit()

    # --- drawing -----------------------------------------------------------------------------------------------------

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw both, and the lines."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        for pixmap, box in zip((self._left, self._right), self.boxes(), strict=True):
            outline = QPainterPath()
            outline.addRoundedRect(box, 4, 4)
            painter.fillPath(outline, QColor(now.well))
            if not pixmap.isNull():
                painter.save()
                painter.setClipPath(outline)
                painter.drawPixmap(box, pixmap, QRectF(pixmap.rect()))
                painter.restore()
                focus = self.hasFocus() and self._scale == 1  # alone on a page, it needs no frame
                painter.setPen(QPen(QColor(now.accent if focus else now.line), 2 if focus else 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)  # white pictures end somewhere too
                painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        paint_lines(painter, now, self.ends(), self._bright, self._scale)
        painter.end()


def _shape(pixmap: QPixmap) -> float:
    return pixmap.width() / pixmap.height() if pixmap.height() else 1.0


def _point_in(box: QRectF, at: tuple[float, float]) -> QPointF:
    return QPointF(box.left() + at[0] * box.width(), box.top() + at[1] * box.height())


Line = tuple[tuple[float, float], tuple[float, float]]
"""A place in the left picture and one in the right, as shares of width and height."""

MOST_LINES = 60
"""Most lines; more would hide the pictures."""

_GRASP = 6.0  # px from a line that still is on it
_CALM, _DIM, _BRIGHT = 0.75, 0.22, 1.0


def spread_lines(lines: Sequence[Line], most: int = MOST_LINES) -> tuple[Line, ...]:
    """Choose lines that lie far from each other, if there are too many."""
    if len(lines) <= most:
        return tuple(lines)
    places = np.array([[*start, *end] for start, end in lines])
    chosen = [int(((places - places.mean(axis=0)) ** 2).sum(axis=1).argmin())]
    away = np.full(len(lines), np.inf)
    while len(chosen) < most:
        away = np.minimum(away, ((places - places[chosen[-1]]) ** 2).sum(axis=1))
        chosen.append(int(away.argmax()))
    return tuple(lines[place] for place in sorted(chosen))


def nearest_line(ends: Sequence[tuple[QPointF, QPointF]], at: QPointF) -> int | None:
    """Return the line nearest to a place, if one is near."""
    if not ends:
        return None
    starts = _array([start for start, _ in ends])
    ways = _array([end for _, end in ends]) - starts
    here = np.array([at.x(), at.y()]) - starts
    along = (here * ways).sum(axis=1) / np.maximum((ways * ways).sum(axis=1), 1e-9)
    beside = np.hypot(*(here - ways * along.clip(0, 1)[:, None]).T)
    place = int(beside.argmin())
    return place if beside[place] <= _GRASP else None


def _array(points: Sequence[QPointF]) -> npt.NDArray[np.float64]:
    return np.array([[point.x(), point.y()] for point in points])


def paint_lines(
    painter: QPainter, now: Theme, ends: Sequence[tuple[QPointF, QPointF]], bright: int | None = None, scale: float = 1
) -> None:
    """Paint all lines thin, and the chosen one thicker, in another colour and with rings, above the others.

    Parameters
    ----------
    ends : sequence of (QPointF, QPointF)
    bright : int or None
        Which one is looked at.
    scale : float
        How much thicker than in a small picture.
    """
    opacity = painter.opacity()
    painter.setOpacity(_CALM if bright is None else _DIM)
    for place, (start, end) in enumerate(ends):
        if place != bright:
            _paint(painter, start, end, QColor(now.accent), 1.0 * scale, 2.0 * scale)
    painter.setOpacity(_BRIGHT)
    if bright is not None and bright < len(ends):
        _paint(painter, *ends[bright], QColor(now.warn), 2.0 * scale, 4.5 * scale)
    painter.setOpacity(opacity)


def _paint(painter: QPainter, start: QPointF, end: QPointF, colour: QColor, width: float, radius: float) -> None:
    """Paint one line with a pale edge, so that it stands out on every photograph."""
    edge = QColor(255, 255, 255, 80)
    cap = Qt.PenCapStyle.RoundCap
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for ink, thick in ((edge, width + 1.2), (colour, width)):
        painter.setPen(QPen(ink, thick, Qt.PenStyle.SolidLine, cap))
        painter.drawLine(start, end)
    painter.setPen(QPen(edge, 1))
    painter.setBrush(colour)
    for place in (start, end):
        painter.drawEllipse(place, radius, radius)


_MARGIN = 48


class MatchOverlay(QWidget):
    """Lies over a view; left and right go from line to line, L hides the lines, Esc or a click beside closes it."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        surface(self, "ground")
        self._before: QWidget | None = None
        self.setAccessibleName(_("Matching points"))
        self._pair = MatchPair(highest=4000, scale=1.6)
        self._words = Sentence()
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._shown = True
        column_of(STRETCH, self._pair, self._words, STRETCH, on=self, gap=16, margins=_MARGIN)
        self._pair.pressed.connect(self.leave)
        attach(self, match_actions(), {"lines": self._switch_lines, "close": self.leave})
        over.installEventFilter(self)
        self.hide()

    def open(self, pictures: tuple[QPixmap, QPixmap], lines: Sequence[Line], sentence: str, shown: bool) -> None:
        """Show two pictures and their lines."""
        self._before = self.window().focusWidget()
        self._pair.show_pixmaps(*pictures)
        self._pair.set_lines(lines)
        self._pair.setToolTip("")
        self._shown = shown
        self._pair.show_lines(shown)
        self._words.say(sentence + " · " + _("L hides the lines, Esc closes"))
        self._fit()
        self.show()
        self.raise_()
        self._pair.setFocus()

    def sharpen(self, left: QImage, right: QImage) -> None:
        """Replace the thumbnails by the pictures themselves."""
        self._pair.show_pixmaps(QPixmap.fromImage(left), QPixmap.fromImage(right))

    def leave(self) -> None:
        """Close."""
        self.hide()
        if self._before is not None and self._before.isVisible():
            self._before.setFocus()

    def _fit(self) -> None:
        self.setGeometry(self._over.rect())
        room = self.height() - 2 * _MARGIN - 64
        left, right = self._pair.pictures()
        shapes = sum(one.width() / one.height() if one.height() else 1.0 for one in (left, right))
        self._pair.setFixedWidth(max(200, min(self.width() - 2 * _MARGIN, round(room * shapes) + 8)))
        layout = self.layout()
        if layout is not None:
            layout.setAlignment(self._pair, Qt.AlignmentFlag.AlignHCenter)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Stay as large as the view."""
        if outlived(self):
            return False
        if watched is self._over and event.type() is QEvent.Type.Resize and self.isVisible():
            self._fit()
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Close."""
        del event
        self.leave()

    def _switch_lines(self) -> None:
        self._shown = not self._shown
        self._pair.show_lines(self._shown)
