"""A question that SQLite answers in one long step is stopped, and its errors are raised where it is waited for."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from core.errors import Cancelled
from storage.sqlite.engine import Access
from storage.sqlite.place import ask

_ENDLESS = "WITH RECURSIVE numbers(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM numbers) SELECT max(x) FROM numbers"


def test_an_answer_an_error_and_a_stop(tmp_path: Path) -> None:
    path = tmp_path / "a file"
    looks = 0

    def look() -> None:
        nonlocal looks
        looks += 1
        if looks > 2:
            raise Cancelled

    one = ask(path, Access.CREATE, 0.0, lambda connection: connection.execute("SELECT 1").fetchone(), lambda: None)
    assert one == (1,)
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        ask(path, Access.READ, 0.0, lambda connection: connection.execute("SELECT 1 FROM absent"), lambda: None)
    with pytest.raises(Cancelled):
        ask(path, Access.READ, 0.0, lambda connection: connection.execute(_ENDLESS).fetchone(), look)
