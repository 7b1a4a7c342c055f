"""Measured steps as rows of JSON, which a library, an experiment file or the cache keeps.

The disposable cache keeps steps that belong to no run, so that a bench that was stopped goes on where it was.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from twinlens.app.bench.bench_results import BenchData
from twinlens.app.machine import app_folders
from twinlens.core.evaluation.evaluation_task import Figures
from twinlens.core.evaluation.measurement import VERSION, DataFacts, MeasuredStep, StepRow
from twinlens.core.evaluation.measures import grouped, ungrouped
from twinlens.core.files import private_files
from twinlens.core.files.untrusted_input import parse_json
from twinlens.core.message import KEPT, from_json
from twinlens.core.systems import system

_log = logging.getLogger(__name__)
MOST_BYTES = 32_000_000
"""Of the file; of a larger one the older half is forgotten when it is next read."""
_CURVES = ("curve", "recall_curve", "precision_at")


class CachedSteps:
    """Steps in a file with one step as JSON a line.

    Every step is one write at the end of the file. A line that was cut off, or cannot be read, is passed over.
    """

    def __init__(self, file: Path, most_bytes: int = MOST_BYTES) -> None:
        self._file, self._most = file, most_bytes
        self._rows: dict[str, StepRow] | None = None

    @classmethod
    def of(cls, library_id: str = "files") -> CachedSteps:
        """Return the steps measured on the library of an id, or on files of vectors."""
        return cls(app_folders.cache_folder() / "measured" / f"{library_id}.jsonl")

    def kept(self, keys: Sequence[str]) -> Mapping[str, MeasuredStep]:
        """Return the kept ones of some steps."""
        found: dict[str, MeasuredStep] = {}
        rows = self._read() if keys else {}
        for key in keys:
            if key in rows:
                with contextlib.suppress(KeyError, TypeError, ValueError):  # damaged, or of another version
                    found[key] = measured_of(rows[key])
        return found

    def keep(self, one: MeasuredStep) -> None:
        """Keep a step; if the disk refuses, until the program ends."""
        row = row_of(one)
        self._read()[one.key] = row
        try:
            private_files.make_folder(self._file.parent)
            opened = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                os.write(opened, f"\n{json.dumps(asdict(row))}\n".encode())  # after whatever was cut off
            finally:
                os.close(opened)
        except OSError as error:
            _log.warning("A measured step is not kept in %s: %s", self._file, error)

    def forget(self) -> None:
        """Forget every step."""
        self._rows = None
        self._file.unlink(missing_ok=True)

    def _read(self) -> dict[str, StepRow]:
        if self._rows is None:
            self._rows = {}
            try:
                lines = self._file.read_bytes().splitlines()
            except OSError:
                return self._rows
            if sum(map(len, lines)) > self._most:
                lines = lines[len(lines) // 2 :]
                new = self._file.with_suffix(".new")
                with contextlib.suppress(OSError):  # a full disk: the next reader tries again
                    new.write_bytes(b"\n".join([*lines, b""]))
                    new.replace(self._file)
            for line in filter(None, lines):
                try:
                    row = StepRow(**json.loads(line))
                except (TypeError, ValueError):
                    continue
                self._rows[row.key] = row
        return self._rows


def row_of(one: MeasuredStep) -> StepRow:
    """Return a measured step as a row to keep."""
    curves = {name: getattr(one.figures, name) for name in _CURVES}
    figures = {**grouped(one.figures.values), **curves, "note": one.figures.note.to_json()}
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
    """Read the figures of a kept step.

    Raises
    ------
    ValueError
        If a measure is no number.
    """
    kept = parse_json(row.figures)
    curves: dict[str, Any] = {name: [(x, y) for x, y in kept.pop(name, ())] for name in _CURVES}
    note = from_json(kept.pop("note", ""))
    return Figures(ungrouped(kept), **curves, note=note)


@cache  # each is looked up in files of the packages
def program_versions() -> Mapping[str, str]:
    """Return the versions of the program and its machine, on which times depend."""
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
