"""A backup is one file of one moment, and the way back leaves a library at every moment."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import Cancelled, TwinlensError
from core.files.file_lock import FileLock
from storage.integrity.integrity_check import check
from storage.library.backup import backup, restore
from storage.library.store import Store
from storage.sqlite import file_copy
from storage.sqlite.place import beside
from tests.storage.making import batch, index, new_store, other_program


def _count(path: Path) -> int:
    with Store.open(path) as store:
        assert check(store).findings == []
        with store.reading() as r:
            return sum(r.photographs.counts().values())


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_there_and_back(tmp_path: Path) -> None:
    file = tmp_path / "backups" / "monday.twinlens"
    file.parent.mkdir()
    with new_store(tmp_path) as store:
        with store.writing() as w:
            batch(w, 0, 40)
        backup(store, file)
        with store.writing() as w:
            batch(w, 40, 50)
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
        with store.writing() as w:
            batch(w, 0, 300)
        backup(store, tmp_path / "backup.twinlens")
        with store.writing() as w:
            batch(w, 300, 400)
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
        with store.writing() as w:
            batch(w, 0, 30)
        backup(store, file)
        with store.writing() as w:
            batch(w, 30, 60)
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
        with store.writing() as w:
            batch(w, 0, 30)
        backup(store, file)
        with store.writing() as w:
            batch(w, 30, 60)
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
from storage.sqlite import file_copy as copying
from storage.library.backup import restore
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
        with store.writing() as w:
            batch(w, 0, 300)
        backup(store, file)
        with store.writing() as w:
            batch(w, 300, 400)
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
