"""Controller of the Lab: which experiment is seen, and what is done with it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QFileDialog

from app.gui.charts.chart_export import FiguresControl
from app.gui.lab.advice.controller import AdviceControl
from app.gui.lab.experiment_list import ADVICE, Listed, State
from app.gui.lab.experiments.planning import Planning
from app.gui.lab.experiments.result_head import Doing
from app.gui.lab.experiments.results import Results
from app.gui.lab.experiments.runs import Runs
from app.gui.lab.explore.controller import ExploreControl
from app.gui.lab.index_making import IndexMaking
from app.gui.lab.theory.layer_over_curves import kinds_of, usual_of
from app.gui.lab.theory.theory_layer import TheoryLayer
from app.gui.lab.view import LabView
from app.language.spoken import _

if TYPE_CHECKING:
    from app.gui.frame.window import Window
    from app.lab.experiments.results import LabRun
    from app.library.library import Library
    from app.results import IndexStatus
    from core.progress import Progress

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
        self.runs = Runs(window, self)
        self._making = IndexMaking(window, self)
        self.advice = AdviceControl(window, self._making, self)
        view.add_page(self.advice.view, self.advice.view.focus_content, escapes=True)
        self.planning = Planning(view, window.opened, window.jobs, self.runs.start, self)
        self.theory = TheoryLayer(view.results.theory, window, self)
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
        view, runs, results, tell = self.view, self.runs, self.view.results, self._window.status.show_message
        view.chosen.connect(self.choose)
        view.wanted.connect(self._on_wanted)
        view.rename_wanted.connect(runs.rename)
        view.delete_wanted.connect(self.delete)
        view.dropped.connect(runs.open_file)
        results.export_wanted.connect(self._on_export)
        results.figures_changed.connect(self._on_figures_changed)
        results.index_wanted.connect(self.make_index)
        results.plan_wanted.connect(self._on_plan_wanted)
        results.layer_switched.connect(self.switch_theory)
        self.theory.offered.connect(self._show_layers)
        self.theory.found.connect(lambda found: results.lay_over(results.laid_over(), found))
        results.board.save_wanted.connect(self._files.save)
        self._files.told.connect(tell)
        runs.told.connect(tell)
        runs.changed.connect(self._on_listed)
        runs.wanted.connect(self._on_run_wanted)
        runs.renumbered.connect(self._on_renumbered)
        runs.noted.connect(lambda __: self._load())
        runs.going.changed.connect(self._on_going)
        runs.going.ended.connect(lambda *__: self._follow.stop())
        self.advice.changed.connect(self._show_list)
        self.advice.left.connect(self._window.leave)
        self.advice.line_changed.connect(self._look_at_line)
        results.line_changed.connect(self._look_at_line)
        for line in (results.line, self.advice.view.line):
            line.turn_wanted.connect(self.turn_knobs)

    # --- as a part of the window -------------------------------------------------------------------------------------

    def focus(self) -> None:
        """Focus what the page is about."""
        self.view.focus_content()

    def refresh(self) -> None:
        """Show what the library has now."""
        self.runs.refresh()
        self.advice.refresh()
        self.theory.refresh()
        if self._knobs is not None:
            self._knobs.refresh()

    def state(self) -> dict[str, Any]:
        """Return what is remembered of it."""
        return {
            "chosen": [one for one in self._chosen if one >= ADVICE],
            "figures": self.view.results.chips.wanted(),
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
        self.view.results.chips.set_wanted(figures if isinstance(figures, dict) else {})
        self.view.results.table.set_hidden(self._hidden)
        self.view.set_list_wanted(wanted if isinstance(wanted, bool) else None)
        self.advice.restore(state.get("advice"))
        self.theory.restore(state.get("theory"))
        self._kept_knobs = state.get("knobs")

    # --- the list ----------------------------------------------------------------------------------------------------

    def _on_listed(self) -> None:
        self._listed = True
        known = {one.id for one in self._every()}
        self._chosen = [one for one in self._chosen if one in known] or [ADVICE]
        self._show_list()
        self._show_page()
        self._load()

    def _every(self) -> list[Listed]:
        return [Listed(ADVICE, _("Which method suits my photos?"), self.advice.finding()), *self.runs.listed()]

    def _show_list(self) -> None:
        if self._listed:
            self.view.show_list(self._every(), self._chosen)

    def choose(self, experiments: list[int]) -> None:
        """Show some experiments; of several runs, side by side."""
        wanted = [one for one in experiments if one != ADVICE] if len(experiments) > 1 else list(experiments)
        if wanted and wanted != self._chosen:
            self._chosen, self._turns = wanted, False
            self._show_list()
            self._show_page()
            self._load()

    @property
    def loaded(self) -> list[LabRun]:
        """The experiments whose figures are shown."""
        return self._loaded

    def chosen(self) -> list[int]:
        """Return the ids of the experiments that are seen."""
        return list(self._chosen)

    def _on_run_wanted(self, runs: list[int]) -> None:
        self._chosen, self._turns = list(runs), False
        self._loaded = [one for one in self._loaded if [one.id] == runs]
        self._show_list()
        self._show_page()
        self._load()
        self.view.show_main()

    def _on_renumbered(self, before: int, run: int) -> None:
        self._chosen = [run if one == before else one for one in self._chosen]
        if not self._follow.isActive():
            self._follow.start()

    def _on_going(self, run: int) -> None:
        if run in self._chosen:
            self.view.results.show_doing(self._doing())
        shown = next((one for one in self.view.list.rows() if one.id == run), None)
        if shown is None or shown.state not in (State.RUNS, State.FILE):
            self._show_list()

    # --- the chosen one ----------------------------------------------------------------------------------------------

    def _show_page(self) -> None:
        chosen = self.advice.view if self._chosen in ([], [ADVICE]) else self.view.results
        self.view.show_page(self.knobs.view if self._turns else chosen)
        if chosen is self.advice.view:
            self._look_at_line()

    def follows(self) -> bool:
        """Return whether what was measured since is still to be seen."""
        return self._follow.isActive() or not (self.view.results.is_drawn() and self.theory.is_shown())

    def _load(self) -> None:
        chosen = list(self._chosen)
        if self._listed and chosen != [ADVICE]:
            self.runs.load(chosen, self._hidden).then(lambda found: self._on_loaded(chosen, *found))

    def _on_loaded(self, chosen: list[int], runs: list[LabRun], shown: Results | None) -> None:
        if chosen == self._chosen:
            if [one.id for one in runs] != [one.id for one in self._loaded]:
                self._hide_theory()
            self._loaded = runs
            self.view.results.show_results(shown or Results(title=self.runs.title(chosen[0])), self._doing())
            self._show_layers()

    # --- a line of its table -----------------------------------------------------------------------------------------

    @property
    def knobs(self) -> ExploreControl:
        """What measures a line and turns its knobs, made when it is first needed: it has many controls."""
        if self._knobs is None:
            lines = (self.view.results.line, self.advice.view.line)
            made = self._knobs = ExploreControl(self._window, lines, self._making, self)
            made.restore(self._kept_knobs)
            made.view.left.connect(self._leave_knobs)
            self.view.add_page(made.view, made.focus, escapes=True, alone=True)
        return self._knobs

    def _look_at_line(self) -> None:
        """Show what the current line finds, unless something is measured or its knobs are turned."""
        page, busy = self.view.page(), bool(self.runs.going.works()) or self.advice.running()
        if self.view.isVisible() and not busy and not self._turns:
            line = self.advice.line() if page is self.advice.view else self._line()
            if any(line) or self._knobs is not None:
                self.knobs.show_line(*line)

    def _line(self) -> tuple[str, str, str]:
        row = self.view.results.current_row()
        if row is None or not row.can_index:
            return "", "", ""
        return row.run.index, row.row.measured.method, row.row.measured.search

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
        self.view.focus_content()
        self._look_at_line()

    def explore(self, photograph: int) -> None:
        """Turn knobs, with a photograph that asks."""
        self.view.show_main()
        self.turn_knobs()
        self.knobs.ask(photograph)

    # --- theory over it ----------------------------------------------------------------------------------------------

    def _show_layers(self) -> None:
        results, metrics = self.view.results, self.theory.has_metrics()
        every = results.shown.figures
        results.show_layers({one.name: kinds_of(one, self._loaded, metrics) for one in every})

    def switch_theory(self, figure: str, shown: bool) -> None:
        """Lay theory over a curve, or show it without."""
        results = self.view.results
        drawn = next((one for one in results.shown.figures if one.name == figure), None)
        if not shown or drawn is None:
            self._hide_theory()
            return
        results.lay_over(figure)
        self.theory.open(kinds_of(drawn, self._loaded, self.theory.has_metrics()), usual_of(self._loaded[0]))
        results.reveal_theory()

    def _hide_theory(self) -> None:
        self.theory.close()
        self.view.results.lay_over("")

    def _doing(self) -> Doing:
        if len(self._chosen) > 1:
            return Doing("several")
        return self.runs.doing(self._chosen[0], self._loaded[0] if self._loaded else None)

    def _on_figures_changed(self) -> None:
        hidden = set(self.view.results.table.hidden())
        if hidden != self._hidden:
            seen = {row.key for run in self._loaded for row in run.rows}
            self._hidden = (self._hidden - seen) | hidden
            self._load()

    def _one(self) -> LabRun | None:
        """Return the run that is seen, where it is one alone."""
        return self._loaded[0] if self._loaded and self._chosen == [self._loaded[0].id] else None

    def _with_run(self, act: Callable[[LabRun], None]) -> None:
        run = self._one()
        if run is not None:
            act(run)

    def delete(self, experiments: list[int]) -> None:
        """Delete runs; advice stays."""
        self.runs.delete([one for one in experiments if one != ADVICE])

    def make_index(self, key: str) -> None:
        """Make an index of a row; undone, it is deleted again."""
        row = next((one for one in self.view.results.shown.rows if one.key == key), None)
        if row is None or not row.can_index:
            return
        run = row.run.id

        def create(library: Library, progress: Progress) -> IndexStatus:
            from app.lab.experiments.index_of_row import make_index

            return make_index(library, run, key, None, progress)

        self._making.make(row.row.measured.method, create)

    # --- a new one ---------------------------------------------------------------------------------------------------

    def _on_plan_wanted(self, key: str) -> None:
        """Begin a new experiment with the method of a row."""
        from app.bench.experiment import from_toml

        for run in self._loaded:
            for row in run.rows:
                if row.key == key:
                    plan, method = from_toml(run.plan, Path()), row.measured.method
                    self.planning.new(plan.changed(methods=(method,), search=(row.measured.search,), question=""))

    def _change(self, run: LabRun) -> None:
        """Begin a new experiment from one."""
        from app.bench.experiment import from_toml

        self.planning.new(from_toml(run.plan, Path()))

    # --- files -------------------------------------------------------------------------------------------------------

    def _on_export(self, how: str) -> None:
        from app.gui.lab.experiments.saving import asked_file

        ending, __, vectors = how.partition(" ")
        file = asked_file(self.view, self._loaded, ending) if self._loaded else None
        if file is not None:
            self.export(file, bool(vectors))

    def export(self, file: Path, vectors: bool = False) -> None:
        """Write what is seen, by the ending of the file: table, figures, all of it, or the experiment."""
        from app.gui.lab.experiments.saving import export

        if self._loaded:
            drawn = list(self.view.results.board.figures)
            tell = self._window.status.show_message
            export(self._opened, self._jobs, list(self._loaded), drawn, file, vectors, tell)

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
            "compare": lambda: window.show_view("compare"),
            "leave": self.theory.cancel if self.theory.is_computing() else window.leave,
            "pause": runs.going.pause,
            "cancel": lambda: runs.going.stop(self._chosen[0]),
            "keep": lambda: runs.keep(self._chosen[0]),
            "resume": lambda: self._with_run(runs.resume),
            "again": lambda: self._with_run(runs.run_again),
            "change": lambda: self._with_run(self._change),
        }
        acts[name]()
