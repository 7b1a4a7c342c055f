"""A copy has everything of a library, wherever it goes, and is whole or absent."""

from __future__ import annotations

import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select

from core.errors import Cancelled, TwinlensError
from storage.database.schema import CHANGES, library, metadata
from storage.integrity.checksums import TABLES, facts
from storage.integrity.integrity_check import check
from storage.library.backup import backup, copy, restore
from storage.library.store import Store
from storage.marks import NewMark
from tests.postgres import Server
from tests.storage.conftest import NewStore
from tests.storage.making import batch, files, index, other_program, register, volume

Rows = dict[str, list[tuple[Any, ...]]]


def _fill(store: Store) -> None:
    """Put something into most tables, among it values that databases could treat differently."""
    with store.writing() as w:
        ids = batch(w, 0, 60)
        index(w)
        folder = w.folders.add(volume(w), b"pictures")
        assert folder
        w.settings.put("odd", {"ä": [1, None, "\u2028"], "quote": "'\\\""})
        w.models.put("large", "Large", "text", {"x": 0.1}, {"zeros": np.zeros(3 << 20, np.uint8), "none": np.empty(0)})
        pair = b"\0" * 32, b"\xff" * 32
        w.marks.put([NewMark(*pair, "caf\u00e9 \U0001f4f7", "b", similar=True, origin="person")])
        w.keypoints.put(ids[:5], 1, [b"\0seen", b"\\x00", b"", b"'", b"\xff"])
    with store.writing() as w:
        register(w, files(100, 105, b"\xff\xfe/odd"))
        w.remove([63, 64, 65])  # their ids are not given again


def _rows(store: Store) -> Rows:
    """Return everything that is in a library, but for how a place counts changes."""
    with store.reading() as r:
        found: Rows = {}
        for table in TABLES:
            rows = r.connection.execute(select(*facts(table)).order_by(*table.primary_key))
            found[table.name] = [tuple(row) for row in rows]
        found[library.name] = [row for row in found[library.name] if row[0] != CHANGES]
        return found


def _next_ids(store: Store) -> list[int]:
    with store.writing() as w:
        return [int(one) for one in register(w, files(500, 503, b"next"))]


def test_there_and_back_is_the_same_to_the_byte(tmp_path: Path, empty_database: str) -> None:
    first, back = tmp_path / "first.twinlens", tmp_path / "back.twinlens"
    with Store.open(first, create=True) as store:
        _fill(store)
        before = _rows(store)
    assert sum(map(bool, before.values())) > 10
    copy(first, empty_database)
    copy(empty_database, back)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["back.twinlens", "first.twinlens"]
    opened = [Store.open(address) for address in (first, empty_database, back)]
    try:
        assert [_rows(store) == before for store in opened] == [True] * 3
        assert len({store.id for store in opened}) == 1
        assert [check(store).findings for store in opened] == [[]] * 3
        assert [_next_ids(store) for store in opened] == [[66, 67, 68]] * 3
    finally:
        for store in opened:
            store.close()
    with closing(sqlite3.connect(back)) as connection:
        assert connection.execute("PRAGMA page_size").fetchone() == (16_384,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_copy_of_a_file_is_a_library_like_any(tmp_path: Path) -> None:
    first, second = tmp_path / "first.twinlens", tmp_path / "second.twinlens"
    with Store.open(first, create=True) as store:
        _fill(store)
        before = _rows(store)
    copy(first, second)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["first.twinlens", "second.twinlens"]
    with Store.open(second, wait_s=0.5) as made, made.reading() as r:
        counts = r.photographs.counts()
        assert _rows(made) == before
        assert _next_ids(made) == [66, 67, 68]
        assert r.photographs.counts() == counts


def test_text_that_a_server_refuses(tmp_path: Path, empty_database: str) -> None:
    path = tmp_path / "old.twinlens"
    with Store.open(path, create=True) as store, store.writing() as w:
        batch(w, 0, 1)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE photograph SET camera = 'NI' || char(0) || 'KON', checksum = NULL")
        connection.commit()
    copy(path, empty_database)
    with Store.open(empty_database) as store, store.reading() as r:
        assert [row.camera for row in r.photographs.by_id([1])] == ["NIKON"]


@pytest.mark.parametrize("change", ["size = size + 1", "camera = CAST(x'ff' AS TEXT), checksum = NULL"])
def test_a_damaged_row_is_not_copied_as_if_it_were_whole(tmp_path: Path, empty_database: str, change: str) -> None:
    path = tmp_path / "library.twinlens"
    with Store.open(path, create=True) as store, store.writing() as w:
        batch(w, 0, 5)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"UPDATE photograph SET {change} WHERE id = 3")
        connection.commit()
    with pytest.raises(TwinlensError, match=r"library\.twinlens is damaged in the row 3 of the table photograph"):
        copy(path, empty_database)
    with pytest.raises(TwinlensError, match="There is no library"):
        Store.open(empty_database)


def test_a_copy_takes_no_place_of_another(tmp_path: Path, new_store: NewStore, empty_database: str) -> None:
    with new_store(tmp_path) as store, Store.open(empty_database, create=True):
        taken = tmp_path / "taken.twinlens"
        taken.write_text("mine")
        for target in (taken, empty_database, store.address):
            with pytest.raises(TwinlensError, match="exists already"):
                copy(store.address, target)
        assert taken.read_text() == "mine"


