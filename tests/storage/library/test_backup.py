"""A copy or backup of a library is whole or absent, wherever it goes, and the way back leaves a library."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select

from tests.postgres import Server
from tests.storage.conftest import NewStore
from tests.storage.making import batch, files, index, new_store, other_program, register, volume
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.files.file_lock import FileLock
from twinlens.storage.database.schema import TABLES, facts, library, metadata
from twinlens.storage.database.values import CHANGES
from twinlens.storage.integrity.integrity_check import check
from twinlens.storage.library.backup import backup, copy, restore
from twinlens.storage.library.store import Store
from twinlens.storage.marks import NewMark
from twinlens.storage.sqlite import file_copy
from twinlens.storage.sqlite.place import beside


def _count(path: Path) -> int:
    with Store.open(path) as store:
        assert check(store).findings == []
        with store.reading() as r:
            return sum(r.photographs.counts().values())


def backup_between(store: Store, file: Path, count: int, more: int) -> None:
    """Back a library of so many photographs up; then there are more."""
    with store.writing() as w:
        batch(w, 0, count)
    backup(store, file)
    with store.writing() as w:
        batch(w, count, more)


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_there_and_back(tmp_path: Path) -> None:
    file = tmp_path / "backups" / "monday.twinlens"
    file.parent.mkdir()
    with new_store(tmp_path) as store:
        backup_between(store, file, 40, 50)
        with store.writing() as w:
            w.remove(range(1, 11))
            token = w.codes.load(index(w)[1].id).token
    assert _names(file.parent) == ["monday.twinlens"]
    kept = restore(store.address.path, file)
    assert kept is not None
    assert _count(store.address.path) == 40
    assert _count(kept) == 40
    with Store.open(kept) as old, old.reading() as r:
        assert r.codes.load(1).ids.tolist() == list(range(11, 51))
    with Store.open(store.address.path) as again, again.reading() as r:
        assert r.codes.load(1).ids.tolist() == list(range(1, 41))
        assert r.codes.load(1).token != token
        assert again.id == store.id
    assert len(_names(tmp_path)) == 3
    assert _count(file) == 40


def test_a_backup_of_one_moment_while_others_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_copy, "_PAGES", 3)
    with new_store(tmp_path) as store:
        with store.writing() as w:
            batch(w, 0, 3000)
        steps: list[float] = []

        def progress(done: float, total: float, text: object) -> None:
            assert text
            steps.append(done / total)
            if len(steps) < 6:
                with store.writing() as w:
                    batch(w, 3000 + 10 * len(steps), 3010 + 10 * len(steps))

        backup(store, tmp_path / "backup.twinlens", progress=progress)
        assert _count(store.address.path) == 3050
    assert steps == sorted(steps)
    assert len(steps) > 6
    assert _count(tmp_path / "backup.twinlens") == 3000


def test_a_backup_that_is_stopped_leaves_nothing(tmp_path: Path) -> None:
    def stop(done: float, total: float, text: object) -> None:
        raise Cancelled

    with new_store(tmp_path) as store:
        with pytest.raises(Cancelled):
            backup(store, tmp_path / "backup.twinlens", progress=stop)
        assert not [name for name in _names(tmp_path) if "backup" in name]


def test_an_existing_file_is_replaced_only_when_said(tmp_path: Path) -> None:
    file = tmp_path / "backup.twinlens"
    file.write_text("mine")
    with new_store(tmp_path) as store:
        with pytest.raises(TwinlensError, match="exists already"):
            backup(store, file)
        with pytest.raises(TwinlensError, match="is the library itself"):
            backup(store, store.address.path, replace=True)
        with pytest.raises(TwinlensError, match="exists already"):
            backup(store, tmp_path, replace=True)
        assert file.read_text() == "mine"
        backup(store, file, replace=True)
    assert _count(file) == 0


def test_a_damaged_library_replaces_no_backup(tmp_path: Path) -> None:
    file = tmp_path / "backup.twinlens"
    with new_store(tmp_path) as store:
        backup_between(store, file, 4, 0)
        whole = file.read_bytes()
        with closing(sqlite3.connect(store.address.path)) as other, other:  # which keeps no checksums
            other.execute("UPDATE photograph SET size = size + 1 WHERE id = 2")
        with pytest.raises(TwinlensError, match="may be whole: it is not replaced"):
            backup(store, file, replace=True)
        assert file.read_bytes() == whole
        backup(store, tmp_path / "another.twinlens")


def test_no_folder_for_a_backup(tmp_path: Path) -> None:
    with new_store(tmp_path) as store, pytest.raises(TwinlensError):
        backup(store, tmp_path / "none" / "backup.twinlens")


def test_restored_where_there_was_none(tmp_path: Path) -> None:
    with new_store(tmp_path) as store:
        with store.writing() as w:
            batch(w, 0, 7)
        backup(store, tmp_path / "backup.twinlens")
    path = tmp_path / "new" / "library.twinlens"
    assert restore(path, tmp_path / "backup.twinlens") is None
    assert _count(path) == 7
    assert _names(path.parent) == ["library.twinlens"]
    _read_while_another_writes(path)


@pytest.mark.parametrize("percent", [1, 50, 99])
def test_a_backup_that_was_cut_is_not_advised_as_its_own_remedy(tmp_path: Path, percent: int) -> None:
    file = tmp_path / "backup.twinlens"
    with new_store(tmp_path) as store:
        backup_between(store, file, 300, 400)
    os.truncate(file, file.stat().st_size * percent // 100)
    for path in (store.address.path, tmp_path / "new.twinlens"):
        with pytest.raises(TwinlensError, match=r"The backup .*backup\.twinlens is damaged.* Use another backup"):
            restore(path, file)
    assert _count(store.address.path) == 400
    assert not (tmp_path / "new.twinlens").exists()


def _read_while_another_writes(path: Path) -> None:
    with Store.open(path) as store, store.reading() as r:
        before = r.photographs.counts()
        with store.writing(wait_s=0.5) as w:
            batch(w, 100, 110)
        assert r.photographs.counts() == before


def _nothing(path: Path) -> None:
    path.unlink()


def _text(path: Path) -> None:
    path.write_text("These are words and no library, and there are enough of them to fill a header.\n" * 9)


def _other(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE other (x)")


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()


def _scribbled(path: Path) -> None:
    with path.open("rb+") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xa5" * 40_000)


def _cut(path: Path) -> None:
    with path.open("rb+") as file:
        file.truncate(path.stat().st_size // 3)


@pytest.mark.parametrize("spoil", [_nothing, _text, _other, _empty, _newer, _scribbled, _cut])
def test_a_backup_that_is_none_changes_nothing(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    file = tmp_path / "backup.twinlens"
    with new_store(tmp_path) as store:
        with store.writing() as w:
            batch(w, 0, 300)
        backup(store, file)
    spoil(file)
    names = _names(tmp_path)
    with pytest.raises(TwinlensError) as refused:
        restore(store.address.path, file)
    assert str(file) in str(refused.value.message)
    assert refused.value.next_step
    assert _names(tmp_path) == names
    assert _count(store.address.path) == 300


def test_what_is_no_library_is_advised_to_be_a_backup(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("a,b\n1,2\n")
    with pytest.raises(TwinlensError, match=r"is not a Twinlens library\. Name a backup"):
        restore(tmp_path / "library.twinlens", tmp_path / "m.csv")


@pytest.mark.parametrize("protected", ["library.twinlens", ""])
def test_a_protected_library_is_refused_by_its_name_before_anything_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, protected: str
) -> None:
    with new_store(tmp_path) as store:
        backup_between(store, tmp_path / "backup.twinlens", 4, 2)
    names, access = _names(tmp_path), os.access
    monkeypatch.setattr(  # root may write everything
        os, "access", lambda path, mode: Path(path) != tmp_path / protected and access(path, mode)
    )
    with pytest.raises(TwinlensError, match=r"library\.twinlens cannot be replaced: .* write-protected"):
        restore(tmp_path / "library.twinlens", tmp_path / "backup.twinlens")
    assert _names(tmp_path) == names


@pytest.mark.parametrize(("at", "stays"), [("connect", False), ("pour", True)])
def test_a_copy_of_the_library_stays_once_anything_may_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str, stays: bool
) -> None:
    with new_store(tmp_path) as store:
        backup_between(store, tmp_path / "backup.twinlens", 4, 2)
        count = _count(store.address.path)

    def fail(*_: object) -> None:
        if stays:  # as a disk does that breaks in the middle
            (tmp_path / "library.twinlens").write_bytes(b"half")
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(f"twinlens.storage.sqlite.restoring.{at}", fail)
    with pytest.raises((TwinlensError, sqlite3.Error)):
        restore(tmp_path / "library.twinlens", tmp_path / "backup.twinlens")
    kept = list(tmp_path.glob("*replaced*.twinlens"))
    assert [_count(path) for path in kept] == ([count] if stays else [])


def test_the_library_is_no_backup_of_itself(tmp_path: Path) -> None:
    new_store(tmp_path).close()
    path = tmp_path / "library.twinlens"
    with pytest.raises(TwinlensError, match="is the library itself"):
        restore(path, path)


@pytest.mark.parametrize("spoil", [_text, _other, _empty, _newer, _scribbled, _cut])
def test_restored_over_a_damaged_library(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    file = tmp_path / "backup.twinlens"
    with new_store(tmp_path) as store:
        with store.writing() as w:
            batch(w, 0, 300)
        backup(store, file)
    spoil(store.address.path)
    damaged = store.address.path.read_bytes()
    kept = restore(store.address.path, file)
    assert kept is not None
    assert kept.read_bytes() == damaged
    assert _count(store.address.path) == 300


def test_the_journal_of_a_damaged_library_goes_with_it(tmp_path: Path) -> None:
    with new_store(tmp_path) as store:
        backup_between(store, tmp_path / "backup.twinlens", 300, 400)
        crashed = tmp_path / "crashed"
        crashed.mkdir()
        for name in ("library.twinlens", "library.twinlens-wal"):
            shutil.copy(tmp_path / name, crashed / name)
    path = crashed / "library.twinlens"
    journal = (crashed / "library.twinlens-wal").read_bytes()
    _text(path)
    kept = restore(path, tmp_path / "backup.twinlens")
    assert kept is not None
    assert kept.with_name(kept.name + "-wal").read_bytes() == journal
    assert _count(path) == 300


def test_restored_while_it_is_open(tmp_path: Path) -> None:
    file = tmp_path / "backup.twinlens"
    with new_store(tmp_path) as store:
        backup_between(store, file, 30, 60)
        version = store.data_version()
        with store.reading() as before:
            assert restore(store.address.path, file) is not None
            assert sum(before.photographs.counts().values()) == 60
        assert store.data_version() != version
        with store.writing() as w:
            assert sum(w.photographs.counts().values()) == 30
            batch(w, 30, 33)
    assert _count(store.address.path) == 33


def test_not_restored_while_another_adds(tmp_path: Path) -> None:
    with new_store(tmp_path) as store:
        backup(store, tmp_path / "backup.twinlens")
        with store.adding(), pytest.raises(TwinlensError, match="adding photos"):
            restore(store.address.path, tmp_path / "backup.twinlens", wait_s=0.1)
        with store.writing("testing"), pytest.raises(TwinlensError, match="testing"):
            restore(store.address.path, tmp_path / "backup.twinlens", wait_s=0.1)


def test_a_damaged_library_that_is_open_is_not_replaced(tmp_path: Path) -> None:
    with new_store(tmp_path) as store:
        backup(store, tmp_path / "backup.twinlens")
    _text(store.address.path)
    presence = FileLock(beside(store.address.path, "open"))
    assert presence.acquire("", shared=True)
    with pytest.raises(TwinlensError, match="open in another program"):
        restore(store.address.path, tmp_path / "backup.twinlens")
    presence.release()
    assert restore(store.address.path, tmp_path / "backup.twinlens") is not None


def test_stopped_at_any_step_there_is_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_copy, "_PAGES", 16)
    file = tmp_path / "backup.twinlens"
    with new_store(tmp_path) as store:
        backup_between(store, file, 30, 60)
    for steps in range(100):
        left = [steps]

        def progress(done: float, total: float, text: object, left: list[int] = left) -> None:
            if not left[0]:
                raise Cancelled
            left[0] -= 1

        try:
            restore(store.address.path, file, progress)
        except Cancelled:
            assert _count(store.address.path) == 60
            assert not [name for name in _names(tmp_path) if "restoring" in name or "part" in name]
        else:
            break
    assert _count(store.address.path) == 30


_RESTORER = """
import sys, time
from pathlib import Path
from twinlens.storage.sqlite import file_copy as copying
from twinlens.storage.library.backup import restore
copying._PAGES = 4
def progress(done, total, text):
    print(text, flush=True)
    time.sleep(0.01)
restore(Path(sys.argv[1]), Path(sys.argv[2]), progress)
"""


@pytest.mark.parametrize("text", ["Reading the backup", "Keeping the present library", "Restoring"])
def test_killed_at_any_step_there_is_a_library(tmp_path: Path, text: str) -> None:
    file = tmp_path / "backup.twinlens"
    with new_store(tmp_path) as store:
        backup_between(store, file, 300, 400)
    program = other_program(_RESTORER, store.address.path, file)
    assert program.stdout is not None
    for line in program.stdout:
        if line.strip() == text:
            break
    program.kill()
    program.communicate()
    assert _count(store.address.path) == 400
    assert restore(store.address.path, file) is not None
    assert _count(store.address.path) == 300


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
from twinlens.storage.library.backup import copy
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
        with store.adding(), pytest.raises(TwinlensError, match="being worked on by"):
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
            needed = store.place.space(r.dialect).copied
        assert 0.5 * target.stat().st_size < needed < 2 * target.stat().st_size
