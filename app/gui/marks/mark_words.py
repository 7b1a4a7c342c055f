"""What is said of marks, and of what was done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLocale, QTimeZone

if TYPE_CHECKING:
    from app.marks.judgement import SaidMark


def told_mark(row: SaidMark, today: QDate | None = None) -> str:
    """Say of a mark what was judged, when and where: "Marked similar on 3 May, from results"."""
    translate = QCoreApplication.translate
    words = translate("Marks", "Marked **similar**") if row.similar else translate("Marks", "Marked **different**")
    day = _day(row.created)
    if day.isValid():
        this_year = day.year() == (today or QDate.currentDate()).year()
        written = translate("Marks", "d MMMM") if this_year else translate("Marks", "d MMMM yyyy")
        shown = QLocale().toString(day, written)
        words = translate("Marks", "{0} on {1}").format(words, shown)
    return f"{words}, {_origin(row.origin)}"


def _day(created: str) -> QDate:
    """Give the day, here, of a time in UTC."""
    moment = QDateTime.fromString(created[:19].replace(" ", "T"), "yyyy-MM-ddTHH:mm:ss")
    moment.setTimeZone(QTimeZone.utc())
    return moment.toLocalTime().date()


def _origin(origin: str) -> str:
    translate = QCoreApplication.translate
    head, _, rest = origin.partition(":")
    if head == "folder" and rest:
        return translate("Marks", "from the folder {0}").format(rest)
    if head == "import":
        return translate("Marks", "from a file")
    known = {
        "results": translate("Marks", "from results"),
        "selection": translate("Marks", "from a selection"),
        "group": translate("Marks", "from a group"),
        "asked": translate("Marks", "from a pair that was named"),
        "offered": translate("Marks", "from a pair that was offered"),
    }
    return known.get(head, translate("Marks", "from {0}").format(origin))


def count_of_marks(count: int) -> str:
    """Say how many marks there are."""
    translate = QCoreApplication.translate
    return translate("Marks", "1 mark") if count == 1 else translate("Marks", "{0} marks").format(f"{count:,}")
