"""Statements for the driver itself: where rows are many, their values go to it as they are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Dialect, Executable

from storage.database.column_types import clean, is_text


@lru_cache(maxsize=256)
def written(statement: Executable, dialect: Dialect) -> tuple[str, tuple[int, ...]]:
    """Return the text of a statement, and which of its parameters, by their places in it, are text.

    The text is kept, so the statement should be, too.
    """
    compiled = statement.compile(dialect=dialect)  # type: ignore[attr-defined]
    names = compiled.positiontup or []
    return str(compiled), tuple(at for at, name in enumerate(names) if is_text(compiled.binds[name].type))


def cleaned(rows: Sequence[tuple[Any, ...]], places: Sequence[int]) -> Sequence[tuple[Any, ...]]:
    r"""Return rows without what a column of text takes out of the values at some places.

    Examples
    --------
    >>> cleaned([(1, "Canon\0", b"\0")], [1])
    [(1, 'Canon', b'\x00')]
    """
    if not places or not any("\0" in row[at] for row in rows for at in places if row[at] is not None):
        return rows
    return [tuple(clean(value) if at in places else value for at, value in enumerate(row)) for row in rows]
