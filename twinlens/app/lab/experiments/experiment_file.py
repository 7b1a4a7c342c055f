"""Experiment files (``.twinlens-experiment``), which share a run without its photographs.

An experiment file is a zip of ``experiment.json`` (plan with its seeds, and of every step its figures and seconds,
digests of its data, versions and the kind of machine) and optionally ``vectors.npz`` (vectors, queries and right
results, without photographs or their names). Equal runs give equal bytes.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, TypeAdapter

from twinlens.app.bench.array_files import most_unpacked, open_npz, open_zip, read_member
from twinlens.app.bench.bench import bench
from twinlens.app.bench.bench_results import BenchResult
from twinlens.app.bench.experiment import Experiment, from_toml
from twinlens.app.lab.experiments.lab_results import LabCheckResult, LabRun
from twinlens.app.lab.experiments.runner import experiment_tables, prepare_plan
from twinlens.app.lab.experiments.runs import find_run, run_of
from twinlens.app.library.library import Library
from twinlens.app.machine.output_file import EXPERIMENT, Kind, OutputFile
from twinlens.core.declaration.fitted import Packed
from twinlens.core.errors import InvalidError, TwinlensError
from twinlens.core.evaluation.measurement import StepRow
from twinlens.core.evaluation.measures import MEASURES
from twinlens.core.evaluation.tables import Tables
from twinlens.core.evaluation.truth import is_dense
from twinlens.core.files.untrusted_input import check_kind, parse_json, reading
from twinlens.core.message import Message, from_json
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.metrics.metric_forms import FITTED
from twinlens.core.progress import Progress, silent
from twinlens.core.vectors import as_vectors
from twinlens.storage.lab import RunRow

ENDING = ".twinlens-experiment"
_FORMAT, _VERSION = "twinlens experiment", 1
_NAME, _VECTORS = "experiment.json", "vectors.npz"
_MOST = 1 << 26  # bytes of the text: a step has a few thousand
_DATE = (1980, 1, 1, 0, 0, 0)
_WHAT = {
    "vectors": Message("vectors"),
    "queries": Message("queries"),
    "right results": Message("right results"),
}
ExperimentArrays = dict[str, npt.NDArray[Any]]
_STEPS = TypeAdapter(list[StepRow])


class _Run(BaseModel):
    """A run in ``experiment.json``."""

    name: str
    plan: str
    steps: tuple[str, ...]
    created: str


@dataclass(frozen=True, eq=False)
class OpenedExperiment:
    """An experiment read from a file.

    Attributes
    ----------
    run : LabRun
        As measured by its sender; its id is 0.
    tables : Tables or None
        Its data, if the file has it.
    """

    run: LabRun
    experiment: Experiment
    row: RunRow
    steps: Mapping[str, StepRow]
    tables: Tables | None


def write_experiment(
    library: Library, name: str, file: OutputFile, vectors: bool = False, kind: Kind = EXPERIMENT
) -> None:
    """Write a run to a file.

    Parameters
    ----------
    name : str
        Name of the run.
    vectors : bool
        Whether to include the vectors, so that anybody can run it again.
    kind : Kind
        What may be replaced.

    Raises
    ------
    TwinlensError
        If there is no such run, its data has changed since, or the file cannot be written or must not be replaced.
    """
    with library.store.reading() as r:
        row = find_run(r, name)
        steps = r.lab.steps(row.steps)
    text: dict[str, Any] = {
        "format": _FORMAT,
        "version": _VERSION,
        "run": {"name": row.name, "plan": row.plan, "steps": list(row.steps), "created": row.created},
        "steps": [vars(steps[key]) for key in row.steps if key in steps],
    }
    arrays: ExperimentArrays = {}
    if vectors:
        _, plan = prepare_plan(library, from_toml(row.plan, Path()))
        if [step.key for step in plan.steps] != list(row.steps):
            raise TwinlensError(
                "Photos, marks or files have changed since the run, so the vectors no longer match its figures.",
                "Resume “{name}” to measure it again, or export it without vectors.",
                name=row.name,
            )
        arrays, text["tables"] = _taken_apart(plan.tables)
    with file.opened(kind) as opened, zipfile.ZipFile(opened, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr(zipfile.ZipInfo(_NAME, _DATE), json.dumps(text, indent=1, sort_keys=True), zipfile.ZIP_DEFLATED)
        if arrays:
            out.writestr(zipfile.ZipInfo(_VECTORS, _DATE), _npz(arrays))


def open_experiment(file: Path) -> OpenedExperiment:
    """Read an experiment file; no library or photographs are needed.

    Raises
    ------
    TwinlensError
        If it is missing, damaged, of another kind, or from a newer Twinlens.
    """
    with reading(file, Message("{file} is not a readable experiment", file=file), Message("Ask for the file again.")):
        check_kind(file.stat())
        with open_zip(file) as whole:
            text = parse_json(read_member(whole, _NAME, _MOST))
            if text["format"] != _FORMAT:
                raise InvalidError("it is of another program")
            if text["version"] > _VERSION:
                raise TwinlensError("{file} was written by a newer Twinlens.", "Install the newer version.", file=file)
            kept = _Run.model_validate(text["run"])
            experiment = from_toml(kept.plan, Path())
            steps = {one.key: one for one in _STEPS.validate_python(text["steps"])}
            row = RunRow(0, kept.name, kept.plan, kept.steps, kept.created)
            tables = None
            if "tables" in text:
                size = file.stat().st_size
                with open_npz(io.BytesIO(read_member(whole, _VECTORS, most_unpacked(size)))) as arrays:
                    tables = _put_together(arrays.all(), text["tables"])
        return OpenedExperiment(run_of(row, steps), experiment, row, steps, tables)


def opened_run(library: Library, name: str) -> OpenedExperiment:
    """Return a run of a library as if read from an experiment file without vectors.

    Raises
    ------
    TwinlensError
        If there is no such run.
    """
    with library.store.reading() as r:
        row = find_run(r, name)
        steps = r.lab.steps(row.steps)
    return OpenedExperiment(run_of(row, steps), from_toml(row.plan, Path()), row, steps, None)


def keep_experiment(library: Library, opened: OpenedExperiment, name: str = "") -> LabRun:
    """Keep an opened experiment as a run of the library.

    Raises
    ------
    TwinlensError
        If the name is taken.
    """
    with library.store.writing("keeping a run of the Lab") as w:
        for step in opened.steps.values():
            w.lab.put(step)
        row = w.lab.add(name.strip() or opened.row.name, opened.row.plan, opened.row.steps)
        return run_of(row, w.lab.steps(row.steps))


def run_again(
    opened: OpenedExperiment, library: Library | None = None, progress: Progress = silent
) -> tuple[BenchResult, LabCheckResult]:
    """Measure an opened experiment again, and compare the figures with those in the file.

    Parameters
    ----------
    library : Library, optional
        Library with the photographs, if the file has no vectors.

    Raises
    ------
    TwinlensError
        If the data is not available, or differs from that of the experiment.
    """
    experiment, tables = opened.experiment, opened.tables
    if tables is None:
        try:
            experiment, tables = experiment_tables(library, experiment, progress)
        except TwinlensError as error:
            raise TwinlensError(
                "The file has no vectors, and its data is not available: {reason}",
                "Ask for the experiment with its vectors.",
                reason=error.message,
            ) from None
    if opened.run.digest and tables.digest() != opened.run.digest:
        now = tables.digests()
        other = [what for name, what in _WHAT.items() if opened.run.digests.get(name, now[name]) != now[name]]
        raise TwinlensError(
            "The data differ from those of the experiment ({what}), so figures cannot be compared.",
            "Ask for the experiment with its vectors, or run your own experiment.",
            what=other or list(_WHAT.values()),
        )
    result = bench(experiment, progress, tables=tables)
    return result, _compared(opened.run, result)


def _compared(run: LabRun, result: BenchResult) -> LabCheckResult:
    """Compare all figures except times and model sizes, which depend on the machine."""
    before = {(row.measured.method, row.measured.search): row.measured for row in run.rows}
    count, differing = 0, []
    for now in result.results:
        then = before.get((now.method, now.search))
        if then is None or then.seeds != now.seeds:
            continue
        for name, value in then.values.items():
            if name not in MEASURES or MEASURES[name].unit:
                continue  # of the clock, or of bytes
            count += 1
            other = now.values.get(name)
            if other is None or not np.isclose(value, other, rtol=1e-9, atol=1e-12):
                differing.append(
                    Message(
                        "{method} · {search}: {figure} was {before:.6g} and is {now} now.",
                        method=now.method,
                        search=now.search,
                        figure=_NAMES.get(name, name),
                        before=value,
                        now=Message("missing") if other is None else other,
                    )
                )
    return LabCheckResult(figures=count, differing=differing)


_NAMES = {"map": "mAP", "map_candidates": "mAP of candidates", "looked_at": "looked at"}


# --- tables as arrays -------------------------------------------------------------------------------------------------
def _taken_apart(tables: Tables) -> tuple[ExperimentArrays, dict[str, Any]]:
    if not is_dense(tables.base):
        raise TwinlensError("An experiment file cannot hold sparse vectors.", "Export it without vectors.")
    arrays: ExperimentArrays = {"base": np.asarray(tables.base), "queries": np.asarray(tables.queries)}
    for name in ("own", "labels", "query_labels"):
        if getattr(tables, name) is not None:
            arrays[name] = np.asarray(getattr(tables, name))
    if tables.relevant is not None:
        arrays["relevant"] = np.concatenate([np.empty(0, np.int64), *tables.relevant])
        arrays["relevant_ends"] = np.cumsum([len(rows) for rows in tables.relevant])
    about: dict[str, Any] = {"name": tables.name, "meaning": tables.meaning.to_json(), "measure": tables.measure}
    if isinstance(tables.metric, FittedMetric):
        packed = tables.metric.pack()
        about["metric"] = {"kind": packed.kind, "numbers": dict(packed.numbers)}
        arrays |= {f"metric.{name}": np.asarray(array) for name, array in packed.arrays.items()}
    return arrays, about


def _put_together(arrays: ExperimentArrays, about: Mapping[str, Any]) -> Tables:
    metric = None
    if "metric" in about:
        kind = {one.__name__: one for one in FITTED}[about["metric"]["kind"]]
        parts = {name.removeprefix("metric."): array for name, array in arrays.items() if name.startswith("metric.")}
        metric = kind.unpack(Packed(kind.__name__, about["metric"]["numbers"], parts))
    base, queries = (as_vectors(arrays[name], np.float32) for name in ("base", "queries"))
    n, query_count = len(base), len(queries)
    relevant = None
    if "relevant" in arrays:
        ends = _whole_numbers(arrays, "relevant_ends", query_count, len(arrays["relevant"]) + 1)
        if (np.diff(ends, prepend=0) < 0).any() or (query_count and ends[-1] != len(arrays["relevant"])):
            raise InvalidError("its right results do not belong to its queries")
        relevant = np.split(_whole_numbers(arrays, "relevant", len(arrays["relevant"]), n), ends[:-1])
    own, labels, query_labels = (
        _whole_numbers(arrays, name, count, below) if name in arrays else None
        for name, count, below in (("own", query_count, n), ("labels", n, None), ("query_labels", query_count, None))
    )
    return Tables(
        name=str(about["name"]), base=base, queries=queries, own=own, labels=labels, query_labels=query_labels,
        relevant=relevant, meaning=from_json(str(about["meaning"])), measure=str(about["measure"]), metric=metric,
    )  # fmt: skip


def _whole_numbers(arrays: ExperimentArrays, name: str, count: int, below: int | None) -> npt.NDArray[np.int64]:
    """Return an array of `count` whole numbers, from -1 to less than `below` if given."""
    found = arrays[name]
    if found.shape != (count,) or found.dtype.kind not in "iu":
        raise InvalidError("its {name} are not {count} whole numbers", name=name, count=count)
    if below is not None and count and not -1 <= int(found.min()) <= int(found.max()) < below:
        raise InvalidError("its {name} name rows that are not there", name=name)
    return found.astype(np.int64)


def _npz(arrays: ExperimentArrays) -> bytes:
    """Return arrays as bytes of an .npz without dates."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as whole:
        for name, array in arrays.items():
            part = io.BytesIO()
            np.lib.format.write_array(part, np.ascontiguousarray(array), allow_pickle=False)
            whole.writestr(zipfile.ZipInfo(f"{name}.npy", _DATE), part.getvalue(), zipfile.ZIP_DEFLATED)
    return out.getvalue()
