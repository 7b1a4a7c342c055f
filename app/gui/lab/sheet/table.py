"""Table of a sheet's rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu

from app.gui.tables.sheet import TableColumn, TableSheet
from app.gui.tables.table import TableView
from app.lab.sheet import LabSheet, SheetColumn, SheetRow
from app.language.spoken import _, text, translate

_ROWS_SEEN = 14


def sheet_table(shown: LabSheet, can_keep: Callable[[SheetRow], bool]) -> TableSheet[SheetRow]:
    """Return what the table of a sheet shows, with a link to keep a row as an index where that can be."""
    link: TableColumn[SheetRow] = TableColumn(
        "",
        lambda row: _("create index") if can_keep(row) else "",
        number=True,
        help=_("Create an index with this method and search structure (I)"),
        link=True,
    )
    return TableSheet(
        [*(_column(one, shown.rows) for one in shown.columns), link],
        shown.rows,
        dot=lambda row: row.place,
        about=lambda row: text(row.about),
        quiet=lambda row: row.quiet,
    )


def _column(one: SheetColumn, rows: Sequence[SheetRow]) -> TableColumn[SheetRow]:
    number = any(isinstance(one.of(row), float) for row in rows)
    value = one.of if number else None
    return TableColumn(
        translate(one.heading),
        lambda row: text(one.words(row)),
        value,
        number=number,
        help=text(one.help),
        lesser=one.lesser,
    )


class SheetTable(TableView[SheetRow]):
    """Table of rows; a row is hidden from the charts by H, and kept as an index by Enter.

    Signals
    -------
    plan_wanted : str
        Key of a row whose method a new experiment is to have.
    turn_wanted
        The knobs of the current row are to be turned.
    """

    plan_wanted = Signal(str)
    turn_wanted = Signal()

    def __init__(self) -> None:
        super().__init__(_("Measured indexes"), hides=True, seen=_ROWS_SEEN)

    def fill_menu(self, menu: QMenu, row: SheetRow) -> None:
        """Put into the menu of a row what can be done with it."""
        make = menu.addAction(_("Create index") + "\tI", partial(self.chosen.emit, row.key))
        make.setEnabled(self.rows.sheet.chooses(row))
        words = _("Show in the charts") if row.key in self.hidden() else _("Hide from the charts")
        menu.addAction(words + "\tH", partial(self.hide_or_show, row.key))
        turn = menu.addAction(_("Turn a knob") + "\tV", self.turn_wanted.emit)
        turn.setEnabled(row.index is not None and any(row.index.line))
        menu.addAction(_("New experiment with this method"), partial(self.plan_wanted.emit, row.key))
