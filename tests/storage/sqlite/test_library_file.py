"""Every file that is not a usable library, and every disk that fails or is write-protected, gives a sentence."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.storage.making import batch, finished, new_store, other_program
from twinlens.core.errors import Cancelled, Remedy, TwinlensError
from twinlens.storage.integrity.integrity_check import check
from twinlens.storage.library.store import Store
from twinlens.storage.sqlite import failures
from twinlens.storage.sqlite.engine import Access
from twinlens.storage.sqlite.file_copy import has_journal
from twinlens.storage.sqlite.place import ask


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
from twinlens.storage.library.store import Store
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


def _fill(store: Store, pages: int) -> None:
    """Write more than a file of so many pages more can hold."""
    with store.writing() as w:
        used = w.connection.exec_driver_sql("PRAGMA page_count").scalar()
        w.connection.exec_driver_sql(f"PRAGMA max_page_count = {(used or 0) + pages}")
        batch(w, 100, 110)
        w.models.put("large", "Large", "", {}, {"zeros": np.zeros(1 << 20, np.uint8)})


@pytest.mark.parametrize("pages", [0, 1, 7, 40])
def test_a_full_disk(tmp_path: Path, pages: int) -> None:
    with new_store(tmp_path) as store:
        with store.writing() as w:
            batch(w, 0, 100)
        with pytest.raises(TwinlensError) as full:
            _fill(store, pages)
        assert "is full" in str(full.value.message)
        assert "Free some space" in str(full.value.advice)
        with store.reading() as r:
            assert sum(r.photographs.counts().values()) == 100
    with Store.open(tmp_path / "library.twinlens") as store:
        with store.writing() as w:
            assert batch(w, 100, 110).tolist() == list(range(101, 111))
        assert check(store).findings == []


_LIMITED = """
import resource, sys
from pathlib import Path
from twinlens.core.errors import TwinlensError
from twinlens.storage.library.store import Store
from tests.storage.making import batch
with Store.open(Path(sys.argv[1]), create=True) as store:
    with store.writing() as w:
        batch(w, 0, 50)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    for i in range(50, 100_000, 50):
        try:
            with store.writing() as w:
                batch(w, i, i + 50)
        except TwinlensError as error:
            print(i)
            print(error)
            break
"""


@pytest.mark.skipif(importlib.util.find_spec("resource") is None, reason="limits of file sizes are missing here")
def test_a_disk_that_fails(tmp_path: Path) -> None:
    path = tmp_path / "library.twinlens"
    kept, told = finished(other_program(_LIMITED, path)).splitlines()
    assert "failed to read or write" in told or "is full" in told
    with Store.open(path) as store:
        assert check(store).findings == []
        with store.reading() as r:
            assert sum(r.photographs.counts().values()) == int(kept)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (sqlite3.SQLITE_FULL, "is full"),
        (sqlite3.SQLITE_IOERR | (3 << 8), "failed to read or write"),
        (sqlite3.SQLITE_BUSY, "is locked"),
        (sqlite3.SQLITE_READONLY, "can only be read"),
        (sqlite3.SQLITE_CANTOPEN, "cannot be opened"),
        (sqlite3.SQLITE_CORRUPT, "is damaged"),
    ],
)
def test_what_can_be_mended_is_said_in_a_sentence(tmp_path: Path, code: int, words: str) -> None:
    error = sqlite3.OperationalError("something")
    error.sqlite_errorcode = code
    told = failures.translated(tmp_path / "library.twinlens", error)
    assert told is not None
    assert words in str(told.message)
    assert told.next_step


def test_faults_of_the_program_are_left_alone(tmp_path: Path) -> None:
    with (
        closing(sqlite3.connect(":memory:")) as connection,  # else a later test is told that it was not closed
        pytest.raises(sqlite3.OperationalError),
        failures.in_sentences(tmp_path),
    ):
        connection.execute("SELEKT 1")


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


MODE_BITS = pytest.mark.skipif(
    sys.platform == "win32", reason="write protection of folders by mode bits is missing on Windows"
)

# Mode bits do not bind root: it becomes nobody, once everything is imported (the interpreter may lie where nobody may
# not go).
_VISIT = """
import json, os, sys
from pathlib import Path
from twinlens.core.errors import TwinlensError
from twinlens.storage.integrity.integrity_check import check
from twinlens.storage.library.library_sizes import sizes
from twinlens.storage.library.store import Store
from tests.storage import making

