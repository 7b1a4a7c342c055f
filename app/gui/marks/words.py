"""What is said of marks, and of what was done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLocale, QTimeZone

if TYPE_CHECKING:
    from app.judging import SaidMark


def told_mark(row: SaidMark, today: QDate | None = None) -> str:
    """Say of a mark what was judged, when and where: "Marked similar on 3 May, from results"."""
    say = QCoreApplication.translate
    words = say("Marks", "Marked **similar**") if row.similar else say("Marks", "Marked **different**")
    day = _day(row.created)
    if day.isValid():
        this_year = day.year() == (today or QDate.currentDate()).year()
        shown = QLocale().toString(day, "d MMMM" if this_year else "d MMMM yyyy")
        words = say("Marks", "{0} on {1}").format(words, shown)
    return f"{words}, {_origin(row.origin)}"


def _day(created: str) -> QDate:
    """Give the day, here, of a time in UTC."""
    moment = QDateTime.fromString(created[:19].replace(" ", "T"), "yyyy-MM-ddTHH:mm:ss")
    moment.setTimeZone(QTimeZone.utc())
    return moment.toLocalTime().date()


def _origin(origin: str) -> str:
    say = QCoreApplication.translate
    head, _, rest = origin.partition(":")
    if head == "folder" and rest:
        return say("Marks", "from the folder {0}").format(rest)
    if head == "import":
        return say("Marks", "from a file")
    known = {
        "results": say("Marks", "from results"),
        "selection": say("Marks", "from a selection"),
        "group": say("Marks", "from a group"),
        "asked": say("Marks", "from a pair that was named"),
        "offered": say("Marks", "from a pair that was offered"),
    }
    return known.get(head, say("Marks", "from {0}").format(origin))


def count_of_marks(count: int) -> str:
    """Say how many marks there are."""
    say = QCoreApplication.translate
    return say("Marks", "1 mark") if count == 1 else say("Marks", "{0} marks").format(f"{count:,}")
