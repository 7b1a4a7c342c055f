"""Fitted models: numbers and arrays under a key, without pickle; and the named metrics that are made of them.

Metrics are given from a file or learned; a library keeps several side by side.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.message import Message, counted
from twinlens.storage.database.dialect import Dialect
from twinlens.storage.database.values import now
from twinlens.storage.integrity.checksums import DamagedRowError, from_json, named, sound

NUMBERS = "biufc"
"""The kinds of NumPy's types that arrays may have."""


@dataclass(frozen=True)
class ModelRow:
    """A fitted model without its arrays.

    Attributes
    ----------
    key : str
        Its identity: of its declaration, of what it was made from, of its sample.
    kind : str
        The name of its class.
    text : str
        Its declaration, in words that the caller reads back.
    sample_digest : bytes
        Of the sample that it learned from; empty where nothing was learned.
    numbers : dict
        Everything that is not an array.
    created : str
        UTC.
    """

    id: int
    key: str
    kind: str
    text: str
    sample_digest: bytes
    numbers: dict[str, Any]
    created: str


_REMOVE_UNUSED = """
    DELETE FROM model WHERE NOT EXISTS (
        SELECT 1 FROM (
            SELECT model_id AS used FROM search_index
            UNION SELECT metric_model_id FROM search_index
            UNION SELECT model_id FROM metric
            UNION SELECT model_id FROM descriptor_kind
        ) AS users WHERE used = model.id
    )
"""