warm = Path(sys.argv[1]) / "warm.twinlens"
with Store.open(warm, create=True) as store:
    with store.writing() as w:
        making.batch(w, 0, 3)
    with store.reading() as r:
        list(r.photographs.known(1)), r.photographs.counts(), r.codes.load(1)
    check(store), sizes(store)
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)

told = {}
try:
    with Store.open(Path(sys.argv[2]), create=len(sys.argv) > 3, wait_s=0.2) as store:
        with store.reading() as r:
            told["photographs"] = sum(r.photographs.counts().values())
            told["codes"] = len(r.codes.load(1).ids)
        told["writable"], told["version"] = store.writable, store.data_version()
        told["findings"] = len(check(store).findings)
        for name, attempt in (("writing", store.writing), ("adding", store.adding)):
            try:
                with attempt():
                    pass
            except TwinlensError as error:
                told[name] = str(error.message)
except TwinlensError as error:
    told["refused"] = str(error.message)
print(json.dumps(told))
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """Yield a folder that everybody may enter."""
    made = Path(tempfile.mkdtemp(prefix="twinlens-"))
    made.chmod(0o755)
    yield made
    made.chmod(0o755)
    shutil.rmtree(made)


def _visit(tmp_path: Path, path: Path, *more: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(finished(other_program(_VISIT, tmp_path, path, *more)))
    return told


def _protect(folder: Path) -> None:
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)


@MODE_BITS
def test_a_closed_library_is_read_alone(tmp_path: Path, folder: Path) -> None:
    with new_store(folder) as store, store.writing() as w:
        batch(w, 0, 50)
    _protect(folder)
    told = _visit(tmp_path, folder / "library.twinlens")
    assert "refused" not in told, told
    assert told["photographs"] == told["codes"] == 50
    assert told["writable"] is False
    assert told["findings"] == 0
    assert "can only be read" in told["writing"]
    assert "can only be read" in told["adding"]
    assert sorted(path.name for path in folder.iterdir()) == ["library.twinlens"]


@MODE_BITS
def test_a_protected_file_in_a_free_folder(tmp_path: Path, folder: Path) -> None:
    with new_store(folder) as store, store.writing() as w:
        batch(w, 0, 50)
    store.address.path.chmod(0o444)
    folder.chmod(0o777)
    told = _visit(tmp_path, store.address.path)
    assert told["photographs"] == 50
    assert told["writable"] is False


@MODE_BITS
def test_a_library_that_another_user_has_open(tmp_path: Path, folder: Path) -> None:
    with new_store(folder) as store:
        with store.writing() as w:
            batch(w, 0, 50)
        for file in folder.glob("library.twinlens*"):  # its owner shares it: a new one is private
            file.chmod(0o644)
        if os.geteuid() != 0:
            folder.chmod(0o555)
            store.address.path.chmod(0o444)
        told = _visit(tmp_path, store.address.path)
        folder.chmod(0o755)
    assert told["photographs"] == 50
    assert told["writable"] is False


@MODE_BITS
def test_a_journal_that_cannot_be_read_is_not_passed_over(tmp_path: Path, folder: Path) -> None:
    made = tmp_path / "made"
    with new_store(made) as store:
        with store.writing() as w:
            batch(w, 0, 50)
        for name in ("library.twinlens", "library.twinlens-wal"):
            shutil.copy(made / name, folder / name)
    _protect(folder)
    assert "cannot be opened" in _visit(tmp_path, folder / "library.twinlens")["refused"]


@MODE_BITS
def test_no_library_can_be_made_there(tmp_path: Path, folder: Path) -> None:
    _protect(folder)
    assert "cannot be opened" in _visit(tmp_path, folder / "library.twinlens", "create")["refused"]
    assert "cannot be made" in _visit(tmp_path, folder / "below" / "library.twinlens", "create")["refused"]


@MODE_BITS
def test_an_open_library_is_closed_before_it_is_writable_again(folder: Path) -> None:
    with new_store(folder) as store:
        assert store.writable
    with Store.open(store.address.path) as again:
        assert again.writable
