"""Bringing a library of an older Twinlens up to date.

A copy is made first and kept beside the library: the migration itself is rolled back whole when it fails, but what a
migration got wrong is found out only later, and marks and folders cannot be made again. Of such copies only the last
is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection, select
from sqlalchemy.exc import OperationalError

from core.errors import Remedy, TwinlensError
from core.message import Message
from storage.database.schema import REVISIONS, alembic_version
from storage.sqlite import failures
from storage.sqlite.engine import transaction
from storage.sqlite.file_copy import copy


def kept_copy(path: Path, revision: str) -> Path:
    """Return the place of the copy that is made before a library is brought to a revision."""
    return path.with_name(f"{path.stem} (before {revision}){path.suffix}")


def upgrade(path: Path, wait_s: float, revision: str, versions: Sequence[Path] | None = None) -> Path:
    """Bring a library to a revision, and give the place of the copy of what it was.

    Parameters
    ----------
    path : Path
        Open nowhere else: an older program would not understand the new schema.
    wait_s : float
    revision : str
    versions : sequence of Path or None
        Folders of migrations; None for the program's own.

    Raises
    ------
    TwinlensError
        If the disk is full or something refers to nothing afterwards; the library is as it was.
    """
    from storage import migrations

    older = [kept_copy(path, known) for known in REVISIONS]
    kept = kept_copy(path, revision)
    copy(path, kept, wait_s, text=Message("Keeping a copy of the library"))
    try:
        with failures.in_sentences(path), transaction(path, wait_s, ("foreign_keys = OFF",)) as connection:
            if connection.execute(select(alembic_version.c.version_num)).scalar() != revision:
                migrations.upgrade(connection, revision, versions or migrations.VERSIONS)
                _refuse_astray(connection)
    except OperationalError as error:  # what a step changes is not there, or what it makes is there already
        kept.unlink(missing_ok=True)
        raise TwinlensError(
            Message(
                "The library {path} of an older Twinlens cannot be brought up to date: {orig}.",
                path=failures.shown(path),
                orig=error.orig,
            ),
            Remedy("restore backup"),
        ) from error
    except BaseException:
        kept.unlink(missing_ok=True)  # the library is as it was
        raise
    for copied in older:
        if copied != kept:
            copied.unlink(missing_ok=True)
    return kept


def _refuse_astray(connection: Connection) -> None:
    """Refuse what a migration has made of references, which were not looked at meanwhile."""
    astray = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    if astray:
        raise TwinlensError(
            Message(
                "The library could not be brought up to date: {astray} of its rows refer to nothing.",
                astray=len(astray),
            ),
            Remedy("restore backup"),
        )
