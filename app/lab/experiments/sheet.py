"""Sheet of one run, or of several side by side."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from app.bench.experiment import Experiment, from_toml
from app.lab.experiments.findings import best_row, finding
from app.lab.experiments.index_of_row import index_of, kept_descriptor
from app.lab.experiments.question_words import question_with_title
from app.lab.experiments.results import LabRow, LabRun
from app.lab.figures.figure import Words
from app.lab.figures.names import short_names
from app.lab.figures.of_runs import figures, group_slots
from app.lab.indexes import LibraryIndexes
from app.lab.sheet import BETWEEN, OTHER_PROGRAM, LabSheet, RowIndex, SheetRow, columns_of
from core.message import NOTHING, Message, counted, joined, verbatim

_OF_RANKING = ("recall@1", "recall@100", "map")  # the same with every search structure: one of its kind is enough


def sheet_of_runs(
    runs: Sequence[LabRun],
    library: LibraryIndexes,
    hidden: Collection[str] = (),
    notes: Sequence[Message] = (),
) -> LabSheet:
    """Put some runs side by side.

    Parameters
    ----------
    runs : sequence of LabRun
    library : LibraryIndexes
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
    values = {
        "method": name, "run": run.name, "search structure": one.search, "bits": float(one.bits) or None,
        **{f"recall@{count}": value for count, value in one.recall.items()},
        "map": one.map, "accuracy": one.accuracy, "found@10": one.found.get("10"),
        "precision@10": one.precision.get("10"), "overlap@10": one.overlap.get("10"),
        "fit": one.seconds.fit, "encode": 1e6 * one.seconds.encode / max(1, one.of),
        "search": 1e3 * (one.seconds.encode_query + one.seconds.search),
        "looked at": one.looked_at, "bytes": row.bytes_each,
        "note": OTHER_PROGRAM if row.is_peer else library.note(index),
    }  # fmt: skip
    return SheetRow(
        key=row.key,
        name=name if row.is_peer else BETWEEN.join([name, one.search]),
        place=place,
        values=values,
        spreads=one.deviation,
        about=_told(row),
        index=index,
        provisional=not run.complete and len(one.seeds) < len(_plan(run).seeds),
    )


def _index(run: LabRun, row: LabRow, library: LibraryIndexes) -> RowIndex | None:
    """Return a row as an index; None of other programs, of vectors of a file and of runs that are not kept."""
    if run.id <= 0 or not run.plan_names_index or row.is_peer:
        return None
    descriptor = library.descriptor(run.index) or kept_descriptor(run)
    if not descriptor:
        return None
    wanted = index_of(run, row, descriptor)
    return library.row(wanted, wanted.method, run.index)


def _told(row: LabRow) -> Message:
    """Return the figures of a row with more decimals, its seeds and its note."""
    one = row.measured
    figures = {
        **{f"recall@{count}": one.recall.get(count) for count in ("1", "10", "100")},
        "map": one.map, "accuracy": one.accuracy, "overlap@10": one.overlap.get("10"),
    }  # fmt: skip
    lines = [verbatim(one.method), verbatim(one.search), Message("seeds {seeds}", seeds=one.seeds)]
    for measure, mean in figures.items():
        spread = one.deviation.get(measure)
        if mean is not None and spread is None:
            lines.append(Message("{measure} {mean:.4f}", measure=measure, mean=mean))
        elif mean is not None:
            lines.append(Message("{measure} {mean:.4f} ± {spread:.4f}", measure=measure, mean=mean, spread=spread))
    return joined([*lines, one.note], "\n")


def _unneeded(runs: Sequence[LabRun]) -> set[str]:
    """Return columns that would tell no rows apart."""
    rows = [(run, row.measured) for run in runs for row in run.rows]
    several = len({one.search for _, one in rows}) > 1
    ranked_alike = several and len({(run.id, one.method) for run, one in rows}) == 1
    left = set(_OF_RANKING) if ranked_alike else set()
    left |= set() if len(runs) > 1 else {"run"}
    left |= set() if several else {"search structure", "overlap@10"}
    return left | (set() if len({one.looked_at for _, one in rows}) > 1 else {"looked at"})


# ---- what was measured -----------------------------------------------------------------------------------------------


def _plan(run: LabRun) -> Experiment:
    return from_toml(run.plan, Path())


def _title(runs: Sequence[LabRun]) -> Words:
    if len(runs) == 1:
        return question_with_title(runs[0].question) or runs[0].name
    return counted("{count} experiment side by side", "{count} experiments side by side", len(runs))


def _about(runs: Sequence[LabRun]) -> Message:
    """Return what a run measures; of several runs their names."""
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
    "marks": Message("marked as similar"),
    "edits": Message("the photos that were edited"),
}


def _right(truth: str) -> Message:
    return _RIGHT.get(truth) or Message("exact search by {truth}", truth=truth)


def _apart(runs: Sequence[LabRun]) -> Message:
    """Return a warning if runs measure different data, whose figures cannot be compared."""
    if len({run.digest for run in runs if run.digest}) < 2:
        return NOTHING
    return Message("These runs have different photos, queries or right results, so their curves cannot be compared.")
