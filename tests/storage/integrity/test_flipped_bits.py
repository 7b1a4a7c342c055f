"""One flipped bit anywhere in a library: it is found, or it changes nothing that the library says."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from tests.storage.making import batch, files, index, new_store, register
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.measurement import StepRow
from twinlens.core.message import Message
from twinlens.storage.database.schema import TABLES, facts
from twinlens.storage.integrity.integrity_check import check
from twinlens.storage.library.backup import backup
from twinlens.storage.library.store import Store
from twinlens.storage.marks import NewMark
from twinlens.storage.photographs.photographs import MovedFile, NewFile
from twinlens.storage.photographs.problems import NewProblem


def fits(version: int, data: bytes) -> bool:
    """Take all keypoints for whole."""
    return True


def filled(folder: Path) -> Path:
    """Make a library with rows in every table, a copy of one that was made once."""
    path = folder / "library.twinlens"
    path.write_bytes(_filled())
    return path


@cache
def _filled() -> bytes:
    with TemporaryDirectory() as folder:
        with new_store(Path(folder)) as store:
            _fill(store)
        return store.address.path.read_bytes()


def _fill(store: Store) -> None:
    draw = np.random.default_rng(0)
    with store.writing() as w:
        ids = batch(w, 0, 120)
        register(w, files(120, 130))
        folder_id = w.folders.add(1, b"pictures", ["*.tmp"])
        w.photographs.move([MovedFile(1, 1, folder_id, b"pictures/moved.jpg", 1, 2)])
        kind = w.descriptors.add_kind("kind 2", "vlad", 64)
        w.descriptors.put(kind, ids, draw.standard_normal((120, 64)))
        w.keypoints.put(ids, 1, [draw.bytes(444) for _ in ids])
        model = w.models.put("metric", "Mahalanobis", "itml", {"a": 1.5}, {"g": draw.standard_normal((8, 8))})
        w.metrics.add("mine", "vlad", model, None, "learned")
        contents = [int(i).to_bytes(32, "big") for i in ids]
        pairs = pairwise(contents)
        w.marks.put([NewMark(one, other, "a", "b", bool(n % 2), "search") for n, (one, other) in enumerate(pairs)])
        w.settings.put("pace", {"a": [1, 2, 3]})
        w.settings.put("pace", {"a": [1, 2, 3, 4]})
        w.lab.put(StepRow("step", "{}", "{}", 5, "{}"))
        w.lab.add("run", "plan = 1", ["step"])
        w.photographs.mark_missing([5, 6])
        w.problems.add(
            [NewProblem(1, b"pictures/00121.jpg", Message("Cannot be read."), Message("Copy it again."), 1, 2, 122)] * 2
        )
        w.passed_over.add(1, [NewFile(b"%03d.txt" % i, i, i) for i in range(30)])
        w.remove([9, 10])
        w.folders.remove(1, b"pictures")
        w.folders.add(1, b"other")
        index(w)


def said(path: Path) -> list[str]:
    """Write down all that a library says."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        connection.text_factory = bytes
        tables = {table.name: ", ".join(f'"{column.name}"' for column in facts(table)) for table in TABLES}
        tables["sqlite_sequence"] = tables["alembic_version"] = "*"
        return [
            repr(sorted(map(repr, connection.execute(f"SELECT {columns} FROM {name}"))))
            for name, columns in tables.items()
        ]


def test_whatever_writes_leaves_a_whole_library(tmp_path: Path) -> None:
    with Store.open(filled(tmp_path)) as store:
        assert check(store).findings == []
        backup(store, tmp_path / "copy.twinlens")
    with Store.open(tmp_path / "copy.twinlens") as copied:
        assert check(copied).findings == []


