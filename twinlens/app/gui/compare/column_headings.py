"""Headings of the columns: name, time, photographs compared, and agreement with exact search."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QSizePolicy, QToolTip, QWidget

from twinlens.app.gui.compare.board_layout import PAD, ShownColumn, column_rects
from twinlens.app.gui.look.labels import small, strong
from twinlens.app.gui.look.theme import Theme, theme
from twinlens.app.gui.search.timing_line import milliseconds
from twinlens.app.language.texts import _, text
from twinlens.app.language.texts import number as figure
from twinlens.core.message import size

_BUTTON = 26
_GAP = 8
_SAMPLE = "12,345"  # numbers are usually no wider
_SECOND = 0.55  # of a column: where the second of two numbers stands


class ColumnHeaders(QWidget):
    """Painted headings of all columns, which can be dragged.

    Signals
    -------
    chosen(int)
    moved(int, int)
        A column is to stand in the place of another.
    menu_wanted(int, QPoint)
    """

    chosen = Signal(int)
    moved = Signal(int, int)
    menu_wanted = Signal(int, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._columns: Sequence[ShownColumn] = ()
        self._current = 0
        self._margin = 0
        self._pressed = -1
        self._dragged = False
        self._from = QPoint()
        self._pointer = QPoint(-1, -1)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the height, the same for all."""
        return QSize(480, self.height_now())

    def height_now(self) -> int:
        """Return the height that columns of this width need."""
        lines = _Lines(self.font())
        return lines.below + lines.numbers(self._across()) + lines.quiet + 20

    def _across(self) -> int:
        """Return how many numbers fit beside each other: 4, 2, or 1 with its label."""
        boxes, lines = self.boxes(), _Lines(self.font())
        if not boxes:
            return 4
        room = boxes[0].width() - 2 * PAD
        words = [_("ms"), _("looked at"), _("overlap@{k}", k=20), _("per photo")]
        widths = [lines.width(_SAMPLE, one) for one in words]
        if sum(widths) + 3 * _GAP <= room:
            return 4
        first, second = max(widths[::2]), max(widths[1::2])
        return 2 if first + _GAP <= _SECOND * room and second <= (1 - _SECOND) * room else 1

    def show_columns(self, columns: Sequence[ShownColumn], current: int, margin: int) -> None:
        """Show headings, with a margin at the right for the scroll bar below."""
        self._columns, self._current, self._margin = columns, current, margin
        self.setAccessibleName("; ".join(self.spoken(column) for column in columns))
        self.setFixedHeight(self.height_now())
        self.update()

    def show_waiting(self, columns: Sequence[ShownColumn]) -> None:
        """Show the progress of one of the same columns."""
        self._columns = columns
        self.update()

    def set_current(self, current: int) -> None:
        """Mark the focused column."""
        self._current = current
        self.update()

    def boxes(self) -> list[QRect]:
        """Return the places of the headings."""
        return column_rects(self.width() - self._margin, self.height(), len(self._columns))

    def spoken(self, column: ShownColumn) -> str:
        """Return the text of a heading for screen readers."""
        one = column.one
        if one is None:
            return f"{column.title}. {column.fault or column.waits}"
        return f"{column.title}. {column.text}. " + ", ".join(
            f"{value} {label}" for value, label in self._numbers(column)
        )

    def _numbers(self, column: ShownColumn) -> list[tuple[str, str]]:
        one = column.one
        assert one is not None
        seconds = one.answer.seconds
        took = seconds.encode + seconds.scan + seconds.rerank
        first = len(one.answer.hits) if one.agreeing is None else one.agreeing + len(one.missed)
        overlap = "…" if one.overlap is None else figure(one.overlap, ".2f") if first else "–"
        return [
            (milliseconds(took), _("ms")),
            (figure(one.answer.looked_at), _("looked at")),
            (overlap, _("overlap@{k}", k=first)),
            (text(size(one.bytes.per_photograph)), _("per photo")),
        ]

    def steps(self, column: ShownColumn) -> list[tuple[str, float]]:
        """Return the steps of a search with their seconds."""
        if column.one is None:
            return []
        seconds = column.one.answer.seconds
        if column.one.answer.exact:
            return [(_("measure"), seconds.rerank)]
        return [
            (_("encode"), seconds.encode),
            (_("scan"), seconds.scan),
            (_("re-rank"), seconds.rerank),
        ]

    # --- the pointer -------------------------------------------------------------------------------------------------

    def _at(self, point: QPoint) -> int:
        return next((n for n, box in enumerate(self.boxes()) if box.contains(point)), -1)

    def _button(self, box: QRect) -> QRect:
        return QRect(box.right() - _BUTTON - 6, 8, _BUTTON, _BUTTON)

    def below_button(self, column: int) -> QPoint:
        """Return the screen position of a column's menu that a key opens."""
        boxes = self.boxes()
        return self.mapToGlobal(self._button(boxes[column]).bottomLeft()) if column < len(boxes) else QPoint()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Choose a column, open its menu, or begin to drag it."""
        point = event.position().toPoint()
        column = self._at(point)
        if column < 0:
            return
        self.chosen.emit(column)
        if event.button() == Qt.MouseButton.RightButton or self._button(self.boxes()[column]).contains(point):
            self.menu_wanted.emit(column, event.globalPosition().toPoint())
        else:
            self._pressed, self._dragged, self._from = column, False, point

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Drag a column to another place."""
        self._pointer = event.position().toPoint()
        if self._pressed >= 0:
            far = (self._pointer - self._from).manhattanLength() > QApplication.startDragDistance()
            self._dragged = self._dragged or far
            target = self._at(QPoint(self._pointer.x(), self.height() // 2))
            if self._dragged and target >= 0 and target != self._pressed:
                pressed, self._pressed = self._pressed, target
                self.moved.emit(pressed, target)
            self.setCursor(Qt.CursorShape.ClosedHandCursor if self._dragged else Qt.CursorShape.ArrowCursor)
        self.update()

    def mouseReleaseEvent(self, __: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Drop the column."""
        self._pressed, self._dragged = -1, False
        self.unsetCursor()
        self.update()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Highlight nothing."""
        super().leaveEvent(event)
        self._pointer = QPoint(-1, -1)
        self.update()

    def event(self, event: QEvent) -> bool:
        """Show the whole heading, with all steps, in a tooltip."""
        if isinstance(event, QHelpEvent):
            place = self._at(event.pos())
            if place >= 0:
                column = self._columns[place]
                said = [column.title, column.text, column.fault or column.waits]
                if column.one is not None:
                    result = column.one.answer
                    said += [text(result.measure), " · ".join(self._steps_words(column)), text(result.note)]
                QToolTip.showText(event.globalPos(), "\n".join(filter(None, said)), self)
                return True
        return super().event(event)

    def _steps_words(self, column: ShownColumn) -> list[str]:
        return [f"{name} {milliseconds(seconds)}" for name, seconds in self.steps(column)]

    # --- painting ----------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: object) -> None:  # noqa: N802 (Qt's name)
        """Adapt the height to narrow columns."""
        if self.height() != self.height_now():
            self.setFixedHeight(self.height_now())
        super().resizeEvent(event)  # type: ignore[arg-type]

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint every heading."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(now.paper))
        for number, (box, column) in enumerate(zip(self.boxes(), self._columns, strict=True)):
            if number == self._pressed and self._dragged:
                painter.fillRect(box, QColor(now.well))
            if number:
                painter.fillRect(box.left(), 0, 1, self.height(), QColor(now.line))
            if number == self._current and len(self._columns) > 1:
                painter.fillRect(box.left() + (number > 0), 0, box.width(), 2, QColor(now.accent))
            self._heading(painter, now, box, column)
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(now.line))
        painter.end()

    def _heading(self, painter: QPainter, now: Theme, box: QRect, column: ShownColumn) -> None:
        room = box.adjusted(PAD, 0, -PAD, 0)
        bold, quiet = strong(self.font()), small(self.font(), 0.88)
        button = self._button(box)
        title = ("⚲ " if column.pinned else "") + column.title
        end = Qt.TextElideMode.ElideMiddle if column.changed else _RIGHT_END  # at the end it says what was changed last
        painter.setFont(bold)
        painter.setPen(QColor(now.ink))
        width = button.left() - room.left() - 4
        lines = _Lines(self.font())
        box_of_title = QRect(room.left(), 8, width, lines.title)
        painter.drawText(box_of_title, _LEFT, QFontMetrics(bold).elidedText(title, end, width))
        painter.setFont(quiet)
        painter.setPen(QColor(now.quiet))
        sub = self._sub(column, QFontMetrics(quiet), room.width())
        painter.drawText(
            QRect(room.left(), 8 + lines.title, room.width(), lines.quiet), _LEFT,
            QFontMetrics(quiet).elidedText(sub, _RIGHT_END, room.width()),
        )  # fmt: skip
        self._dots(painter, now, button)
        below = room.adjusted(0, lines.below, 0, -8)
        if column.one is None:
            self._waiting(painter, now, below, column)
            return
        self._paint_numbers(painter, now, below, self._numbers(column), quiet)
        self._paint_steps(painter, now, room, column, quiet)

    def _sub(self, column: ShownColumn, metrics: QFontMetrics, width: int) -> str:
        """Return the description of a column; in little room its difference from the others first."""
        own = column.short.partition(" · ")
        tried = [_("not kept · {text}", text=column.short)] if column.changed else []
        tried.append(column.short)
        if own[2] and all(other.short.startswith(own[0] + own[1]) for other in self._columns if other.short):
            tried.append(own[2])  # what is compared is the same everywhere
        return next((words for words in tried if metrics.horizontalAdvance(words) <= width), tried[-1])

    def _dots(self, painter: QPainter, now: Theme, button: QRect) -> None:
        under = button.contains(self._pointer)
        painter.setPen(Qt.PenStyle.NoPen)
        if under:
            painter.setBrush(QColor(now.well))
            painter.drawRoundedRect(button, 13, 13)
        painter.setBrush(QColor(now.ink if under else now.quiet))
        for step in (-5, 0, 5):
            middle = QRectF(button).center()
            painter.drawEllipse(QRectF(middle.x() + step - 1.3, middle.y() - 1.3, 2.6, 2.6))

    def _waiting(self, painter: QPainter, now: Theme, room: QRect, column: ShownColumn) -> None:
        painter.setFont(small(self.font(), 0.9))
        painter.setPen(QColor(now.warn if column.fault else now.quiet))
        words = column.fault or column.waits
        painter.drawText(room, int(_WRAPPED | Qt.AlignmentFlag.AlignTop), words)
        if not column.fault and column.waits:
            bar = QRectF(room.left(), room.bottom() - 6, room.width(), 4)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(now.well))
            painter.drawRoundedRect(bar, 2, 2)
            bar.setWidth(max(4.0, bar.width() * min(1.0, column.done)))
            painter.setBrush(QColor(now.accent))
            painter.drawRoundedRect(bar, 2, 2)

    def _paint_numbers(
        self, painter: QPainter, now: Theme, room: QRect, numbers: list[tuple[str, str]], quiet: QFont
    ) -> None:
        lines, across = _Lines(self.font()), self._across()
        widths = [lines.width(number, words) for number, words in numbers]
        gap = min(40.0, max(float(_GAP), (room.width() - sum(widths)) / 3))
        x, y = float(room.left()), float(room.top())
        for place, ((number, words), width) in enumerate(zip(numbers, widths, strict=True)):
            if place % across == 0:
                x, y = float(room.left()), room.top() + place // across * lines.row(across)
            elif across == 2:
                x = room.left() + _SECOND * room.width()
            painter.setFont(lines.loud)
            painter.setPen(QColor(now.ink))
            painter.drawText(QRectF(x, y, room.width(), lines.number), _LEFT, number)
            at = QRectF(x, y + lines.number - 2, width + 2, lines.quiet)
            if across == 1:
                at = QRectF(x + QFontMetrics(lines.loud).horizontalAdvance(number) + 6, y, room.width(), lines.number)
                at.setRight(room.right())
            painter.setFont(quiet)
            painter.setPen(QColor(now.quiet))
            painter.drawText(at, _LEFT, QFontMetrics(quiet).elidedText(words, _RIGHT_END, int(at.width())))
            x += width + gap

    def _paint_steps(self, painter: QPainter, now: Theme, room: QRect, column: ShownColumn, quiet: QFont) -> None:
        """Paint the time as a bar with a part for each step, and their names."""
        steps = self.steps(column)
        total = sum(seconds for __, seconds in steps)
        lines = _Lines(self.font())
        top = self.height() - lines.quiet - 11
        painter.setFont(quiet)
        x = float(room.left())
        for number, (__, seconds) in enumerate(steps):
            width = room.width() * seconds / total if total > 0 else 0.0
            shade = QColor(now.accent)
            shade.setAlphaF((0.35, 0.65, 1.0)[number] if len(steps) > 1 else 1.0)
            painter.fillRect(QRectF(x, top, max(0.0, width - 1), 3), shade)
            x += width
        words = _("{steps} ms", steps=" · ".join(self._steps_words(column)))
        if QFontMetrics(quiet).horizontalAdvance(words) > room.width():
            words = _("{steps} ms", steps=" + ".join(milliseconds(seconds) for __, seconds in steps))
        painter.setPen(QPen(QColor(now.quiet)))
        painter.drawText(
            QRect(room.left(), top + 5, room.width(), lines.quiet), _LEFT,
            QFontMetrics(quiet).elidedText(words, _RIGHT_END, room.width()),
        )  # fmt: skip


class _Lines:
    """Heights of the lines of a heading, and widths of its numbers, in a font.

    Parameters
    ----------
    font : QFont
        Of the window.
    """

    def __init__(self, font: QFont) -> None:
        self.loud = strong(small(font, 1.25))
        self._small = QFontMetrics(small(font, 0.88))
        self.title = QFontMetrics(strong(font)).height() + 8
        self.quiet = self._small.height() + 4
        self.number = QFontMetrics(self.loud).height() + 4
        self.below = 8 + self.title + self.quiet + 6

    def width(self, number: str, words: str) -> int:
        """Return the width of a number over its words."""
        return max(QFontMetrics(self.loud).horizontalAdvance(number), self._small.horizontalAdvance(words))

    def row(self, across: int) -> int:
        """Return the height of one row of numbers."""
        return self.number + 4 if across == 1 else self.number + self.quiet

    def numbers(self, across: int) -> int:
        """Return the height of all four numbers."""
        return 4 // across * self.row(across)


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_WRAPPED = Qt.TextFlag.TextWordWrap
_RIGHT_END = Qt.TextElideMode.ElideRight
