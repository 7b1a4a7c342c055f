"""A library in which anything may stand, or that is none: every command answers, or says so in one sentence."""

from __future__ import annotations

import itertools
import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from storage.sqlite.engine import keep_in_step
from tests.app.cli.test_commands import run
from tests.app.library_fixture import Libraries

_TABLES = ("search_index", "volume", "folder", "library", "descriptor_kind", "model")


def pages_of(data: bytes) -> int:
    return int.from_bytes(data[16:18], "big")


@pytest.fixture
def path(libraries: Libraries, tmp_path: Path) -> Path:
    return libraries.copy(5, tmp_path / "x.twinlens")


def answers(capfdbinary: pytest.CaptureFixture[bytes], path: Path, line: str, what: object) -> None:
    code, _, err = run(capfdbinary, "--library", str(path), "-q", *line.split())
    assert code == 0 or (code == 2 and err.count("\n") == 1), (what, line, err)


def test_two_pages_that_are_swapped(capfdbinary: pytest.CaptureFixture[bytes], path: Path) -> None:
    """Each page is whole, so that SQLite finds its rows; it is the table that has those of another."""
    whole = path.read_bytes()
    size = pages_of(whole)
    with closing(sqlite3.connect(path)) as connection:
        roots = [connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (one,)) for one in _TABLES]
        first = [(one.fetchone()[0] - 1) * size for one in roots]
    for one, other in itertools.combinations(first, 2):
        data = bytearray(whole)
        data[one : one + size], data[other : other + size] = whole[other : other + size], whole[one : one + size]
        path.write_bytes(data)
        answers(capfdbinary, path, "index list", (one, other))


def test_pages_and_bytes_that_are_anything(capfdbinary: pytest.CaptureFixture[bytes], path: Path) -> None:
    whole, drawn = path.read_bytes(), random.Random(0)
    size = pages_of(whole)
    for change in range(24):
        data = bytearray(whole)
        at = drawn.choice([one for one in range(0, len(whole), size) if whole[one] in (5, 10, 13)])
        if change % 3:
            for _ in range(1 + 20 * (change % 2)):
                data[at + drawn.randrange(size)] ^= 1 << drawn.randrange(8)
        else:
            data[at : at + size] = bytes(size)
        path.write_bytes(data)
        answers(capfdbinary, path, drawn.choice(["status", "search #1", "problems", "index list", "rescan"]), change)


def test_a_last_id_that_is_the_largest_is_damage_that_a_repair_mends(
    capfdbinary: pytest.CaptureFixture[bytes], path: Path, tmp_path: Path, libraries: Libraries
) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE sqlite_sequence SET seq = ?", ((1 << 63) - 1,))
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "a.jpg").write_bytes((libraries.photographs(5) / "0000.jpg").read_bytes())
    words = ("--library", str(path), "-q", "add", str(tmp_path / "more"))
    code, _, err = run(capfdbinary, *words)
    assert code == 2
    assert "is damaged in the last id of the table photograph. Run `twinlens check --repair`" in err
    assert run(capfdbinary, "--library", str(path), "check", "--repair")[0] == 0
    assert run(capfdbinary, *words)[0] == 0


@pytest.mark.parametrize(
    ("statement", "code", "words"),
    [
        ("UPDATE photograph SET state = 'pending' WHERE id = 2", 0, "Nothing is damaged."),
        ("DELETE FROM descriptor WHERE id & 0xffffffff = 2", 0, "Nothing is damaged."),
        ("UPDATE descriptor SET vector = zeroblob(length(vector)) WHERE id & 0xffffffff = 2", 2, "--repair"),
    ],
)
def test_a_script_that_checks_is_told_of_damage_alone(
    capfdbinary: pytest.CaptureFixture[bytes], path: Path, statement: str, code: int, words: str
) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        if not code:
            keep_in_step(connection)  # as the program changes rows
        connection.execute(statement)
    found, out, _ = run(capfdbinary, "--library", str(path), "check")
    assert (found, words in out) == (code, True), out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
@pytest.mark.parametrize("line", ["status", "add .", "restore {library}"])
def test_a_pipe_is_no_library(capfdbinary: pytest.CaptureFixture[bytes], path: Path, tmp_path: Path, line: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    code, _, err = run(capfdbinary, "--library", str(tmp_path / "pipe"), *line.format(library=path).split())
    assert code == 2
    assert "is not a Twinlens library" in err
