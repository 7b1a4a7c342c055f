"""Measured steps as rows that a library, the cache or a file keeps: data and figures as JSON."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from app.bench.results import BenchData
from core.evaluation.evaluation_task import Figures
from core.evaluation.steps import VERSION, DataFacts, MeasuredStep
from core.files.untrusted_input import parse_json
from core.message import KEPT, from_json
from core.systems import system
from storage.lab import StepRow


def row_of(one: MeasuredStep) -> StepRow:
    """Return a measured step as a row to keep."""
    figures = {name: value for name, value in asdict(one.figures).items() if name not in {"spectrum", "note"}}
    figures["note"] = one.figures.note.to_json()
    data = BenchData(**vars(one.facts)).model_dump(mode="json", context=KEPT)
    about = {"data": data, "exact": one.exact, "digest": one.digest, "digests": dict(one.digests)}
    return StepRow(
        key=one.key,
        data=json.dumps(about, sort_keys=True),
        figures=json.dumps(figures, sort_keys=True),
        seconds=one.seconds,
        versions=json.dumps(dict(one.versions or program_versions()), sort_keys=True),
    )


def measured_of(row: StepRow) -> MeasuredStep:
    """Read a kept step."""
    about = parse_json(row.data)
    facts = DataFacts(**dict(BenchData(**about["data"])))
    return MeasuredStep(
        row.key,
        figures_of(row),
        facts,
        about["exact"],
        about.get("digest", ""),
        row.seconds,
        about.get("digests", {}),
        parse_json(row.versions),
    )


def figures_of(row: StepRow) -> Figures:
    """Read the figures of a kept step."""
    values = parse_json(row.figures)
    for name in ("recall", "overlap", "found", "precision"):
        some = sorted(values.get(name, {}).items(), key=lambda one: int(one[0]))
        values[name] = {int(count): value for count, value in some}
    for name in ("curve", "recall_curve", "precision_at"):
        values[name] = [(x, y) for x, y in values.get(name, ())]
    values["note"] = from_json(values.get("note", ""))
    return Figures(**values)


@cache  # each is looked up in files of the packages
def program_versions() -> Mapping[str, str]:
    """Return the versions of the program and its machine, which times depend on."""
    return {
        "twinlens": version("twinlens"),
        "python": platform.python_version(),
        "numpy": np.__version__,
        **{name: found for name in ("scipy", "numba", "faiss-cpu") if (found := _installed(name))},
        "system": platform.system(),
        "machine": platform.machine(),
        "processor": system.processor_name(),
        "cores": str(os.cpu_count() or 1),
        "step": str(VERSION),
    }


def _installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
