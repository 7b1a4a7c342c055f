"""Removal of what a library file declares besides the schema of its revision."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

from storage.database import library_errors
from storage.sqlite import failures
from storage.sqlite.engine import Access, connect
from storage.sqlite.failures import shown
from storage.sqlite.known_schema import SchemaDifference, SchemaPart, declared_revision, is_known

_ORDER = ("trigger", "view", "index", "table")  # what comes first would otherwise run, or stand in the way


def remove_foreign_parts(path: Path, found: SchemaDifference, wait_s: float) -> None:
    """Remove the foreign parts of a file and make lacking indexes anew, in one transaction.

    Parameters
    ----------
    path : Path
    found : Difference
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
