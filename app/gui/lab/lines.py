"""The line of the table that is looked at: what it finds, its knobs, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from app.gui.lab.explore.controller import ExploreControl
from app.gui.lab.index_making import IndexMaking
from app.gui.lab.sheet.row_use import RowUse
from app.gui.lab.view import LabView

if TYPE_CHECKING:
    from app.gui.frame.window import WorkspaceServices
    from app.lab.sheet import SheetRow


class CurrentRow(QObject):
    """Shows what the current row finds, turns its knobs, and uses it.

    Parameters
    ----------
    window : Window
    view : LabView
    busy : callable
        Returns whether something is measured, which looking at a line would disturb.
    parent : QObject
    """

    def __init__(self, window: WorkspaceServices, view: LabView, busy: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._view, self._busy = window, view, busy
        self._making = IndexMaking(window, self)
        self.use = RowUse(window, self._making, self)
        self._knobs: ExploreControl | None = None
        self._kept: Any = None
        self._turns = False  # whether knobs are turned
        sheet = view.sheet
        sheet.line_changed.connect(self.show)
        sheet.line.turn_wanted.connect(self.turn)
        sheet.keep_wanted.connect(self.keep)
        self.use.told.connect(self.show)
        self.use.changed.connect(self.show)

    @property
    def knobs(self) -> ExploreControl:
        """The explorer of a line, made when first needed, since it has many controls."""
        if self._knobs is None:
            made = self._knobs = ExploreControl(self._window, self._view.sheet.line, self._making, self)
            made.restore(self._kept)
            made.view.left.connect(self._leave)
            self._view.add_page(made.view, made.focus)
        return self._knobs

    def restore(self, kept: object) -> None:
        """Take what was remembered of the knobs."""
        self._kept = kept

    def state(self) -> Any:
        """Return what is remembered of the knobs."""
        return self._kept if self._knobs is None else self._knobs.state()

    def refresh(self) -> None:
        """Read again what the library has."""
        self.use.refresh()
        if self._knobs is not None:
            self._knobs.refresh()

    def show(self) -> None:
        """Show what the current row finds, and what can be done with it."""
        sheet, row = self._view.sheet, self._view.sheet.current_row()
        sheet.finding.show_acts(self.use.acts(sheet.shown, row))
        if making := self.use.making(row):
            sheet.finding.show_making(making)
        if self._view.isVisible() and not self._turns:
            line = ("", "", "") if self._busy() or row is None or row.index is None else row.index.line
            if any(line) or self._knobs is not None:
                self.knobs.show_line(*line)

    def show_page(self) -> None:
        """Show the knobs that are turned, or the sheet."""
        self._view.show_page(self.knobs.view if self._turns else self._view.sheet)

    def turn(self) -> None:
        """Turn the knobs of the line that is looked at."""
        self._turns = True
        self.knobs.stay()
        self.show_page()
        self._view.focus_page()

    def stop_turning(self) -> None:
        """Turn no knobs any more: another experiment is seen."""
        self._turns = False

    def _leave(self) -> None:
        self._turns = False
        self.knobs.leave()
        self.show_page()
        self._view.sheet.focus_table()
        self.show()

    def explore(self, photograph: int) -> None:
        """Turn knobs, with a photograph that asks."""
        self._view.show_main()
        self.turn()
        self.knobs.ask(photograph)

    def keep(self, key: str, name: str = "") -> None:
        """Make an index of a row; undone, it is deleted again."""
        self._with(lambda row: self.use.keep(row, name), key)

    def make_default(self) -> None:
        """Search with the index of the current row."""
        self._with(self.use.make_default)

    def compare(self, asked: int) -> None:
        """Compare the current row side by side; a photo below 0 is the current one of the library."""
        self._with(lambda row: self.use.compare(row, asked))

    def _with(self, act: Callable[[SheetRow], None], key: str = "") -> None:
        row = self._view.sheet.shown.row(key) if key else self._view.sheet.current_row()
        if row is not None:
            act(row)
