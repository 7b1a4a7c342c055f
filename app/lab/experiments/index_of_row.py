"""Creation of an index from a row of a run."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from app.bench.candidates import candidate_of
from app.bench.experiment import from_toml
from app.indexes.indexes import NewIndex, create_index
from app.indexes.results import IndexStatus
from app.lab.experiments.results import LabRow, LabRun
from app.lab.experiments.runs import load_run
from app.lab.experiments.tables import descriptor_of
from app.library.library import Library
from core.errors import TwinlensError
from core.hashing.hash_method import HashMethod
from core.message import Message
from core.progress import Progress, silent

_DESCRIPTOR = re.compile(r" \((.*)\)$")


def make_index(
    library: Library, run: str | int, row: str, name: str | None = None, progress: Progress = silent
) -> IndexStatus:
    """Create an index with the method and search structure of a row of a run.

    Parameters
    ----------
    library : Library
    run : str or int
        Name or id.
    row : str
        Key such as ``3/1``, number in the table such as ``1``, or method in text form.
    name : str, optional
        Name of the index.
    progress : Progress

    Raises
    ------
    TwinlensError
        If there is no such row, the run measures vectors of a file, or the index cannot be created.
    Cancelled
        If progress raises it.
    """
    found = load_run(library, run)
    wanted = index_of(found, find_row(found, row), _descriptor(library, found))
    return create_index(library, replace(wanted, name=name), progress)


def index_of(run: LabRun, row: LabRow, descriptor: str) -> NewIndex:
    """Return the index that a row of a run is, over vectors of a descriptor.

    Raises
    ------
    TwinlensError
        If the run measures vectors of a file, or the row is no hash method.
    """
    experiment = from_toml(run.plan, Path())
    if not experiment.index:
        raise TwinlensError(
            Message("The run “{name}” measures vectors of a file, not photos of the library.", name=run.name),
            Message("Choose a run of an index of the library."),
        )
    method = candidate_of(row.measured.method)
    if not isinstance(method, HashMethod):
        raise TwinlensError(
            Message("{method} is measured to compare with, and cannot be an index.", method=method.text()),
            Message("Choose a row of a hash method."),
        )
    method = method.changed(seed=row.measured.seeds[0])
    return NewIndex(descriptor, method.text(), row.measured.search, metric=experiment.metric)


def find_row(run: LabRun, row: str) -> LabRow:
    """Return a row by its key, number or method.

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
        Message("The run “{name}” has several rows “{row}”.", name=run.name, row=row)
        if alike
        else Message("The run “{name}” has no row “{row}”.", name=run.name, row=row),
        Message("Give the number of a row, from 1 to {rows}.", rows=len(run.rows)),
    )


def _descriptor(library: Library, run: LabRun) -> str:
    """Return the descriptor of a run; empty of vectors of a file."""
    experiment = from_toml(run.plan, Path())
    if not experiment.index:
        return ""
    try:
        return descriptor_of(library, experiment)
    except TwinlensError:
        if kept := kept_descriptor(run):
            return kept
        raise


def kept_descriptor(run: LabRun) -> str:
    """Return the descriptor of a run whose index is gone, from the name of its data; empty for none."""
    found = None if run.data is None else _DESCRIPTOR.search(run.data.base)
    return "" if found is None else found[1]