def test_a_flipped_bit_is_found_where_it_changes_anything(tmp_path: Path) -> None:
    path = filled(tmp_path)
    whole, before = path.read_bytes(), said(path)
    used = np.flatnonzero(np.frombuffer(whole, np.uint8))
    flipped = tmp_path / "flipped.twinlens"
    found = 0
    for seed in range(30):
        draw = random.Random(seed)
        data = bytearray(whole)
        data[draw.choice(used)] ^= 1 << draw.randrange(8)
        flipped.write_bytes(data)
        try:
            with Store.open(flipped) as store:
                findings = check(store).findings
        except TwinlensError:
            continue
        assert findings or said(flipped) == before, seed
        found += bool(findings)
    assert found > 15


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE mark SET similar = 1 - similar WHERE id = 3", "Damaged: the row 3 of the table mark."),
        ("UPDATE photograph SET width = width + 64 WHERE id = 7", "Damaged: the row 7 of the table photograph."),
        ("UPDATE setting SET value = '{\"a\": [1, 2, 3, 5]}'", "Damaged: the row “pace” of the table setting."),
        ("UPDATE metric SET name = 'mioe'", "Damaged: the row “mioe” of the table metric."),
        ("UPDATE search_index SET method = 'msh'", "Damaged: the row “Colours” of the table search_index."),
        (
            "UPDATE descriptor_kind SET dtype = 'float36' WHERE id = 1",
            "Damaged: the row 1 of the table descriptor_kind.",
        ),
        (
            "UPDATE model SET numbers = replace(numbers, '{', 'z') WHERE id = 1",
            "Damaged: the row 1 of the table model.",
        ),
        ("UPDATE photograph SET checksum = (checksum | 64) - (checksum & 64) WHERE id = 20", ""),
    ],
)
def test_a_flipped_bit_is_put_back(tmp_path: Path, statement: str, sentence: str) -> None:
    path = filled(tmp_path)
    before = said(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()
    with Store.open(path) as store:
        findings = check(store).findings
        assert any(str(one.sentence).startswith(sentence) for one in findings)
        for finding in findings:
            assert finding.mend is not None
            with store.writing() as w:
                finding.mend(w)
        assert check(store).findings == []
    assert said(path) == before


def test_other_damage_of_a_persons_words_is_told_and_left(tmp_path: Path) -> None:
    path = filled(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE mark SET first_name = 'something else', second_name = 'too' WHERE id = 3")
        connection.commit()
    with Store.open(path) as store:
        (finding,) = check(store).findings
        assert finding.mend is None
        with store.reading() as r:
            assert r.marks.by_id([2, 3])[0].id == 2
            assert len(r.marks.by_id([2, 3])) == 1


def test_a_change_of_a_damaged_row_leaves_it_damaged(tmp_path: Path) -> None:
    path = filled(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE photograph SET camera = 'another' WHERE id = 7")
        connection.commit()
    with Store.open(path) as store:
        with store.writing() as w:
            w.photographs.mark_missing([7])
            w.photographs.mark_present([7])
        (finding,) = check(store).findings
        assert str(finding.sentence) == "Damaged: the row 7 of the table photograph."


def test_a_row_that_has_lost_its_checksum_is_damaged(tmp_path: Path) -> None:
    path = filled(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE mark SET checksum = NULL WHERE id = 3")
        connection.execute("UPDATE photograph SET checksum = NULL WHERE id = 7")
        connection.commit()
    with Store.open(path) as store:
        named = sorted(str(one.sentence) for one in check(store).findings)
        assert named == [
            "Damaged, and cannot be computed again: the row 3 of the table mark.",
            "Damaged: the row 7 of the table photograph.",
        ]


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE alembic_version",
        "DELETE FROM alembic_version",
        "UPDATE alembic_version SET version_num = '0004'",
        "UPDATE alembic_version SET version_num = '0005'",
        "DROP TABLE keypoints",
        "ALTER TABLE photograph RENAME COLUMN size TO sizf",
        "DELETE FROM library",
        "UPDATE array SET shape = '[1'",
        "UPDATE array SET dtype = 'nonsense'",
        "UPDATE model SET numbers = '{'",
        "UPDATE search_index SET method = CAST(x'ff' AS TEXT)",
        "UPDATE descriptor_kind SET dtype = 7",
        "UPDATE photograph SET state = 'gone' WHERE id = 3",
        "UPDATE setting SET value = 'no JSON'",
        "UPDATE code_segment SET length = -1",
        "UPDATE code_segment SET codes = NULL",
    ],
)
@pytest.mark.parametrize("protected", [True, False])
def test_damage_is_met_in_a_sentence(tmp_path: Path, statement: str, protected: bool) -> None:
    path = filled(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("PRAGMA writable_schema = ON")
        if "codes = NULL" in statement:
            connection.execute("UPDATE sqlite_master SET sql = replace(sql, 'codes BLOB NOT NULL', 'codes BLOB')")
            connection.commit()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        if not protected:
            for table in TABLES:
                connection.execute(f"UPDATE {table.name} SET checksum = NULL")
        connection.execute(statement)
        connection.commit()
    with pytest.raises(TwinlensError):
        _read_everything(path)


def _read_everything(path: Path) -> None:
    with Store.open(path) as store, store.writing() as w:
        w.keypoints.ids(1)
        w.photographs.counts()
        w.photographs.contents_by_size([1001], 9)
        w.settings.all()
        for row in w.models.all():
            w.models.arrays(row.id)
        w.descriptors.kinds()
        for one in w.indexes.all():
            w.codes.load(one.id)
