"""Measured steps that belong to no run, kept in the disposable cache: what stopped goes on where it was."""

from __future__ import annotations

import contextlib
import json
import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from app.bench.step_rows import measured_of, row_of
from app.library.library import Library
from app.machine import places
from core.evaluation.steps import MeasuredStep
from core.files import private_files
from storage.lab import StepRow

_log = logging.getLogger(__name__)

MOST_BYTES = 32_000_000
"""Of the file; of a larger one the older half is forgotten when it is next read."""


class CachedSteps:
    """Steps in a file of lines, each a step as JSON.

    Every step is one write at the end of the file. A line that was cut off, or cannot be read, is passed over.

    Parameters
    ----------
    file : Path
    most_bytes : int
    """

    def __init__(self, file: Path, most_bytes: int = MOST_BYTES) -> None:
        self._file, self._most = file, most_bytes
        self._rows: dict[str, StepRow] | None = None

    @classmethod
    def of(cls, library: Library | None) -> CachedSteps:
        """Return the steps measured on a library, or on files of vectors."""
        name = "files" if library is None else library.store.id
        return cls(places.cache_folder() / "measured" / f"{name}.jsonl")

    def kept(self, keys: Sequence[str]) -> Mapping[str, MeasuredStep]:
        """Return those of some steps that were measured."""
        found: dict[str, MeasuredStep] = {}
        rows = self._read() if keys else {}
        for key in keys:
            if key in rows:
                with contextlib.suppress(KeyError, TypeError, ValueError):  # damaged, or of another version
                    found[key] = measured_of(rows[key])
        return found

    def keep(self, one: MeasuredStep) -> None:
        """Keep a step; where the disk refuses, until the program ends."""
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
