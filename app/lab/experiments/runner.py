"""Running a plan: every step is kept the moment it is measured, and what is kept is never measured again.

So a run may be stopped, or the program end, at any moment: going on with it measures what is lacking.
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
from core.evaluation.evaluate import evaluated_searches
from core.evaluation.task import Figures
from core.hash_method import HashMethod
from core.message import NOTHING, Message
from core.progress import Progress, silent
from core.search.search import Search


@dataclass(frozen=True, eq=False)
class Prepared:
    """A plan with its data, ready to be measured. Made by :func:`prepare`.

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
    """Return a plan complete, its sweeps and numbers of bits written out, with its declarations.

    Raises
    ------
    TwinlensError
        If something in it has no meaning, or over partitions, which the Lab does not run.
    """
    if experiment.partitions or experiment.epsilons or experiment.shares or experiment.scaled:
        raise TwinlensError(
            Message("The Lab does not measure over partitions."), Message("Run it with `twinlens bench`.")
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
    """Read the data of a plan, and say which steps it has."""
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
        Keeps the run; where the plan names an index, its photographs are measured.
    experiment : Experiment
        The plan.
    name : str
        Of the run; empty for the plan's own name, else one that is made from its question or methods. A run of that
        name with the same plan is gone on with.
    progress : Progress
        Told seconds of those that it takes in all, 0 while these are not known. It pauses the work by not returning.
    kept : callable
        Told the id of the run when it is there, and whenever a step of it is kept.

    Raises
    ------
    TwinlensError
        If the plan cannot be run, or another one is kept under the name.
    Cancelled
        If progress says so; what is measured is kept, and :func:`resume` goes on.
    """
    timing = Timing(progress)
    ready = prepare(library, _absolute(experiment), _told(timing))
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
    """Go on with a run that was stopped; of one that is complete nothing is measured.

    Where photographs, marks or files have changed since, all of it is measured on what there is now: figures of
    different data do not belong in one table.
    """
    timing = Timing(progress)
    with library.store.reading() as r:
        row = find_run(r, name)
    ready = prepare(library, from_toml(row.plan, Path()), _told(timing))
    keys = [step.key for step in ready.steps]
    if keys != list(row.steps):
        with library.store.writing("keeping a run of the Lab") as w:
            w.lab.change(row.id, ready.experiment.to_toml(), keys)
    _measure(library, ready, timing, partial(kept, row.id))
    return load_run(library, row.id)


def _told(timing: Timing) -> Progress:
    """Return the progress of what comes before the steps, whose end tells nothing of theirs."""

    def told(done: float, total: float, text: Message = NOTHING) -> None:
        timing.tell(text)

    return told


def _measure(library: Library, ready: Prepared, timing: Timing, told: Callable[[], None]) -> None:
    """Measure what is lacking, and keep each step at once."""
    told()
    with library.store.reading() as r:
        there = r.lab.steps(step.key for step in ready.steps)
    for step in ready.steps:
        if step.key in there:
            timing.measured(step, there[step.key].seconds)
    if all(step.key in there for step in ready.steps):
        return
    loaded = load_task(ready.experiment, ready.methods, _told(timing), ready.tables)
    digest = data_digest(ready.tables)
    for step, figures, seconds in measured_steps(ready, loaded, set(there), timing):
        row = kept(step, figures, loaded.data, loaded.exact, digest, seconds)
        with library.store.writing("keeping a step of the Lab") as w:
            w.lab.put(row)
        told()


def measured_steps(
    ready: Prepared, loaded: BenchTask, there: set[str], timing: Timing
) -> Iterator[tuple[Step, Figures, float]]:
    """Measure the steps whose key is not there, each with what came of it and the seconds that it took.

    Search structures of one method and seed share what was learned and encoded: its time is told for the first of them.
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
            words = f"{step.method.text()} · {step.search.text()}, seed {step.seed}"
            progress.turn(timing.within(number, len(ready.steps), words), step is steps[0], len(steps))
            try:
                figures = next(found)
            except TwinlensError as error:
                raise TwinlensError(
                    Message("{method}: {sentence}", method=step.method.text(), sentence=error.message), error.next_step
                ) from None
            seconds = timing.step_seconds()
            timing.measured(step, seconds)
            waiting = [one for one in waiting if one is not step]
            yield step, figures, seconds


class _Current:
    """Progress of the search that is measured now, out of that of all that share what was learned."""

    _SEARCHES = 0.75  # where the first search begins, of the whole of one method

    def __init__(self, timing: Timing) -> None:
        self._told = _told(timing)
        self._first, self._of, self._place = True, 1, -1

    def turn(self, told: Progress, first: bool, of: int) -> None:
        """Turn to the next search."""
        self._told, self._first, self._of = told, first, of
        self._place += 1

    def __call__(self, done: float, total: float, text: Message = NOTHING) -> None:
        share = done / total if total > 0 else 0.0
        width = (1 - self._SEARCHES) / self._of
        stop = self._SEARCHES + width * (self._place + 1)
        start = 0.0 if self._first else stop - width
        self._told(min(max(share - start, 0.0), stop - start), stop - start, text)


def _absolute(experiment: Experiment) -> Experiment:
    """Name files so that they are found from any folder."""
    names = ("base", "queries", "labels", "query_labels", "pairs")
    files = {name: getattr(experiment, name) for name in names}
    if is_file_of_metric(experiment.metric):
        files["metric"] = experiment.metric
    return experiment.changed(
        **{name: os.path.abspath(os.path.expanduser(file)) for name, file in files.items() if file}
    )


def _named(experiment: Experiment) -> str:
    """Name a run that nobody named."""
    if experiment.question:
        return experiment.question.rstrip("?").strip()
    families = dict.fromkeys(text.partition(":")[0] for text in experiment.methods)
    return f"{', '.join(families)} by {experiment.truth or 'exact neighbours'}, {time.strftime('%Y-%m-%d')}"


def _free(taken: Iterable[str], name: str) -> str:
    known, chosen, number = set(taken), name, 2
    while chosen in known:
        chosen, number = f"{name} ({number})", number + 1
    return chosen
