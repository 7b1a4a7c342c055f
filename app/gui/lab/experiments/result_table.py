"""Table under the figures, a row for each method and search structure."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu

from app.gui.lab.experiments.results import COSTS, Results, TableRow
from app.gui.lab.experiments.run_words import column_help, column_words
from app.gui.look.page_parts import bind
from app.gui.tables.sheet import Column, Sheet
from app.gui.tables.table import Table
from app.language.spoken import _, number

_ROWS_SEEN = 14


def results_sheet(shown: Results) -> Sheet[TableRow]:
    """Return the columns that some runs need."""
    own: dict[str, Column[TableRow]] = {
        "method": Column(_("method"), lambda row: row.name),
        "run": Column(_("run"), lambda row: row.run.name),
        "structure": Column(_("search structure"), lambda row: row.row.measured.search),
        "bits": Column(
            _("bits"), lambda row: number(row.row.measured.bits), lambda row: row.row.measured.bits, number=True
        ),
        "index": Column(
            "",
            lambda row: _("create index") if row.can_index else "",
            number=True,
            help=_("Create an index with this method and search structure (I)"),
            link=True,
        ),
    }
    columns = [own[name] if name in own else _measured(name) for name in shown.columns()]
    return Sheet(columns, shown.rows, dot=lambda row: row.place, about=TableRow.about)


def _measured(name: str) -> Column[TableRow]:
    def words(row: TableRow) -> str:
        value, spread = row.figure(name), row.row.measured.deviation.get(name)
        if value is None:
            return ""
        if name in COSTS:
            return number(value, f",.{COSTS[name] if value < 1000 else 0}f")
        return _("{mean:.2f} ± {spread:.2f}", mean=value, spread=spread) if spread else number(value, ".2f")

    return Column(column_words(name), words, lambda row: row.figure(name), number=True, help=column_help(name))


class ResultsTable(Table[TableRow]):
    """Table of results; a row is hidden by H, and becomes an index by I.

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
        super().__init__(_("Results"), hides=True, seen=_ROWS_SEEN)
        bind(self, "I", self.choose_current)

    def fill_menu(self, menu: QMenu, row: TableRow) -> None:
        """Put into the menu of a row what can be done with it."""
        make = menu.addAction(_("Create index") + "\tI", lambda: self.chosen.emit(row.key))
        make.setEnabled(row.can_index)
        words = _("Show in the charts") if row.key in self.hidden() else _("Hide from the charts")
        menu.addAction(words + "\tH", lambda: self.hide_or_show(row.key))
        menu.addAction(_("Turn a knob") + "\tV", self.turn_wanted.emit).setEnabled(row.can_index)
        menu.addAction(_("New experiment with this method"), lambda: self.plan_wanted.emit(row.key))
