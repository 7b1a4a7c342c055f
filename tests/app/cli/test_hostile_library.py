"""A library from somebody else that declares more than Twinlens does: refused everywhere, and mended by a repair."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.app.cli.test_commands import run
from tests.app.library_fixture import Libraries

COUNT = 3
TRIGGERS = (
    "CREATE TRIGGER emptying AFTER INSERT ON folder BEGIN DELETE FROM photograph; DELETE FROM mark; END",
    "CREATE TRIGGER also AFTER UPDATE ON photograph BEGIN DELETE FROM problem; END",
)
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS name, i AS value FROM n"
MENDABLE = {
    "triggers": TRIGGERS,
    "view": (f"CREATE VIEW more AS {ENDLESS}",),
    "virtual table": ("CREATE VIRTUAL TABLE words USING fts5(word)",),
    "table": ("CREATE TABLE note (word TEXT)", "CREATE INDEX note_words ON note (upper(word))"),
    "expression index": ("CREATE INDEX by_name ON photograph (hex(camera))",),
    "index of another expression": (
        "DROP INDEX photograph_by_size",
        "CREATE INDEX photograph_by_size ON photograph (abs(size))",
    ),
    "lacking index": ("DROP INDEX mark_by_second",),
}
OTHER_TABLES = {
    "view for a table": ("ALTER TABLE setting RENAME TO hidden", f"CREATE VIEW setting AS {ENDLESS}"),
    "view for the revision": (
        "DROP TABLE alembic_version",
        f"CREATE VIEW alembic_version AS {ENDLESS.replace('name', 'version_num')}",
    ),
    "generated column": ("ALTER TABLE setting ADD COLUMN more AS (hex(zeroblob(500000000))) VIRTUAL",),
    "default": ("ALTER TABLE setting ADD COLUMN more DEFAULT 'a'",),
    "check": (
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, 'value TEXT', 'value TEXT CHECK (hex(zeroblob(1 << 29)) > 0)')",
    ),
    "trigger of a name that SQLite reserves": (
        TRIGGERS[0],
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET name = 'sqlite_emptying' WHERE name = 'emptying'",
    ),
    "virtual table for a table": ("DROP TABLE setting", "CREATE VIRTUAL TABLE setting USING fts5(name, value)"),
}
COMMANDS = (
    ("status",), ("add", "."), ("rescan",), ("search", "#1"), ("check",), ("index", "list"), ("duplicates",),
    ("backup", "kept.twinlens"), ("marks", "list"), ("copy", "{}", "copied.twinlens"), ("restore", "{}"),
)  # fmt: skip


def _hostile(path: Path, libraries: Libraries, statements: tuple[str, ...]) -> bytes:
    path.write_bytes(libraries.of(COUNT).read_bytes())
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.read_bytes()


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _run(capfdbinary: pytest.CaptureFixture[bytes], path: Path, *words: str) -> tuple[int, str]:
    library = path.with_name("other.twinlens") if words[0] == "restore" else path
    code, out, err = run(capfdbinary, "--library", str(library), *(word.replace("{}", str(path)) for word in words))
    return code, out + err


def test_every_command_refuses_it(
    capfdbinary: pytest.CaptureFixture[bytes], libraries: Libraries, tmp_path: Path
) -> None:
    path = tmp_path / "library.twinlens"
    before = _hostile(path, libraries, TRIGGERS)
    for words in COMMANDS:
        code, told = _run(capfdbinary, path, *words)
        assert code == 2, words
        assert "has parts that are not of Twinlens" in told, words
        assert "also, emptying" in told
        assert "check --repair" in told
    assert path.read_bytes() == before
    assert {one.name for one in tmp_path.glob("*.twinlens")} == {path.name}


@pytest.mark.parametrize("what", MENDABLE)
def test_a_repair_removes_what_is_foreign(
    capfdbinary: pytest.CaptureFixture[bytes], libraries: Libraries, tmp_path: Path, what: str
) -> None:
    path = tmp_path / "library.twinlens"
    before = _hostile(path, libraries, MENDABLE[what])
    assert _run(capfdbinary, path, "status")[0] == 2
    assert path.read_bytes() == before
    code, told = _run(capfdbinary, path, "check", "--repair")
    assert code == 0, told
    assert "Repaired: The library" in told
    assert "(before repair" in told
    assert _run(capfdbinary, path, "check")[0] == 0
    code, told = _run(capfdbinary, path, "search", "#1")
    assert code == 0, told
    assert len([*tmp_path.glob("library (before repair*")]) == 1


@pytest.mark.parametrize("what", OTHER_TABLES)
def test_other_tables_are_damage(
    capfdbinary: pytest.CaptureFixture[bytes], libraries: Libraries, tmp_path: Path, what: str
) -> None:
    path = tmp_path / "library.twinlens"
    before = _hostile(path, libraries, OTHER_TABLES[what])
    for words in (("status",), ("add", "."), ("check", "--repair")):
        code, told = _run(capfdbinary, path, *words)
        assert code == 2, told
        assert "is damaged" in told
    assert path.read_bytes() == before


def test_statistics_of_sqlite_are_not_foreign(
    capfdbinary: pytest.CaptureFixture[bytes], libraries: Libraries, tmp_path: Path
) -> None:
    path = tmp_path / "library.twinlens"
    _hostile(path, libraries, ("ANALYZE",))
    assert _run(capfdbinary, path, "status")[0] == 0
