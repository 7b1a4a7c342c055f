"""Filter by date: from and to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.gui.look.page_parts import surface
from app.gui.look.pills import Pill
from app.gui.look.sentences import Link, Sentence
from app.language.spoken import _

_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?", re.ASCII)
_FIELD_HEIGHT = 32
_YEARS = 16  # offered at most


class InputField(QLineEdit):
    """An input line."""

    def __init__(self, hint: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(hint)
        self.setAccessibleName(name)
        self.setClearButtonEnabled(True)
        self.setFixedHeight(_FIELD_HEIGHT)


class DatePopup(QFrame):
    """From and to, each a year, a month or a day, with years to click.

    Signals
    -------
    dates_chosen(str, str)
        Either may be empty.
    """

    dates_chosen = Signal(str, str)

    def __init__(self, since: str, until: str, years: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        surface(self, "popup")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay)  # the press that closes it opens nothing
        self.setAccessibleName(_("Dates"))
        self.since = InputField(_("from"), _("From date"))
        self.until = InputField(_("to"), _("To date"))
        self.since.setText(since)
        self.until.setText(until)
        self.words = Sentence()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        row = QHBoxLayout()
        row.setSpacing(8)
        for field in (self.since, self.until):
            row.addWidget(field)
            field.returnPressed.connect(self.take)
            field.textEdited.connect(lambda __: self._say())
        column.addLayout(row)
        column.addWidget(self.words)
        grid = QGridLayout()
        grid.setSpacing(8)
        for number, year in enumerate(years[:_YEARS]):
            pill = Pill(year, _("The year {year}", year=year))
            pill.clicked.connect(lambda __=False, year=year: self._on_year(year))
            grid.addWidget(pill, number // 4, number % 4)
        column.addLayout(grid)
        buttons = QHBoxLayout()
        any_date = Link(_("Any date"))
        any_date.clicked.connect(lambda: self._choose("", ""))
        take = Pill(_("Narrow down"), _("Apply these dates"))
        take.setShortcut("Return")
        take.clicked.connect(self.take)
        buttons.addWidget(any_date)
        buttons.addStretch()
        buttons.addWidget(take)
        column.addLayout(buttons)
        self.setFixedWidth(304)
        self._say()

    def take(self) -> None:
        """Apply the dates, if both are valid."""
        since, until = self._written()
        if all(_DATE.fullmatch(date) for date in (since, until) if date):
            self._choose(since, until)
        else:
            self._say()

    def _written(self) -> tuple[str, str]:
        return self.since.text().strip(), self.until.text().strip()

    def _say(self) -> None:
        wrong = next((date for date in self._written() if date and not _DATE.fullmatch(date)), None)
        if wrong is None:
            self.words.say(_("A year, a month or a day: 2023, 2023-05, 2023-05-14"))
        else:
            self.words.say(_("**{date}** is not a date. Write 2023, 2023-05 or 2023-05-14.", date=wrong))

    def _on_year(self, year: str) -> None:
        self._choose(year, year)

    def _choose(self, since: str, until: str) -> None:
        self.close()
        self.dates_chosen.emit(since, until)
