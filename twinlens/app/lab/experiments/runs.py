"""Kept runs of a library: listed, loaded, renamed, deleted, restored, and exported as tables, JSON or figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from twinlens.app.bench.experiment import from_toml
from twinlens.app.bench.kept_steps import measured_of
from twinlens.app.lab.experiments.lab_results import LabRow, LabRun, LabRunsResult, LabRunStatus
from twinlens.app.library.library import Library
from twinlens.app.machine.output_file import DOCUMENT, CsvTable, OutputFile, document, table
from twinlens.app.results import Result
from twinlens.core.errors import Remedy, TwinlensError, did_you_mean
from twinlens.core.evaluation.measurement import StepRow
from twinlens.core.evaluation.measures import COSTS, QUALITIES, MeasureTable, measures_of
from twinlens.storage.lab import RunRow
from twinlens.storage.library.store import Transaction


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
            raise TwinlensError("This run no longer exists.", Remedy("list runs"))
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
    hint = did_you_mean(name, [row.name for row in runs], 0.4) or Remedy("list runs")
    raise TwinlensError("There is no run “{name}”.", hint, name=name)


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
    measured = {key: measured_of(steps[key]) for key in row.steps if key in steps}
    return LabRun.of(experiment, row.steps, measured, row.plan, row.id, row.name, row.created)


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


_QUALITIES = measures_of(MeasureTable.CSV, QUALITIES, "recall@", "overlap@")
_COSTS = measures_of(MeasureTable.CSV, COSTS)
_PER_QUERY, _WHOLE = ([key for key in _COSTS if bool(COSTS[key].unit) == whole] for whole in (False, True))
_HEADINGS = {"bytes codes": "code bytes", "bytes search": "list bytes", "bytes each": "bytes a photo"}
HEADING = (
    "run", "method", "search", "bits", "seeds",
    *(f"{key}{what}" for key in _QUALITIES for what in ("", " deviation")),
    *_PER_QUERY, "of", *(_HEADINGS.get(key) or " ".join(reversed(key.split(" "))) for key in _WHOLE),
)  # fmt: skip
TABLE = table(HEADING)


def write_runs_table(runs: Sequence[LabRun], file: OutputFile) -> None:
    """Write a row for each method and search structure of some runs as CSV."""
    with file.opened_text(TABLE) as out:
        rows = CsvTable(out)
        rows.writerow(HEADING)
        rows.writerows(_row(run, row) for run in runs for row in run.rows)


def write_runs_json(measured: Result, file: OutputFile) -> None:
    """Write a run or an advice as JSON."""
    file.write(document(measured), DOCUMENT)


def _row(run: LabRun, row: LabRow) -> tuple[object, ...]:
    one, values = row.measured, row.values
    return (
        run.name, one.method, one.search, one.bits, " ".join(map(str, one.seeds)),
        *(of.get(key) for key in _QUALITIES for of in (values, one.spread)),
        *map(values.get, _PER_QUERY), one.of, *map(values.get, _WHOLE),
    )  # fmt: skip
