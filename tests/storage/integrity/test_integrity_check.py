"""What does not fit together is found, and told in a sentence."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.storage import making
from tests.storage.conftest import NewStore
from tests.storage.making import BYTES, DIMENSIONS, batch, files, index, register
from twinlens.core.errors import Cancelled
from twinlens.storage.database.values import PAGE_SIZE
from twinlens.storage.integrity.integrity_check import check
from twinlens.storage.library.library_sizes import sizes
from twinlens.storage.library.store import Store
from twinlens.storage.sqlite.engine import keep_in_step


def test_a_sound_library(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        assert check(store).findings == []
        with store.writing() as w:
            batch(w, 0, 50)
            register(w, files(50, 60))
            w.keypoints.put(range(1, 20), 1, [b"what was seen"] * 19)
            w.remove([3, 4])
        seen: list[str] = []
        assert check(store, lambda done, total, text: seen.append(str(text))).findings == []
        assert {"Checking photos", "Checking vectors", "Checked"} <= set(seen)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE photograph SET content_hash = NULL WHERE id < 3", "2 photos count as read"),
        ("UPDATE photograph SET state = 'unreadable' WHERE id < 4", "3 photos count as unreadable"),
        ("DELETE FROM photograph WHERE id = 3", "1 vector of colour belongs to no photo"),
        ("DELETE FROM photograph WHERE id = 3", "1 code of the index “Colours” belongs to no photo"),
        (
            "UPDATE descriptor SET vector = :value WHERE id & 255 = 7",
            "1 vector of colour (has not 8 numbers|is damaged)",
        ),
        (
            "INSERT INTO descriptor (id, vector) VALUES (7696581394433, :value)",
            "1 vector (belongs to no kind|is damaged)",
        ),
        (
            "UPDATE code_segment SET codes = :value",
            "The codes of the index “Colours” (do not fit together|are damaged)",
        ),
        ("UPDATE search_index SET model_id = NULL", "has codes, but not what made them"),
        ("UPDATE search_index SET metric = 'whitening'", "has codes, but they are not of its metric"),
        (
            """INSERT INTO code_segment (id, index_id, length, first, last, ids, codes)
            SELECT id + 1, index_id, length, first, last, ids, codes FROM code_segment""",
            "20 photos are twice in the index “Colours”",
        ),
    ],
)
def test_what_does_not_fit(tmp_path: Path, new_store: NewStore, statement: str, words: str) -> None:
    with new_store(tmp_path) as store:
        with store.writing() as w:
            batch(w, 0, 20)
        with store.writing() as w:
            made = text(statement)
            w.connection.execute(made.bindparams(value=b"\0") if ":value" in statement else made)
        findings = check(store).findings  # of rows without a checksum, the values themselves are looked at first
    assert any(re.search(words, str(finding.sentence)) for finding in findings)
    assert all(bool(finding.outcome) == (finding.mend is not None) for finding in findings)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE photograph SET volume_id = 99 WHERE id = 3", "1 row of the table photograph refers"),
        (
            "INSERT INTO keypoints (photograph_id, version, data) VALUES (99, 1, x'00')",
            "1 row of the table keypoints refers",
        ),
    ],
)
def test_what_refers_to_nothing_in_a_file(tmp_path: Path, statement: str, words: str) -> None:
    """A server refuses it."""
    with making.new_store(tmp_path) as store:
        with store.writing() as w:
            batch(w, 0, 20)
        with closing(sqlite3.connect(store.address.path)) as connection:
            keep_in_step(connection)  # as a fault of the program would do, not of the disk
            connection.execute(statement)
            connection.commit()
        findings = check(store).findings
    assert any(words in str(finding.sentence) for finding in findings)
    assert all(bool(finding.outcome) == (finding.mend is not None) for finding in findings)


def test_what_is_no_value_of_its_column_is_found_on_a_server_too(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        with store.writing() as w:
            batch(w, 0, 5)
            w.settings.put("kept", 1)
        with store.writing() as w:
            w.connection.execute(text("UPDATE setting SET value = 'no JSON', checksum = NULL WHERE name = 'kept'"))
            w.connection.execute(text("UPDATE setting SET checksum = NULL"))
        assert ["kept" in str(finding.sentence) for finding in check(store).findings] == [True]


def test_a_damaged_file(tmp_path: Path) -> None:
    with making.new_store(tmp_path) as store, store.writing() as w:
        batch(w, 0, 3000)
        page = w.connection.exec_driver_sql(
            "SELECT rootpage FROM sqlite_master WHERE name = 'photograph_by_size'"
        ).scalar()
    assert page is not None
    with store.address.path.open("rb+") as file:
        file.seek((page - 1) * PAGE_SIZE)
        file.write(b"\xa5" * PAGE_SIZE)
    with Store.open(store.address.path) as again:
        findings = check(again).findings
    assert findings
    assert all(
        re.search(r"damaged|more faults?\.$", str(finding.sentence)) and finding.mend is None for finding in findings
    )
    assert len(findings) <= 6
    assert not any("\n" in str(finding.sentence) for finding in findings)


def test_stopped(tmp_path: Path, new_store: NewStore) -> None:
    def stop(done: float, total: float, text: object) -> None:
        raise Cancelled

    with new_store(tmp_path) as store, pytest.raises(Cancelled):
        check(store, stop)


def test_sizes_of_the_parts(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        with store.writing() as w:
            ids = batch(w, 0, 500)
            index(w)
            w.keypoints.put(ids, 1, [bytes(4000)] * 500)
        measured = sizes(store)
        assert (measured.descriptors, measured.models) == (500 * DIMENSIONS * 2, 72)
        assert measured.codes == 500 * (8 + BYTES)
        assert measured.keypoints == 500 * 4000
        parts = (measured.descriptors, measured.models, measured.codes, measured.keypoints, measured.free)
        assert sum(parts) + measured.other == measured.file
        with store.writing() as w:
            w.forget(1, b"")
        assert sizes(store).free > 0 or not store.address.is_file
        assert sizes(store).descriptors == sizes(store).codes == sizes(store).keypoints == 0
