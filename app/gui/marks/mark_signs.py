"""Signs and words of marks.

The signs differ in shape as well as in colour, so that they are told apart in grey, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QDateTime, QLocale, QPointF, QRectF, Qt, QTimeZone
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPolygonF

from app.gui.look.theme import Theme, theme
from app.language.texts import _, _n

if TYPE_CHECKING:
    from app.marks.judgement import ResultMark


_HALF = 9.0
_APART = 17.0
SIGN = 26
"""Pixels in which a sign has room."""


class Verdict(Enum):
    """The mark between two photographs."""

    SIMILAR = "similar"
    DIFFERENT = "different"
    BOTH = "both"
    """Marked both ways: neither mark is used until one is removed."""

    @classmethod
    def of(cls, judgements: Iterable[bool]) -> Verdict | None:
        """Sum up what several marks say; None where there are none."""
        said = set(judgements)
        if not said:
            return None
        return cls.BOTH if len(said) == 2 else cls.SIMILAR if said.pop() else cls.DIFFERENT

    @classmethod
    def that(cls, similar: bool) -> Verdict:
        """Return the verdict of one judgement."""
        return cls.SIMILAR if similar else cls.DIFFERENT

    def words(self) -> str:
        """Return the sign as text."""
        return {
            Verdict.SIMILAR: _("marked similar"),
            Verdict.DIFFERENT: _("marked different"),
            Verdict.BOTH: _("marked similar and different"),
        }[self]


def paint_verdict(painter: QPainter, middle: QPointF, verdict: Verdict, colours: Theme) -> None:
    """Paint a sign about a point; that of a contradiction is both signs, and grows to the left."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if verdict is Verdict.BOTH:
        _paint_different(painter, middle - QPointF(_APART, 0), colours)
    if verdict is Verdict.DIFFERENT:
        _paint_different(painter, middle, colours)
    else:
        _paint_similar(painter, middle, colours)


def verdict_pixmap(verdict: Verdict, side: int, ratio: float) -> QPixmap:
    """Draw one sign in the colours that hold now, ``side`` pixels wide and high."""
    made = QPixmap(round(side * ratio), round(side * ratio))
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.scale(side / SIGN, side / SIGN)
    paint_verdict(painter, QPointF(SIGN / 2, SIGN / 2), verdict, theme())
    painter.end()
    return made


def _paint_similar(painter: QPainter, middle: QPointF, colours: Theme) -> None:
    """Paint an equal sign in a teal square."""
    box = QRectF(middle.x() - _HALF, middle.y() - _HALF, 2 * _HALF, 2 * _HALF)
    painter.setPen(QPen(QColor(colours.paper), 1.5))
    painter.setBrush(QColor(colours.accent))
    painter.drawRoundedRect(box, 4, 4)
    painter.setPen(_stroke(colours))
    for y in (-2.5, 2.5):
        painter.drawLine(middle + QPointF(-4, y), middle + QPointF(4, y))


def _paint_different(painter: QPainter, middle: QPointF, colours: Theme) -> None:
    """Paint a crossed equal sign in an orange diamond."""
    reach = _HALF + 3
    corners = [QPointF(0, -reach), QPointF(reach, 0), QPointF(0, reach), QPointF(-reach, 0)]
    join = Qt.PenJoinStyle.RoundJoin
    painter.setPen(QPen(QColor(colours.paper), 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, join))
    painter.setBrush(QColor(colours.warn))
    painter.drawPolygon(QPolygonF([middle + one for one in corners]))
    painter.setPen(_stroke(colours))
    for y in (-2.1, 2.1):
        painter.drawLine(middle + QPointF(-3.8, y), middle + QPointF(3.8, y))
    painter.drawLine(middle + QPointF(2.4, -5), middle + QPointF(-2.4, 5))


def _stroke(colours: Theme) -> QPen:
    return QPen(QColor(colours.paper), 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)


def mark_text(row: ResultMark, today: QDate | None = None) -> str:
    """Describe a mark with its day and origin: "Marked similar on 3 May, from results"."""
    words = _("Marked **similar**") if row.similar else _("Marked **different**")
    day = _day(row.created)
    if day.isValid():
        this_year = day.year() == (today or QDate.currentDate()).year()
        written = _("d MMMM") if this_year else _("d MMMM yyyy")
        shown = QLocale().toString(day, written)
        words = _("{words} on {shown}", words=words, shown=shown)
    return f"{words}, {origin_words(row.origin)}"


def _day(created: str) -> QDate:
    """Return the day, here, of a time in UTC."""
    moment = QDateTime.fromString(created[:19].replace(" ", "T"), "yyyy-MM-ddTHH:mm:ss")
    moment.setTimeZone(QTimeZone.utc())
    return moment.toLocalTime().date()


def origin_words(origin: str) -> str:
    """Return the origin of a mark as text."""
    head, __, rest = origin.partition(":")
    if head == "folder" and rest:
        return _("from the folder {rest}", rest=rest)
    if head == "import":
        return _("from a file")
    known = {
        "results": _("from results"),
        "selection": _("from a selection"),
        "group": _("from a group"),
        "asked": _("from a pair that was named"),
        "offered": _("from a pair that was offered"),
    }
    return known.get(head, _("from {origin}", origin=origin))


def count_of_marks(count: int) -> str:
    """Return how many marks there are."""
    return _n("{count} mark", "{count} marks", count)
