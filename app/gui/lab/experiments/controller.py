"""Controller of the Experiments page: runs are kept, measured, compared, exported, and made indexes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFileDialog

from app.gui.lab.experiments.planning import Planning
from app.gui.lab.experiments.result_head import Doing
from app.gui.lab.experiments.results import Results
from app.gui.lab.experiments.run_changes import Keeping
from app.gui.lab.experiments.run_list import ListedRun, State
from app.gui.lab.experiments.run_queue import Going
from app.gui.lab.experiments.view import ExperimentsView
from app.language.spoken import _, _n
from core.progress import Progress

if TYPE_CHECKING:
    from app.bench.experiment import Experiment
    from app.gui.frame.window import Window
    from app.lab.experiments.file import OpenedExperiment
    from app.lab.experiments.results import LabCheckResult, LabRun, LabRunStatus

_FOLLOW_MS = 800  # steps may be quick: curves fill in no oftener than that
_REMEMBERED = 300


class ExperimentsControl(QObject):
    """Asks the use cases, and gives the view what comes.

    Parameters
    ----------
    window : Window
    """

    told = Signal(str)
    left = Signal()
    """Escape: the person goes back to the library."""

    def __init__(self, window: Window) -> None:
        view = self.view = ExperimentsView()
        super().__init__(view)
        opened, jobs, adding, undoing = window.opened, window.jobs, window.adding, window.undoing
        self._opened, self._undoing, self._jobs = opened, undoing, jobs
        self._listing = self._jobs.latest()
        self._loading = self._jobs.latest()
        self._opening = self._jobs.latest()
        self._keeping_file = self._jobs.latest()
        self.told.connect(window.status.show_message)
        self.left.connect(window.leave)
        self.going = Going(adding, window.status, self)
        self._keeping = Keeping(adding, undoing, opened, jobs, self)
        self.planning = Planning(view, opened, jobs, self.start, self)
        self._runs: list[LabRunStatus] = []
        self._files: dict[int, tuple[OpenedExperiment, Path]] = {}
        self._chosen: list[int] = []
        self._loaded: list[LabRun] = []
        self._hidden: set[str] = set()
        self._notes: dict[int, str] = {}
        self._listed = False
        self._shown: Results | None = None
        self._follow = QTimer(self)
        self._follow.setSingleShot(True)
        self._follow.setInterval(_FOLLOW_MS)
        self._follow.timeout.connect(self.refresh)
        self._connect()
        kept = opened.state.get("experiments")
        self._restore(kept if isinstance(kept, dict) else {})
        self.refresh()

    def _connect(self) -> None:
        view = self.view
        view.chosen.connect(self.choose)
        view.wanted.connect(self._on_wanted)
        view.rename_wanted.connect(self.rename)
        view.delete_wanted.connect(self.delete)
        view.export_wanted.connect(self._on_export)
        view.figures_changed.connect(self._on_figures_changed)
        view.index_wanted.connect(self.make_index)
        view.plan_wanted.connect(self._on_plan_wanted)
        view.dropped.connect(self.open_file)
        view.results.board.save_wanted.connect(self._on_save)
        self._keeping.changed.connect(self.refresh)
        self._keeping.brought_back.connect(self._on_brought_back)
        self.going.changed.connect(self._on_going)
        self.going.kept.connect(self._on_kept)
        self.going.ended.connect(self._on_ended)

    # --- as a part of the window -------------------------------------------------------------------------------------

    def focus(self) -> None:
        """Focus what the page is about."""
        self.view.focus_content()

    def state(self) -> dict[str, Any]:
        """Return what is remembered of it."""
        return {
            "chosen": [one for one in self._chosen if one > 0],
            "figures": self.view.results.chips.wanted(),
            "hidden": sorted(self._hidden)[:_REMEMBERED],
            "list": self.view.list_wanted(),
        }

    def _restore(self, kept: dict[str, Any]) -> None:
        chosen, figures, hidden = kept.get("chosen"), kept.get("figures"), kept.get("hidden")
        self._chosen = [one for one in chosen if isinstance(one, int)] if isinstance(chosen, list) else []
        self.view.results.chips.set_wanted(figures if isinstance(figures, dict) else {})
        self._hidden = {one for one in hidden if isinstance(one, str)} if isinstance(hidden, list) else set()
        self.view.results.table.set_hidden(self._hidden)
        wanted = kept.get("list")
        self.view.set_list_wanted(wanted if isinstance(wanted, bool) else None)

    def refresh(self) -> None:
        """Refresh what there is."""
        opened = self._opened

        def work(__: Progress) -> list[LabRunStatus]:
            from app.lab.experiments.runs import list_runs

            return list_runs(opened.library).runs

        self._listing.begin(work).then(self._on_listed)

    def _on_listed(self, runs: list[LabRunStatus]) -> None:
        self._runs, self._listed = runs, True
        known = {one.id for one in self._every()}
        self._chosen = [one for one in self._chosen if one in known]
        if not self._chosen and known:
            self._chosen = [self._every()[0].id]
        self._show_list()
        self._load()

    def _every(self) -> list[ListedRun]:
        """List every run: those that are new, out of files, and kept."""
        going = {one.run: one for one in self.going.works()}
        kept = {one.id for one in self._runs}
        new = [
            ListedRun(_status(one.run, one.name), State.RUNS if one.began else State.WAITS)
            for one in reversed(self.going.works())
            if one.run not in kept and one.run not in self._files
        ]
        files = [
            ListedRun(_status(run, opened.row.name, opened.experiment.index), State.FILE)
            for run, (opened, __) in reversed(self._files.items())
        ]
        told = []
        for one in self._runs:
            work = going.get(one.id)
            state = State.WHOLE if one.done == one.steps else State.PART
            if work is not None:
                state = State.RUNS if work.began else State.WAITS
            told.append(ListedRun(one, state))
        return [*new, *files, *told]

    def _show_list(self) -> None:
        if self._listed:
            self.view.show_runs(self._every(), self._chosen)

    # --- what is seen ------------------------------------------------------------------------------------------------

    def choose(self, runs: list[int]) -> None:
        """Show some runs; of several, side by side."""
        if runs and runs != self._chosen:
            self._chosen = list(runs)
            self._show_list()
            self._load()

    def chosen(self) -> list[int]:
        """Return the ids of the runs that are seen."""
        return list(self._chosen)

    def follows(self) -> bool:
        """Return whether what was measured since is still to be seen."""
        return self._follow.isActive() or not self.view.results.is_drawn()

    def _load(self) -> None:
        """Read the runs that are seen, and put together what is shown of them."""
        opened, chosen, hidden, notes = self._opened, list(self._chosen), set(self._hidden), dict(self._notes)
        files = {run: one for run, (one, __) in self._files.items()}
        kept = {one.id for one in self._runs}

        def work(__: Progress) -> tuple[list[LabRun], Results | None]:
            from app.gui.lab.experiments.run_jobs import results_of
            from app.lab.experiments.runs import load_run

            runs = [
                _numbered(files[one].run, one) if one in files else load_run(opened.library, one)
                for one in chosen
                if one in files or one in kept
            ]
            return runs, results_of(runs, hidden, notes) if runs else None

        self._loading.begin(work).then(lambda found: self._on_loaded(chosen, *found))

    def _on_loaded(self, chosen: list[int], runs: list[LabRun], shown: Results | None) -> None:
        if chosen != self._chosen:
            return
        self._loaded, self._shown = runs, shown
        if shown is None:
            work = None if not chosen else self.going.of(chosen[0])
            shown = Results(title="" if work is None else work.question or work.name)
        self.view.show_results(shown, self._doing())

    def _doing(self) -> Doing:
        if len(self._chosen) > 1:
            return Doing("several")
        run = self._chosen[0] if self._chosen else 0
        work = self.going.of(run)
        if work is not None:
            return self.going.doing(work)
        if run in self._files:
            return Doing("file", _("From {name}, not kept", name=self._files[run][1].name))
        loaded = self._loaded[0] if self._loaded else None
        if loaded is not None and not loaded.complete:
            words = _("{done} of {steps} steps measured", done=loaded.done, steps=loaded.steps)
            return Doing("part", words)
        return Doing()

    def _on_figures_changed(self) -> None:
        hidden = set(self.view.results.table.hidden())
        if hidden != self._hidden:
            seen = {row.key for run in self._loaded for row in run.rows}
            self._hidden = (self._hidden - seen) | hidden
            self._load()

    # --- measuring ---------------------------------------------------------------------------------------------------

    def start(self, plan: Experiment, name: str = "") -> None:
        """Measure a plan in the background."""
        from app.gui.lab.experiments.run_words import question_of
        from app.lab.experiments.separate_run import Start

        question = question_of(plan.question)
        called = name or question.rstrip("?").strip() or _("New experiment")
        self._go(Start(plan, name), called, 0, question)

    def resume(self) -> None:
        """Go on with the run that is seen."""
        from app.lab.experiments.separate_run import GoOn

        run = self._one()
        if run is not None and self.going.of(run.id) is None:
            self._go(GoOn(run.name), run.name, run.id)

    def run_again(self) -> None:
        """Measure again what is seen, and compare the figures."""
        from app.lab.experiments.separate_run import Again

        chosen = self._chosen[0] if len(self._chosen) == 1 else 0
        run = self._one()
        if chosen in self._files:
            opened, file = self._files[chosen]
            self._go(Again(file), opened.row.name, chosen)
        elif run is not None and self.going.of(run.id) is None:
            self._go(Again(run.name), run.name, run.id)

    def _one(self) -> LabRun | None:
        """Return the run that is seen, where it is one that is kept."""
        if len(self._chosen) != 1 or not self._loaded or self._loaded[0].id != self._chosen[0]:
            return None
        return self._loaded[0]

    def _go(self, wish: Any, name: str, run: int, question: str = "") -> None:
        opened = self._opened
        for one in self._chosen:
            self._notes.pop(one, None)

        def then(found: int | LabCheckResult) -> None:
            if isinstance(found, int):
                self.told.emit(_("Finished “{name}”.", name=name))
            else:
                self._tell_compared(name, run, found)

        work = self.going.start(opened.path, wish, name, run, then)
        work.question = question
        self._chosen = [work.run]
        self._shown = None
        self._loaded = [one for one in self._loaded if one.id == work.run]
        if self._listed:
            self._show_list()
            self._load()
        self.view.show_main()

    def _tell_compared(self, name: str, run: int, found: LabCheckResult) -> None:
        if found.differing:
            sentence = _n(
                "{count} of {figures} figures differs now. {first}",
                "{count} of {figures} figures differ now. {first}",
                len(found.differing),
                figures=found.figures,
                first=found.differing[0],
            )
            self._notes[run] = sentence
            self._load()
        else:
            sentence = _("All {figures} figures of “{name}” are the same.", name=name, figures=found.figures)
        self.told.emit(sentence)

    def _on_going(self, run: int) -> None:
        if run in self._chosen:
            self.view.results.show_doing(self._doing())
        shown = next((one for one in self.view.runs.rows() if one.id == run), None)
        if shown is None or shown.state not in (State.RUNS, State.FILE):
            self._show_list()

    def _on_kept(self, before: int, run: int) -> None:
        self._chosen = [run if one == before else one for one in self._chosen]
        if not self._follow.isActive():
            self._follow.start()

    def _on_ended(self, run: int, fault: str) -> None:
        if fault and run in {one.id for one in self._runs}:
            self._notes[run] = fault
        self._follow.stop()
        self.refresh()

    def _on_plan_wanted(self, key: str) -> None:
        """Begin a new experiment with the method of a row."""
        from app.bench.experiment import from_toml

        for run in self._loaded:
            for row in run.rows:
                if row.key == key:
                    plan = from_toml(run.plan, Path())
                    self.planning.new(
                        plan.changed(methods=(row.measured.method,), search=(row.measured.search,), question="")
                    )

    def change(self) -> None:
        """Begin a new experiment from the one that is seen."""
        from app.bench.experiment import from_toml

        if len(self._loaded) == 1:
            self.planning.new(from_toml(self._loaded[0].plan, Path()))

    # --- what is kept ------------------------------------------------------------------------------------------------

    def rename(self, run: int, name: str) -> None:
        """Rename a run."""
        before = self._name(run)
        if before:
            self._keeping.rename(before, name)

    def delete(self, runs: list[int]) -> None:
        """Delete runs, unless that is undone; those out of files are only closed."""
        if any(self.going.of(run) is not None for run in runs):
            self.told.emit(_("This experiment is running. Stop it first."))
            return
        for run in runs:
            self._files.pop(run, None)
        names = [name for run in runs if (name := self._name(run))]
        self._chosen = [one for one in self._chosen if one not in runs]
        if names:
            self._keeping.delete(names)
        else:
            self.refresh()

    def _on_brought_back(self, runs: list[int]) -> None:
        self._chosen = list(runs)
        self.refresh()

    def make_index(self, key: str) -> None:
        """Make an index of a row; undone, it is deleted again."""
        found = next(((run, row) for run in self._loaded for row in run.rows if row.key == key), None)
        if found is not None and found[0].id > 0:
            self._keeping.make_index(found[0].id, key, found[1].measured.method)

    def _name(self, run: int) -> str:
        return next((one.name for one in self._runs if one.id == run), "")

    # --- files -------------------------------------------------------------------------------------------------------

    def open_file(self, file: Path) -> None:
        """Open an experiment out of a file; it is seen, and not kept until that is wanted."""

        def work(__: Progress) -> OpenedExperiment:
            from app.lab.experiments.file import open_experiment

            return open_experiment(file)

        def show(opened: OpenedExperiment) -> None:
            run = min([0, *self._files]) - 1
            self._files[run] = opened, file
            self._chosen = [run]
            self._show_list()
            self._load()
            self.view.show_main()

        self._opening.begin(work).then(show)

    def keep(self) -> None:
        """Keep an experiment out of a file in this library."""
        opened, run = self._opened, self._chosen[0] if len(self._chosen) == 1 else 0
        if run not in self._files:
            return
        one, __ = self._files[run]
        taken, name, number = {other.name for other in self._runs}, one.row.name, 2
        while name in taken:
            name, number = f"{one.row.name} ({number})", number + 1

        def work(__: Progress) -> int:
            from app.lab.experiments.file import keep_experiment

            return keep_experiment(opened.library, one, name).id

        def show(kept: int) -> None:
            if opened is not self._opened:
                return
            self._files.pop(run, None)
            self._chosen = [kept]
            self.refresh()

        self._keeping_file.begin(work).then(show)

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
            export(self._opened, self._jobs, list(self._loaded), drawn, file, vectors, self.told.emit)

    def _on_save(self, figures: list[Any], ending: str) -> None:
        from app.gui.lab.experiments.saving import take_out

        for figure in figures:
            take_out(self.view.results.board, self._jobs, figure, ending, self.told.emit)

    # --- what is wanted ----------------------------------------------------------------------------------------------

    def _on_wanted(self, name: str) -> None:
        acts: dict[str, Callable[[], None]] = {
            "new": self.planning.new,
            "first": self.planning.first,
            "resume": self.resume,
            "pause": self.going.pause,
            "cancel": self._stop,
            "again": self.run_again,
            "keep": self.keep,
            "change": self.change,
            "open": self._on_open,
            "undo": self._undoing.undo,
            "leave": self.left.emit,
        }
        acts[name]()

    def _stop(self) -> None:
        if self._chosen:
            self.going.stop(self._chosen[0])

    def _on_open(self) -> None:
        name, __ = QFileDialog.getOpenFileName(
            self.view, _("Open an experiment"), "", _("Experiment (*.twinlens-experiment)")
        )
        if name:
            self.open_file(Path(name))


def _status(run: int, name: str, data: str = "") -> LabRunStatus:
    """Return what is listed of a run that the library does not keep."""
    from app.lab.experiments.results import LabRunStatus

    return LabRunStatus(id=run, name=name, question="", data=data, truth="", steps=0, done=0, created="")


def _numbered(run: LabRun, number: int) -> LabRun:
    """Return a run out of a file another id, so that its rows are told apart from those of other files."""
    rows = [row.model_copy(update={"key": f"{number}/{row.key.partition('/')[2]}"}) for row in run.rows]
    return run.model_copy(update={"id": number, "rows": rows})
