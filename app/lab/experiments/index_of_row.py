"""A row of a run, made an index of the library."""

from __future__ import annotations

import re
from pathlib import Path

from app.bench.experiment import from_toml
from app.indexes.indexes import create_index
from app.lab.experiments.results import LabRow, LabRun
from app.lab.experiments.runs import load_run
from app.lab.experiments.tables import descriptor_of
from app.library.library import Library
from app.methods import catalogue
from app.results import IndexStatus
from core.errors import TwinlensError
from core.message import Message
from core.progress import Progress, silent

_DESCRIPTOR = re.compile(r" \((.*)\)$")


def make_index(
    library: Library, run: str | int, row: str, name: str | None = None, progress: Progress = silent
) -> IndexStatus:
    """Make an index of the library that hashes and searches as a row of a run.

    Parameters
    ----------
    library : Library
    run : str or int
        Its name or id.
    row : str
        Its key, such as ``3/1``, its number in the table, such as ``1``, or its method in text form.
    name : str, optional
        Of the index.
    progress : Progress

    Raises
    ------
    TwinlensError
        If there is no such row, the run is of vectors of a file, or the index cannot be made.
    Cancelled
        If progress says so.
    """
    found = load_run(library, run)
    chosen = find_row(found, row)
    experiment = from_toml(found.plan, Path())
    if not experiment.index:
        raise TwinlensError(
            Message("The run “{name}” is of vectors of a file, which are no photographs.", name=found.name),
            Message("Make an index of a descriptor with `twinlens index create`."),
        )
    method = catalogue.method(chosen.measured.method).changed(seed=chosen.measured.seeds[0])
    return create_index(
        library,
        _descriptor(library, found),
        method.text(),
        chosen.measured.search,
        name,
        progress,
        metric=experiment.metric,
    )


def find_row(run: LabRun, row: str) -> LabRow:
    """Find a row by its key, its number, or its method.

    Raises
    ------
    TwinlensError
        If there is none, or several have the method.
    """
    for number, one in enumerate(run.rows, 1):
        if row in {one.key, str(number)}:
            return one
    alike = [one for one in run.rows if row in {one.measured.method, f"{one.measured.method} · {one.measured.search}"}]
    if len(alike) == 1:
        return alike[0]
    raise TwinlensError(
        Message(
            "The run “{name}” has {value} “{row}”.", name=run.name, value="several rows" if alike else "no row", row=row
        ),
        Message("Name one by its number, from 1 to {rows}.", rows=len(run.rows)),
    )


def _descriptor(library: Library, run: LabRun) -> str:
    """Return the descriptor of a run; that of an index that is gone is told with the data."""
    try:
        return descriptor_of(library, from_toml(run.plan, Path()))
    except TwinlensError:
        kept = None if run.data is None else _DESCRIPTOR.search(run.data.base)
        if kept is None:
            raise
        return kept[1]
