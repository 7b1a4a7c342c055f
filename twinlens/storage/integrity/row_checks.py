"""The check of every row of a library, which finds the rows that are not as they were written.

A row of a file is damaged where its values do not fit its checksum. A row of a server has none and is decoded instead,
as far as its values tell what they have to be.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sqlalchemy import (
    ColumnElement,
    Float,
    Integer,
    LargeBinary,
    Table,
    Text,
    and_,
    cast,
    delete,
    literal,
)

from twinlens.core.message import Message
from twinlens.core.progress import Progress
from twinlens.storage.database.dialect import Dialect, pieces
from twinlens.storage.database.place import Place
from twinlens.storage.database.schema import TABLES, descriptor_kind, facts
from twinlens.storage.database.values import PHOTOGRAPH_BITS, PhotographState
from twinlens.storage.indexes.index_codes import STORED_IDS
from twinlens.storage.indexes.models import NUMBERS
from twinlens.storage.integrity.checksums import Value, checksum
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.descriptors import finite

Fits = Callable[[int, bytes], bool]
"""Tells whether bytes are keypoints of a version."""

_LARGE = frozenset({"array", "code_segment", "lab_step"})  # read row by row, others some hundred at once
_AT_ONCE = 500
_HASH_BYTES = 32


@dataclass(frozen=True)
class DamagedRow:
    """A row that is not as it was written: its values and its checksum as they are now."""

    table: Table
    values: tuple[Value, ...]
    stored: object

    def value(self, column: str) -> Value:
        """Return one value."""
        return self.values[[one.name for one in facts(self.table)].index(column)]

    def key(self) -> tuple[Value, ...]:
        """Return the values of the primary key."""
        return tuple(self.value(column.name) for column in self.table.primary_key)

    def here(self) -> ColumnElement[bool]:
        """Return the condition that finds it by its key, whose text need not be UTF-8 any more."""
        return and_(
            *(
                column == (value if not isinstance(value, str) or _is_text(value) else _damaged_text(value))
                for column, value in zip(self.table.primary_key, self.key(), strict=True)
            )
        )


def delete_rows(w: Transaction, rows: Sequence[DamagedRow]) -> None:
    """Delete damaged rows."""
    for row in rows:
        w.connection.execute(delete(row.table).where(row.here()))


@dataclass
class CheckedRows:
    """The result of reading all rows."""

    damaged: list[DamagedRow] = field(default_factory=list)

    def of(self, table: Table) -> list[DamagedRow]:
        """Return the damaged rows of a table."""
        return [row for row in self.damaged if row.table is table]


def check_rows(
    place: Place, dialect: Dialect, fits: Fits, progress: Progress, tables: tuple[Table, ...] = TABLES
) -> CheckedRows:
    """Check every row of some tables, in little memory.

    Parameters
    ----------
    dialect : Dialect
        Of this place, in a transaction.
    fits : callable
        See :data:`Fits`.
    progress : Progress
        Of rows; may raise ``Cancelled``.
    """
    found = CheckedRows()
    checksums, decodes = dialect.checksums, RowDecoder(place, dialect, fits)
    counts = [dialect.value(f'SELECT count(*) FROM "{table.name}"') for table in tables]
    done, total = 0, sum(counts)
    for table in tables:
        words = Message("Checking {get}", get=_WORDS.get(table.name, "what is remembered"))
        progress(done, total, words)
        with closing(place.rows(dialect, table)) as rows:
            for some in pieces(rows, 1 if table.name in _LARGE else _AT_ONCE):
                for *values, stored in some:
                    whole = stored == checksum(*values) if checksums else decodes(table, values)
                    if not whole:
                        found.damaged.append(DamagedRow(table, tuple(values), stored))
                done += len(some)
                progress(done, total, words)
    return found


_WORDS = {
    "photograph": "photos",
    "descriptor": "vectors",
    "keypoints": "keypoints",
    "code_segment": "codes",
    "model": "models",
    "array": "models",
    "mark": "marks",
}


class RowDecoder:
    """Checks the values of a row of a server."""

    def __init__(self, place: Place, dialect: Dialect, fits: Fits) -> None:
        names = descriptor_kind.c.keys()
        kinds = [dict(zip(names, row, strict=True)) for row in place.rows(dialect, descriptor_kind)]
        self._kinds: dict[Any, tuple[Any, Any]] = {kind["id"]: (kind["dimensions"], kind["dtype"]) for kind in kinds}
        self._of: dict[str, Callable[[dict[str, Any]], bool]] = {
            "setting": lambda row: _is_json(row["value"]),
            "folder": lambda row: _is_json(row["excludes"], list),
            "photograph": _is_photograph,
            "model": lambda row: _is_json(row["numbers"], dict),
            "array": _is_array,
            "descriptor_kind": lambda row: _type(row["dtype"]) is not None and row["dimensions"] > 0,
            "descriptor": self._is_vector,
            "keypoints": lambda row: fits(row["version"], row["data"]),
            "lab_run": lambda row: _is_json(row["steps"], list),
            "lab_step": lambda row: all(_is_json(row[name]) for name in ("data", "figures", "versions")),
            "code_segment": _is_segment,
        }

    def __call__(self, table: Table, values: list[Value]) -> bool:
        """Check one row."""
        columns = facts(table)
        for column, value in zip(columns, values, strict=True):
            if not _is_of(column.type, value) and not (value is None and column.nullable):
                return False
        further = self._of.get(table.name)
        return further is None or further({column.name: value for column, value in zip(columns, values, strict=True)})

    def _is_vector(self, row: dict[str, Any]) -> bool:
        dimensions, written = self._kinds.get(row["id"] >> PHOTOGRAPH_BITS, (None, None))
        dtype = _type(written)
        if dtype is None:
            return False
        return len(row["vector"]) == dimensions * dtype.itemsize and finite(np.frombuffer(row["vector"], dtype))


def _is_of(kind: object, value: Value) -> bool:
    """Return whether a value is of the type of its column."""
    if isinstance(kind, Float):
        return isinstance(value, float)
    if isinstance(kind, LargeBinary):
        return isinstance(value, bytes)
    if isinstance(kind, Integer):
        return isinstance(value, int)
    return isinstance(value, str) and _is_text(value)


def _damaged_text(value: str) -> ColumnElement[str]:
    """Return text that is no UTF-8 as a file has it."""
    return cast(literal(value.encode("utf-8", "surrogateescape"), LargeBinary), Text)


def _is_text(value: str) -> bool:
    """Return whether a text was read from UTF-8."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_json(text: str, kind: type = object) -> bool:
    try:
        return isinstance(json.loads(text), kind)
    except (ValueError, RecursionError):
        return False


def _type(written: object) -> np.dtype[Any] | None:
    """Read a type of numbers."""
    try:
        made = np.dtype(str(written)).newbyteorder("<")
    except TypeError:
        return None
    return made if made.kind in NUMBERS else None


def _is_photograph(row: dict[str, Any]) -> bool:
    known = row["content_hash"]
    return row["state"] in set(PhotographState) and (known is None or len(known) == _HASH_BYTES)


def _is_array(row: dict[str, Any]) -> bool:
    dtype = _type(row["dtype"])
    if dtype is None or not _is_json(row["shape"], list):
        return False
    shape = json.loads(row["shape"])
    if not all(isinstance(side, int) and side >= 0 for side in shape):
        return False
    expected = dtype.itemsize
    for side in shape:
        expected *= side
    return len(row["data"]) == expected


def _is_segment(row: dict[str, Any]) -> bool:
    if row["length"] <= 0 or len(row["ids"]) != STORED_IDS.itemsize * row["length"]:
        return False
    ids = np.frombuffer(row["ids"], STORED_IDS)
    ascending = bool((ids[1:] > ids[:-1]).all())
    return ascending and (ids[0], ids[-1]) == (row["first"], row["last"]) and len(row["codes"]) % row["length"] == 0
