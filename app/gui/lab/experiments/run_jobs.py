"""Results of runs put together for the page, in a job."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from app.gui.lab.experiments.results import Results, TableRow
from app.lab.experiments.findings import finding
from app.lab.experiments.results import LabRun
from app.lab.figures.names import short_names
from app.lab.figures.of_runs import figures, places


def results_of(runs: Sequence[LabRun], hidden: Collection[str], notes: Mapping[int, str]) -> Results:
    """Put some runs side by side.

    Parameters
    ----------
    runs : sequence of LabRun
    hidden : collection of str
        Keys of rows hidden from the figures.
    notes : mapping of int to str
        Notes about runs by their ids.
    """
    rows = [(run, row) for run in runs for row in run.rows]
    drawn = [row.key for __, row in rows if row.key not in hidden]
    by_row = places(runs)
    names = short_names([row.measured.method for __, row in rows])
    can_index = {run.id for run in runs if run.id > 0 and run.plan_names_index}
    every = set(drawn) == set(by_row)
    return Results(
        runs=runs,
        rows=[
            TableRow(run, row, name, by_row[row.key], run.id in can_index and not row.is_peer)
            for (run, row), name in zip(rows, names, strict=True)
        ],
        figures=figures(runs, () if every else drawn) if drawn else (),
        finding=finding(runs),
        notes=[notes[run.id] for run in runs if run.id in notes],
    )
