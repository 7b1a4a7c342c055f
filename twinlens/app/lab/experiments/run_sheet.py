"""Sheet of one run or of several side by side, and the creation of an index from one of its rows."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from importlib import util
from pathlib import Path

from twinlens.app.bench.bench import candidate_of
from twinlens.app.bench.experiment import Experiment, from_toml
from twinlens.app.indexes.index_results import IndexStatus
from twinlens.app.indexes.indexes import create_index
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.lab.experiments.lab_results import LabRow, LabRun, best_row, finding
from twinlens.app.lab.experiments.runner import descriptor_of
from twinlens.app.lab.experiments.runs import load_run
from twinlens.app.lab.figures.figure import Words, short_names
from twinlens.app.lab.figures.run_figures import figures, group_slots
from twinlens.app.lab.lab_sheet import (
    BETWEEN,
    COLUMNS,
    OTHER_PROGRAM,
    LabSheet,
    LibraryIndexes,
    RowIndex,
    SheetRow,
    columns_of,
)
from twinlens.app.library.library import Library
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.measures import QUALITIES
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.message import NOTHING, Message, counted, joined, verbatim
from twinlens.core.progress import Progress, silent

_OF_RANKING = ("recall@1", "recall@100", "map")  # the same with every search structure: one of its kind is enough


def sheet_of_runs(
    runs: Sequence[LabRun],
    library: LibraryIndexes,
    hidden: Collection[str] = (),
    notes: Sequence[Message] = (),
) -> LabSheet:
    """Return the sheet of one run, or of several side by side.

    Parameters
    ----------
    hidden : collection of str
        Keys of rows hidden from the figures.
    notes : sequence of Message
        About the runs.
    """
    every = [(run, row) for run in runs for row in run.rows]
    names = short_names([row.measured.method for _, row in every])
    by_row = group_slots(runs)
    rows = [_row(run, row, name, by_row[row.key], library) for (run, row), name in zip(every, names, strict=True)]
    drawn = [one.key for one in rows if one.key not in hidden]
    return LabSheet(
        title=_title(runs),
        about=_about(runs),
        finding=finding(runs),
        warning=joined([_apart(runs), *notes]),
        figures=figures(runs, () if len(drawn) == len(rows) else drawn) if drawn else (),
        rows=rows,
        columns=columns_of(rows, _unneeded(runs)),
        hidden=hidden,
        proposed=best_row(runs),
    )


def _row(run: LabRun, row: LabRow, name: str, place: int, library: LibraryIndexes) -> SheetRow:
    one = row.measured
    index = _index(run, row, library)
    texts: dict[str, str | Message] = {
        "method": name, "run": run.name, "search structure": one.search,
        "note": OTHER_PROGRAM if row.is_peer else library.note(index),
    }  # fmt: skip
    return SheetRow(
        key=row.key,
        name=name if row.is_peer else BETWEEN.join([name, one.search]),
        place=place,
        values={**texts, **one.values, "bits": float(one.bits) or None},
        spreads=one.spread,
        about=_details(row),
        index=index,
        provisional=not run.complete and len(one.seeds) < len(_plan(run).seeds),
    )


def _index(run: LabRun, row: LabRow, library: LibraryIndexes) -> RowIndex | None:
    """Return a row as an index; None for other programs, for vectors of a file and for runs that are not kept."""
    if run.id <= 0 or not run.plan_names_index or row.is_peer:
        return None
    descriptor = library.descriptor(run.index) or kept_descriptor(run)
    if not descriptor:
        return None
    wanted = index_of(run, row, descriptor)
    return library.row(wanted, wanted.method, run.index)


def _details(row: LabRow) -> Message:
    """Return the details of a row: its figures with more decimals, its seeds and its note."""
    one = row.measured
    lines = [verbatim(one.method), verbatim(one.search), Message("seeds {seeds}", seeds=one.seeds)]
    for key in (column.key for column in COLUMNS if column.key in QUALITIES):
        values = {"measure": key, "mean": one.values.get(key), "spread": one.spread.get(key)}
        if values["mean"] is not None and values["spread"] is None:
            lines.append(Message("{measure} {mean:.4f}", **values))
        elif values["mean"] is not None:
            lines.append(Message("{measure} {mean:.4f} ± {spread:.4f}", **values))
    return joined([*lines, one.note], "\n")


def _unneeded(runs: Sequence[LabRun]) -> set[str]:
    """Return the columns in which all rows are equal."""
    rows = [(run, row.measured) for run in runs for row in run.rows]
    several = len({one.search for _, one in rows}) > 1
    ranked_alike = several and len({(run.id, one.method) for run, one in rows}) == 1
    left = set(_OF_RANKING) if ranked_alike else set()
    left |= set() if len(runs) > 1 else {"run"}
    left |= set() if several else {"search structure", "overlap@10"}
    return left | (set() if len({one.values["looked_at"] for _, one in rows}) > 1 else {"looked at"})


# ---- what was measured -----------------------------------------------------------------------------------------------
def _plan(run: LabRun) -> Experiment:
    return from_toml(run.plan, Path())


def _title(runs: Sequence[LabRun]) -> Words:
    if len(runs) == 1:
        return question_with_title(runs[0].question) or runs[0].name
    return counted("{count} experiment side by side", "{count} experiments side by side", len(runs))


def _about(runs: Sequence[LabRun]) -> Message:
    """Return the data of a run; the names of several runs."""
    if len(runs) != 1:
        return verbatim(", ".join(run.name for run in runs))
    (run,) = runs
    data = run.data
    if data is None:
        return NOTHING
    seeds = max((len(row.measured.seeds) for row in run.rows), default=0)
    return joined(
        [
            counted("{count} photo", "{count} photos", data.n),
            Message("{name}, {dimensions} dimensions", name=run.index or data.base, dimensions=data.d),
            Message("metric {metric}", metric=data.metric) if data.metric else NOTHING,
            counted("{count} query", "{count} queries", data.queries),
            Message("right results: {meaning}", meaning=_right(data.truth)),
            counted("{count} seed", "{count} seeds", seeds),
        ],
        BETWEEN,
    )


_RIGHT = {
    "folders": Message("the same folder"),
    "concepts": Message("showing the same thing"),
    "marks": Message("marked as similar"),
    "edits": Message("the photos that were edited"),
}


def _right(truth: str) -> Message:
    return _RIGHT.get(truth) or Message("exact search by {truth}", truth=truth)


def _apart(runs: Sequence[LabRun]) -> Message:
    """Return a warning if runs measure different data, so their figures cannot be compared."""
    if len({run.digest for run in runs if run.digest}) < 2:
        return NOTHING
    return Message("These runs have different photos, queries or right results, so their curves cannot be compared.")


_DESCRIPTOR = re.compile(r" \((.*)\)$")


def make_index(
    library: Library, run: str | int, row: str, name: str | None = None, progress: Progress = silent
) -> IndexStatus:
    """Create an index with the method and search structure of a row of a run.

    Parameters
    ----------
    run : str or int
        Name or id.
    row : str
        Key such as ``3/1``, number in the table such as ``1``, or method in text form.
    name : str, optional
        Name of the index.

    Raises
    ------
    TwinlensError
        If there is no such row, the run measures vectors of a file, or the index cannot be created.
    Cancelled
        If progress raises it.
    """
    found = load_run(library, run)
    wanted = index_of(found, find_row(found, row), _descriptor(library, found))
    return create_index(library, wanted.changed(name=name), progress)


def index_of(run: LabRun, row: LabRow, descriptor: str) -> NewIndex:
    """Return the index of a row of a run, over vectors of a descriptor.

    Raises
    ------
    TwinlensError
        If the run measures vectors of a file, or the row is no hash method.
    """
    experiment = from_toml(run.plan, Path())
    if not experiment.index:
        raise TwinlensError(
            "The run “{name}” measures vectors of a file, not photos of the library.",
            "Choose a run of an index of the library.",
            name=run.name,
        )
    method = candidate_of(row.measured.method)
    if not isinstance(method, HashMethod):
        raise TwinlensError(
            "{method} is measured to compare with, and cannot be an index.",
            "Choose a row of a hash method.",
            method=method.text(),
        )
    method = method.changed(seed=row.measured.seeds[0])
    return NewIndex(descriptor=descriptor, method=method.text(), search=row.measured.search, metric=experiment.metric)


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
        "Give the number of a row, from 1 to {rows}.",
        rows=len(run.rows),
    )


def _descriptor(library: Library, run: LabRun) -> str:
    """Return the descriptor of a run; empty for vectors of a file."""
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


_WORDS = {
    "method": (
        Message("Which method for my photos?"),
        Message("Hyperplanes, rotations and kernels with the same number of bits"),
    ),
    "bits": (
        Message("How many bits?"),
        Message("The length from which longer codes find no more"),
    ),
    "search": (
        Message("Which search structure?"),
        Message("Share of true results, time, and photos compared"),
    ),
    "edits": (
        Message("What do edits survive?"),
        Message("Searches with cropped, turned and recoloured copies"),
    ),
    "rank": (
        Message("What does rank do to KLSH?"),
        Message("Few components estimate well, many hold more. Where is the best number?"),
    ),
    "peers": (
        Message("What do indexes of other programs find?"),
        Message("Product quantisation, RaBitQ, ITQ and graphs of faiss, by recall, time and bytes"),
    ),
}


def question_title() -> dict[str, tuple[Message, Message]]:
    """Return the questions that can be decided here, each as a sentence with a hint about its figures."""
    return {name: words for name, words in _WORDS.items() if name != "peers" or util.find_spec("faiss")}


def question_with_title(question: str) -> Words:
    """Return a plan's question; a common one as a message that is translated."""
    known = {str(sentence): name for name, (sentence, _) in _WORDS.items()}
    return _WORDS[known[question]][0] if question in known else question
