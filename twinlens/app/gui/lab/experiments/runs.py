"""Runs of the Lab: kept by the library, opened from files, or being measured in their queue.

Kept runs are renamed, deleted and restored.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from twinlens.app.gui.lab.experiment_list import ListedExperiment, RunState
from twinlens.app.gui.lab.sheet.sheet_head import ExperimentState
from twinlens.app.gui.services.status_line import StatusLine
from twinlens.app.gui.services.work_queue import QueuedJob, WorkQueue
from twinlens.app.language.texts import _, _n, text, translate
from twinlens.core.message import Message, counted
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Collection

    from twinlens.app.bench.experiment import Experiment
    from twinlens.app.gui.process.jobs import Job
    from twinlens.app.gui.services.workspace import Workspace
    from twinlens.app.lab.experiments.experiment_file import OpenedExperiment
    from twinlens.app.lab.experiments.lab_results import LabCheckResult, LabRun, LabRunStatus
    from twinlens.app.lab.experiments.run_process import RunJob
    from twinlens.app.lab.experiments.runs import DeletedRun
    from twinlens.app.lab.lab_sheet import LabSheet, LibraryIndexes
    from twinlens.storage.database.address import Address


_Findings = dict[tuple[int, int], Message]  # of runs, by id and measured steps


class Runs(QObject):
    """Controller of the runs: lists, measures, opens, keeps and deletes them.

    Parameters
    ----------
    changed
        Others are listed.
    wanted : list of int
        These are to be seen.
    renumbered : int, int
        A run has another id since it is kept.
    """

    changed = Signal()
    wanted = Signal(list)
    renumbered = Signal(int, int)

    def __init__(self, window: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._opened, self._jobs, self._status = window.opened, window.jobs, window.status
        self._undoing = window.undoing
        self._listing, self._loading = window.jobs.latest(), window.jobs.latest()
        self._opening, self._keeping_file = window.jobs.latest(), window.jobs.latest()
        self.going = OngoingRuns(window.work, window.status, self)
        self._kept: list[LabRunStatus] = []
        self._files: dict[int, tuple[OpenedExperiment, Path]] = {}
        self._findings: _Findings = {}
        self._notes: dict[int, Message] = {}
        self.going.kept.connect(self.renumbered)
        self.going.ended.connect(lambda __: self.refresh())

    # --- the list ----------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read the runs again."""
        opened, known = self._opened, dict(self._findings)

        def work(__: Progress) -> tuple[list[LabRunStatus], _Findings]:
            from twinlens.app.lab.experiments.lab_results import finding
            from twinlens.app.lab.experiments.runs import list_runs, load_run

            runs = list_runs(opened.library).runs
            return runs, {
                (one.id, one.done): known.get((one.id, one.done)) or finding([load_run(opened.library, one.id)])
                for one in runs
            }

        self._listing.begin(work).then(lambda found: self._on_listed(*found))

    def _on_listed(self, runs: list[LabRunStatus], findings: _Findings) -> None:
        self._kept, self._findings = runs, findings
        self.changed.emit()

    def listed(self) -> list[ListedExperiment]:
        """List every run: running ones, opened files, and kept ones."""
        going = {one.run: one for one in self.going.works()}
        kept = {one.id for one in self._kept}
        new = [
            ListedExperiment(one.run, one.name, state=RunState.RUNS if one.has_begun else RunState.WAITS)
            for one in reversed(self.going.works())
            if one.run not in kept and one.run not in self._files
        ]
        files = [
            ListedExperiment(run, one.row.name, state=RunState.FILE) for run, (one, __) in reversed(self._files.items())
        ]
        told = []
        for one in self._kept:
            work = going.get(one.id)
            state = RunState.WHOLE if one.done == one.steps else RunState.PART
            if work is not None:
                state = RunState.RUNS if work.has_begun else RunState.WAITS
            found = text(self._findings[one.id, one.done])
            told.append(ListedExperiment(one.id, one.name, found, state, one))
        return [*new, *files, *told]

    def doing(self, run: int, loaded: LabRun | None) -> ExperimentState:
        """Return the state of a run."""
        work = self.going.of(run)
        if work is not None:
            return self.going.doing(work)
        if run in self._files:
            return ExperimentState("file", _("From {name}, not kept", name=self._files[run][1].name))
        if loaded is not None and not loaded.complete:
            words = _("{done} of {steps} steps measured", done=loaded.done, steps=loaded.steps)
            return ExperimentState("part", words)
        return ExperimentState()

    def _title(self, run: int) -> str:
        """Return the question of a run without measurements yet."""
        work = self.going.of(run)
        return "" if work is None else work.question or work.name

    def load(self, chosen: list[int], indexes: LibraryIndexes, hidden: Collection[str]) -> Job:
        """Return a job that reads runs and makes their sheet."""
        opened, notes, rows = self._opened, dict(self._notes), set(hidden)
        files = {run: one for run, (one, __) in self._files.items()}
        kept, title = {one.id for one in self._kept}, self._title(chosen[0])

        def work(__: Progress) -> tuple[list[LabRun], LabSheet]:
            from twinlens.app.lab.experiments.run_sheet import sheet_of_runs
            from twinlens.app.lab.experiments.runs import load_run
            from twinlens.app.lab.lab_sheet import LabSheet

            runs = [
                _numbered(files[one].run, one) if one in files else load_run(opened.library, one)
                for one in chosen
                if one in files or one in kept
            ]
            told = [notes[run.id] for run in runs if run.id in notes]
            return runs, sheet_of_runs(runs, indexes, rows, told) if runs else LabSheet(title=title)

        return self._loading.begin(work)

    # --- measuring ---------------------------------------------------------------------------------------------------

    def start(self, plan: Experiment, name: str = "") -> None:
        """Measure a plan in the background."""
        from twinlens.app.lab.experiments.run_process import StartRun
        from twinlens.app.lab.experiments.run_sheet import question_with_title

        query = translate(question_with_title(plan.question))
        called = name or query.rstrip("?").strip() or _("New experiment")
        self._go(StartRun(plan.changed(question=query), name), called, 0, query)

    def resume(self, run: LabRun) -> None:
        """Go on with a run."""
        from twinlens.app.lab.experiments.run_process import ResumeRun

        if self.going.of(run.id) is None:
            self._go(ResumeRun(run.name), run.name, run.id)

    def run_again(self, run: LabRun) -> None:
        """Measure the steps of a run again, and compare the figures."""
        from twinlens.app.lab.experiments.run_process import RepeatRun

        if run.id in self._files:
            opened, file = self._files[run.id]
            self._go(RepeatRun(file), opened.row.name, run.id)
        elif self.going.of(run.id) is None:
            self._go(RepeatRun(run.name), run.name, run.id)

    def _go(self, wish: Any, name: str, run: int, question: str = "") -> None:
        self._notes.pop(run, None)

        def then(found: int | LabCheckResult) -> None:
            if isinstance(found, int):
                self._status.show_message(_("Finished “{name}”.", name=name))
            else:
                self._tell_compared(name, run, found)

        work = self.going.start(self._opened.address, wish, name, run, then)
        work.question = question
        self.wanted.emit([work.run])

    def _tell_compared(self, name: str, run: int, found: LabCheckResult) -> None:
        if not found.differing:
            words = _("All {figures} figures of “{name}” are the same.", name=name, figures=found.figures)
            self._status.show_message(words)
            return
        note = self._notes[run] = counted(
            "{count} of {figures} figures differs now. {first}",
            "{count} of {figures} figures differ now. {first}",
            len(found.differing),
            figures=found.figures,
            first=found.differing[0],
        )
        self.changed.emit()
        self._status.show_message(text(note))

    # --- what is kept ------------------------------------------------------------------------------------------------

    def name(self, run: int) -> str:
        """Return the name of a kept run; empty for others."""
        return next((one.name for one in self._kept if one.id == run), "")

    def rename(self, run: int, name: str) -> None:
        """Rename a run."""
        opened, before = self._opened, self.name(run)

        def work(__: Progress) -> object:
            from twinlens.app.lab.experiments.runs import rename_run

            return rename_run(opened.library, before, name)

        if before:
            self._jobs.begin(work).then(lambda __: self.refresh())

    def delete(self, runs: list[int]) -> None:
        """Delete runs, which can be undone; close those of files."""
        if any(self.going.of(run) is not None for run in runs):
            self._status.show_message(_("This experiment is running. Stop it first."))
            return
        for run in runs:
            self._files.pop(run, None)
        names = [name for run in runs if (name := self.name(run))]
        if names:
            self._delete(names)
        else:
            self.refresh()

    def _delete(self, names: Sequence[str]) -> None:
        opened = self._opened

        def work(__: Progress) -> list[DeletedRun]:
            from twinlens.app.lab.experiments.runs import delete_run

            return [delete_run(opened.library, name) for name in names]

        def on_deleted(deleted: list[DeletedRun]) -> None:
            words = (
                _("Deleted “{name}”.", name=names[0])
                if len(names) == 1
                else _n("Deleted {count} experiment.", "Deleted {count} experiments.", len(names))
            )
            self.refresh()
            self._undoing.offer(words, lambda: self._restore(deleted))

        self._jobs.begin(work).then(on_deleted)

    def _restore(self, deleted: list[DeletedRun]) -> None:
        opened = self._opened

        def work(__: Progress) -> list[int]:
            from twinlens.app.lab.experiments.runs import restore_run

            return [restore_run(opened.library, one).id for one in deleted]

        def on_restored(runs: list[int]) -> None:
            self.wanted.emit(runs)
            self.refresh()

        self._jobs.begin(work).then(on_restored)

    # --- files -------------------------------------------------------------------------------------------------------

    def ask_file(self, parent: QWidget) -> None:
        """Let the person choose an experiment file, and open it."""
        words = _("Open an experiment"), "", _("Experiment (*.twinlens-experiment)")
        name, __ = QFileDialog.getOpenFileName(parent, *words)
        if name:
            self.open_file(Path(name))

    def open_file(self, file: Path) -> None:
        """Open an experiment file, which is shown, and kept only on request."""

        def work(__: Progress) -> OpenedExperiment:
            from twinlens.app.lab.experiments.experiment_file import open_experiment

            return open_experiment(file)

        def show(opened: OpenedExperiment) -> None:
            run = min([0, *self._files]) - 1
            self._files[run] = opened, file
            self.wanted.emit([run])

        self._opening.begin(work).then(show)

    def keep(self, run: int) -> None:
        """Keep an opened experiment in this library."""
        if run not in self._files:
            return
        opened, (one, __) = self._opened, self._files[run]
        taken, name, number = {other.name for other in self._kept}, one.row.name, 2
        while name in taken:
            name, number = f"{one.row.name} ({number})", number + 1

        def work(__: Progress) -> int:
            from twinlens.app.lab.experiments.experiment_file import keep_experiment

            return keep_experiment(opened.library, one, name).id

        def show(kept: int) -> None:
            self._files.pop(run, None)
            self.renumbered.emit(run, kept)
            self.refresh()

        self._keeping_file.begin(work).then(show)


