"""The dialog of folders that hold the same pictures; a pair that is chosen there filters the page of duplicates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QWidget

from twinlens.app.duplicates.folder_comparison import FolderPair
from twinlens.app.gui.lists.table import TableView
from twinlens.app.gui.lists.table_model import TableColumn, TableSheet
from twinlens.app.gui.look.page_parts import button, column_of, dialog_keys, label
from twinlens.app.language.texts import _, _n, number, text
from twinlens.core.files.untrusted_input import plain
from twinlens.core.message import size


class FolderPairsDialog(QDialog):
    """The dialog of pairs of folders, whole copies of each other first.

    Signals
    -------
    chosen(str, str)
        The paths of the two folders whose groups are wanted.
    rest_wanted(str, str)
        The paths of a folder whose photographs are wanted that another one lacks, and of that one.
    """

    chosen = Signal(str, str)
    rest_wanted = Signal(str, str)

    def __init__(self, pairs: Sequence[FolderPair], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Folders with the same photos"))
        self._lines = {one.key: one for one in map(_PairLine, pairs)}
        self.table: TableView[_PairLine] = TableView(_("Folders with the same photos"))
        self.table.show_sheet(
            TableSheet(
                _columns(),
                list(self._lines.values()),
                dot=lambda one: int(not one.pair.is_copy),
                about=lambda one: f"{plain(one.pair.first)}\n{plain(one.pair.second)}",
            )
        )
        if pairs:
            self.table.go_to(next(iter(self._lines)))
        said = _n("{count} pair of folders.", "{count} pairs of folders.", len(pairs))
        close = button(_("Close"), _("Close"))
        close.clicked.connect(self.reject)
        rest = [
            button(words, _("Show what the other folder lacks"))
            for words in (_("Only in the first"), _("Only in the other"))
        ]
        for made, turned in zip(rest, (False, True), strict=True):
            made.setEnabled(bool(pairs))
            made.clicked.connect(lambda __=False, turned=turned: self._on_rest(turned))
        show = button(_("Show their duplicates"), _("Show what is in both folders"), role="primary")
        show.setEnabled(bool(pairs))
        show.clicked.connect(self._on_show)
        told = label(said if pairs else _("No two folders hold the same picture."), wrap=True)
        column_of(told, (self.table, 1), dialog_keys(close, show, *rest), on=self, gap=10, margins=(20, 16, 20, 16))
        self.resize(920, 560)

    def _on_rest(self, turned: bool) -> None:
        line = self._lines.get(self.table.current_key())
        if line is not None:
            folders = line.pair.first, line.pair.second
            self.rest_wanted.emit(*(folders[::-1] if turned else folders))
            self.accept()

    def _on_show(self) -> None:
        line = self._lines.get(self.table.current_key())
        if line is not None:
            self.chosen.emit(line.pair.first, line.pair.second)
            self.accept()


@dataclass(frozen=True)
class _PairLine:
    """A line of the list."""

    pair: FolderPair

    @property
    def key(self) -> str:
        """Return its key in the table."""
        return f"{self.pair.first}\n{self.pair.second}"


def _columns() -> list[TableColumn[_PairLine]]:
    return [
        TableColumn[_PairLine](_("Folder"), lambda one: _end(one.pair.first)),
        TableColumn[_PairLine](_("Other folder"), lambda one: _end(one.pair.second)),
        TableColumn[_PairLine](
            _("In both"), lambda one: number(one.pair.in_both), lambda one: one.pair.in_both, number=True
        ),
        TableColumn[_PairLine](
            _("Only in the first"),
            lambda one: number(one.pair.only_first),
            lambda one: one.pair.only_first,
            number=True,
        ),
        TableColumn[_PairLine](
            _("Only in the other"),
            lambda one: number(one.pair.only_second),
            lambda one: one.pair.only_second,
            number=True,
        ),
        TableColumn[_PairLine](
            _("Size"), lambda one: text(size(one.pair.bytes)), lambda one: one.pair.bytes, number=True
        ),
    ]


def _end(folder: str) -> str:
    """Return the last names of a path."""
    return "/".join(plain(one) for one in folder.split("/")[-2:])
