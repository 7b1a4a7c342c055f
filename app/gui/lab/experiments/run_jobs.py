"""Facts of runs for the page, made in a job."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime

from app.gui.lab.experiments.run_facts import ResultsShown, RowShown, RunShown, State, Value
from app.gui.lab.experiments.run_words import question_of, truth_words
from app.lab.experiments.findings import finding
from app.lab.experiments.results import LabRow, LabRun, LabRunStatus
from app.lab.figures.names import short_names
from app.lab.figures.of_runs import figures, places
from app.language.spoken import _, _n, text

_QUALITY = ("recall@1", "recall@10", "recall@100", "map", "accuracy", "overlap@10")
_OF_RANKING = ("recall@1", "recall@100", "map")  # the same with every search structure: one of its kind is enough
_COSTS = ("fit", "encode", "search", "looked at", "bytes")


def results_shown(
    runs: Sequence[LabRun], hidden: Collection[str], notes: Mapping[int, str], own: bool = True
) -> ResultsShown:
    """Return what the page shows of some runs.

    Parameters
    ----------
    runs : sequence of LabRun
    hidden : collection of str
        Keys of rows hidden from the figures.
    notes : mapping of int to str
        Notes about runs by their ids.
    own : bool
        Whether rows can become indexes of the library.
    """
    rows = [(run, row) for run in runs for row in run.rows]
    drawn = [row.key for __, row in rows if row.key not in hidden]
    by_row = places(runs)
    names = short_names([row.measured.method for __, row in rows])
    several_searches = len({row.measured.search for __, row in rows}) > 1
    ranked_alike = several_searches and len({(run.id, row.measured.method) for run, row in rows}) == 1
    shown = [
        _row(run, row, name, by_row[row.key], own and run.id > 0 and run.plan_names_index)
        for (run, row), name in zip(rows, names, strict=True)
    ]
    columns = [
        name
        for name in _QUALITY
        if any(name in one.quality for one in shown)
        and (name != "overlap@10" or several_searches)
        and not (ranked_alike and name in _OF_RANKING)
    ]
    costs = [name for name in _COSTS if name != "looked at" or len({one.costs[name] for one in shown}) > 1]
    every = set(drawn) == set(by_row)
    return ResultsShown(
        title=_title(runs),
        line=_line(runs),
        finding=text(finding(runs)),
        warning=" ".join(filter(None, [_apart(runs), *(notes.get(run.id, "") for run in runs)])),
        figures=figures(runs, () if every else drawn) if drawn else (),
        rows=shown,
        columns=[*columns, *costs],
        several_searches=several_searches,
        several_runs=len(runs) > 1,
    )


def _row(run: LabRun, row: LabRow, name: str, place: int, can_index: bool) -> RowShown:
    one = row.measured
    values: dict[str, float | None] = {f"recall@{count}": value for count, value in one.recall.items()}
    values |= {f"overlap@{count}": value for count, value in one.overlap.items()}
    values |= {"map": one.map, "accuracy": one.accuracy}
    spread = one.deviation
    about = [
        _("seeds {seeds}", seeds=one.seeds),
        *(
            _precisely(measure, mean, spread.get(measure))
            for measure in _QUALITY
            if (mean := values.get(measure)) is not None
        ),
        text(one.note),
    ]
    return RowShown(
        key=row.key,
        run=run.name,
        method=one.method,
        search=one.search,
        name=name,
        place=place,
        bits=one.bits,
        quality={
            measure: Value(values[measure], spread.get(measure, 0.0))
            for measure in _QUALITY
            if values.get(measure) is not None
        },
        costs={
            "fit": one.seconds.fit,
            "encode": 1e6 * one.seconds.encode / max(1, one.of),
            "search": 1e3 * (one.seconds.encode_query + one.seconds.search),
            "looked at": one.looked_at,
            "bytes": row.bytes_each,
        },
        about="\n".join(filter(None, about)),
        can_index=can_index,
    )


def _precisely(measure: str, mean: float, spread: float | None) -> str:
    if spread is None:
        return _("{measure} {mean:.4f}", measure=measure, mean=mean)
    return _("{measure} {mean:.4f} ± {spread:.4f}", measure=measure, mean=mean, spread=spread)


def _title(runs: Sequence[LabRun]) -> str:
    if len(runs) == 1:
        return question_of(runs[0].question) or runs[0].name
    return _n("{count} experiment side by side", "{count} experiments side by side", len(runs))


def _line(runs: Sequence[LabRun]) -> str:
    if len(runs) > 1:
        return ", ".join(run.name for run in runs)
    data = runs[0].data
    if data is None:
        return ""
    seeds = max((len(row.measured.seeds) for row in runs[0].rows), default=0)
    return " · ".join(
        [
            _n("{count} photo", "{count} photos", data.n),
            _("{name}, {dimensions} dimensions", name=runs[0].index or data.base, dimensions=data.d),
            *([_("metric {metric}", metric=data.metric)] if data.metric else []),
            _n("{count} query", "{count} queries", data.queries),
            _("right results: {meaning}", meaning=_right_words(data.truth)),
            _n("{count} seed", "{count} seeds", seeds),
        ]
    )


def _right_words(truth: str) -> str:
    if truth in ("folders", "marks"):
        return truth_words(truth)
    if truth == "edits":
        return _("the photos that were edited")
    return _("exact search by {truth}", truth=truth)


def _apart(runs: Sequence[LabRun]) -> str:
    """Return a warning if runs measure different data, whose figures cannot be compared."""
    measured = {run.digest for run in runs if run.digest}
    if len(measured) < 2:
        return ""
    return _("These runs have different photos, queries or right results, so their curves cannot be compared.")


def run_shown(status: LabRunStatus, state: State | None = None) -> RunShown:
    """Return what the list shows of a run."""
    whole = State.WHOLE if status.done == status.steps else State.PART
    return RunShown(
        status.id, status.name, status.data, _when(status.created), status.done, status.steps, state or whole
    )


def _when(created: str) -> str:
    """Return the local time at which a run was made."""
    try:
        made = datetime.fromisoformat(created.replace("Z", "+00:00"))
    except ValueError:
        return created
    made = made if made.tzinfo is not None else made.replace(tzinfo=UTC)
    return _("{moment}", moment=made.astimezone())
