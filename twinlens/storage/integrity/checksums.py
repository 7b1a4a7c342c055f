"""Checksums of rows: a CRC-32 of all values of a row, by which a flipped bit anywhere in it is found.

Whoever writes rows need not think of them: each connection to a file that writes has triggers which keep the checksum
of a row in step with its values (:mod:`twinlens.storage.sqlite.engine`). What is large, such as vectors, is put in
with its checksum at once, which is quicker. On a server, which has checksums of its own, rows have none.

CRC-32 finds every single flipped bit, and any other damage with a chance of 4 billion to 1, at 3 GB/s; BLAKE2b would
take four times as long.
"""

from __future__ import annotations

import json
import logging
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import Column, Row, Table

from twinlens.core.files.untrusted_input import whole
from twinlens.core.message import Message
from twinlens.storage.database.schema import alembic_version, metadata

Value = int | float | str | bytes | memoryview | None
TABLES: tuple[Table, ...] = tuple(table for table in metadata.sorted_tables if table is not alembic_version)
"""The tables whose rows have a checksum."""

GIVEN = tuple(table for table in TABLES if table.dialect_options["sqlite"]["autoincrement"])
"""Of these, the tables whose ids are never given twice."""


_log = logging.getLogger(__name__)


class DamagedRowError(Exception):
    """A row is not as it was written.

    Parameters
    ----------
    what : Message
        The row, for people: “the row 7 of the table mark”.
    """

    def __init__(self, what: Message) -> None:
        super().__init__(what)
        self.what = what


def checksum(*values: Value) -> int:
    """Compute the checksum of a row's values, as SQLite holds them; a view of memory counts as its bytes.

    Examples
    --------
    >>> checksum(7, b"abc") == of_bytes(7, b"abc")
    True
    >>> checksum(1, None) == checksum(None, 1)
    False
    """
    made = 0
    for value in values:
        if value is None:
            made = zlib.crc32(b"n", made)
        elif isinstance(value, int):
            made = zlib.crc32(b"i%d:" % value, made)
        elif isinstance(value, str):
            written = value.encode("utf-8", "surrogateescape")
            made = zlib.crc32(b"s%d:%b" % (len(written), written), made)
        elif isinstance(value, float):
            made = zlib.crc32(b"f%b" % struct.pack("<d", value), made)
        else:
            made = zlib.crc32(value, zlib.crc32(b"b%d:" % memoryview(value).nbytes, made))
    return made


def of_bytes(key: int, data: bytes) -> int:
    """Compute the checksum of a row that has a key and one value of bytes: :func:`checksum`, but quicker."""
    return zlib.crc32(data, zlib.crc32(b"i%d:b%d:" % (key, len(data))))


def facts(table: Table) -> list[Column[Any]]:
    """List the columns of a table without the checksum."""
    return [column for column in table.columns if column.name != "checksum"]


def sound(table: Table, row: Row[Any, Any]) -> dict[str, Any]:
    """Return the values of a whole row by name, without its checksum.

    Parameters
    ----------
    row : Row
        Has every column of the table, and may have others.

    Raises
    ------
    DamagedRowError
        If the values do not fit the checksum.
    """
    values = row._asdict()
    stored = values.pop("checksum")
    if stored is not None and stored != checksum(*(values[column.name] for column in facts(table))):
        raise DamagedRowError(named(table, values))
    return values


def sound_rows(rows: Iterable[Row[*tuple[Any, ...]]], table: Table) -> Iterator[dict[str, Any]]:
    """Yield the values of rows; damaged ones are left out, and the check of the library reports them."""
    names = {column.name for column in facts(table)}
    for row in rows:
        try:
            values = sound(table, row)
        except DamagedRowError as error:
            _log.warning("%s is damaged and is left out", error.what)
            continue
        yield {name: value for name, value in values.items() if name in names}


def from_json(text: str, table: Table, row: Row[Any, Any]) -> Any:
    """Read a value of a row that is JSON.

    Raises
    ------
    DamagedRowError
        If it is none.
    """
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError):
        raise DamagedRowError(named(table, row._asdict())) from None


def named(table: Table, values: Mapping[str, Any]) -> Message:
    """Name a row for people, by its name where it has one, otherwise by its key, the first of the values.

    Examples
    --------
    >>> from twinlens.storage.database.schema import metric
    >>> print(named(metric, {"id": 3, "name": "mine"}))
    the row “mine” of the table metric
    """
    name = values.get("name")
    if isinstance(name, str):
        return Message("the row “{name}” of the table {table}", name=whole(name), table=table.name)
    key = next(iter(values.values()))
    return Message("the row {key} of the table {table}", key=repr(key), table=table.name)
