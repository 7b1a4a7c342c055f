"""Statements that are sent to a database: on a network each is a round trip."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Engine, event

from twinlens.storage.sqlite.engine import SqliteDialect


@contextmanager
def counted() -> Iterator[list[str]]:
    """List the statements that are sent meanwhile; one for many rows is one."""
    with sent_values() as sent:
        texts: list[str] = []
        yield texts
        texts.extend(text for text, _ in sent)


@contextmanager
def sent_values() -> Iterator[list[tuple[str, Any]]]:
    """List the statements that are sent meanwhile, each with its values, those of the first of many rows."""
    sent: list[tuple[str, Any]] = []

    def of_server(_connection: Any, _cursor: Any, statement: str, values: Any, _context: Any, many: bool) -> None:
        sent.append((statement, values[0] if many else values))

    def of_file(send: Callable[..., Any], many: bool) -> Callable[..., Any]:
        def sending(dialect: SqliteDialect, text: str, values: Any = ()) -> Any:
            if values or not many:
                sent.append((text, values[0] if many else values))
            return send(dialect, text, values)

        return sending

    event.listen(Engine, "before_cursor_execute", of_server)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqliteDialect, "execute", of_file(SqliteDialect.execute, many=False))
        patch.setattr(SqliteDialect, "many", of_file(SqliteDialect.many, many=True))
        try:
            yield sent
        finally:
            event.remove(Engine, "before_cursor_execute", of_server)
