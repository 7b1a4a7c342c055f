"""Measurements of the Lab: steps under keys of all that determines them, and runs that name the steps they need.

A step is kept the moment it is measured and never changed. Plans, data and figures are text in the words of the caller.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.measurement import StepRow
from twinlens.storage.database.dialect import Dialect
from twinlens.storage.database.values import now
from twinlens.storage.integrity.checksums import from_json, sound


@dataclass(frozen=True)
class RunRow:
    """One run: a plan, and the keys of the steps that it needs, in their order; some of them may not be there yet."""

    id: int
    name: str
    plan: str
    steps: tuple[str, ...]
    created: str


class Lab:
    """The runs of the Lab, in the order in which they came, and their steps."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    # --- steps -------------------------------------------------------------------------------------------------------

    def put(self, step: StepRow) -> None:
        """Store a step; a stored one of the same key stays."""
        if self.known([step.key]):
            return
        self._dialect.insert("lab_step", [{**vars(step), "created": step.created or now()}])

    def known(self, keys: Iterable[str]) -> set[str]:
        """Return the keys, among some, that have a step."""
        return {key for (key,) in self._dialect.rows_among("SELECT key FROM lab_step WHERE key {among}", keys)}

    def steps(self, keys: Iterable[str]) -> dict[str, StepRow]:
        """Return the steps of some keys; missing ones are left out."""
        found = self._dialect.records_among("SELECT * FROM lab_step WHERE key {among}", sorted(set(keys)))
        return {row["key"]: StepRow(**sound("lab_step", row)) for row in found}

    # --- runs --------------------------------------------------------------------------------------------------------

    def add(self, name: str, plan: str, steps: Sequence[str]) -> RunRow:
        """Keep a run under a name.

        Raises
        ------
        TwinlensError
            If the name is empty or taken.
        """
        self._refuse_name(name)
        run = RunRow(self._dialect.give("lab_run", 1), name, plan, tuple(steps), now())
        self._put(run)
        return run

    def _put(self, run: RunRow) -> None:
        self._dialect.insert("lab_run", [{**vars(run), "steps": json.dumps(run.steps)}])

    def _refuse_name(self, name: str) -> None:
        if not name.strip():
            raise TwinlensError("A run needs a name.", "Choose one that names its queries.")
        if self.by_name(name) is not None:
            raise TwinlensError(
                "There is already a run named “{name}”.", "Choose another name, or delete that one.", name=name
            )

    def all(self) -> list[RunRow]:
        """List every run."""
        return self._runs("ORDER BY id")

    def by_name(self, name: str) -> RunRow | None:
        """Find a run by its name."""
        found = self._runs("WHERE name = ?", name)
        return found[0] if found else None

    def by_id(self, run_id: int) -> RunRow | None:
        """Return the run of an id."""
        found = self._runs("WHERE id = ?", run_id)
        return found[0] if found else None

    def change(self, run_id: int, plan: str, steps: Sequence[str]) -> None:
        """Change the plan of a run; the steps it needed before stay until they are removed as unused."""
        self._dialect.change("lab_run", run_id, {"plan": plan, "steps": json.dumps(list(steps))})

    def rename(self, run_id: int, name: str) -> None:
        """Rename a run.

        Raises
        ------
        TwinlensError
            If the name is empty or taken.
        """
        known = self.by_id(run_id)
        if known is not None and known.name != name:
            self._refuse_name(name)
        self._dialect.change("lab_run", run_id, {"name": name})

    def delete(self, run_id: int) -> tuple[RunRow, list[StepRow]] | None:
        """Delete a run with the steps that no other run needs, and return both, for :meth:`restore`."""
        run = self.by_id(run_id)
        if run is None:
            return None
        self._dialect.execute("DELETE FROM lab_run WHERE id = ?", (run_id,))
        needed = {key for other in self.all() for key in other.steps}
        removed = self.steps(key for key in run.steps if key not in needed)
        self._dialect.among("DELETE FROM lab_step WHERE key {among}", removed)
        return run, list(removed.values())

    def restore(self, run: RunRow, steps: Iterable[StepRow]) -> RunRow:
        """Bring a deleted run back as it was; under another name where its own was taken meanwhile."""
        for step in steps:
            self.put(step)
        there = self.by_id(run.id)
        if there is not None:
            return there
        name, number = run.name, 2
        while self.by_name(name) is not None:
            name, number = f"{run.name} ({number})", number + 1
        back = replace(run, name=name)
        self._put(back)
        return back

    def count(self) -> int:
        """Count the steps."""
        return int(self._dialect.value("SELECT count(*) FROM lab_step"))

    def _runs(self, which: str, *values: Any) -> list[RunRow]:
        rows = self._dialect.records(f"SELECT * FROM lab_run {which}", values)
        return [
            RunRow(**sound("lab_run", row) | {"steps": tuple(from_json(row["steps"], "lab_run", row))}) for row in rows
        ]
