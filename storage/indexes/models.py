"""Fitted models: numbers and arrays under a key, without pickle.

Equal keys mean equal things, so a key is never written twice.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, Select, delete, func, insert, select, union

from core.message import Message
from storage.database.schema import array, descriptor_kind, metric, model, search_index
from storage.database.timestamps import now
from storage.integrity.checksums import DamagedRowError, from_json, named, sound

NUMBERS = "biufc"
"""The kinds of NumPy's types that arrays may have."""


@dataclass(frozen=True)
class ModelRow:
    """A fitted thing without its arrays.

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


class Models:
    """The fitted things of a library."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put(
        self,
        key: str,
        kind: str,
        text: str,
        numbers: Mapping[str, Any],
        arrays: Mapping[str, npt.NDArray[Any]],
        sample_digest: bytes = b"",
    ) -> int:
        """Keep a fitted thing and give its id; one of the same key is left as it is.

        Parameters
        ----------
        key, kind, text, sample_digest
            As in :class:`ModelRow`.
        numbers : mapping
            Anything that JSON can hold.
        arrays : mapping of str to ndarray
            Of numbers or truth values; less than 1 GB each.
        """
        known = self._connection.execute(select(model.c.id).where(model.c.key == key)).scalar()
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
        made = int(self._connection.execute(insert(model).values(**values).returning(model.c.id)).scalar_one())
        for name, one in arrays.items():
            if one.dtype.kind not in NUMBERS:
                raise TypeError(f"the array {name} holds {one.dtype}, not numbers")
            kept = np.ascontiguousarray(one, dtype=one.dtype.newbyteorder("<"))
            shape = json.dumps(list(one.shape))
            row = {"model_id": made, "name": name, "dtype": kept.dtype.str, "shape": shape, "data": kept.tobytes()}
            self._connection.execute(insert(array).values(**row))
        return made

    def by_key(self, key: str) -> ModelRow | None:
        """Find a fitted model by its key."""
        found = self._rows(select(model).where(model.c.key == key))
        return found[0] if found else None

    def by_id(self, model_id: int) -> ModelRow:
        """Return the fitted model of an id, which must exist."""
        found = self._rows(select(model).where(model.c.id == model_id))
        if not found:
            raise DamagedRowError(Message("{row}, which is missing", row=named(model, {"id": model_id})))
        return found[0]

    def all(self) -> list[ModelRow]:
        """List every fitted thing, in the order in which they were kept."""
        return self._rows(select(model).order_by(model.c.id))

    def _rows(self, statement: Select[Any]) -> list[ModelRow]:
        return [
            ModelRow(**sound(model, row) | {"numbers": from_json(row.numbers, model, row)})
            for row in self._connection.execute(statement)
        ]

    def arrays(self, model_id: int) -> dict[str, npt.NDArray[Any]]:
        """Read the arrays of a fitted thing, by name; they cannot be written to."""
        rows = self._connection.execute(select(array).where(array.c.model_id == model_id).order_by(array.c.id))
        return {row.name: _numbers(sound(array, row)) for row in rows}

    def bytes(self, model_id: int) -> int:
        """Return the bytes that the arrays of a fitted thing take."""
        summed = select(func.coalesce(func.sum(func.length(array.c.data)), 0)).where(array.c.model_id == model_id)
        return int(self._connection.execute(summed).scalar_one())

    def remove_unused(self) -> int:
        """Remove the fitted things that no index, no metric and no kind of descriptor uses; give how many."""
        users = (search_index.c.model_id, search_index.c.metric_model_id, metric.c.model_id, descriptor_kind.c.model_id)
        used = union(*(select(column) for column in users)).subquery()
        unused = ~select(used.c.model_id).where(used.c.model_id == model.c.id).exists()
        return self._connection.execute(delete(model).where(unused)).rowcount


def _numbers(values: dict[str, Any]) -> npt.NDArray[Any]:
    """Return the array that a row holds."""
    try:
        dtype = np.dtype(values["dtype"])
        if dtype.kind not in NUMBERS:
            raise ValueError(f"an array of {dtype}")
        made: npt.NDArray[Any] = np.frombuffer(values["data"], dtype).reshape(json.loads(values["shape"]))
    except (ValueError, TypeError, RecursionError):
        raise DamagedRowError(named(array, values)) from None
    return made
