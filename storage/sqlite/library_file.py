"""Inspection of a file that may be a library, and creation of a new library."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sqlalchemy import Connection, create_mock_engine, insert
from sqlalchemy.schema import ExecutableDDLElement

from core.errors import TwinlensError
from core.files import private_files
from core.message import Message
from storage.database import library_errors
from storage.database.library_facts import new_facts
from storage.database.schema import APPLICATION_ID, PAGE_SIZE, REVISIONS, alembic_version, library, metadata
from storage.sqlite import failures
from storage.sqlite.checksum_triggers import keep_in_step
from storage.sqlite.driver import driver
from storage.sqlite.engine import Access, connect, transaction
from storage.sqlite.failures import shown
from storage.sqlite.journal import connect_to_read
from storage.sqlite.known_schema import declared_revision, refuse_unknown

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
    """See what lies at a path, without changing it.

    Returns
    -------
    Found or None
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
            Message("The library {path} cannot be opened: {strerror}.", path=shown(path), strerror=error.strerror),
            Message("See whether you may enter its folder."),
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
    """Refuse what is there and is no file: a pipe would never answer.

    Raises
    ------
    TwinlensError
    OSError
        If it cannot be seen what is there.
    """
    if path.is_dir():
        example = path / "library.twinlens"
        raise TwinlensError(
            Message("{path} is a folder, not a library.", path=shown(path)),
            Message("Name a file, such as {example}.", example=shown(example)),
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
            Message(
                "The folder {parent} for the library cannot be made: {strerror}.",
                parent=shown(path.parent),
                strerror=error.strerror,
            ),
            Message("Choose a folder where you may write."),
        ) from error
    with failures.in_sentences(path):
        with closing(connect(path, Access.CREATE, wait_s)) as connection:
            connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
            connection.execute("PRAGMA journal_mode = WAL")
        with transaction(path, wait_s) as begun:
            if not begun.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar():
                fill(begun, new_facts())


def fill(connection: Connection, facts: dict[str, str]) -> None:
    """Make the tables of a new library, and its facts."""
    connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
    for statement in _tables():
        connection.exec_driver_sql(statement)
    keep_in_step(driver(connection))
    connection.execute(insert(alembic_version).values(version_num=REVISIONS[-1]))
    connection.execute(insert(library), [{"name": name, "value": value} for name, value in facts.items()])


@cache
def _tables() -> tuple[str, ...]:
    """Return the statements that make the tables and what belongs to them."""
    written: list[str] = []

    def write(statement: ExecutableDDLElement, *_: object, **__: object) -> None:
        written.append(str(statement.compile(dialect=writer.dialect)))

    writer = create_mock_engine("sqlite://", write)
    metadata.create_all(writer, checkfirst=False)
    return tuple(written)


def check_precious(path: Path, access: Access, wait_s: float) -> None:
    """Check what cannot be made again, after a crash.

    Raises
    ------
    TwinlensError
        If it is damaged.
    """
    with failures.in_sentences(path), closing(connect(path, access, wait_s)) as connection:
        for table in _PRECIOUS:
            if connection.execute(f"PRAGMA quick_check({table})").fetchone()[0] != "ok":
                raise library_errors.damaged(shown(path))
