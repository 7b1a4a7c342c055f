"""What SQLite itself has to say of a file: its pages, its indexes, its schema, and what refers to what."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection

from core.message import Message
from core.progress import Progress
from storage.database.place import Reports
from storage.database.schema import REVISIONS
from storage.sqlite import failures
from storage.sqlite.driver import driver
from storage.sqlite.engine import Access
from storage.sqlite.known_schema import is_known
from storage.sqlite.long_question import ask

_REPORTS = 100
# Reports of SQLite on a table's index and on values, which checksums tell more exactly; all others are of the file.
_OF_INDEX = re.compile("missing from index|wrong # of entries in index|non-unique entry in index|values differ from")
_OF_VALUE = re.compile(r"CHECK constraint failed|^NULL value in|^NUMERIC value in|^TEXT value in|^non-\w+ value in")


def reports(path: Path, access: Access, wait_s: float, progress: Progress) -> Reports:
    """Check a file; later parts are looked at only where those before them have found nothing.

    Parameters
    ----------
    path : Path
    access : Access
    wait_s : float
        How long to wait for another program's lock.
    progress : Progress
        May raise ``Cancelled``, also while SQLite works.
    """
    return ask(path, access, wait_s, _reports, lambda: progress(0, 1, Message("Checking the file")))


def _reports(connection: sqlite3.Connection) -> Reports:
    connection.execute("BEGIN")  # all of it is of one moment
    told = [one for one in _integrity(connection) if one != "ok"]
    of_index = [one for one in told if _OF_INDEX.search(one)]
    of_file = [one for one in told if one not in of_index and not _OF_VALUE.search(one)]
    if of_file:
        return Reports(tuple(_of_file(one) for one in of_file))
    if not is_known(connection, REVISIONS[-1]):  # changed since it was opened
        return Reports((Message("The file is damaged: its tables are not those of Twinlens."),))
    values = tuple(_of_file(one) for one in told)
    if of_index:
        return Reports(stale_index=of_index[0], values=values)
    astray = Counter(row[0] for row in connection.execute("PRAGMA foreign_key_check"))
    return Reports(astray=dict(sorted(astray.items())), values=values)


@contextmanager
def little_memory(connection: Connection) -> Iterator[None]:
    """Read without mapping the file."""
    reads = driver(connection)
    (mapped,) = reads.execute("PRAGMA mmap_size").fetchone() or (0,)
    reads.execute("PRAGMA mmap_size = 0")
    try:
        yield
    finally:
        reads.execute(f"PRAGMA mmap_size = {mapped}")


def _integrity(connection: sqlite3.Connection) -> list[str]:
    try:
        return [report for (report,) in connection.execute(f"PRAGMA integrity_check({_REPORTS})")]
    except sqlite3.DatabaseError as error:
        if failures.primary_code(error) not in failures.DAMAGED:
            raise
        return [str(error)]


def _of_file(report: str) -> Message:
    return Message("The file is damaged: {report}.", report=report)
