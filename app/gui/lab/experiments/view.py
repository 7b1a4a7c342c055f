"""Experiments page: list of runs, their results, and the form of a new one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.gui.actions.action import attach
from app.gui.frame.drop_sign import DropSign
from app.gui.lab.actions import experiment_actions
from app.gui.lab.experiments.plan_form import PlanForm
from app.gui.lab.experiments.result_head import Doing
from app.gui.lab.experiments.result_panel import ResultsPane
from app.gui.lab.experiments.results import Results
from app.gui.lab.experiments.run_list import ListedRun, RunList, run_menu
from app.gui.look.empty_state import EmptyState
from app.gui.look.page_parts import bind, button, label
from app.language.spoken import _

ENDING = ".twinlens-experiment"
_LIST_PX = 224
_ROOMY = 1300  # narrower than that, the list waits behind its button


class ExperimentsView(QWidget):
    """Experiments page.

    Signals
    -------
    chosen : list of int
        Runs that are to be seen, by their ids.
    wanted : str
        "new", "first", "resume", "pause", "cancel", "again", "keep", "change", "open", "undo", "leave".
    rename_wanted : int, str
    delete_wanted : list of int
    export_wanted : str
    figures_changed
    index_wanted, plan_wanted : str
    dropped : object
        File of an experiment.
    question_wanted, reckoning_wanted, start_wanted
        As of the form of a plan.
    """

    chosen = Signal(list)
    wanted = Signal(str)
    rename_wanted = Signal(int, str)
    delete_wanted = Signal(list)
    export_wanted = Signal(str)
    figures_changed = Signal()
    index_wanted = Signal(str)
    plan_wanted = Signal(str)
    dropped = Signal(object)
    question_wanted = Signal(str, str)
    reckoning_wanted = Signal(object)
    start_wanted = Signal(object, str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(_("Experiments"))
        self.setAcceptDrops(True)
        self._sign = DropSign(self)
        self._list_wanted: bool | None = None  # by the person; None: where there is room
        self.runs, self.results = RunList(), ResultsPane()
        self._form: PlanForm | None = None
        self.empty = EmptyState(
            _("Measure how well hash methods and their parameters find your own photos."),
            _("Try a first experiment"),
            "Return",
        )
        self._also = self.empty.also(_("Set up your own…"), _("New experiment"), "N")
        self._open = self.empty.also(_("Open an experiment file…"), _("Open an experiment file"), "O")
        self._main, self._right, self._stack = QWidget(), QStackedWidget(), QStackedWidget()
        self._column = QWidget()
        self._lay_out()
        self._connect()
        self._bind()

    def _lay_out(self) -> None:
        self._column.setObjectName("side")
        self._column.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._column.setFixedWidth(_LIST_PX)
        column = QVBoxLayout(self._column)
        column.setContentsMargins(0, 0, 1, 8)
        column.setSpacing(0)
        heading = label(_("Experiments"), "section")
        heading.setContentsMargins(18, 16, 12, 8)
        column.addWidget(heading)
        column.addWidget(self.runs, 1)
        self._file = button(_("Open file…"), _("Open an experiment file"), "O", "link")
        below = QHBoxLayout()
        below.setContentsMargins(14, 4, 8, 0)
        below.addWidget(self._file)
        below.addStretch()
        column.addLayout(below)
        self._right.addWidget(self.empty)
        self._right.addWidget(self.results)
        row = QHBoxLayout(self._main)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._column)
        row.addWidget(self._right, 1)
        self._stack.addWidget(self._main)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)

    def _connect(self) -> None:
        self.runs.chosen_changed.connect(lambda: self.chosen.emit(self.runs.chosen_keys()))
        self.runs.renamed.connect(self.rename_wanted.emit)
        self.runs.remove_wanted.connect(self.delete_wanted)
        self.runs.menu_wanted.connect(self._on_menu)
        self.results.wanted.connect(self._on_wanted)
        self.results.export_wanted.connect(self.export_wanted)
        self.results.figures_changed.connect(self.figures_changed)
        self.results.index_wanted.connect(self.index_wanted)
        self.results.plan_wanted.connect(self.plan_wanted)
        self.empty.wanted.connect(lambda: self.wanted.emit("first"))
        self._also.clicked.connect(lambda: self.wanted.emit("new"))
        self._open.clicked.connect(lambda: self.wanted.emit("open"))
        self._file.clicked.connect(lambda: self.wanted.emit("open"))

    def _bind(self) -> None:
        main, results, actions = self._main, self.results, experiment_actions()
        attach(
            main,
            actions,
            {
                **{name: partial(results.head.press, name) for name in ("resume", "pause", "again", "keep", "change")},
                "new": lambda: self.wanted.emit("new"),
                "open": lambda: self.wanted.emit("open"),
                "list": self.toggle_list,
                "table": results.focus_table,
                "rename": self._on_rename,
                "delete": lambda: self.delete_wanted.emit(self.runs.chosen_keys()),
            },
        )
        bind(main, "Esc", lambda: self.wanted.emit("leave"))
        for number in range(1, 10):
            bind(main, str(number), lambda number=number: results.chips.press(number))  # type: ignore[misc]
        for part in (self._column, results.head, results.chips, results.table):  # a chart has its own menu at X
            attach(part, actions, {"export": results.open_export})

    @property
    def form(self) -> PlanForm:
        """The form of a plan, made on first use."""
        if self._form is None:
            from app.methods import catalogue

            self._form = PlanForm(catalogue.FAMILIES["method"](), catalogue.FAMILIES["search"]())
            self._form.left.connect(self.show_main)
            self._form.question_wanted.connect(self.question_wanted)
            self._form.reckoning_wanted.connect(self.reckoning_wanted)
            self._form.start_wanted.connect(self.start_wanted)
            self._stack.addWidget(self._form)
        return self._form

    # --- what is shown -----------------------------------------------------------------------------------------------

    def show_runs(self, runs: Sequence[ListedRun], chosen: Sequence[int]) -> None:
        """Show the list, or how to begin if it is empty."""
        self.runs.show_rows(runs, chosen)
        self._right.setCurrentWidget(self.results if runs else self.empty)
        self._place_list()

    def show_results(self, shown: Results, doing: Doing) -> None:
        """Show the results of the chosen runs."""
        self.results.show_results(shown, doing)

    def show_form(self) -> None:
        """Show the form of a plan."""
        self._stack.setCurrentWidget(self.form)
        self.form.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_main(self) -> None:
        """Show list and results."""
        self._stack.setCurrentWidget(self._main)
        self.focus_content()

    def is_form(self) -> bool:
        """Return whether the form is shown."""
        return self._stack.currentWidget() is not self._main

    def focus_content(self) -> None:
        """Focus the list, the results, or the first button."""
        if self.is_form():
            self.form.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self._right.currentWidget() is self.empty:
            self.empty.setFocus(Qt.FocusReason.OtherFocusReason)
        elif not self._column.isHidden():
            self.runs.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.results.focus_table()

    def toggle_list(self) -> None:
        """Show and focus the list of runs, or hide it."""
        self._list_wanted = self._column.isHidden()
        self._place_list()
        self.focus_content()

    def list_wanted(self) -> bool | None:
        """Return whether the person wants the list; None if its visibility follows the width."""
        return self._list_wanted

    def set_list_wanted(self, wanted: bool | None) -> None:
        """Restore the remembered choice."""
        self._list_wanted = wanted
        self._place_list()

    def _place_list(self) -> None:
        there = self._right.currentWidget() is self.results
        wanted = self.width() >= _ROOMY if self._list_wanted is None else self._list_wanted
        self._column.setVisible(there and wanted)
        self.results.head.show_list_button(not wanted or self.width() < _ROOMY)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Fit the list to the width."""
        super().resizeEvent(event)
        self._place_list()

    # --- what the person does ----------------------------------------------------------------------------------------

    def _on_wanted(self, name: str) -> None:
        if name == "list":
            self.toggle_list()
        else:
            self.wanted.emit(name)

    def _on_rename(self) -> None:
        if self._column.isHidden():
            self.toggle_list()
        self.runs.rename()

    def _on_menu(self, run: ListedRun, at: QPoint) -> None:
        menu = run_menu(self)
        rename = menu.addAction(_("Rename") + "\tF2", self._on_rename)
        rename.setEnabled(run.id > 0)
        menu.addAction(_("New experiment from this one…") + "\tE", lambda: self.wanted.emit("change"))
        menu.addSeparator()
        menu.addAction(_("Delete") + "\tDel", lambda: self.delete_wanted.emit(self.runs.chosen_keys()))
        menu.popup(at)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 (Qt's name)
        """Accept experiment files; leave other files to the window."""
        if found := _experiments(event):
            event.acceptProposedAction()
            few = _("Open this experiment")
            self._sign.say(few if len(found) == 1 else _("Open these experiments"))
        else:
            event.ignore()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802 (Qt's name)
        """Hide the sign."""
        super().dragLeaveEvent(event)
        self._sign.hide()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 (Qt's name)
        """Open dropped experiment files."""
        self._sign.hide()
        found = _experiments(event)
        if found:
            event.acceptProposedAction()
        for file in found:
            self.dropped.emit(file)


def _experiments(event: QDropEvent) -> list[Path]:
    files = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
    return [one for one in files if one.suffix.lower() == ENDING]
