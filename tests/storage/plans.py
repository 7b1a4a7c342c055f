"""How a database carries statements out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, event


@contextmanager
def plans(connection: Connection, explain: str = "EXPLAIN QUERY PLAN") -> Iterator[list[str]]:
    """Collect the plans of the statements that are executed inside the block."""
    statements: list[tuple[str, Any]] = []

    def note(_: Connection, cursor: object, statement: str, values: Any, context: object, many: bool) -> None:
        statements.append((statement, values[0] if many else values))

    found: list[str] = []
    event.listen(connection, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(connection, "before_cursor_execute", note)
    for statement, values in statements:
        found.append(str(connection.exec_driver_sql(f"{explain} {statement}", values).all()))
