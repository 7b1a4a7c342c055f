"""A library is opened, read and written in whole batches, by several programs, killed ones too."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import threading
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy.exc import OperationalError

from tests.storage import making
from tests.storage.conftest import NewStore
from tests.storage.making import batch, codes, files, finished, index, other_program, register, vectors
from twinlens.core.errors import TwinlensError
from twinlens.storage.database.values import APPLICATION_ID, PAGE_SIZE
from twinlens.storage.integrity.integrity_check import check
from twinlens.storage.library.library_sizes import sizes
from twinlens.storage.library.store import Store


def test_a_new_library_is_marked_and_safe(tmp_path: Path) -> None:
    with Store.open(tmp_path / "new.twinlens", create=True) as store, store.writing() as w:
        values = {
            name: w.connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("application_id", "page_size", "journal_mode", "foreign_keys", "synchronous")
        }
    assert values == {
        "application_id": APPLICATION_ID,
        "page_size": PAGE_SIZE,
        "journal_mode": "wal",
        "foreign_keys": 1,
        "synchronous": 1,
    }


def test_closing_leaves_one_file(tmp_path: Path) -> None:
    with making.new_store(tmp_path) as store:
        with store.writing() as w:
            batch(w, 0, 10)
        with store.adding():
            pass
    assert [path.name for path in tmp_path.iterdir()] == ["library.twinlens"]


def test_a_library_keeps_its_id_and_differs_from_others(tmp_path: Path) -> None:
    paths = tmp_path / "one.twinlens", tmp_path / "other.twinlens"
    first, second = (_made(path).id for path in paths)
    with Store.open(paths[0]) as again:
        assert again.id == first != second


def _made(path: Path) -> Store:
    with Store.open(path, create=True) as store:
        return store


def test_folders_above_a_new_library_are_made(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a" / "b" / "c.twinlens", create=True) as store:
        assert store.writable


def test_a_batch_that_fails_leaves_nothing(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        with store.writing() as w:
            ids = batch(w, 0, 5)
            kind, known, _ = index(w)
        with pytest.raises(ZeroDivisionError):
            _failing_batch(store)
        with store.reading() as r:
            assert sum(r.photographs.counts().values()) == len(ids)
            assert r.descriptors.count(kind) == r.codes.count(known.id) == len(ids)
            assert r.folders.all() == []
        with store.writing() as w:
            assert batch(w, 5, 9).tolist() == [6, 7, 8, 9]


def _failing_batch(store: Store) -> None:
    with store.writing() as w:
        batch(w, 5, 9)
        w.folders.add(1, b"pictures")
        raise ZeroDivisionError


def test_a_reader_sees_one_moment(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        with store.writing() as w:
            register(w, files(0, 3))
        with store.reading() as r:
            before = r.photographs.counts()
            with store.writing() as w:
                register(w, files(3, 9))
            assert r.photographs.counts() == before
        with store.reading() as r:
            assert sum(r.photographs.counts().values()) == 9


def test_a_reader_cannot_write(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, pytest.raises((OperationalError, TwinlensError)), store.reading() as r:
        register(r, files(0, 1))


def test_a_thread_that_writes_twice_at_once_is_refused(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing(), pytest.raises(RuntimeError), store.writing():
        pass


def test_threads_take_turns(tmp_path: Path, new_store: NewStore) -> None:
    failures: list[BaseException] = []

    def work(start: int) -> None:
        try:
            for i in range(start, start + 40, 4):
                with store.writing("writing in a thread") as w:
                    register(w, files(i, i + 4))
                with store.reading() as r:
                    assert r.photographs.by_path(1, files(i, i + 1)[0].path) is not None
        except BaseException as error:  # noqa: BLE001 (shown below)
            failures.append(error)

    with new_store(tmp_path) as made, Store.open(made.address, wait_s=60) as store:
        threads = [threading.Thread(target=work, args=(start,)) for start in (0, 100, 200)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        with store.reading() as r:
            assert [row.id for row in r.photographs.by_id(range(1, 200))] == list(range(1, 121))


def test_data_version_tells_of_own_and_other_changes(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, Store.open(store.address) as other:
        seen = [store.data_version()]
        assert store.data_version() == seen[0]
        with store.writing() as w:
            register(w, files(0, 1))
        seen.append(store.data_version())
        with other.writing() as w:
            register(w, files(1, 2))
        seen.append(store.data_version())
        with store.reading() as r:
            r.photographs.counts()
        assert store.data_version() == seen[-1]
        assert len(set(seen)) == 3


def test_forgetting_gives_space_back(tmp_path: Path) -> None:
    with making.new_store(tmp_path) as store:
        with store.writing() as w:
            batch(w, 0, 12_000)
        full = sizes(store).file
        with store.writing() as w:
            assert w.forget(1, b"pictures") == 12_000
        store.compact()
        assert sizes(store).file < full / 4
        with store.reading() as r:
            assert r.connection.exec_driver_sql("PRAGMA freelist_count").scalar() == 0


def test_little_free_space_is_left_for_what_comes(tmp_path: Path) -> None:
    with making.new_store(tmp_path) as store:
        with store.writing() as w:
            batch(w, 0, 6_000)
        with store.writing() as w:
            w.remove(range(1, 600))
        with store.reading() as r:
            free = r.connection.exec_driver_sql("PRAGMA freelist_count").scalar()
        store.compact()
        with store.reading() as r:
            assert r.connection.exec_driver_sql("PRAGMA freelist_count").scalar() == free


def test_opening_imports_no_alembic(tmp_path: Path) -> None:
    from tests.storage.making import finished, other_program

    code = (
        "import sys; from pathlib import Path; from twinlens.storage.library.store import Store\n"
        "Store.open(Path(sys.argv[1]), create=True).close()\n"
        "Store.open(Path(sys.argv[1])).close()\n"
        "print([name for name in ('alembic', 'sqlalchemy.orm') if name in sys.modules])"
    )
    assert finished(other_program(code, tmp_path / "library.twinlens")).strip() == "[]"


def test_two_programs_may_make_the_same_library(tmp_path: Path) -> None:
    path = tmp_path / "library.twinlens"
    ids: list[str] = []

    def make() -> None:
        with Store.open(path, create=True, wait_s=30) as store:
            ids.append(store.id)

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ids) == 4
    assert len(set(ids)) == 1
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def test_who_comes_by_a_link_meets_the_same_locks(tmp_path: Path) -> None:
    link = tmp_path / "link.twinlens"
    link.symlink_to(tmp_path / "a.twinlens")
    with Store.open(tmp_path / "a.twinlens", create=True) as one, Store.open(link) as other, one.adding():
        with pytest.raises(TwinlensError, match="being worked on by"), other.adding():
            pass
        assert not list(tmp_path.glob("link.twinlens-*"))


def test_a_reading_that_fails_half_way_leaves_no_old_moment_behind(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        with store.writing() as w:
            batch(w, 0, 50)
        half_read = []
        with pytest.raises(RuntimeError), store.reading() as r:  # noqa: PT012
            half_read.append(r.connection.exec_driver_sql("SELECT id FROM photograph"))
            half_read[0].fetchone()
            raise RuntimeError
        with store.writing() as w:
            w.remove([7])
        with store.reading() as r:
            assert r.photographs.by_id([7]) == []


_WRITER = """
import sys
from twinlens.storage.library.store import Store
from tests.storage.making import files, register
with Store.open(sys.argv[1], wait_s=60) as store:
    for i in range(0, 200, 10):
        with store.writing() as w:
            register(w, files(i, i + 10, sys.argv[2].encode()))
