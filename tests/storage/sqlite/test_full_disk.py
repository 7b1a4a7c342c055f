"""A disk that is full, or fails: a sentence, and everything up to the last batch is kept."""

from __future__ import annotations

import importlib.util
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from core.errors import TwinlensError
from storage.integrity.integrity_check import check
from storage.library.store import Store
from storage.sqlite import failures
from tests.storage.making import batch, finished, new_store, other_program


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
from core.errors import TwinlensError
from storage.library.store import Store
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
    with pytest.raises(sqlite3.OperationalError), failures.in_sentences(tmp_path):
        sqlite3.connect(":memory:").execute("SELEKT 1")
