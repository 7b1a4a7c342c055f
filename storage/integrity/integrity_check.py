"""Whether a library is as it was written, and everything in it fits together."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import numpy as np
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from core.errors import Cancelled
from core.message import Message
from core.progress import Progress, part, silent
from storage.database import database_failures
from storage.database.batches import Ids, driver, gathered
from storage.database.expected_tables import differing
from storage.database.schema import PHOTOGRAPH_BITS
from storage.indexes.segments import Segments
from storage.integrity.mending import AGAIN, REPAIR, RESTORE, Finding, findings
from storage.integrity.row_checks import Fits, check_rows
from storage.library.store import Store
from storage.library.transaction import Transaction

ANEW = f"{REPAIR}they are computed anew."
_FILE, _ROWS = 0.3, 0.95  # shares of the work, for the progress
_STEPS = 200_000  # of SQLite's, between two looks whether to stop
_REPORTS = 100
# Reports of SQLite on a table's index and on values, which checksums tell more exactly; all others are of the file.
_OF_INDEX = re.compile("missing from index|wrong # of entries in index|non-unique entry in index|values differ from")
_OF_VALUE = re.compile(r"CHECK constraint failed|^NULL value in|^NUMERIC value in|^TEXT value in|^non-\w+ value in")
# Segments whose values are not as long as they say, or that hold codes of several lengths.
_MISFITS = """
    SELECT coalesce(sum(length(ids) <> 8 * length OR length(codes) = 0 OR length(codes) % length <> 0), 0)
        + (count(DISTINCT length(codes) / length) > 1)
    FROM code_segment WHERE index_id = :index_id
"""
_OF_NO_KIND = f"DELETE FROM descriptor WHERE id >> {PHOTOGRAPH_BITS} NOT IN (SELECT id FROM descriptor_kind)"  # noqa: S608
_NUMBERED = ("photograph", "mark", "lab_run")


@dataclass(frozen=True)
class Checked:
    """What a check has found.

    Attributes
    ----------
    findings : list of Finding
        Empty when all is well.
    unprotected : int
        Rows of an older library that have no checksum yet: of those only is known that they can be decoded.
    """

    findings: list[Finding]
    unprotected: int = 0


def check(store: Store, progress: Progress = silent, fits: Fits = lambda version, data: True) -> Checked:
    """Check the file, every row by its checksum, what refers to what, and the counts.

    Each part says something only where those before it have found nothing.

    Parameters
    ----------
    store : Store
    progress : Progress
        Raises :class:`core.errors.Cancelled` to stop.
    fits : callable
        Tells whether bytes are keypoints of a version, of a library whose keypoints have no checksums yet.
    """
    with store.reading() as moment, _little_memory(moment):
        reports = _reports(moment, part(progress, 0.0, _FILE))
        damage = list(_file(moment, reports))
        if any(one.mend is None for one in damage):
            return Checked(damage)
        rows = check_rows(moment.connection, fits, part(progress, _FILE, _ROWS))
        damage += findings(moment, rows)
        if not damage:
            damage += [Finding(f"The file is damaged: {one}.", RESTORE) for one in reports if one != "ok"]
            for number, look in enumerate((_photographs, _descriptors, _codes)):
                part(progress, _ROWS, 1.0)(number, 3, Message("Checking what refers to what"))
                damage += look(moment)
        progress(1, 1, Message("Checked"))
    return Checked(damage, rows.unprotected)


@contextmanager
def _little_memory(moment: Transaction) -> Iterator[None]:
    """Read without mapping the file, all of which would count as this program's memory."""
    connection = driver(moment.connection)
    (mapped,) = connection.execute("PRAGMA mmap_size").fetchone() or (0,)
    connection.execute("PRAGMA mmap_size = 0")
    try:
        yield
    finally:
        connection.execute(f"PRAGMA mmap_size = {mapped}")


def _reports(moment: Transaction, progress: Progress) -> list[str]:
    """Return what SQLite itself has to say."""
    try:
        with _stoppable(driver(moment.connection), progress):
            return list(moment.connection.exec_driver_sql(f"PRAGMA integrity_check({_REPORTS})").scalars())
    except DBAPIError as error:
        if database_failures.primary_code(error) not in database_failures.DAMAGED:
            raise
        return [str(error.orig)]


def _file(moment: Transaction, reports: list[str]) -> Iterator[Finding]:
    of_index = [one for one in reports if _OF_INDEX.search(one)]
    of_file = [one for one in reports if one != "ok" and one not in of_index and not _OF_VALUE.search(one)]
    for report in of_file:
        yield Finding(f"The file is damaged: {report}.", RESTORE)
    if of_file:
        return
    other = differing(driver(moment.connection))
    if other:
        yield Finding(f"The file is damaged: its tables are not those of Twinlens ({', '.join(other)}).", RESTORE)
        return
    if of_index:
        yield Finding(
            f"The file's own indexes do not agree with its tables: {of_index[0]}.",
            f"{REPAIR}they are made anew.",
            partial(_execute, "REINDEX", {}),
        )
        return
    astray = moment.connection.exec_driver_sql("PRAGMA foreign_key_check").all()
    for table in sorted({row[0] for row in astray}):
        count = sum(row[0] == table for row in astray)
        sentence = f"{count} row(s) of the table {table} refer to something that is not there."
        if table == "keypoints":
            yield Finding(sentence, f"{REPAIR}they are removed.", lambda w: w.keypoints.remove_dangling())
        else:
            yield Finding(sentence, RESTORE)


