"""Planning of experiments: questions, choices and forecasts for the form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.gui.frame.opened import OpenLibrary
from app.gui.lab.experiments.plan_form import PlanForm
from app.gui.lab.view import LabView
from app.gui.process.jobs import Jobs
from app.language.spoken import text
from core.errors import TwinlensError
from core.progress import Progress

if TYPE_CHECKING:
    from app.bench.experiment import Experiment
    from app.lab.experiments.forecast import Forecast
    from app.lab.experiments.results import LabRun
    from app.lab.sheet import SheetRow

Choices = tuple[list[str], list[str], Sequence[str], frozenset[str]]
"""Names of indexes, metrics, edits and runs."""


class Planning(QObject):
    """Fills the form, and forecasts plans.

    Parameters
    ----------
    view : LabView
    jobs : Jobs
    start : callable
        Starts a plan under a name, which may be empty.
    parent : QObject
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
        """Show the form with a plan, or with the first question."""
        opened = self._opened

        def work(_: Progress) -> Choices:
            from app.indexes.indexes import list_indexes
            from app.lab.experiments.questions import edit_names
            from app.lab.experiments.runs import list_runs

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
                self._on_question("rank", "")
            else:
                self.form.show_plan(plan)

        self._facts.begin(work).then(show)

    def new_like(self, run: LabRun) -> None:
        """Show the form with the plan of a run."""
        from app.bench.experiment import from_toml

        self.new(from_toml(run.plan, Path()))

    def new_with(self, runs: Sequence[LabRun], row: SheetRow | None) -> None:
        """Show the form with the method of a row: of some runs, or of an advice."""
        from app.bench.experiment import Experiment, from_toml

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
            from app.lab.experiments.questions import first_experiment

            return first_experiment(opened.library)

        self._first.begin(work).then(lambda plan: self._start(plan, ""))

    def _on_question(self, name: str, index: str) -> None:
        opened = self._opened

        def work(_: Progress) -> Experiment | str:
            from app.lab.experiments.questions import common_questions

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
            from app.lab.experiments.forecast import forecast_plan

            try:
                return forecast_plan(opened.library, plan)
            except TwinlensError as error:
                return text(error)

        self._reckoning.begin(work).then(self.form.show_reckoning)
