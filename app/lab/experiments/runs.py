"""Kept runs of a library: listing, loading, renaming, deleting and restoring."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.bench.bench import MethodRuns
from app.bench.experiment import Experiment, from_toml
from app.bench.results import BenchData
from app.lab.experiments.results import LabRow, LabRun, LabRunsResult, LabRunStatus
from app.lab.experiments.steps import figures_of
from app.library.library import Library
from app.methods import catalogue
from core.errors import Remedy, TwinlensError
from core.files.untrusted_input import parse_json
from core.message import Message
from storage.lab import RunRow, StepRow
from storage.library.transaction import Transaction


@dataclass(frozen=True)
class DeletedRun:
    """A deleted run, which can be restored."""

    run: RunRow
    steps: tuple[StepRow, ...]


def list_runs(library: Library) -> LabRunsResult:
    """Return every run, the newest first."""
    with library.store.reading() as r:
        return LabRunsResult(runs=[_status(r, row) for row in reversed(r.lab.all())])


def load_run(library: Library, run: int | str) -> LabRun:
    """Return a run by its id or name, with its measured rows.

    Raises
    ------
    TwinlensError
        If there is none.
    """
    with library.store.reading() as r:
        row = r.lab.by_id(run) if isinstance(run, int) else find_run(r, run)
        if row is None:
            raise TwinlensError(Message("This run no longer exists."), Remedy("list runs"))
        return run_of(row, r.lab.steps(row.steps))


def find_run(r: Transaction, name: str) -> RunRow:
    """Return a run by its name, ignoring case.

    Raises
    ------
    TwinlensError
        If there is no such run; suggests a similar name.
    """
    runs = r.lab.all()
    for row in runs:
        if row.name == name:
            return row
    alike = [row for row in runs if row.name.casefold() == name.casefold()]
    if len(alike) == 1:
        return alike[0]
    near = difflib.get_close_matches(name, [row.name for row in runs], n=1, cutoff=0.4)
    hint = Message("Did you mean “{name}”?", name=near[0]) if near else Remedy("list runs")
    raise TwinlensError(Message("There is no run “{name}”.", name=name), hint)


def rename_run(library: Library, old: str, new: str) -> LabRun:
    """Rename a run."""
    with library.store.writing("renaming a run of the Lab") as w:
        row = find_run(w, old)
        w.lab.rename(row.id, new.strip())
    return load_run(library, row.id)


def delete_run(library: Library, name: str) -> DeletedRun:
    """Delete a run and the steps measured only for it; :func:`restore_run` restores it."""
    with library.store.writing("deleting a run of the Lab") as w:
        found = w.lab.delete(find_run(w, name).id)
    assert found is not None
    return DeletedRun(found[0], tuple(found[1]))


def restore_run(library: Library, deleted: DeletedRun) -> LabRun:
    """Restore a deleted run, under another name if its own is taken."""
    with library.store.writing("restoring a run of the Lab") as w:
        row = w.lab.restore(deleted.run, deleted.steps)
    return load_run(library, row.id)


def run_of(row: RunRow, steps: Mapping[str, StepRow]) -> LabRun:
    """Return a run with the figures of its steps."""
    experiment = from_toml(row.plan, Path())
    measured = [steps[key] for key in row.steps if key in steps]
    about = parse_json(measured[0].data) if measured else {}
    return LabRun(
        id=row.id,
        name=row.name,
        question=experiment.question,
        plan=row.plan,
        created=row.created,
        steps=len(row.steps),
        done=len(measured),
        data=BenchData(**about["data"]) if measured else None,
        digest=about.get("digest", ""),
        exact_seconds=about.get("exact", 0.0),
        versions=parse_json(measured[0].versions) if measured else {},
        rows=_rows(row, experiment, steps),
    )


def _rows(row: RunRow, experiment: Experiment, steps: Mapping[str, StepRow]) -> list[LabRow]:
    """Return the mean over the seeds of each method and search structure with a measured step."""
    seeds = experiment.seeds
    declared = [(method, search) for method in experiment.methods for search in experiment.search]
    found = []
    for place, (method, search) in enumerate(declared):
        keys = row.steps[place * len(seeds) : (place + 1) * len(seeds)]
        there = [(seed, steps[key]) for seed, key in zip(seeds, keys, strict=True) if key in steps]
        if not there:
            continue
        runs = [figures_of(step) for _, step in there]
        about = parse_json(there[0][1].data)
        used = tuple(seed for seed, _ in there)
        of_method = MethodRuns(catalogue.method(method), catalogue.search_structure(search), used, runs)
        measured = of_method.summed(about["data"]["n"], about["exact"])
        each = (measured.bytes.codes + measured.bytes.search) / max(1, about["data"]["n"])
        mean, spread = _curves([run.recall_curve for run in runs])
        found.append(
            LabRow(
                key=f"{row.id}/{place + 1}",
                measured=measured,
                recall_curve=mean,
                recall_spread=spread,
                precision_spread=_curves([run.precision_at for run in runs])[1],
                bytes_each=each,
                seconds=sum(step.seconds for _, step in there),
            )
        )
    return found


def _curves(curves: Sequence[Sequence[tuple[float, float]]]) -> tuple[list[tuple[float, float]], list[float]]:
    """Return the mean of curves over the same x and their standard deviation; both empty if a run has no curve."""
    if not all(curves):
        return [], []
    x = [at for at, _ in curves[0]]
    y = np.array([[value for _, value in curve] for curve in curves])
    spread = y.std(axis=0, ddof=1) if len(y) > 1 else np.zeros(y.shape[1])
    return list(zip(x, y.mean(axis=0).tolist(), strict=True)), spread.tolist()


def _status(r: Transaction, row: RunRow) -> LabRunStatus:
    experiment = from_toml(row.plan, Path())
    return LabRunStatus(
        id=row.id,
        name=row.name,
        question=experiment.question,
        data=experiment.index or experiment.base,
        truth=experiment.truth,
        steps=len(row.steps),
        done=len(r.lab.known(row.steps)),
        created=row.created,
    )
