"""Controller of the Lab: which experiment is shown, the actions on it, and the form of new plans.

The form needs common questions, choices and forecasts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from twinlens.app.gui.charts.chart_export import FiguresControl
from twinlens.app.gui.lab.advice.advice_controller import AdviceControl
from twinlens.app.gui.lab.current_row import CurrentRow
from twinlens.app.gui.lab.experiment_list import ADVICE, ListedExperiment, RunState
from twinlens.app.gui.lab.experiments.plan_form import PlanForm
from twinlens.app.gui.lab.experiments.runs import Runs
from twinlens.app.gui.lab.lab_view import LabView
from twinlens.app.gui.lab.sheet.sheet_export import ExportedSheet, choose_export_file, export_sheet
from twinlens.app.gui.lab.sheet.sheet_head import ExperimentState
from twinlens.app.gui.lab.theory.theory_layer import TheoryLayer
from twinlens.app.gui.process.jobs import Jobs
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.lab.advice.advice_sheet import TITLE as ADVICE_TITLE
from twinlens.app.lab.lab_sheet import LabSheet
from twinlens.app.language.texts import _, text
from twinlens.app.machine.output_file import OutputFile
from twinlens.core.errors import TwinlensError
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.bench.experiment import Experiment
    from twinlens.app.gui.services.workspace import Workspace
    from twinlens.app.lab.experiments.forecast import Forecast
    from twinlens.app.lab.experiments.lab_results import LabRun
    from twinlens.app.lab.lab_sheet import SheetRow


_FOLLOW_MS = 800  # steps may be quick: curves fill in no oftener than that
_REMEMBERED = 300


class LabControl(QObject):
    """Controller of the Lab."""

    def __init__(self, window: Workspace) -> None:
        view = self.view = LabView()
        super().__init__(view)
        self._window, self._opened, self._jobs = window, window.opened, window.jobs
        self.runs, self.advice = Runs(window, self), AdviceControl(window, self)
        view.sheet.add_form(self.advice.form.focus, self.advice.form, self.advice.panel)
        self.planning = Planning(view, window.opened, window.jobs, self.runs.start, self)
        self.theory = TheoryLayer(view.sheet, window, self)
        self.lines = CurrentRow(window, view, lambda: bool(self.runs.going.works()) or self.advice.running(), self)
        self._files = FiguresControl(view, window.jobs, window.opened.library, window.status.show_message)
        self._chosen: list[int] = []
        self._loaded: list[LabRun] = []
        self._hidden: set[str] = set()
        self._listed = False
        self._follow = QTimer(self)
        self._follow.setSingleShot(True)
        self._follow.setInterval(_FOLLOW_MS)
        self._follow.timeout.connect(self.refresh)
        self._connect()
        self._bind()
        self._restore()
        self.lines.show_page()
        self.refresh()

    def _connect(self) -> None:
        view, runs, sheet, tell = self.view, self.runs, self.view.sheet, self._window.status.show_message
        view.list.chosen_changed.connect(lambda: self.choose(view.list.chosen_keys()))
        view.list.renamed.connect(runs.rename)
        view.list.remove_wanted.connect(self.delete)
        view.dropped.connect(runs.open_file)
        sheet.export_wanted.connect(self._on_export)
        sheet.figures_changed.connect(self._on_figures_changed)
        sheet.table.plan_wanted.connect(lambda key: self.planning.new_with(self._loaded, sheet.shown.row(key)))
        sheet.layers.told.connect(tell)
        sheet.board.save_wanted.connect(self._files.save)
        runs.changed.connect(self._on_listed)
        runs.wanted.connect(self._on_run_wanted)
        runs.renumbered.connect(self._on_renumbered)
        runs.going.changed.connect(self._on_going)
        runs.going.ended.connect(lambda *__: self._follow.stop())
        self.lines.use.changed.connect(self._load)
        self.advice.changed.connect(self._on_advice)
        self.advice.renewed.connect(self._on_advice_renewed)
        self.advice.bind(view.parts)

    def _bind(self) -> None:
        window, runs, listed = self._window, self.runs, self.view.list
        self.view.bind(
            {
                "new": self.planning.new,
                "open": lambda: runs.ask_file(self.view),
                "pause": runs.going.pause,
                "delete": lambda: self.delete(listed.chosen_keys()),
            },
            {
                "stop": lambda: self.advice.cancel() if self._advises() else runs.going.stop(self._chosen[0]),
                "keep": lambda: runs.keep(self._chosen[0]),
                "resume": lambda: self._with_run(runs.resume),
                "again": lambda: self._with_run(runs.run_again),
                "change": lambda: self._with_run(self.planning.new_like),
                "default": self.lines.make_default,
                "compare": lambda: self.lines.compare(self.advice.query_photographs() if self._advises() else -1),
                "turn": self.lines.turn,
                "copy": self._copy,
            },
            {
                "indexes": lambda: window.show_view("indexes"),
                "compare": lambda: window.show_view("compare"),
                "leave": lambda: self.theory.cancel() if self.theory.is_computing() else window.left.emit(),
            },
        )

    # --- as a part of the window -------------------------------------------------------------------------------------

    def focus(self) -> None:
        """Focus the main part of the page."""
        self.view.focus_content()

    def refresh(self) -> None:
        """Read the library again."""
        self.runs.refresh()
        self.lines.refresh()
        self.advice.refresh()
        self.theory.refresh()

    def state(self) -> dict[str, Any]:
        """Return the state to remember."""
        return {
            "chosen": [one for one in self._chosen if one >= ADVICE],
            "figures": self.view.sheet.chips.wanted(),
            "hidden": sorted(self._hidden)[:_REMEMBERED],
            "list": self.view.list_wanted(),
            "advice": self.advice.state(),
            "theory": self.theory.state(),
            "knobs": self.lines.state(),
        }

    def _restore(self) -> None:
        kept = self._opened.state.get("lab")
        state: dict[str, Any] = kept if isinstance(kept, dict) else {}
        chosen, figures, hidden, wanted = (state.get(name) for name in ("chosen", "figures", "hidden", "list"))
        self._chosen = [one for one in chosen if isinstance(one, int)] if isinstance(chosen, list) else []
        self._hidden = {one for one in hidden if isinstance(one, str)} if isinstance(hidden, list) else set()
        self.view.sheet.chips.set_wanted(figures if isinstance(figures, dict) else {})
        self.view.sheet.table.set_hidden(self._hidden)
        self.view.set_list_wanted(wanted if isinstance(wanted, bool) else None)
        self.advice.restore(state.get("advice"))
        self.theory.restore(state.get("theory"))
        self.lines.restore(state.get("knobs"))

    # --- the list ----------------------------------------------------------------------------------------------------

    def _on_listed(self) -> None:
        first, self._listed = not self._listed, True
        known = {one.id for one in self._every()}
        self._see([one for one in self._chosen if one in known] or [ADVICE])
        if first and self._has_keys():
            self.view.focus_content()  # what comes next is there now

    def _has_keys(self) -> bool:
        focused = QGuiApplication.focusObject()
        return isinstance(focused, QWidget) and self.view.isAncestorOf(focused)

    def _every(self) -> list[ListedExperiment]:
        state = RunState.RUNS if self.advice.running() else RunState.WHOLE
        return [ListedExperiment(ADVICE, text(ADVICE_TITLE), self.advice.finding(), state), *self.runs.listed()]

    def _show_list(self) -> None:
        if self._listed:
            self.view.show_list(self._every(), self._chosen)

    def choose(self, experiments: list[int]) -> None:
        """Show some experiments; of several runs, side by side."""
        wanted = [one for one in experiments if one != ADVICE] if len(experiments) > 1 else list(experiments)
        if wanted and wanted != self._chosen:
            self.lines.stop_turning()
            self._see(wanted)

    @property
    def loaded(self) -> list[LabRun]:
        """The runs with visible figures."""
        return self._loaded

    def chosen(self) -> list[int]:
        """Return the ids of the visible experiments."""
        return list(self._chosen)

    def _see(self, experiments: list[int]) -> None:
        if experiments != self._chosen:
            self.view.sheet.to_top()
        self._chosen = experiments
        if not self._advises() and self.view.sheet.has_form():
            self.advice.show_form(False)  # before Qt looks for what else could have the keys
            self.view.focus_content()
        self._show_list()
        self.lines.show_page()
        self._load()

    def _on_run_wanted(self, runs: list[int]) -> None:
        self.lines.stop_turning()
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
        if shown is None or shown.state not in (RunState.RUNS, RunState.FILE):
            self._show_list()

    # --- the chosen one ----------------------------------------------------------------------------------------------

    def _advises(self) -> bool:
        return self._chosen in ([], [ADVICE])

    def follows(self) -> bool:
        """Return whether newer measurements are still to be shown."""
        return self._follow.isActive() or not (self.view.sheet.is_drawn() and self.theory.is_shown())

    def _load(self) -> None:
        if not self._listed:
            return
        if self._advises():
            self._show([], self.advice.sheet(self.lines.use.indexes, self._hidden))
            return
        chosen = list(self._chosen)
        loading = self.runs.load(chosen, self.lines.use.indexes, self._hidden)
        loading.then(lambda found: self._show(*found) if chosen == self._chosen else None)

    def _show(self, runs: list[LabRun], shown: LabSheet) -> None:
        if [one.id for one in runs] != [one.id for one in self._loaded]:
            self.theory.close()
        self._loaded = runs
        self.advice.show_form(self._advises())
        self.view.sheet.show_sheet(shown, self._doing(), self.lines.use.can_keep)
        self.theory.show_layers(runs)

    def _doing(self) -> ExperimentState:
        if self._advises():
            return self.advice.doing()
        if len(self._chosen) > 1:
            return ExperimentState("several")
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
        if self._advises() and self._has_keys():  # the button that had them is gone, or grey
            (self.view.sheet.head.focus_stop if self.advice.running() else self.advice.form.focus)()

    # --- what comes of it --------------------------------------------------------------------------------------------

    def take_pictures(self, pictures: Sequence[int]) -> None:
        """Explore settings, with the first photograph as the query."""
        self._window.show_view("lab")
        self.lines.explore(pictures[0])

    def delete(self, experiments: list[int]) -> None:
        """Delete runs, never the advice."""
        self.runs.delete([one for one in experiments if one != ADVICE])

    def _with_run(self, act: Callable[[LabRun], None]) -> None:
        if self._loaded and self._chosen == [self._loaded[0].id]:
            act(self._loaded[0])

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.view.sheet.shown.command)
        self._window.status.show_message(_("Command copied."))

    # --- files -------------------------------------------------------------------------------------------------------

    def _on_export(self, how: str) -> None:
        ending, __, vectors = how.partition(" ")
        file = choose_export_file(self.view, self._exported().name, ending, self._opened.library)
        if file is not None:
            self.export(file, bool(vectors))

    def export(self, file: OutputFile, vectors: bool = False) -> None:
        """Write the visible experiment by the ending of the file: table, figures, page, JSON, or experiment."""
        shown = self._exported()
        if shown.sheet.rows:
            figures, tell = list(self.view.sheet.board.figures), self._window.status.show_message
            export_sheet(self._opened, self._jobs, shown, figures, file, vectors, tell)

    def _exported(self) -> ExportedSheet:
        sheet, kept = self.view.sheet.shown, self.advice.kept
        if self._advises():
            return ExportedSheet(text(ADVICE_TITLE), sheet, advice=None if kept is None else kept.result)
        return ExportedSheet(self._loaded[0].name if self._loaded else "", sheet, list(self._loaded))


Choices = tuple[list[str], list[str], Sequence[str], frozenset[str]]
"""Names of indexes, metrics, edits and runs."""


class Planning(QObject):
    """Controller of the form of a plan, with its forecasts.

    Parameters
    ----------
    start : callable
        Starts a plan under a name, which may be empty.
    """

    def __init__(
        self,
        view: LabView,
        opened: OpenLibrary,
        jobs: Jobs,
        start: Callable[[Experiment, str], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._opened = opened
        self.view, self._jobs, self._start = view, jobs, start
        self._facts = self._jobs.latest()
        self._first = self._jobs.latest()
        self._planning = self._jobs.latest()
        self._reckoning = self._jobs.latest()
        self._made: PlanForm | None = None

    @property
    def form(self) -> PlanForm:
        """The form, made on first use."""
        if self._made is None:
            form = self._made = self.view.form
            form.question_wanted.connect(self._on_question)
            form.reckoning_wanted.connect(self._on_reckoning)
            form.start_wanted.connect(self._start)
        return self._made

    def new(self, plan: Experiment | None = None) -> None:
        """Show the form with a plan, or with the first common question."""
        opened = self._opened

        def work(_: Progress) -> Choices:
            from twinlens.app.indexes.indexes import list_indexes
            from twinlens.app.lab.experiments.common_questions import edit_names
            from twinlens.app.lab.experiments.runs import list_runs

            with opened.library.store.reading() as r:
                metrics = [row.name for row in r.metrics.all()]
            return (
                [one.name for one in list_indexes(opened.library).indexes if one.name not in opened.put_away],
                metrics,
                edit_names(),
                frozenset(one.name for one in list_runs(opened.library).runs),
            )

        def show(choices: Choices) -> None:
            self.form.show_choices(*choices)
            self.view.show_form()
            if plan is None:
                self._on_question("method", "")
            else:
                self.form.show_plan(plan)

        self._facts.begin(work).then(show)

    def new_like(self, run: LabRun) -> None:
        """Show the form with the plan of a run."""
        from twinlens.app.bench.experiment import from_toml

        self.new(from_toml(run.plan, Path()))

    def new_with(self, runs: Sequence[LabRun], row: SheetRow | None) -> None:
        """Show the form with the method of a row, of runs or of an advice."""
        from twinlens.app.bench.experiment import Experiment, from_toml

        measured = {one.key: (run, one.measured) for run in runs for one in run.rows}
        if row is not None and row.key in measured:
            run, one = measured[row.key]
            plan = from_toml(run.plan, Path())
            self.new(plan.changed(methods=(one.method,), search=(one.search,), question=""))
        elif row is not None and row.index is not None and any(row.index.line):
            index, method, search = row.index.line
            self.new(Experiment(index=index, methods=(method,), search=(search,)))

    def first(self) -> None:
        """Start a small first experiment."""
        opened = self._opened

        def work(_: Progress) -> Experiment:
            from twinlens.app.lab.experiments.common_questions import first_experiment

            return first_experiment(opened.library)

        self._first.begin(work).then(lambda plan: self._start(plan, ""))

    def _on_question(self, name: str, index: str) -> None:
        opened = self._opened

        def work(_: Progress) -> Experiment | str:
            from twinlens.app.lab.experiments.common_questions import common_questions

            try:
                return next(one.plan for one in common_questions(opened.library, index) if one.name == name)
            except TwinlensError as error:
                return text(error)

        def show(found: Experiment | str) -> None:
            if isinstance(found, str):
                self.form.show_reckoning(found)
            else:
                self.form.show_plan(found, name)

        self._planning.begin(work).then(show)

    def _on_reckoning(self, plan: Experiment) -> None:
        opened = self._opened

        def work(_: Progress) -> Forecast | str:
            from twinlens.app.lab.experiments.forecast import forecast_plan

            try:
                return forecast_plan(opened.library, plan)
            except TwinlensError as error:
                return text(error)

        self._reckoning.begin(work).then(self.form.show_reckoning)
