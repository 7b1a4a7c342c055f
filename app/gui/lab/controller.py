"""Controller of the Lab: which experiment is seen, and what is done with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from app.gui.charts.chart_export import FiguresControl
from app.gui.lab.actions import advice_actions
from app.gui.lab.advice.controller import AdviceControl
from app.gui.lab.experiment_list import ADVICE, Listed, State
from app.gui.lab.experiments.planning import Planning
from app.gui.lab.experiments.runs import Runs
from app.gui.lab.explore.controller import ExploreControl
from app.gui.lab.index_making import IndexMaking
from app.gui.lab.sheet.head import Doing
from app.gui.lab.sheet.row_use import RowUse
from app.gui.lab.sheet.saving import Shown, asked_file, export
from app.gui.lab.theory.theory_layer import TheoryLayer
from app.gui.lab.view import LabView
from app.lab.advice.sheet import TITLE as ADVICE_TITLE
from app.lab.sheet import LabSheet, SheetRow
from app.language.spoken import _, text

if TYPE_CHECKING:
    from app.gui.frame.window import Window
    from app.lab.experiments.results import LabRun

_FOLLOW_MS = 800  # steps may be quick: curves fill in no oftener than that
_REMEMBERED = 300


class LabControl(QObject):
    """The Lab as a part of the window.

    Parameters
    ----------
    window : Window
    """

    def __init__(self, window: Window) -> None:
        view = self.view = LabView()
        super().__init__(view)
        self._window, self._opened, self._jobs = window, window.opened, window.jobs
        self.runs, self._making = Runs(window, self), IndexMaking(window, self)
        self.use = RowUse(window, self._making, self)
        self.advice = AdviceControl(window, self)
        view.sheet.add_form(self.advice.form.focus, self.advice.form, self.advice.panel)
        self.planning = Planning(view, window.opened, window.jobs, self.runs.start, self)
        self.theory = TheoryLayer(view.sheet, window, self)
        self._knobs: ExploreControl | None = None
        self._kept_knobs: Any = None
        self._files = FiguresControl(view, window.jobs, self)
        self._chosen: list[int] = []
        self._turns = False  # whether knobs are turned
        self._loaded: list[LabRun] = []
        self._hidden: set[str] = set()
        self._listed = False
        self._follow = QTimer(self)
        self._follow.setSingleShot(True)
        self._follow.setInterval(_FOLLOW_MS)
        self._follow.timeout.connect(self.refresh)
        self._connect()
        self._restore()
        self._show_page()
        self.refresh()

    def _connect(self) -> None:
        view, runs, sheet, tell = self.view, self.runs, self.view.sheet, self._window.status.show_message
        view.chosen.connect(self.choose)
        view.wanted.connect(self._on_wanted)
        view.rename_wanted.connect(runs.rename)
        view.delete_wanted.connect(self.delete)
        view.dropped.connect(runs.open_file)
        sheet.export_wanted.connect(self._on_export)
        sheet.figures_changed.connect(self._on_figures_changed)
        sheet.keep_wanted.connect(self.keep)
        sheet.plan_wanted.connect(self._on_plan_wanted)
        sheet.copy_wanted.connect(self._on_copy)
        sheet.told.connect(tell)
        sheet.line_changed.connect(self._on_line)
        sheet.line.turn_wanted.connect(self.turn_knobs)
        sheet.board.save_wanted.connect(self._files.save)
        self._files.told.connect(tell)
        runs.told.connect(tell)
        runs.changed.connect(self._on_listed)
        runs.wanted.connect(self._on_run_wanted)
        runs.renumbered.connect(self._on_renumbered)
        runs.noted.connect(lambda __: self._load())
        runs.going.changed.connect(self._on_going)
        runs.going.ended.connect(lambda *__: self._follow.stop())
        self.use.told.connect(self._on_line)
        self.use.changed.connect(self._on_line)
        self.use.changed.connect(self._load)
        view.attach(advice_actions(), self.advice.acts())
        self.advice.changed.connect(self._on_advice)
        self.advice.renewed.connect(self._on_advice_renewed)

    # --- as a part of the window -------------------------------------------------------------------------------------

    def focus(self) -> None:
        """Focus what the page is about."""
        self.view.focus_content()

    def refresh(self) -> None:
        """Show what the library has now."""
        self.runs.refresh()
        self.use.refresh()
        self.advice.refresh()
        self.theory.refresh()
        if self._knobs is not None:
            self._knobs.refresh()

    def state(self) -> dict[str, Any]:
        """Return what is remembered of it."""
        return {
            "chosen": [one for one in self._chosen if one >= ADVICE],
            "figures": self.view.sheet.chips.wanted(),
            "hidden": sorted(self._hidden)[:_REMEMBERED],
            "list": self.view.list_wanted(),
            "advice": self.advice.state(),
            "theory": self.theory.state(),
            "knobs": self._kept_knobs if self._knobs is None else self._knobs.state(),
        }

    def _restore(self) -> None:
        every = self._opened.state
        kept, before = every.get("lab"), every.get("experiments")  # the latter of versions that had several pages
        pages = {"advice": "advice", "theory": "theory", "knobs": "explore"}
        state: dict[str, Any] = {name: every.get(page) for name, page in pages.items()}
        for one in (before, kept):
            state |= one if isinstance(one, dict) else {}
        chosen, figures, hidden, wanted = (state.get(name) for name in ("chosen", "figures", "hidden", "list"))
        self._chosen = [one for one in chosen if isinstance(one, int)] if isinstance(chosen, list) else []
        self._hidden = {one for one in hidden if isinstance(one, str)} if isinstance(hidden, list) else set()
        self.view.sheet.chips.set_wanted(figures if isinstance(figures, dict) else {})
        self.view.sheet.table.set_hidden(self._hidden)
        self.view.set_list_wanted(wanted if isinstance(wanted, bool) else None)
        self.advice.restore(state.get("advice"))
        self.theory.restore(state.get("theory"))
        self._kept_knobs = state.get("knobs")

    # --- the list ----------------------------------------------------------------------------------------------------

    def _on_listed(self) -> None:
        first, self._listed = not self._listed, True
        known = {one.id for one in self._every()}
        self._see([one for one in self._chosen if one in known] or [ADVICE])
        focused = QGuiApplication.focusObject()
        if first and isinstance(focused, QWidget) and self.view.isAncestorOf(focused):
            self.view.focus_content()  # what comes next is there now

    def _every(self) -> list[Listed]:
        state = State.RUNS if self.advice.running() else State.WHOLE
        return [Listed(ADVICE, text(ADVICE_TITLE), self.advice.finding(), state), *self.runs.listed()]

    def _show_list(self) -> None:
        if self._listed:
            self.view.show_list(self._every(), self._chosen)

    def choose(self, experiments: list[int]) -> None:
        """Show some experiments; of several runs, side by side."""
        wanted = [one for one in experiments if one != ADVICE] if len(experiments) > 1 else list(experiments)
        if wanted and wanted != self._chosen:
            self._turns = False
            self._see(wanted)

    @property
    def loaded(self) -> list[LabRun]:
        """The runs whose figures are shown."""
        return self._loaded

    def chosen(self) -> list[int]:
        """Return the ids of the experiments that are seen."""
        return list(self._chosen)

    def _see(self, experiments: list[int]) -> None:
        self._chosen = experiments
        self._show_list()
        self._show_page()
        self._load()

    def _on_run_wanted(self, runs: list[int]) -> None:
        self._turns = False
        self._loaded = [one for one in self._loaded if [one.id] == runs]
        self._see(list(runs))
        self.view.show_main()

    def _on_renumbered(self, before: int, run: int) -> None:
        self._chosen = [run if one == before else one for one in self._chosen]
        if not self._follow.isActive():
            self._follow.start()

    def _on_going(self, run: int) -> None:
        if run in self._chosen:
            self.view.sheet.show_doing(self._doing())
        shown = next((one for one in self.view.list.rows() if one.id == run), None)
        if shown is None or shown.state not in (State.RUNS, State.FILE):
            self._show_list()

    # --- the chosen one ----------------------------------------------------------------------------------------------

    def _advises(self) -> bool:
        return self._chosen in ([], [ADVICE])

    def _show_page(self) -> None:
        self.view.show_page(self.knobs.view if self._turns else self.view.sheet)

    def follows(self) -> bool:
        """Return whether what was measured since is still to be seen."""
        return self._follow.isActive() or not (self.view.sheet.is_drawn() and self.theory.is_shown())

    def _load(self) -> None:
        if not self._listed:
            return
        if self._advises():
            self._show([], self.advice.sheet(self.use.indexes, self._hidden))
            return
        chosen = list(self._chosen)
        loading = self.runs.load(chosen, self.use.indexes, self._hidden)
        loading.then(lambda found: self._show(*found) if chosen == self._chosen else None)

    def _show(self, runs: list[LabRun], shown: LabSheet) -> None:
        if [one.id for one in runs] != [one.id for one in self._loaded]:
            self.theory.close()
        self._loaded = runs
        self.advice.show_form(self._advises())
        self.view.sheet.show_sheet(shown, self._doing(), self.use.can_keep)
        self.theory.show_layers(runs)

    def _doing(self) -> Doing:
        if self._advises():
            return self.advice.doing()
        if len(self._chosen) > 1:
            return Doing("several")
        return self.runs.doing(self._chosen[0], self._loaded[0] if self._loaded else None)

    def _on_figures_changed(self) -> None:
        hidden = set(self.view.sheet.table.hidden())
        if hidden != self._hidden:
            seen = {row.key for row in self.view.sheet.shown.rows}
            self._hidden = (self._hidden - seen) | hidden
            self._load()

    def _on_advice(self) -> None:
        self._show_list()
        if self._advises():
            self._load()

    def _on_advice_renewed(self) -> None:
        if self._advises():
            self.view.sheet.forget_row()
            self.view.sheet.reveal_finding()
        self._on_advice()

    # --- a line of its table -----------------------------------------------------------------------------------------

    @property
    def knobs(self) -> ExploreControl:
        """What measures a line and turns its knobs, made when it is first needed: it has many controls."""
        if self._knobs is None:
            made = self._knobs = ExploreControl(self._window, self.view.sheet.line, self._making, self)
            made.restore(self._kept_knobs)
            made.view.left.connect(self._leave_knobs)
            self.view.add_page(made.view, made.focus)
        return self._knobs

    def _on_line(self) -> None:
        """Show what the current row finds and what can be done with it."""
        sheet, row = self.view.sheet, self.view.sheet.current_row()
        sheet.show_acts(self.use.acts(sheet.shown, row))
        if making := self.use.making(row):
            sheet.finding.show_making(making)
        self._look_at_line(row)

    def _look_at_line(self, row: SheetRow | None) -> None:
        """Show what a row finds, unless something is measured or knobs are turned."""
        if self.view.isVisible() and not self._turns:
            busy = bool(self.runs.going.works()) or self.advice.running()
            line = ("", "", "") if busy or row is None or row.index is None else row.index.line
            if any(line) or self._knobs is not None:
                self.knobs.show_line(*line)

    def turn_knobs(self) -> None:
        """Turn the knobs of the line that is looked at."""
        self._turns = True
        self.knobs.stay()
        self._show_page()
        self.view.focus_page()

    def _leave_knobs(self) -> None:
        self._turns = False
        self.knobs.leave()
        self._show_page()
        self.view.sheet.focus_table()
        self._look_at_line(self.view.sheet.current_row())

    def explore(self, photograph: int) -> None:
        """Turn knobs, with a photograph that asks."""
        self.view.show_main()
        self.turn_knobs()
        self.knobs.ask(photograph)

    # --- what comes of it --------------------------------------------------------------------------------------------

    def keep(self, key: str, name: str = "") -> None:
        """Make an index of a row; undone, it is deleted again."""
        row = self.view.sheet.shown.row(key)
        if row is not None:
            self.use.keep(row, name)

    def delete(self, experiments: list[int]) -> None:
        """Delete runs; advice stays."""
        self.runs.delete([one for one in experiments if one != ADVICE])

    def _with_row(self, act: Callable[[SheetRow], None]) -> None:
        row = self.view.sheet.current_row()
        if row is not None:
            act(row)

    def _with_run(self, act: Callable[[LabRun], None]) -> None:
        if self._loaded and self._chosen == [self._loaded[0].id]:
            act(self._loaded[0])

    def _on_plan_wanted(self, key: str) -> None:
        """Begin a new experiment with the method of a row."""
        from app.bench.experiment import Experiment, from_toml

        measured = {one.key: (run, one.measured) for run in self._loaded for one in run.rows}
        if key in measured:
            run, one = measured[key]
            plan = from_toml(run.plan, Path())
            self.planning.new(plan.changed(methods=(one.method,), search=(one.search,), question=""))
            return
        row = self.view.sheet.shown.row(key)
        if row is not None and row.index is not None and any(row.index.line):
            base, method, search = row.index.line
            self.planning.new(Experiment(index=base, methods=(method,), search=(search,)))

    def _change(self, run: LabRun) -> None:
        """Begin a new experiment from one."""
        from app.bench.experiment import from_toml

        self.planning.new(from_toml(run.plan, Path()))

    def _on_copy(self, command: str) -> None:
        QGuiApplication.clipboard().setText(command)
        self._window.status.show_message(_("Command copied."))

    # --- files -------------------------------------------------------------------------------------------------------

    def _on_export(self, how: str) -> None:
        ending, __, vectors = how.partition(" ")
        file = asked_file(self.view, self._exported().name, ending)
        if file is not None:
            self.export(file, bool(vectors))

    def export(self, file: Path, vectors: bool = False) -> None:
        """Write what is seen, by the ending of the file: table, figures, page, all of it, or the experiment."""
        shown = self._exported()
        if shown.sheet.rows:
            figures, tell = list(self.view.sheet.board.figures), self._window.status.show_message
            export(self._opened, self._jobs, shown, figures, file, vectors, tell)

    def _exported(self) -> Shown:
        sheet, kept = self.view.sheet.shown, self.advice.kept
        if self._advises():
            return Shown(text(ADVICE_TITLE), sheet, advice=None if kept is None else kept.result)
        return Shown(self._loaded[0].name if self._loaded else "", sheet, list(self._loaded))

    def _open(self) -> None:
        name, __ = QFileDialog.getOpenFileName(
            self.view, _("Open an experiment"), "", _("Experiment (*.twinlens-experiment)")
        )
        if name:
            self.runs.open_file(Path(name))

    # --- what is wanted ----------------------------------------------------------------------------------------------

    def _on_wanted(self, name: str) -> None:
        window, runs = self._window, self.runs
        acts: dict[str, Callable[[], object]] = {
            "new": self.planning.new,
            "open": self._open,
            "indexes": lambda: window.show_view("indexes"),
            "columns": lambda: window.show_view("compare"),
            "leave": self.theory.cancel if self.theory.is_computing() else window.leave,
            "pause": runs.going.pause,
            "cancel": self.advice.cancel if self._advises() else lambda: runs.going.stop(self._chosen[0]),
            "keep": lambda: runs.keep(self._chosen[0]),
            "resume": lambda: self._with_run(runs.resume),
            "again": lambda: self._with_run(runs.run_again),
            "change": lambda: self._with_run(self._change),
            "default": lambda: self._with_row(self.use.make_default),
            "compare": lambda: self._with_row(lambda row: self.use.compare(row, self._asked_with())),
        }
        acts[name]()

    def _asked_with(self) -> int:
        return self.advice.asked_with() if self._advises() else -1
