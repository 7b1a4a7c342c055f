"""A library file: inspected, created, filled from elsewhere, brought up to date, and freed of foreign parts.

Before a library is brought up to date, a copy is kept beside it: the migration itself is rolled back whole when it
fails, but what a migration got wrong is found out only later, and marks and folders cannot be made again. Of such
copies only the last is kept.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.files import private_files
from twinlens.core.message import Message
from twinlens.storage.database import library_errors
from twinlens.storage.database.place import Values
from twinlens.storage.database.values import APPLICATION_ID, PAGE_SIZE, REVISIONS, new_facts
from twinlens.storage.integrity.checksums import checksum
from twinlens.storage.sqlite import failures
from twinlens.storage.sqlite.engine import Access, SqliteDialect, connect, keep_in_step, transaction
from twinlens.storage.sqlite.failures import shown
from twinlens.storage.sqlite.file_copy import complete, connect_to_read, copy, keep_beside
from twinlens.storage.sqlite.known_schema import (
    SchemaDifference,
    SchemaPart,
    declared_revision,
    is_known,
    refuse_unknown,
)

if TYPE_CHECKING:
    from sqlalchemy import Table
    from sqlalchemy.schema import ExecutableDDLElement

# What is checked after a crash: small, and not to be made again. Vectors and codes are left to the full check.
_PRECIOUS = (
    "library",
    "setting",
    "volume",
    "folder",
    "photograph",
    "problem",
    "passed_over",
    "model",
    "metric",
    "mark",
    "own_note",
    "album",
    "album_photograph",
    "search_index",
)


@dataclass(frozen=True)
class FoundFile:
    """A library at a path.

    Attributes
    ----------
    access : Access
        How it can be opened.
    revision : str
        Of its schema; empty for a file in which nothing is yet.
    """

    access: Access
    revision: str


def look(path: Path, wait_s: float) -> FoundFile | None:
    """Inspect a path, without changing it.

    Returns
    -------
    FoundFile or None
        None where there is nothing.

    Raises
    ------
    TwinlensError
        If it is a folder, something else, damaged, locked, of a newer version or from before 1.0, or declares what no
        Twinlens does.
    """
    try:
        refuse_other_kinds(path)
        if not path.exists():
            return None
    except OSError as error:
        raise TwinlensError(
            "The library {path} cannot be opened: {strerror}.",
            "See whether you may enter its folder.",
            path=shown(path),
            strerror=error.strerror,
        ) from error
    with failures.in_sentences(path):
        try:
            connection, access = connect_to_read(path, wait_s)
            with closing(connection):
                revision = _revision(path, connection)
        except sqlite3.DatabaseError as error:
            if failures.primary_code(error) == sqlite3.SQLITE_NOTADB:
                raise library_errors.foreign(shown(path)) from error
            raise
        except UnicodeDecodeError as error:  # the driver tells of a damaged schema in what is no text
            raise library_errors.damaged(shown(path)) from error
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        access = Access.WRITE
    return FoundFile(access, revision)


def refuse_other_kinds(path: Path) -> None:
    """Refuse a path that is no regular file: a pipe would block forever.

    Raises
    ------
    TwinlensError
    OSError
        If it cannot be seen what is there.
    """
    if path.is_dir():
        example = path / "library.twinlens"
        raise TwinlensError(
            "{path} is a folder, not a library.",
            "Name a file, such as {example}.",
            path=shown(path),
            example=shown(example),
        )
    if path.exists() and not path.is_file():
        raise library_errors.foreign(shown(path))


def _revision(path: Path, connection: sqlite3.Connection) -> str:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if application == 0 and tables == 0:
        return ""
    if application != APPLICATION_ID:
        raise library_errors.foreign(shown(path))
    revision = declared_revision(connection)
    if not revision:
        raise library_errors.damaged(shown(path))
    if revision not in REVISIONS:
        raise library_errors.unknown_revision(shown(path), older=revision < REVISIONS[0])
    refuse_unknown(connection, revision, shown(path))
    return revision


def create(path: Path, wait_s: float) -> None:
    """Make a new library; where another program does the same at the same moment, one of both makes it.

    Raises
    ------
    TwinlensError
        If nothing can be written there.
    """
    try:
        private_files.make_folder(path.parent)
    except OSError as error:
        raise TwinlensError(
            "The folder {parent} for the library cannot be made: {strerror}.",
            "Choose a folder where you may write.",
            parent=shown(path.parent),
            strerror=error.strerror,
        ) from error
    with failures.in_sentences(path):
        with closing(connect(path, Access.CREATE, wait_s)) as connection:
            connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
            connection.execute("PRAGMA journal_mode = WAL")
        with transaction(path, wait_s) as begun:
            if not begun.value("SELECT count(*) FROM sqlite_master"):
                fill(begun, new_facts())


def fill(dialect: SqliteDialect, facts: dict[str, str]) -> None:
    """Make the tables of a new library, and its facts."""
    dialect.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    for statement in _tables():
        dialect.execute(statement)
    keep_in_step(dialect.driver)
    dialect.insert("alembic_version", [{"version_num": REVISIONS[-1]}])
    dialect.insert("library", [{"name": name, "value": value} for name, value in facts.items()])


@cache
def _tables() -> tuple[str, ...]:
    """Return the statements that make the tables and what belongs to them."""
    from sqlalchemy import create_mock_engine

    from twinlens.storage.database.schema import metadata

    written: list[str] = []

    def write(statement: ExecutableDDLElement, *_: object, **__: object) -> None:
        written.append(str(statement.compile(dialect=writer.dialect)))

    writer = create_mock_engine("sqlite://", write)
    metadata.create_all(writer, checkfirst=False)
    return tuple(written)


def check_precious(path: Path, access: Access, wait_s: float) -> None:
    """Check the rows that cannot be made again, after a crash.

    Raises
    ------
    TwinlensError
        If it is damaged.
    """
    with failures.in_sentences(path), closing(connect(path, access, wait_s)) as connection:
        for table in _PRECIOUS:
            if connection.execute(f"PRAGMA quick_check({table})").fetchone()[0] != "ok":
                raise library_errors.damaged(shown(path))


class FileFilling:
    """A file that is being filled; a :class:`twinlens.storage.database.place.Filling`."""

    def __init__(self, dialect: SqliteDialect) -> None:
        self._dialect = dialect

    def start(self, known: dict[str, str]) -> None:
        """Make the tables."""
        fill(self._dialect, known)

    def put(self, table: Table, rows: Iterable[Values]) -> None:
        """Put in rows with their checksums."""
        marks = ", ".join("?" * len(table.columns))
        self._dialect.driver.executemany(
            f"INSERT INTO {table.name} VALUES ({marks})",
            ((*row, checksum(*row)) for row in rows),
        )

    def set_given(self, table: Table, last: int) -> None:
        """Record the largest id that a table has given."""
        self._dialect.set_given(table.name, last)


@contextmanager
def new_file(target: Path, wait_s: float, replace: bool = False) -> Iterator[FileFilling]:
    """Make a library file; one that has its name is replaced, if that is wanted, when the new one is complete.

    Raises
    ------
    TwinlensError
        If it cannot be written.
    """
    with complete(target, "making a copy", replace) as part:
        with closing(connect(part, Access.CREATE, wait_s)) as connection:
            connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
            connection.execute("VACUUM")  # makes the file, with pages of this size
        with transaction(part, wait_s, ("journal_mode = OFF",)) as begun:  # what fails is removed
            yield FileFilling(begun)
        keep_beside(part, wait_s)


def kept_copy(path: Path, revision: str, number: int = 1) -> Path:
    """Return the place of the copy that is made before a library is brought to a revision, the first or a further one.

    There are several where the library's file was replaced by an older one, such as a backup.
    """
    also = f", {number}" if number > 1 else ""
    return path.with_name(f"{path.stem} (before {revision}{also}){path.suffix}")


def upgrade(path: Path, wait_s: float, revision: str, versions: Sequence[Path] | None = None) -> Path:
    """Upgrade a library to a revision, and return the path of the copy of the old one.

    Parameters
    ----------
    path : Path
        Open nowhere else: an older program would not understand the new schema.
    versions : sequence of Path or None
        Folders of migrations; None for the program's own.

    Raises
    ------
    TwinlensError
        If the disk is full or something refers to nothing afterwards; the library is as it was.
    """
    from sqlalchemy.exc import OperationalError

    from twinlens.storage import migrations

    older = [kept_copy(path, known) for known in REVISIONS if known != revision]
    kept = next(one for one in (kept_copy(path, revision, number) for number in count(1)) if not one.exists())
    copy(path, kept, wait_s, text=Message("Keeping a copy of the library"))
    try:
        with failures.in_sentences(path), transaction(path, wait_s, ("foreign_keys = OFF",)) as begun:
            if begun.value("SELECT version_num FROM alembic_version") != revision:
                migrations.upgrade(begun.connection, revision, versions or migrations.VERSIONS)
                _refuse_astray(begun)
    except OperationalError as error:  # what a step changes is not there, or what it makes is there already
        kept.unlink(missing_ok=True)
        raise TwinlensError(
            "The library {path} of an older Twinlens cannot be brought up to date: {orig}.",
            Remedy("restore backup"),
            path=failures.shown(path),
            orig=error.orig,
        ) from error
    except BaseException:
        kept.unlink(missing_ok=True)  # the library is as it was
        raise
    for copied in older:
        copied.unlink(missing_ok=True)
    return kept


def _refuse_astray(dialect: SqliteDialect) -> None:
    """Refuse the result of a migration with broken references, which were not enforced meanwhile."""
    astray = list(dialect.rows("PRAGMA foreign_key_check"))
    if astray:
        raise TwinlensError(
            "The library could not be brought up to date: {astray} of its rows refer to nothing.",
            Remedy("restore backup"),
            astray=len(astray),
        )


_ORDER = ("trigger", "view", "index", "table")  # what comes first would otherwise run, or stand in the way


def remove_foreign_parts(path: Path, found: SchemaDifference, wait_s: float) -> None:
    """Remove the foreign parts of a file and make lacking indexes anew, in one transaction.

    Parameters
    ----------
    found : SchemaDifference
        What makes the schema another one.
    wait_s : float
        How long to wait for another program.

    Raises
    ------
    TwinlensError
        If it can only be read, or is no library afterwards; it is as it was then.
    """
    path = Path(os.path.realpath(path))
    with failures.in_sentences(path), closing(connect(path, Access.WRITE, wait_s)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")  # a dropped table would delete what refers to it
        connection.execute("BEGIN IMMEDIATE")
        for part in sorted(found.foreign, key=_order):
            connection.execute(f"DROP {part.kind} IF EXISTS {_quoted(part.name)}")
        for part in found.lacking:
            connection.execute(part.declaration)
        if not is_known(connection, declared_revision(connection)):
            connection.execute("ROLLBACK")
            raise library_errors.damaged(shown(path))
        connection.execute("COMMIT")


def _order(part: SchemaPart) -> tuple[int, bool]:
    return _ORDER.index(part.kind), not part.declaration.upper().startswith("CREATE VIRTUAL")  # takes its tables along


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
