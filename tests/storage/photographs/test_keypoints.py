"""Keypoints are read as they were kept, by version, and go with their photographs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sqlalchemy.exc import IntegrityError

from storage.library.backup import backup, restore
from storage.library.store import Store, Transaction
from tests.storage import making
from tests.storage.conftest import NewStore
from tests.storage.making import batch, files, read, register
from tests.storage.plans import plans


def put(w: Transaction, ids: list[int], version: int = 1) -> None:
    w.keypoints.put(ids, version, [b"%d" % i for i in ids])


def test_some_in_the_order_asked(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        ids = batch(w, 0, 1234)
        put(w, ids[::2].tolist())
        wanted = np.random.default_rng(0).permutation(np.concatenate([ids, ids[:300]]))
        assert w.keypoints.read(wanted, 1) == [b"%d" % i if i % 2 else None for i in wanted]
        assert w.keypoints.read([], 1) == []
        w.keypoints.put([], 1, [])


def test_those_of_another_version_count_as_none_and_are_replaced(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        batch(w, 0, 3)
        put(w, [1, 2])
        assert w.keypoints.read([1, 2, 3], 2) == [None, None, None]
        w.keypoints.put([2], 2, [b""])
        assert w.keypoints.read([1, 2], 2) == [None, b""]
        assert w.keypoints.read([1, 2], 1) == [b"1", None]
        assert [w.keypoints.has(i, 2) for i in (1, 2, 3)] == [False, True, False]


def test_photographs_that_lack_them(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        batch(w, 0, 5)
        register(w, files(5, 8))
        put(w, [2, 3])
        w.photographs.mark_missing([5])
        w.photographs.record([read(6)])
        assert w.keypoints.lacking(1).tolist() == [1, 4, 6]
        assert w.keypoints.lacking(2).tolist() == [1, 2, 3, 4, 6]
        assert w.keypoints.ids(1).tolist() == [2, 3]


def test_they_go_with_their_photographs(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        batch(w, 0, 10)
        put(w, list(range(1, 11)))
        w.remove([3, 4, 9])
        assert w.keypoints.ids(1).tolist() == [1, 2, 5, 6, 7, 8, 10]
        w.forget(1, b"")
        assert w.keypoints.ids(1).tolist() == []


def test_a_photograph_that_is_not_there_has_none(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        with pytest.raises(IntegrityError), store.writing() as w:
            put(w, [1])
        with pytest.raises(ValueError, match="shorter"), store.writing() as w:
            w.keypoints.put([1, 2], 1, [b"one"])


def test_a_backup_has_them(tmp_path: Path) -> None:
    with making.new_store(tmp_path) as store:
        with store.writing() as w:
            batch(w, 0, 4)
            put(w, [1, 4])
        backup(store, tmp_path / "kept.twinlens")
    restore(tmp_path / "other.twinlens", tmp_path / "kept.twinlens")
    with Store.open(tmp_path / "other.twinlens") as other, other.reading() as r:
        assert r.keypoints.read([1, 2, 4], 1) == [b"1", None, b"4"]


def test_ids_are_read_from_the_index_alone(tmp_path: Path) -> None:
    with making.new_store(tmp_path) as store, store.reading() as r:
        with plans(r.connection) as found:
            assert r.keypoints.ids(1).tolist() == []
            assert not r.keypoints.has(2, 1)
        assert ["COVERING INDEX keypoints_by_version" in plan for plan in found] == [True, True]