def test_a_copy_that_is_stopped_leaves_nothing(tmp_path: Path, new_store: NewStore, empty_database: str) -> None:
    with new_store(tmp_path) as store:
        _fill(store)
        names = sorted(one.name for one in tmp_path.iterdir())
        for target in (tmp_path / "copy.twinlens", empty_database):
            for steps in range(4):
                left = [steps]

                def stop(done: float, total: float, text: object, left: list[int] = left) -> None:
                    assert 0 <= done <= total
                    if not left[0]:
                        raise Cancelled
                    left[0] -= 1

                try:
                    copy(store.address, target, stop)
                except Cancelled:
                    with pytest.raises(TwinlensError, match="There is no library"):
                        Store.open(target)
                else:
                    break
            if steps < 3:
                continue
        assert sorted(one.name for one in tmp_path.iterdir() if "copy" not in one.name) == names


_COPIER = """
import sys, time
from storage.library.backup import copy
def progress(done, total, text):
    print(f"{done:.0f}", flush=True)
    time.sleep(0.02)
copy(sys.argv[1], sys.argv[2], progress)
"""


@pytest.mark.parametrize(("to_server", "steps"), [(True, 1), (True, 6), (False, 3)])
def test_killed_at_any_step_a_copy_is_absent(
    tmp_path: Path, postgres: Server, empty_database: str, to_server: bool, steps: int
) -> None:
    source = str(tmp_path / "first.twinlens") if to_server else postgres.empty_library()
    with Store.open(source, create=to_server) as store:
        _fill(store)
        before = _rows(store)
    target = empty_database if to_server else str(tmp_path / "copy.twinlens")
    program = other_program(_COPIER, source, target)
    assert program.stdout is not None
    for _ in range(steps):
        assert program.stdout.readline()
    time.sleep(steps / 1000)
    program.kill()
    program.communicate()
    with pytest.raises(TwinlensError, match="There is no library"):
        Store.open(target)
    copy(source, target)
    with Store.open(target) as made:
        assert _rows(made) == before
    assert not [one.name for one in tmp_path.iterdir() if "part" in one.name]


def test_a_backup_is_a_file_and_the_way_back(tmp_path: Path, new_store: NewStore) -> None:
    """One that is open elsewhere sees what it was restored to."""
    file = tmp_path / "backups" / "monday.twinlens"
    file.parent.mkdir()
    with new_store(tmp_path) as store:
        _fill(store)
        before = _rows(store)
        backup(store, file)
        with Store.open(file) as copied:
            assert _rows(copied) == before
        with store.writing() as w:
            batch(w, 60, 70)
            w.settings.put("odd", None)
        later = _rows(store)
        version = store.data_version()
        with store.reading() as moment:
            count = sum(moment.photographs.counts().values())
            kept = restore(store.address, file)
            assert sum(moment.photographs.counts().values()) == count
        assert kept is not None
        with Store.open(kept) as old:
            assert _rows(old) == later
            assert check(old).findings == []
        assert _rows(store) == before
        assert check(store).findings == []
        assert store.data_version() != version
        assert _next_ids(store) == [66, 67, 68]


def test_a_backup_is_restored_where_nothing_was(tmp_path: Path, empty_database: str) -> None:
    file = tmp_path / "backup.twinlens"
    with Store.open(file, create=True) as store:
        _fill(store)
        before = _rows(store)
    assert restore(empty_database, file) is None
    with Store.open(empty_database) as store:
        assert _rows(store) == before


def test_a_server_is_not_restored_from_what_is_damaged(tmp_path: Path, postgres: Server) -> None:
    file = tmp_path / "backup.twinlens"
    with Store.open(file, create=True) as made, made.writing() as w:
        batch(w, 0, 300)
    address = postgres.empty_library()
    with Store.open(address) as store:
        with store.writing() as w:
            batch(w, 0, 3)
        before = _rows(store)
        with file.open("rb+") as opened:
            opened.seek(file.stat().st_size // 2)
            opened.write(b"\xa5" * 40_000)
        with pytest.raises(TwinlensError, match="damaged"):
            restore(address, file)
        assert _rows(store) == before


def test_a_server_is_not_restored_while_another_adds_or_writes(tmp_path: Path, postgres: Server) -> None:
    file = tmp_path / "backup.twinlens"
    Store.open(file, create=True).close()
    with Store.open(postgres.empty_library()) as store:
        with store.writing() as w:
            batch(w, 0, 3)
        before = _rows(store)
        with store.adding(), pytest.raises(TwinlensError, match="being added"):
            restore(store.address, file, wait_s=0.1)
        with store.writing("testing"), pytest.raises(TwinlensError, match="testing"):
            restore(store.address, file, wait_s=0.1)
        assert _rows(store) == before
        assert [one.name for one in tmp_path.iterdir()] == ["backup.twinlens"]


def test_every_table_is_copied() -> None:
    assert {table.name for table in metadata.tables.values()} - {"alembic_version"} == {table.name for table in TABLES}


def test_no_copy_into_a_file_is_begun_without_space_for_it(
    tmp_path: Path, new_store: NewStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Usage:
        free = 1000

    with new_store(tmp_path / "from") as store:
        _fill(store)
        monkeypatch.setattr(shutil, "disk_usage", lambda folder: Usage)
        target = tmp_path / "to" / "copy.twinlens"
        target.parent.mkdir()
        with pytest.raises(TwinlensError, match=r"copy.twinlens needs \d+ MB, and the disk has 0 MB left"):
            copy(store.address, target)
        with pytest.raises(TwinlensError, match="and the disk has"):
            backup(store, target)
        assert not list(target.parent.iterdir())
        Usage.free = 10**9
        copy(store.address, target)
        with store.reading() as r:
            needed = store.place.space(r.connection).copied
        assert 0.5 * target.stat().st_size < needed < 2 * target.stat().st_size