class Models:
    """The fitted models of a library."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def put(
        self,
        key: str,
        kind: str,
        text: str,
        numbers: Mapping[str, Any],
        arrays: Mapping[str, npt.NDArray[Any]],
        sample_digest: bytes = b"",
    ) -> int:
        """Store a fitted model and return its id; a stored one of the same key stays as it is.

        Parameters
        ----------
        key, kind, text, sample_digest
            As in :class:`ModelRow`.
        numbers : mapping
            Anything that JSON can hold.
        arrays : mapping of str to ndarray
            Of numbers or truth values; less than 1 GB each.
        """
        known = self._dialect.value("SELECT id FROM model WHERE key = ?", (key,))
        if known is not None:
            return int(known)
        values = {
            "key": key,
            "kind": kind,
            "text": text,
            "sample_digest": sample_digest,
            "numbers": json.dumps(dict(numbers), sort_keys=True),
            "created": now(),
        }
        made = self._dialect.number("model", values)
        for name, one in arrays.items():
            if one.dtype.kind not in NUMBERS:
                raise TypeError(f"the array {name} holds {one.dtype}, not numbers")
            kept = np.ascontiguousarray(one, dtype=one.dtype.newbyteorder("<"))
            shape = json.dumps(list(one.shape))
            row = {"model_id": made, "name": name, "dtype": kept.dtype.str, "shape": shape, "data": kept.tobytes()}
            self._dialect.number("array", row)
        return made

    def by_key(self, key: str) -> ModelRow | None:
        """Find a fitted model by its key."""
        found = self._rows("WHERE key = ?", key)
        return found[0] if found else None

    def by_id(self, model_id: int) -> ModelRow:
        """Return the fitted model of an id, which must exist."""
        found = self._rows("WHERE id = ?", model_id)
        if not found:
            raise DamagedRowError(Message("{row}, which is missing", row=named("model", {"id": model_id})))
        return found[0]

    def all(self) -> list[ModelRow]:
        """List every fitted model, in the order in which they were stored."""
        return self._rows("ORDER BY id")

    def _rows(self, which: str, *values: Any) -> list[ModelRow]:
        rows = self._dialect.records(f"SELECT * FROM model {which}", values)
        return [ModelRow(**sound("model", row) | {"numbers": from_json(row["numbers"], "model", row)}) for row in rows]

    def arrays(self, model_id: int) -> dict[str, npt.NDArray[Any]]:
        """Read the arrays of a fitted model, by name; they cannot be written to."""
        rows = self._dialect.records('SELECT * FROM "array" WHERE model_id = ? ORDER BY id', (model_id,))
        return {row["name"]: _numbers(sound("array", row)) for row in rows}

    def bytes(self, model_id: int) -> int:
        """Return the bytes that the arrays of a fitted model take."""
        return int(self._dialect.value('SELECT sum(length(data)) FROM "array" WHERE model_id = ?', (model_id,)) or 0)

    def remove_unused(self) -> int:
        """Remove the fitted models that no index, no metric and no kind of descriptor uses; return how many."""
        return self._dialect.execute(_REMOVE_UNUSED).rowcount


def _numbers(values: dict[str, Any]) -> npt.NDArray[Any]:
    """Return the array that a row holds."""
    try:
        dtype = np.dtype(values["dtype"])
        if dtype.kind not in NUMBERS:
            raise ValueError(f"an array of {dtype}")
        made: npt.NDArray[Any] = np.frombuffer(values["data"], dtype).reshape(json.loads(values["shape"]))
    except (ValueError, TypeError, RecursionError):
        raise DamagedRowError(named("array", values)) from None
    return made


@dataclass(frozen=True)
class MetricRow:
    """One metric; descriptor and declaration are in the words of the caller.

    Attributes
    ----------
    descriptor : str
        Whose vectors it measures.
    declaration : str or None
        What it was learned by; None where it was given.
    note : str
        Where it comes from, for people.
    model_id : int
        The fitted metric.
    created : str
        UTC.
    """

    id: int
    name: str
    descriptor: str
    declaration: str | None
    note: str
    model_id: int
    created: str


class Metrics:
    """The metrics of a library, in the order in which they came."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def add(
        self, name: str, descriptor: str, model_id: int, declaration: str | None = None, note: str = ""
    ) -> MetricRow:
        """Keep a metric under a name.

        Raises
        ------
        TwinlensError
            If the name is empty or taken.
        """
        self._refuse_name(name)
        values = {
            "name": name,
            "descriptor": descriptor,
            "declaration": declaration,
            "note": note,
            "model_id": model_id,
            "created": now(),
        }
        return self.by_id(self._dialect.number("metric", values))

    def _refuse_name(self, name: str) -> None:
        if not name.strip():
            raise TwinlensError("A metric needs a name.", "Choose one that says where it comes from.")
        if self.by_name(name) is not None:
            raise TwinlensError(
                "There is already a metric named “{name}”.", "Choose another name, or delete that one.", name=name
            )

    def all(self) -> list[MetricRow]:
        """List every metric."""
        return self._rows("ORDER BY id")

    def by_name(self, name: str) -> MetricRow | None:
        """Find a metric by its name."""
        found = self._rows("WHERE name = ?", name)
        return found[0] if found else None

    def by_id(self, metric_id: int) -> MetricRow:
        """Return the metric of an id, which must exist."""
        (found,) = self._rows("WHERE id = ?", metric_id)
        return found

    def _rows(self, which: str, *values: Any) -> list[MetricRow]:
        rows = self._dialect.records(f"SELECT * FROM metric {which}", values)
        return [MetricRow(**sound("metric", row)) for row in rows]

    def users(self, metric_id: int) -> list[str]:
        """Name the indexes that measure by a metric."""
        named = "SELECT name FROM search_index WHERE metric_id = ? ORDER BY position"
        return self._dialect.column(named, (metric_id,))

    def rename(self, metric_id: int, name: str) -> None:
        """Rename a metric; the indexes that measure by it continue to do so.

        Raises
        ------
        TwinlensError
            If the name is empty or taken.
        """
        if self.by_id(metric_id).name != name:
            self._refuse_name(name)
        self._dialect.change("metric", metric_id, {"name": name})

    def delete(self, metric_id: int) -> None:
        """Delete a metric; its model stays until it is removed as unused.

        Raises
        ------
        TwinlensError
            If an index measures by it; names those that do.
        """
        users = self.users(metric_id)
        if users:
            named = ", ".join(f"“{name}”" for name in users)
            name = self.by_id(metric_id).name
            raise TwinlensError(
                counted(
                    "The metric “{name}” cannot be deleted: the index {named} measures by it.",
                    "The metric “{name}” cannot be deleted: the indexes {named} measure by it.",
                    len(users),
                    name=name,
                    named=named,
                ),
                Remedy("delete metric with indexes", {"name": name}),
            )
        self._dialect.execute("DELETE FROM metric WHERE id = ?", (metric_id,))
