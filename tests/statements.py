"""Statements that are sent to a database: on a network each is a round trip."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event


@contextmanager
def counted() -> Iterator[list[str]]:
    """List the statements that are sent meanwhile; one for many rows is one."""
    sent: list[str] = []

    def _sent(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        sent.append(statement)

    event.listen(Engine, "before_cursor_execute", _sent)
    try:
        yield sent
    finally:
        event.remove(Engine, "before_cursor_execute", _sent)
