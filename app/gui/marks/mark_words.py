"""Texts about marks and changes of marks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QDateTime, QLocale, QTimeZone

from app.language.spoken import _, _n

if TYPE_CHECKING:
    from app.marks.judgement import ResultMark


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
