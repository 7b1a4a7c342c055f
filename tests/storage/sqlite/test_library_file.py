"""Every file that is not a usable library is told apart, with a sentence and a next step."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import Remedy, TwinlensError
from storage.integrity.integrity_check import check
from storage.library.store import Store
from storage.sqlite.file_copy import has_journal
from tests.storage.making import batch, finished, new_store, other_program


def _refused(path: Path, create: bool = False, wait_s: float = 0.2) -> TwinlensError:
    with pytest.raises(TwinlensError) as refused:
        Store.open(path, create=create, wait_s=wait_s)
    assert str(path) in str(refused.value.message)
    assert refused.value.next_step
    return refused.value


def test_missing(tmp_path: Path) -> None:
    error = _refused(tmp_path / "none.twinlens")
    assert str(error.message).startswith("There is no library")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("create", [False, True])
def test_a_folder(tmp_path: Path, create: bool) -> None:
    assert "is a folder" in str(_refused(tmp_path, create).message)


def _text(path: Path) -> None:
    path.write_text("Milk, bread, and a great deal of other things that are no library at all.\n" * 30)


def _short(path: Path) -> None:
    path.write_bytes(b"\x00\x01")


def _jpeg(path: Path) -> None:
    path.write_bytes(b"\xff\xd8\xff\xe0" + bytes(range(256)) * 100)


def _other_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bookmark (title TEXT)")
        connection.commit()


def _marked_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA application_id = 77")
        connection.execute("CREATE TABLE library (name TEXT)")
        connection.commit()


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize("make", [_text, _short, _jpeg, _other_database, _marked_database])
def test_foreign_files_are_left_as_they_are(tmp_path: Path, make: Callable[[Path], None], create: bool) -> None:
    path = tmp_path / "library.twinlens"
    make(path)
    before = path.read_bytes()
    assert "is not a Twinlens library" in str(_refused(path, create).message)
    assert path.read_bytes() == before


def test_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "library.twinlens"
    path.touch()
    assert "is empty" in str(_refused(path).message)
    with Store.open(path, create=True) as store:
        assert store.writable


def test_a_creation_that_was_killed_is_made_good(tmp_path: Path) -> None:
    path = tmp_path / "library.twinlens"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    with Store.open(path, create=True) as store:
        assert check(store).findings == []


def test_newer(tmp_path: Path) -> None:
    new_store(tmp_path).close()
    path = tmp_path / "library.twinlens"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    assert "newer Twinlens" in str(_refused(path, create=True).message)


def test_a_library_without_a_revision_is_damaged(tmp_path: Path) -> None:
    new_store(tmp_path).close()
    path = tmp_path / "library.twinlens"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM alembic_version")
        connection.commit()
    assert "is damaged" in str(_refused(path).message)


def test_locked_by_another_program(tmp_path: Path) -> None:
    new_store(tmp_path).close()
    path = tmp_path / "library.twinlens"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN IMMEDIATE")
        assert "is locked" in str(_refused(path).message)
    Store.open(path).close()


def _full_library(folder: Path) -> Path:
    with new_store(folder) as store, store.writing() as w:
        batch(w, 0, 3000)
    return folder / "library.twinlens"


def test_cut_off(tmp_path: Path) -> None:
    path = _full_library(tmp_path)
    os.truncate(path, path.stat().st_size // 2)
    error = _refused(path)
    assert "is damaged" in str(error.message)
    assert error.next_step == Remedy("restore backup")


def test_damage_met_while_reading(tmp_path: Path) -> None:
    path = _full_library(tmp_path)
    _scribble(path)
    with pytest.raises(TwinlensError, match="is damaged"), Store.open(path) as store, store.reading() as r:
        list(r.photographs.known(1))


def _scribble(path: Path) -> None:
    """Write over everything behind the schema."""
    with path.open("rb+") as file:
        size = path.stat().st_size
        for start in range(16_384 * 40, size, 16_384):
            file.seek(start)
            file.write(b"\xa5" * 400)


_CRASH = """
import os, sys
from pathlib import Path
from storage.library.store import Store
from tests.storage.making import batch
store = Store.open(Path(sys.argv[1]))
with store.writing() as w:
    batch(w, 5000, 5100)
os._exit(0)
"""


def test_after_a_crash_everything_committed_is_there(tmp_path: Path) -> None:
    path = _full_library(tmp_path)
    finished(other_program(_CRASH, path))
    assert has_journal(path)
    with Store.open(path) as store, store.reading() as r:
        assert sum(r.photographs.counts().values()) == 3100
    assert not has_journal(path)


def test_after_a_crash_damage_is_met_at_the_start(tmp_path: Path) -> None:
    path = _full_library(tmp_path)
    finished(other_program(_CRASH, path))
    _scribble(path)
    assert "is damaged" in str(_refused(path).message)


def test_undecodable_path_of_the_library(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9 100% ?#")
    with new_store(folder) as store, store.writing() as w:
        batch(w, 0, 3)
    with Store.open(folder / "library.twinlens") as store:
        assert check(store).findings == []


def test_the_name_of_an_undecodable_path_can_be_printed(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.twinlens")
    with pytest.raises(TwinlensError) as refused:
        Store.open(path)
    assert "caf\ufffd.twinlens" in str(refused.value).encode().decode()