@contextmanager
def _stoppable(connection: sqlite3.Connection, progress: Progress) -> Iterator[None]:
    """Let a statement that takes long be stopped."""
    stopped: list[Cancelled] = []

    def look() -> int:
        try:
            progress(0, 1, Message("Checking the file"))
        except Cancelled as error:
            stopped.append(error)
        return len(stopped)

    connection.set_progress_handler(look, _STEPS)
    try:
        look()
        if not stopped:
            yield
    except (sqlite3.OperationalError, DBAPIError):
        if not stopped:
            raise
    finally:
        connection.set_progress_handler(None, 0)
        if stopped:
            raise stopped[0]


def _photographs(moment: Transaction) -> Iterator[Finding]:
    for where, sentence in (
        ("state = 'ready' AND content_hash IS NULL", "count as read, but nothing of their content is known."),
        (
            "state = 'unreadable' AND NOT EXISTS (SELECT 1 FROM problem WHERE photograph_id = photograph.id)",
            "count as unreadable without a reason.",
        ),
    ):
        ids = gathered(moment.connection, f"SELECT group_concat(id) FROM photograph WHERE {where}")  # noqa: S608
        if len(ids):
            yield Finding(f"{len(ids)} photograph(s) {sentence}", AGAIN, partial(_read_again, ids))
    for table in _NUMBERED:
        given = f"coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = '{table}'), 0)"  # noqa: S608
        if _number(moment, f"SELECT coalesce(max(id), 0) > {given} FROM {table}"):  # noqa: S608
            yield Finding(f"The last id that was given in the table {table} is wrong.", RESTORE)


def _descriptors(moment: Transaction) -> Iterator[Finding]:
    photographs = gathered(moment.connection, "SELECT group_concat(id) FROM photograph")
    known = 0
    for kind in moment.descriptors.kinds():
        ids = moment.descriptors.ids(kind)
        known += len(ids)
        dangling = ids[np.isin(ids, photographs, assume_unique=True, invert=True)]
        if len(dangling):
            yield Finding(
                f"{len(dangling)} vector(s) of {kind.text} belong to no photograph.",
                f"{REPAIR}they are removed.",
                partial(_remove_vectors, dangling),
            )
        here = {"first": kind.first(), "last": kind.last(), "length": kind.dimensions * kind.stored().itemsize}
        wrong = "FROM descriptor WHERE id BETWEEN :first AND :last AND length(vector) <> :length"
        count = moment.connection.execute(text(f"SELECT count(*) {wrong}"), here).scalar_one()
        if count:
            yield Finding(
                f"{count} vector(s) of {kind.text} have not {kind.dimensions} numbers.",
                AGAIN,
                partial(_execute, f"DELETE {wrong}", here),
            )
    others = _number(moment, "SELECT count(*) FROM descriptor INDEXED BY descriptor_ids") - known
    if others:
        yield Finding(
            f"{others} vector(s) belong to no kind of descriptor.",
            f"{REPAIR}they are removed.",
            partial(_execute, _OF_NO_KIND, {}),
        )


def _codes(moment: Transaction) -> Iterator[Finding]:
    photographs = gathered(moment.connection, "SELECT group_concat(id) FROM photograph")
    segments = Segments(moment.connection)
    for index in moment.indexes.all():
        clear, unfit = partial(_clear, index.id), partial(_unfit, index.id)
        if moment.connection.execute(text(_MISFITS), {"index_id": index.id}).scalar_one():
            yield Finding(f"The codes of the index “{index.name}” do not fit together.", ANEW, clear)
            continue
        ids = segments.read_ids(segments.all(index.id))
        if len(ids) and index.model_id is None:
            yield Finding(f"The index “{index.name}” has codes, but not what made them.", ANEW, unfit)
        metric = index.metric_id is not None or index.metric is not None
        if len(ids) and metric != (index.metric_model_id is not None):
            yield Finding(f"The index “{index.name}” has codes, but they are not of its metric.", ANEW, unfit)
        twice = len(ids) - len(np.unique(ids))
        if twice:
            yield Finding(f"{twice} photograph(s) are twice in the index “{index.name}”.", ANEW, clear)
        dangling = ids[np.isin(ids, photographs, invert=True)]
        if len(dangling):
            yield Finding(
                f"{len(dangling)} code(s) of the index “{index.name}” belong to no photograph.",
                f"{REPAIR}they are removed.",
                partial(_remove_codes, dangling),
            )


def _number(moment: Transaction, statement: str) -> int:
    return int(moment.connection.execute(text(statement)).scalar_one())


# --- what is done about it: what is removed here is computed again from what is left ---------------------------------


def _execute(statement: str, values: dict[str, int], w: Transaction) -> None:
    w.connection.execute(text(statement), values)


def _read_again(ids: Ids, w: Transaction) -> None:
    w.photographs.mark_pending(ids)


def _remove_vectors(ids: Ids, w: Transaction) -> None:
    w.descriptors.remove(ids)


def _remove_codes(ids: Ids, w: Transaction) -> None:
    w.codes.remove(ids)


def _clear(index_id: int, w: Transaction) -> None:
    w.codes.clear(index_id)


def _unfit(index_id: int, w: Transaction) -> None:
    w.indexes.unfit(index_id)
