"""Everything that a library file may declare: the schema of its revision, and nothing else.

What a file declares runs in the program that opens it: a trigger with each change, a view, a generated column or an
index of an expression with each look. A file may come from anybody. So all of it is compared with what the revision of
the file has, before anything else is read or written.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message
from twinlens.storage.database import library_errors
from twinlens.storage.sqlite.engine import Access, SqliteDialect, connect

_DIGESTS = {
    "0009": "39e5c4adaf62caaaf1ebb15de8cd7ea98a4ecec1aae0c9b4af478df5cec95fad",
    "0010": "faf55dea3369dd319c9d1626485a7591aa80c4006c306f3a5677587f71baebdf",
    "0011": "cd61cb4422ee0a20f7aee020ea6fd8751241c49a9343d09659bc5676582ab241",
}
"""Of the parts of each revision; a test computes them."""

_OF_SQLITE = frozenset(
    ("table", name, name, f"CREATE TABLE {name}({columns})")
    for name, columns in (
        ("sqlite_sequence", "name,seq"),
        ("sqlite_stat1", "tbl,idx,stat"),
        ("sqlite_stat4", "tbl,idx,neq,nlt,ndlt,sample"),
    )
)
_NO_DIFFERENCE = re.compile(r'[ \t\r\n"]+')  # a table that was given its name later has it in quotes
_OF_REVISION = (
    *("table", "alembic_version", "alembic_version"),
    "CREATETABLEalembic_version(version_numVARCHAR(32)NOTNULL,CONSTRAINTalembic_version_pkcPRIMARYKEY(version_num))",
)
_NAMED = 5
_WAIT_S = 5.0


@dataclass(frozen=True)
class SchemaPart:
    """A table, index, trigger or view.

    Attributes
    ----------
    declaration : str
        The statement that makes it.
    """

    kind: str
    name: str
    table: str
    declaration: str

    def key(self) -> tuple[str, str, str, str]:
        """Return the identity of the part, without differences that do not matter."""
        return self.kind, self.name, self.table, _NO_DIFFERENCE.sub("", self.declaration)


@dataclass(frozen=True)
class SchemaDifference:
    """The extra and the missing parts of a file, compared with the schema of its revision."""

    foreign: tuple[SchemaPart, ...]
    lacking: tuple[SchemaPart, ...]

    @property
    def mendable(self) -> bool:
        """Whether nothing that holds rows is lacking or changed."""
        return all(part.kind == "index" for part in self.lacking)


class ForeignPartsError(TwinlensError):
    """A file declares what no Twinlens declares; without it, the file is a library."""

    def __init__(self, library: str, difference: SchemaDifference) -> None:
        self.difference = difference
        super().__init__(
            library_errors.foreign_parts(library, _names(difference.foreign or difference.lacking)),
            Message("Run `twinlens check --repair`: it removes them, and keeps a copy of the library."),
        )


def parts(connection: sqlite3.Connection) -> list[SchemaPart]:
    """Return everything that a file declares, but what SQLite makes by itself."""
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    return [
        SchemaPart(*map(str, row))
        for row in rows
        if row not in _OF_SQLITE and not (row[0] == "index" and row[3] is None)  # that of a constraint
    ]


def digest(declared: Sequence[SchemaPart]) -> str:
    """Return the digest of a schema, equal for equal schemas."""
    return hashlib.sha256(repr(sorted(part.key() for part in declared)).encode("utf-8", "replace")).hexdigest()


def declared_revision(connection: sqlite3.Connection) -> str:
    """Return the revision of a file; empty where nothing says it, or something that is no table would."""
    select = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name = 'alembic_version'"
    if [SchemaPart(*map(str, row)).key() for row in connection.execute(select)] != [_OF_REVISION]:
        return ""
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return "" if row is None else str(row[0])


def is_known(connection: sqlite3.Connection, revision: str) -> bool:
    """Return whether a file declares what its revision has."""
    return digest(parts(connection)) == _DIGESTS.get(revision)


def refuse_unknown(connection: sqlite3.Connection, revision: str, library: str) -> None:
    """Refuse a file that declares anything else than its revision has.

    Raises
    ------
    ForeignPartsError
        If it is a library without what it declares besides.
    TwinlensError
        If its tables are others.
    """
    if is_known(connection, revision):
        return
    found = difference(connection, revision)
    if found.mendable:
        raise ForeignPartsError(library, found)
    raise library_errors.other_tables(library, _names((*found.foreign, *found.lacking)))


def difference(connection: sqlite3.Connection, revision: str) -> SchemaDifference:
    """Compare what a file declares with what its revision has."""
    expected = {part.key(): part for part in schema(revision)}
    found = parts(connection)
    keys = {part.key() for part in found}
    return SchemaDifference(
        tuple(part for part in found if part.key() not in expected),
        tuple(part for key, part in expected.items() if key not in keys),
    )


def schema(revision: str) -> list[SchemaPart]:
    """Return the parts that a file of a revision declares, by its migrations."""
    from twinlens.storage import migrations

    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        migrations.upgrade(SqliteDialect(made).connection, revision)
        return parts(made)


def has_other_schema(path: Path) -> bool:
    """Return whether an open library has another schema meanwhile: then it is damaged."""
    try:
        with closing(connect(path, Access.READ, _WAIT_S)) as connection:
            revision = declared_revision(connection)
            return not revision or (revision in _DIGESTS and not is_known(connection, revision))
    except sqlite3.Error as error:  # not even the list of its tables can be read
        return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) == sqlite3.SQLITE_ERROR


def _names(some: Sequence[SchemaPart]) -> list[str]:
    names = sorted({part.name for part in some})
    return names if len(names) <= _NAMED else [*names[:_NAMED], "…"]