"""


def test_two_programs_write_at_once(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        for program in [other_program(_WRITER, store.address.text, name) for name in ("one", "two")]:
            finished(program)
        with store.reading() as r:
            rows = r.photographs.by_id(range(1, 1000))
            assert [row.id for row in rows] == list(range(1, 401))
            for name in (b"one", b"two"):
                paths = [row.path for row in rows if row.path.startswith(name)]
                assert paths == [file.path for file in files(0, 200, name)]
        assert check(store).findings == []


_IMPATIENT = """
import sys
from twinlens.core.errors import TwinlensError
from twinlens.storage.library.store import Store
with Store.open(sys.argv[1], wait_s=0.3) as store:
    for what in map(str.strip, sys.stdin):
        try:
            with getattr(store, what)("trying"):
                told = "free"
        except TwinlensError as error:
            told = str(error)
        with store.reading() as r:
            r.photographs.counts()
        print(repr(told), flush=True)
"""


def test_a_second_one_is_told_who_holds_the_library(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, other_program(_IMPATIENT, store.address.text) as program:
        for what in ("writing", "adding"):
            with getattr(store, what)("making tests"):
                told = _tries(program, what)
            assert f"process {os.getpid()} on " in told
            assert "(making tests since " in told
            assert re.search(r"[Ww]ait until", told)
            assert _tries(program, what) == repr("free")
        finished(program)


def _tries(program: subprocess.Popen[str], what: str) -> str:
    assert program.stdin is not None
    assert program.stdout is not None
    program.stdin.write(f"{what}\n")
    program.stdin.flush()
    return program.stdout.readline().strip()


def test_a_second_one_waits(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        with store.writing():
            program = other_program(_WRITER, store.address.text, "one")
            time.sleep(0.5)
        finished(program)
        with store.reading() as r:
            assert sum(r.photographs.counts().values()) == 200


def test_writing_goes_on_while_another_adds(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, Store.open(store.address) as other:
        with store.adding(), other.writing() as w:
            register(w, files(0, 3))
        with store.adding(), pytest.raises(TwinlensError, match="being worked on by"), other.adding():
            pass
        with store.adding("one"), store.adding("two"):  # what adds may have others add within it
            assert "(one since " in str(other.adding_by())
        assert other.adding_by() is None
        for _ in range(20):  # who is done holds nothing any more
            with store.adding():
                pass
            with other.adding():
                pass


_HOLDER = """
import sys, time
from twinlens.storage.library.store import Store
from tests.storage.making import batch
store = Store.open(sys.argv[1])
with store.adding(), store.writing("adding photos") as w:
    batch(w, 1000, 1200)
    print("inside", flush=True)
    time.sleep(600)