def _numbered(run: LabRun, number: int) -> LabRun:
    """Change the id of a run of a file, so that its rows differ from those of other files."""
    rows = [row.model_copy(update={"key": f"{number}/{row.key.partition('/')[2]}"}) for row in run.rows]
    return run.model_copy(update={"id": number, "rows": rows})


_NOT_KEPT = -1_000_000  # ids of runs that the library does not know yet lie below it


class RunWork(QObject):
    """A run in the queue.

    Attributes
    ----------
    run : int
        Id of the run; below 0 before the library keeps it.
    """

    kept = Signal(int)

    def __init__(self, name: str, run: int, parent: QObject) -> None:
        super().__init__(parent)
        self.name, self.run, self.question = name, run, ""
        self.job: QueuedJob | None = None

    @property
    def has_begun(self) -> bool:
        """Whether it has its turn."""
        return self.job is not None and self.job.has_begun


class OngoingRuns(QObject):
    """Runs that are measured, each in a process of its own, or wait for their turn in the queue of long work.

    Parameters
    ----------
    queue : WorkQueue
        Runs one long work after the other, with its progress in the status line.
    status : StatusLine
        Has the buttons Pause and Cancel.
    changed : int
        The state of a run has changed; its id.
    kept : int, int
        A step of a run was kept; the former id and the current one.
    ended : int
        A run has ended; its id.
    """

    changed = Signal(int)
    kept = Signal(int, int)
    ended = Signal(int)

    def __init__(self, queue: WorkQueue, status: StatusLine, parent: QObject) -> None:
        super().__init__(parent)
        self._queue, self._status = queue, status
        self._works: list[RunWork] = []
        self._numbers = itertools.count(1)
        self._paused = False
        status.pause_wanted.connect(self._on_paused)

    def start(
        self, library: Address, wish: RunJob, name: str, run: int, then: Callable[[int | LabCheckResult], None]
    ) -> RunWork:
        """Queue a run; `run` is the id of a kept one, else 0."""
        one = RunWork(name, run or _NOT_KEPT - next(self._numbers), self)
        self._works.append(one)
        one.kept.connect(partial(self._on_kept, one))

        def work(progress: Progress) -> int | LabCheckResult:
            from twinlens.app.lab.experiments.run_process import run_in_own_process

            return run_in_own_process(library, wish, progress, one.kept.emit)

        one.job = self._queue.run(_("Measuring “{name}”…", name=name), work).then(then)
        one.job.over(partial(self._on_ended, one)).began(partial(self._on_began, one))
        return one

    def works(self) -> list[RunWork]:
        """Return them, in the order of their turns."""
        return list(self._works)

    def of(self, run: int) -> RunWork | None:
        """Return the ongoing work of a run; None if there is none."""
        return next((one for one in self._works if one.run == run), None)

    def doing(self, one: RunWork) -> ExperimentState:
        """Return the state of an ongoing run."""
        if not one.has_begun:
            return ExperimentState("waits", _("Waiting for other long work"))
        return ExperimentState("paused", _("Paused")) if self._paused else ExperimentState("runs", _("Measuring"))

    def pause(self) -> None:
        """Pause or resume the running work."""
        self._status.toggle_pause()

    def stop(self, run: int) -> None:
        """Stop a run; measured steps are kept."""
        one = self.of(run)
        if one is not None and one.job is not None:
            one.job.cancel()

    def _on_paused(self, paused: bool) -> None:
        self._paused = paused
        for one in self._works:
            if one.has_begun:
                self.changed.emit(one.run)

    def _on_began(self, one: RunWork) -> None:
        self._paused = False
        self.changed.emit(one.run)

    def _on_kept(self, one: RunWork, run: int) -> None:
        before, one.run = one.run, run
        self.kept.emit(before, run)

    def _on_ended(self, one: RunWork, __: object) -> None:
        self._works.remove(one)
        self.ended.emit(one.run)
        one.deleteLater()
