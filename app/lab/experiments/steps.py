"""Steps of a run: one method, search structure and seed on one set of data, kept under a key of all these."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

import numpy as np

from app.bench.data import BenchTask, truth_of
from app.bench.experiment import Experiment, is_file_of_metric
from app.bench.tables import Tables
from core.evaluation.evaluation_task import Figures
from core.evaluation.truth import is_dense
from core.files.untrusted_input import parse_json
from core.hashing.hash_method import HashMethod
from core.kernels import Kernel
from core.message import from_json
from core.search.search_structure import Search
from storage.lab import StepRow

VERSION = 1
"""Version of the figures; a new one measures every step again."""


@dataclass(frozen=True)
class Step:
    """One step.

    Attributes
    ----------
    key : str
        Equal for equal figures.
    method : HashMethod
        Without its seed.
    search : Search
    seed : int
    """

    key: str
    method: HashMethod
    search: Search
    seed: int


def steps_of(
    experiment: Experiment, methods: Sequence[HashMethod], searches: Sequence[Search], tables: Tables
) -> list[Step]:
    """Return the steps of an experiment, by method, search structure and seed."""
    about = json.dumps(_about(experiment, methods, tables), sort_keys=True)
    found = []
    for method in methods:
        for search in searches:
            for seed in experiment.seeds:
                declared = [method.changed(seed=seed).identity(), search.identity()]
                key = hashlib.sha256(json.dumps([declared, about]).encode()).hexdigest()[:32]
                found.append(Step(key, method, search, seed))
    return found


def _about(experiment: Experiment, methods: Sequence[HashMethod], tables: Tables) -> dict[str, Any]:
    """Return everything besides its declarations that determines the figures of a step."""
    with_metric = bool(experiment.metric) or tables.metric is not None
    truth = truth_of(experiment, methods[0], tables, with_metric)
    marks = _file_digest(experiment.pairs) or list(experiment.marks)
    known = tables.metric.pack().digest().hex() if tables.metric is not None else experiment.metric
    own = getattr(methods[0], "kernel", None)
    ranks = tables.measure if tables.measure and not experiment.metric else ""
    return {
        "version": VERSION,
        "data": data_digest(tables),
        "truth": truth,
        # Of a truth that labels tell, the first method ranks, where nothing else does.
        "measure": ranks or (own.identity() if isinstance(own, Kernel) else ""),
        # Rows without anything are left out where a histogram kernel measures; that is in the truth and the measure.
        "metric": _file_digest(known) if is_file_of_metric(known) else known,
        "marks": marks if experiment.metric else [],
        "k": experiment.k,
        "neighbours": experiment.neighbours,
        "map": experiment.map_protocol,
    }


def _file_digest(name: str) -> str:
    if not name:
        return ""
    with open(os.path.expanduser(name.partition("::")[0]), "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def data_digest(tables: Tables) -> str:
    """Return a digest of vectors, queries and right results."""
    made = hashlib.sha256()

    def take(name: str, array: Any) -> None:
        made.update(name.encode())
        if array is None:
            return
        table = np.ascontiguousarray(array)
        made.update(f"{table.dtype.str}{table.shape}".encode())
        made.update(table.data.cast("B") if table.size else b"")

    for name, table in (("base", tables.base), ("queries", tables.queries)):
        if is_dense(table):
            take(name, table)
        else:
            sparse: Any = table
            for part in ("indptr", "indices", "data"):
                take(f"{name} {part} {sparse.shape}", getattr(sparse, part))
    for name in ("own", "labels", "query_labels"):
        array = getattr(tables, name)
        take(name, None if array is None else np.asarray(array, np.int64))
    for rows in tables.relevant or ():
        take("relevant", np.asarray(rows, np.int64))
    return made.hexdigest()


# --- kept as text -----------------------------------------------------------------------------------------------------


def kept(step: Step, figures: Figures, loaded: BenchTask, digest: str, seconds: float) -> StepRow:
    """Return a measured step as a row to keep."""
    values = {name: value for name, value in asdict(figures).items() if name not in {"spectrum", "note"}}
    values["note"] = figures.note.to_json()
    about = {"data": loaded.data.model_dump(mode="json"), "exact": loaded.exact, "digest": digest}
    return StepRow(
        key=step.key,
        data=json.dumps(about, sort_keys=True),
        figures=json.dumps(values, sort_keys=True),
        seconds=seconds,
        versions=json.dumps(versions(), sort_keys=True),
    )


def figures_of(row: StepRow) -> Figures:
    """Read the figures of a kept step."""
    values = parse_json(row.figures)
    for name in ("recall", "overlap"):
        values[name] = {int(count): value for count, value in sorted(values[name].items(), key=lambda one: int(one[0]))}
    for name in ("curve", "recall_curve", "precision_at"):
        values[name] = [(x, y) for x, y in values.get(name, ())]
    values["note"] = from_json(values.get("note", ""))
    return Figures(**values)


def versions() -> dict[str, str]:
    """Return the versions of the program and its machine, which times depend on."""
    return {
        "twinlens": version("twinlens"),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "system": platform.system(),
        "machine": platform.machine(),
        "cores": str(os.cpu_count() or 1),
        "step": str(VERSION),
    }
