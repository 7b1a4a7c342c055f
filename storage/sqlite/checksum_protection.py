"""Adds checksums to the rows of an older library file, batch by batch.

A row that can be decoded is taken for whole. A damaged one gets no checksum, and stays for the check to tell.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Table

from core.message import Message
from core.progress import Progress, part, silent
from storage.database.library_facts import PROTECTED
from storage.database.schema import array, code_segment, lab_step
from storage.integrity.checksums import TABLES, all_protected, checksum, facts
from storage.integrity.row_checks import Decoder, Fits
from storage.library.store import Store
from storage.sqlite.driver import driver
from storage.sqlite.row_reading import any_text

_BATCH, _LARGE_BATCH = 2_000, 4
_LARGE = (array, code_segment, lab_step)


def protect(store: Store, fits: Fits, progress: Progress = silent, again: bool = False) -> int:
    """Return every row that has none its checksum, and count them; those of a library that has all cost nothing.

    Parameters
    ----------
    store : Store
    fits : callable
        Tells whether bytes are keypoints of a version.
    progress : Progress
        When it raises ``Cancelled``, what is done is kept.
    again : bool
        Look at every row even where all have had their checksums before.
    """
    with store.reading() as r:
        if not again and all_protected(r.connection):
            return 0
    done, lacking = 0, False
    for number, table in enumerate(TABLES):
        step = part(progress, number / len(TABLES), (number + 1) / len(TABLES))
        given, damaged = _protect_table(store, table, fits, step)
        done, lacking = done + given, lacking or damaged
    if not lacking:
        with store.writing("protecting rows") as w:
            w.connection.exec_driver_sql(
                "INSERT INTO library (name, value) VALUES (?, 'all') ON CONFLICT DO NOTHING", (PROTECTED,)
            )
    return done


def _protect_table(store: Store, table: Table, fits: Fits, progress: Progress) -> tuple[int, bool]:
    """Return the rows of a table their checksums; tell how many, and whether some are damaged."""
    keys = [column.name for column in table.primary_key]
    names = ", ".join(f'"{name}"' for name in (*keys, *(column.name for column in facts(table))))
    ordered = ", ".join(f'"{name}"' for name in keys)
    here = " AND ".join(f'"{name}" = ?' for name in keys)
    count = _LARGE_BATCH if table in _LARGE else _BATCH
    after: tuple[Any, ...] = ()
    done, damaged = 0, False
    while True:
        progress(0, 0, Message("Protecting what is stored against damage"))
        beyond = f"({ordered}) > ({', '.join('?' * len(keys))}) AND" if after else ""
        statement = f"SELECT {names} FROM {table.name} WHERE {beyond} checksum IS NULL ORDER BY {ordered} LIMIT {count}"  # noqa: S608
        with store.writing("protecting rows") as w, any_text(driver(w.connection)) as connection:
            rows = connection.execute(statement, after).fetchall()
            if not rows:
                return done, damaged
            decodes = Decoder(store.place, w.connection, fits)
            whole = [row for row in rows if decodes(table, list(row[len(keys) :]))]
            given = [(checksum(*row[len(keys) :]), *row[: len(keys)]) for row in whole]
            connection.executemany(f"UPDATE {table.name} SET checksum = ? WHERE {here}", given)  # noqa: S608
            after = rows[-1][: len(keys)]
            done, damaged = done + len(whole), damaged or len(whole) < len(rows)
