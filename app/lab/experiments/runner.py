"""Running of plans: each measured step is kept at once and never measured again.

A run can therefore stop at any moment, and resuming it measures only the missing steps.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from app.bench.experiment import Experiment, from_toml, is_file_of_metric
from app.bench.partitions import PartitionsPlan
from app.bench.plan import PlanOnTables, measurable, written_out
from app.lab.experiments.kept_steps import LibrarySteps
from app.lab.experiments.results import LabRun
from app.lab.experiments.runs import find_run, load_run
from app.lab.experiments.tables import experiment_tables
from app.library.library import Library
from core.evaluation.engine import measure_plan
from core.evaluation.timing import Timing
from core.progress import Progress, silent


def prepare_plan(
    library: Library | None, experiment: Experiment, progress: Progress = silent
) -> tuple[Experiment, PlanOnTables]:
    """Read the data of a plan, write it out, and find its steps.

    Raises
    ------
    TwinlensError
        If a declaration is wrong, or the data cannot be had or do not fit.
    """
    experiment, tables = experiment_tables(library, written_out(experiment), progress)
    plan = measurable(experiment, tables)
    return (plan.experiment if isinstance(plan, PartitionsPlan) else experiment), plan


def run_experiment(
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
    experiment, plan = prepare_plan(library, _absolute(experiment), timing.preparing)
    keys = [step.key for step in plan.steps]
    wanted = name.strip() or experiment.name
    with library.store.writing("keeping a run of the Lab") as w:
        known = w.lab.by_name(wanted) if wanted else None
        chosen = wanted or _free((row.name for row in w.lab.all()), _named(experiment))
        text = experiment.changed(name=chosen).to_toml()
        if known is not None and list(known.steps) == keys:
            w.lab.change(known.id, text, keys)
            run_id = known.id
        else:
            run_id = w.lab.add(chosen, text, keys).id
    kept(run_id)
    measure_plan(plan, LibrarySteps(library), timing, partial(kept, run_id))
    return load_run(library, run_id)


def resume_run(
    library: Library, name: str, progress: Progress = silent, kept: Callable[[int], None] = lambda _: None
) -> LabRun:
    """Resume a run; a complete run measures nothing.

    If photographs, marks or files have changed, all steps are measured again, since a table must not mix data.
    """
    timing = Timing(progress)
    with library.store.reading() as r:
        row = find_run(r, name)
    experiment, plan = prepare_plan(library, from_toml(row.plan, Path()), timing.preparing)
    keys = [step.key for step in plan.steps]
    if keys != list(row.steps):
        with library.store.writing("keeping a run of the Lab") as w:
            w.lab.change(row.id, experiment.to_toml(), keys)
    kept(row.id)
    measure_plan(plan, LibrarySteps(library), timing, partial(kept, row.id))
    return load_run(library, row.id)


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
