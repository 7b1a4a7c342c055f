"""Checksums of rows: a CRC-32 of all values of a row, by which a flipped bit anywhere in it is found.

Whoever writes rows need not think of them: each connection to a file that writes has triggers which keep the checksum
of a row in step with its values (:mod:`twinlens.storage.sqlite.engine`). What is large, such as vectors, is put in
with its checksum at once, which is quicker. On a server, which has checksums of its own, rows have none.

CRC-32 finds every single flipped bit, and any other damage with a chance of 4 billion to 1, at 3 GB/s; BLAKE2b would
take four times as long.
"""

from __future__ import annotations

import itertools
import json
import logging
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from twinlens.core.files.untrusted_input import whole
from twinlens.core.message import Message

Value = int | float | str | bytes | memoryview | None
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


def sound(table: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a row by name, without its checksum.

    Parameters
    ----------
    row : mapping
        Has every column of the table, in their order, the checksum last; others may stand behind it.

    Raises
    ------
    DamagedRowError
        If the values do not fit the checksum.
    """
    values = dict(row)
    stored = values.pop("checksum")
    if stored is not None and stored != checksum(*(row[name] for name in itertools.takewhile("checksum".__ne__, row))):
        raise DamagedRowError(named(table, values))
    return values


def sound_rows(rows: Iterable[Mapping[str, Any]], table: str) -> Iterator[dict[str, Any]]:
    """Yield the values of rows; damaged ones are left out, and the check of the library reports them."""
    for row in rows:
        try:
            yield sound(table, row)
        except DamagedRowError as error:
            _leave_out(error.what)


def sound_values(rows: Iterable[Sequence[Any]], table: str) -> Iterator[Sequence[Any]]:
    """Yield the values of rows without names, as :func:`sound_rows`: for tables with a row for each photograph.

    Parameters
    ----------
    rows : iterable of sequence
        All values of each row, in the order of the columns, the checksum last.
    """
    for row in rows:
        values, stored = row[:-1], row[-1]
        if stored is None or stored == checksum(*values):
            yield values
        else:
            _leave_out(named(table, {"key": values[0]}))


def _leave_out(what: Message) -> None:
    _log.warning("%s is damaged and is left out", what)


def from_json(text: str, table: str, row: Mapping[str, Any]) -> Any:
    """Read a value of a row that is JSON.

    Raises
    ------
    DamagedRowError
        If it is none.
    """
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError):
        raise DamagedRowError(named(table, row)) from None


def named(table: str, values: Mapping[str, Any]) -> Message:
    """Name a row for people, by its name where it has one, otherwise by its key, the first of the values.

    Examples
    --------
    >>> print(named("metric", {"id": 3, "name": "mine"}))
    the row “mine” of the table metric
    """
    name = values.get("name")
    if isinstance(name, str):
        return Message("the row “{name}” of the table {table}", name=whole(name), table=table)
    key = next(iter(values.values()))
    return Message("the row {key} of the table {table}", key=repr(key), table=table)
