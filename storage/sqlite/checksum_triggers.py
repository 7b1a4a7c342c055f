"""Triggers of a connection that writes, which keep the checksum of each row in step with its values.

A change of a damaged row leaves it damaged: only the difference that the change makes goes into its checksum.
"""

from __future__ import annotations

import sqlite3
from functools import cache

from storage.integrity.checksums import TABLES, checksum, facts


def keep_in_step(connection: sqlite3.Connection) -> None:
    """Make a connection that writes keep the checksums of all tables in step with their rows."""
    connection.create_function("checksum_of", -1, checksum, deterministic=True)
    connection.create_function("checksum_after", 3, _after, deterministic=True)
    for statement in _triggers():
        connection.execute(statement)


@cache
def _triggers() -> tuple[str, ...]:
    """Return the statements that make the triggers."""
    made = []
    for table in TABLES:
        names = [column.name for column in facts(table)]
        old, new = (", ".join(f'{moment}."{name}"' for name in names) for moment in ("OLD", "NEW"))
        here = " AND ".join(f'"{column.name}" = NEW."{column.name}"' for column in table.primary_key)
        columns = ", ".join(f'"{name}"' for name in names)
        for name, moment, when, value in (
            ("put_in", "INSERT", "NEW.checksum IS NULL", f"checksum_of({new})"),
            (
                "changed",
                f"UPDATE OF {columns}",
                "NEW.checksum IS OLD.checksum",
                f"checksum_after(OLD.checksum, checksum_of({old}), checksum_of({new}))",
            ),
        ):
            made.append(
                f"CREATE TEMP TRIGGER IF NOT EXISTS {table.name}_{name} AFTER {moment} ON main.{table.name} "  # noqa: S608
                f"WHEN {when} BEGIN UPDATE {table.name} SET checksum = {value} WHERE {here}; END"
            )
    return tuple(made)


def _after(stored: int | None, before: int, after: int) -> int:
    """Return the checksum of a changed row: one that did not fit before does not fit afterwards either."""
    return after if stored is None else stored ^ before ^ after
