"""The current row of an experiment's table: its figures, its parameters, and the actions on it.

A row can become an index, the default index, or a column of a comparison; each action can be undone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from twinlens.app.compare.columns import ComparisonColumn
from twinlens.app.gui.compare.compare_controller import CompareControl
from twinlens.app.gui.lab.explore.explore_controller import ExploreControl
from twinlens.app.gui.lab.lab_view import LabView
from twinlens.app.gui.lab.sheet.sheet_head import RowActions
from twinlens.app.gui.library.library_controller import LibraryControl
from twinlens.app.gui.search.search_controller import SearchControl
from twinlens.app.lab.lab_sheet import LabSheet, LibraryIndexes, SheetRow
from twinlens.app.language.texts import _, text, translate
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.gui.services.workspace import Workspace
    from twinlens.app.indexes.index_results import IndexStatus
    from twinlens.app.lab.lab_sheet import SheetRow
    from twinlens.app.library.library import Library


class CurrentRow(QObject):
    """Controller of the current row: its finding, its knobs and its actions.

    Parameters
    ----------
    busy : callable
        Returns whether something is measured, which looking at a line would disturb.
    """

    def __init__(self, window: Workspace, view: LabView, busy: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._view, self._busy = window, view, busy
        self.use = RowUse(window, self)
        self._knobs: ExploreControl | None = None
        self._kept: Any = None
        self._turns = False  # whether knobs are turned
        sheet = view.sheet
        sheet.line_changed.connect(self.show)
        sheet.table.turn_wanted.connect(self.turn)
        sheet.keep_wanted.connect(self.keep)
        self.use.told.connect(self.show)
        self.use.changed.connect(self.show)

    @property
    def knobs(self) -> ExploreControl:
        """The explorer of a row, made at first use, since it has many controls."""
        if self._knobs is None:
            made = self._knobs = ExploreControl(self._window, self._view.sheet.line, self._leave, self)
            made.restore(self._kept)
            self._view.add_page(made.view, made.focus)
        return self._knobs

    def restore(self, kept: object) -> None:
        """Restore the remembered state of the knobs."""
        self._kept = kept

    def state(self) -> Any:
        """Return the state of the knobs to remember."""
        return self._kept if self._knobs is None else self._knobs.state()

    def refresh(self) -> None:
        """Read the library again."""
        self.use.refresh()
        if self._knobs is not None:
            self._knobs.refresh()

    def show(self) -> None:
        """Show the finding of the current row and its actions."""
        sheet, row = self._view.sheet, self._view.sheet.current_row()
        sheet.finding.show_acts(self.use.acts(sheet.shown, row))
        if making := self.use.making(row):
            sheet.finding.show_making(making)
        if self._view.isVisible() and not self._turns:
            line = ("", "", "") if self._busy() or row is None or row.index is None else row.index.line
            if any(line) or self._knobs is not None:
                self.knobs.show_line(*line)

    def show_page(self) -> None:
        """Show the explorer or the sheet."""
        self._view.show_page(self.knobs.view if self._turns else self._view.sheet)

    def turn(self) -> None:
        """Explore the current row."""
        self._turns = True
        self.knobs.stay()
        self.show_page()
        self._view.focus_page()

    def stop_turning(self) -> None:
        """Close the explorer, since another experiment is shown."""
        self._turns = False

    def _leave(self) -> None:
        self._turns = False
        self.knobs.leave()
        self.show_page()
        self._view.sheet.focus_table()
        self.show()

    def explore(self, photograph: int) -> None:
        """Explore settings, with a photograph as the query."""
        self._view.show_main()
        self.turn()
        self.knobs.ask(photograph)

    def keep(self, key: str, name: str = "") -> None:
        """Make an index of a row; undo deletes it again."""
        self._with(lambda row: self.use.keep(row, name), key)

    def make_default(self) -> None:
        """Search with the index of the current row."""
        self._with(self.use.make_default)

    def compare(self, asked: int) -> None:
        """Compare the current row side by side; a photo below 0 means the library's current one."""
        self._with(lambda row: self.use.compare(row, asked))

    def _with(self, act: Callable[[SheetRow], None], key: str = "") -> None:
        row = self._view.sheet.shown.row(key) if key else self._view.sheet.current_row()
        if row is not None:
            act(row)