"""


def test_killed_inside_a_batch(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        with store.writing() as w:
            batch(w, 0, 20)
        program = other_program(_HOLDER, store.address.text)
        assert program.stdout is not None
        assert program.stdout.readline() == "inside\n"
        assert f"process {program.pid} on " in str(store.adding_by())
        program.kill()
        program.communicate()
        with store.adding(), store.writing() as w:
            assert batch(w, 20, 30).tolist() == list(range(21, 31))
        assert store.adding_by() is None
        assert check(store).findings == []


_ADDER = """
import sys
from twinlens.storage.library.store import Store
from tests.storage.making import batch
with Store.open(sys.argv[1], wait_s=60) as store:
    with store.reading() as r:
        start = sum(r.photographs.counts().values())
    for i in range(start, 120, 6):
        with store.adding(wait_s=60), store.writing() as w:
            batch(w, i, i + 6)
        print(i, flush=True)
"""


def test_killed_again_and_again_and_resumed(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        address = store.address
    for batches in (1, 6):
        program = other_program(_ADDER, address.text)
        assert program.stdout is not None
        for _ in range(batches):
            assert program.stdout.readline()
        time.sleep(batches / 1000)  # somewhere inside the next batch
        program.kill()
        program.communicate()
    finished(other_program(_ADDER, address.text))
    with Store.open(address) as store:
        assert check(store).findings == []
        with store.reading() as r:
            kind = r.descriptors.kinds()[0]
            everything = np.arange(1, 121)
            assert [row.path for row in r.photographs.by_id(everything)] == [file.path for file in files(0, 120)]
            loaded = r.codes.load(r.indexes.all()[0].id)
            np.testing.assert_array_equal(loaded.ids, everything)
            np.testing.assert_array_equal(loaded.codes, codes(everything))
            read, present = r.descriptors.read(kind, everything)
            assert present.all()
            np.testing.assert_array_equal(read, vectors(everything).astype(np.float16))


def test_an_index_that_was_fitted_anew_elsewhere_takes_no_old_codes(tmp_path: Path, new_store: NewStore) -> None:
    from twinlens.storage.indexes.index_codes import StaleModelError

    with new_store(tmp_path) as store, Store.open(store.address) as other:
        with store.writing() as w:
            ids = batch(w, 0, 10)
            _, known, model = index(w)
        with other.writing() as w:
            newer = w.models.put("newer", "Encoder", "lsh", {}, {})
            w.codes.replace(known.id, newer, 10, ids, codes(ids))
        with pytest.raises(StaleModelError), store.writing() as w:
            w.codes.put(known.id, model, [1], codes([1]))
