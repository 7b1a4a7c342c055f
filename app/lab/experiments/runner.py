"""Running of plans: each measured step is kept at once and never measured again.

A run can therefore stop at any moment, and resuming it measures only the missing steps.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path

from app.bench.bench import checked
from app.bench.data import BenchTask, load_task
from app.bench.experiment import Experiment, from_toml, is_file_of_metric
from app.bench.tables import Tables
from app.lab.experiments.results import LabRun
from app.lab.experiments.runs import find_run, load_run
from app.lab.experiments.steps import Step, data_digest, kept, steps_of
from app.lab.experiments.tables import experiment_tables
from app.lab.experiments.timing import Timing
from app.library.library import Library
from core.errors import TwinlensError
from core.evaluation.evaluation_task import Figures
from core.evaluation.method_evaluation import evaluated_searches
from core.hashing.hash_method import HashMethod
from core.message import NOTHING, Message
from core.progress import Progress, silent
from core.search.search_structure import Search


@dataclass(frozen=True, eq=False)
class Prepared:
    """A plan with its data, ready to be measured.

    Attributes
    ----------
    experiment : Experiment
        Complete.
    tables : Tables
    methods : list of HashMethod
    steps : list of Step
    """

    experiment: Experiment
    tables: Tables
    methods: list[HashMethod]
    steps: list[Step]


def planned(experiment: Experiment) -> tuple[Experiment, list[HashMethod], list[Search]]:
    """Return a complete plan with its sweeps and bits written out, and its declarations.

    Raises
    ------
    TwinlensError
        If a declaration is wrong, or the plan uses partitions.
    """
    if experiment.partitions or experiment.epsilons or experiment.shares or experiment.scaled:
        raise TwinlensError(
            Message("The Lab does not measure over partitions."), Message("Run the experiment with bench.")
        )
    bits = experiment.bits
    experiment = experiment.changed(bits=()).complete()
    if bits:
        every = [one.changed(bits=count).text() for one in checked(experiment)[0] for count in bits]
        experiment = experiment.changed(methods=tuple(dict.fromkeys(every)))
    methods, searches = checked(experiment)
    experiment = experiment.changed(
        methods=tuple(dict.fromkeys(one.text() for one in methods)),
        search=tuple(dict.fromkeys(one.text() for one in searches)),
        seeds=tuple(dict.fromkeys(experiment.seeds)),
    )
    methods, searches = checked(experiment)
    return experiment, methods, searches


def prepare(library: Library | None, experiment: Experiment, progress: Progress = silent) -> Prepared:
    """Read the data of a plan, and find its steps."""
    experiment, methods, searches = planned(experiment)
    experiment, tables = experiment_tables(library, experiment, progress)
    return Prepared(experiment, tables, methods, steps_of(experiment, methods, searches, tables))


def run(
    library: Library,
    experiment: Experiment,
    name: str = "",
    progress: Progress = silent,
    kept: Callable[[int], None] = lambda _: None,
) -> LabRun:
    """Measure a plan and keep it as a run.

    Parameters
    ----------
    library : Library
        Library that keeps the run, and has the photographs if the plan names an index.
    experiment : Experiment
        The plan.
    name : str
        Name of the run; empty for the plan's own name, or one made from its question or methods. A run with this name
        and plan is resumed.
    progress : Progress
        Receives spent and total seconds, 0 while the total is unknown. It pauses the work by not returning.
    kept : callable
        Called with the id of the run when it is created, and after each kept step.

    Raises
    ------
    TwinlensError
        If the plan cannot be run, or another run has the name.
    Cancelled
        If progress raises it; measured steps are kept, and :func:`resume` continues.
    """
    timing = Timing(progress)
    ready = prepare(library, _absolute(experiment), _preparing(timing))
    keys = [step.key for step in ready.steps]
    wanted = name.strip() or ready.experiment.name
    with library.store.writing("keeping a run of the Lab") as w:
        known = w.lab.by_name(wanted) if wanted else None
        chosen = wanted or _free((row.name for row in w.lab.all()), _named(ready.experiment))
        plan = ready.experiment.changed(name=chosen).to_toml()
        if known is not None and list(known.steps) == keys:
            w.lab.change(known.id, plan, keys)
            run_id = known.id
        else:
            run_id = w.lab.add(chosen, plan, keys).id
    _measure(library, ready, timing, partial(kept, run_id))
    return load_run(library, run_id)


def resume(
    library: Library, name: str, progress: Progress = silent, kept: Callable[[int], None] = lambda _: None
) -> LabRun:
    """Resume a run; a complete run measures nothing.

    If photographs, marks or files have changed, all steps are measured again, since a table must not mix data.
    """
    timing = Timing(progress)
    with library.store.reading() as r:
        row = find_run(r, name)
    ready = prepare(library, from_toml(row.plan, Path()), _preparing(timing))
    keys = [step.key for step in ready.steps]
    if keys != list(row.steps):
        with library.store.writing("keeping a run of the Lab") as w:
            w.lab.change(row.id, ready.experiment.to_toml(), keys)
    _measure(library, ready, timing, partial(kept, row.id))
    return load_run(library, row.id)


def _preparing(timing: Timing) -> Progress:
    """Return the progress before the first step, which says nothing about the total."""

    def preparing(done: float, total: float, text: Message = NOTHING) -> None:
        timing.tell(text)

    return preparing


def _measure(library: Library, ready: Prepared, timing: Timing, kept_one: Callable[[], None]) -> None:
    """Measure the missing steps, and keep each at once."""
    kept_one()
    with library.store.reading() as r:
        there = r.lab.steps(step.key for step in ready.steps)
    for step in ready.steps:
        if step.key in there:
            timing.measured(step, there[step.key].seconds)
    if all(step.key in there for step in ready.steps):
        return
    loaded = load_task(ready.experiment, ready.methods, _preparing(timing), ready.tables)
    digest = data_digest(ready.tables)
    for step, figures, seconds in measured_steps(ready, loaded, set(there), timing):
        row = kept(step, figures, loaded, digest, seconds)
        with library.store.writing("keeping a step of the Lab") as w:
            w.lab.put(row)
        kept_one()


def measured_steps(
    ready: Prepared, loaded: BenchTask, there: set[str], timing: Timing
) -> Iterator[tuple[Step, Figures, float]]:
    """Measure the missing steps, and yield each with its figures and seconds.

    Search structures of one method and seed share learning and encoding; their time counts for the first.
    """
    waiting = [step for step in ready.steps if step.key not in there]
    by_fit = sorted(waiting, key=lambda one: (ready.methods.index(one.method), ready.experiment.seeds.index(one.seed)))
    number = len(ready.steps) - len(waiting)
    for _, group in groupby(by_fit, key=lambda one: (one.method.identity(), one.seed)):
        steps = list(group)
        method = steps[0].method.changed(seed=steps[0].seed)
        progress = _Current(timing)
        found = evaluated_searches(method, [one.search for one in steps], loaded.task, progress, loaded.metric)
        for step in steps:
            number += 1
            timing.begin(waiting)
            words = Message(
                "{method} · {search}, seed {seed}",
                method=step.method.text(),
                search=step.search.text(),
                seed=step.seed,
            )
            progress.turn(timing.within(number, len(ready.steps), words), step is steps[0], len(steps))
            try:
                figures = next(found)
            except TwinlensError as error:
                raise TwinlensError(
                    Message("{method}: {reason}", method=step.method.text(), reason=error.message), error.next_step
                ) from None
            seconds = timing.step_seconds()
            timing.measured(step, seconds)
            waiting = [one for one in waiting if one is not step]
            yield step, figures, seconds


class _Current:
    """Progress of the current search within all that share a learned method."""

    _SEARCHES = 0.75  # share of a method at which its first search begins

    def __init__(self, timing: Timing) -> None:
        self._progress = _preparing(timing)
        self._first, self._of, self._place = True, 1, -1

    def turn(self, progress: Progress, first: bool, of: int) -> None:
        """Begin the next search."""
        self._progress, self._first, self._of = progress, first, of
        self._place += 1

    def __call__(self, done: float, total: float, text: Message = NOTHING) -> None:
        share = done / total if total > 0 else 0.0
        width = (1 - self._SEARCHES) / self._of
        stop = self._SEARCHES + width * (self._place + 1)
        start = 0.0 if self._first else stop - width
        self._progress(min(max(share - start, 0.0), stop - start), stop - start, text)


def _absolute(experiment: Experiment) -> Experiment:
    """Return an experiment with absolute paths."""
    names = ("base", "queries", "labels", "query_labels", "pairs")
    files = {name: getattr(experiment, name) for name in names}
    if is_file_of_metric(experiment.metric):
        files["metric"] = experiment.metric
    return experiment.changed(
        **{name: os.path.abspath(os.path.expanduser(file)) for name, file in files.items() if file}
    )


def _named(experiment: Experiment) -> str:
    """Return the name of a run without one."""
    if experiment.question:
        return experiment.question.rstrip("?").strip()
    families = dict.fromkeys(text.partition(":")[0] for text in experiment.methods)
    return f"{', '.join(families)} by {experiment.truth or 'exact neighbours'}, {time.strftime('%Y-%m-%d')}"


def _free(taken: Iterable[str], name: str) -> str:
    known, chosen, number = set(taken), name, 2
    while chosen in known:
        chosen, number = f"{name} ({number})", number + 1
    return chosen
