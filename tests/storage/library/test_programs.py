"""Several programs on one library, and programs that are killed."""

from __future__ import annotations

import os
import re
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from core.errors import TwinlensError
from storage.integrity.integrity_check import check
from storage.library.store import Store
from tests.storage.conftest import NewStore
from tests.storage.making import batch, codes, files, finished, index, other_program, register, vectors

_WRITER = """
import sys
from storage.library.store import Store
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
from core.errors import TwinlensError
from storage.library.store import Store
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
        with store.adding(), pytest.raises(TwinlensError, match="being added"), other.adding():
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
from storage.library.store import Store
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
from storage.library.store import Store
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
    from storage.indexes.index_codes import StaleModelError

    with new_store(tmp_path) as store, Store.open(store.address) as other:
        with store.writing() as w:
            ids = batch(w, 0, 10)
            _, known, model = index(w)
        with other.writing() as w:
            newer = w.models.put("newer", "Encoder", "lsh", {}, {})
            w.codes.replace(known.id, newer, 10, ids, codes(ids))
        with pytest.raises(StaleModelError), store.writing() as w:
            w.codes.put(known.id, model, [1], codes([1]))