class RowUse(QObject):
    """Actions on a row of a sheet.

    Parameters
    ----------
    told
        Something else can be done.
    changed
        The library has other indexes, or searches with another one.
    """

    told = Signal()
    changed = Signal()

    def __init__(self, window: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self._made = ("", "")  # name and text form of the index that is made now
        self._names: dict[str, str] = {}
        self._listing = window.jobs.latest()

    @property
    def indexes(self) -> LibraryIndexes:
        """The library's indexes."""
        return LibraryIndexes(self._names, self._window.shared.index)

    def refresh(self) -> None:
        """Read the library's indexes again."""
        opened = self._window.opened

        def work(__: Progress) -> dict[str, str]:
            from twinlens.app.indexes.indexes import list_indexes

            listed = list_indexes(opened.library).indexes
            return {one.text: one.name for one in listed if one.name not in opened.put_away}

        self._listing.begin(work).then(self._on_names).failed(lambda __: None)

    def _on_names(self, names: dict[str, str]) -> None:
        if names != self._names:
            self._names = names
            self.changed.emit()

    def can_keep(self, row: SheetRow) -> bool:
        """Return whether a row can become an index that the library does not have."""
        return row.index is not None and row.index.text not in self._names

    def acts(self, shown: LabSheet, row: SheetRow | None) -> RowActions:
        """Return the actions that are possible on a row of a sheet."""
        if row is None:
            return RowActions()
        back, title = (
            bool(shown.badge) and row.key != shown.proposed,
            "" if row.sentence or shown.badge else translate(row.name),
        )
        if row.index is None:
            return RowActions(row.key, title, back=back)
        has, in_use = self._names.get(row.index.text, ""), self._window.shared.index
        state = "" if not has else _("The library has it: “{name}”.", name=has)
        if has and has == in_use:
            state = _("The library has it: “{name}”. It is in use.", name=has)
        return RowActions(
            row.key,
            title,
            state,
            keep=self.can_keep(row),
            default=bool(has) and has != in_use,
            compare=bool(has or row.index.base),
            back=back,
            primary=shown.asks_for_index,
            name=self._free_name(row),
            taken=frozenset(self._names.values()),
        )

    def making(self, row: SheetRow | None) -> str:
        """Return a text while the index of a row is being made; empty otherwise."""
        made = row is not None and row.index is not None and row.index.text == self._made[1]
        return _("Creating “{name}”…", name=self._made[0]) if made else ""

    def keep(self, row: SheetRow, name: str) -> None:
        """Make an index of a row, under its proposed name if none is given."""
        name = name.strip() or self._free_name(row)
        if row.index is None or self._made[0] or not self.can_keep(row) or name in self._names.values():
            return
        wanted = row.index.wanted.changed(name=name)
        self._made = name, row.index.text
        self.told.emit()

        def create(library: Library, progress: Progress) -> IndexStatus:
            from twinlens.app.indexes.indexes import create_index

            return create_index(library, wanted, progress)

        self._window.making.make(translate(row.name), create, self._on_ended)

    def _on_ended(self) -> None:
        self._made = ("", "")
        self.told.emit()

    def make_default(self, row: SheetRow) -> None:
        """Search with the index of a row."""
        name = "" if row.index is None else self._names.get(row.index.text, "")
        if not name:
            return
        before = self._window.shared.index
        self._use_index(name)
        self._window.undoing.offer(_("“{name}” is the default index now.", name=name), lambda: self._use_index(before))

    def _use_index(self, name: str) -> None:
        self._window.views.get("search", SearchControl).use_index(name)
        self.changed.emit()

    def compare(self, row: SheetRow, asked: int = -1) -> None:
        """Compare a row side by side with the index that is searched with.

        Parameters
        ----------
        asked : int
            Photo to search with; below 0: the current one of the library.
        """
        index = row.index
        has = "" if index is None else self._names.get(index.text, "")
        if index is None or not (has or index.base):
            self._window.status.show_message(_("Create the index first to compare it."))
            return
        column = ComparisonColumn(has) if has else ComparisonColumn(index.base, index.method, index.wanted.search)
        asked = asked if asked >= 0 else self._window.views.get("library", LibraryControl).current()
        self._window.show_view("compare")
        comparing = self._window.views.get("compare", CompareControl)
        comparing.show_columns([ComparisonColumn(self._window.shared.index), column], asked)

    def _free_name(self, row: SheetRow) -> str:
        assert row.index is not None
        plain_name, taken, number = text(row.index.name), set(self._names.values()), 1
        name = f"{plain_name[:1].upper()}{plain_name[1:]}"
        while (name if number == 1 else f"{name} ({number})") in taken:
            number += 1
        return name if number == 1 else f"{name} ({number})"
