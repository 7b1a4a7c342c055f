"""Vectors and keypoints are read as they were kept, and go with their photographs."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import update
from sqlalchemy.exc import IntegrityError

from tests.storage import making
from tests.storage.conftest import NewStore
from tests.storage.making import DIMENSIONS, batch, files, index, plans, read, register, vectors
from twinlens.storage.database.schema import descriptor
from twinlens.storage.database.values import PhotographState
from twinlens.storage.library.backup import backup, restore
from twinlens.storage.library.store import Store, Transaction
from twinlens.storage.photographs.descriptors import KindRow


def test_kinds_are_known_by_their_keys(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        model = w.models.put("codebook", "Codebook", "vlad", {}, {})
        one = w.descriptors.add_kind("key-1", "colour", 64)
        two = w.descriptors.add_kind("key-2", "vlad", 8192, "float32", model)
        assert w.descriptors.add_kind("key-1", "other words", 3) == one
        assert w.descriptors.kinds() == [one, two]
        assert w.descriptors.kind("key-2") == two
        assert w.descriptors.kind("key-3") is None
        assert (two.dimensions, two.dtype, two.model_id) == (8192, "float32", model)


@pytest.mark.parametrize("dtype", ["float16", "float32", "uint8"])
def test_some_in_the_order_asked(tmp_path: Path, dtype: str, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        kind = w.descriptors.add_kind("k", "k", DIMENSIONS, dtype)
        other = w.descriptors.add_kind("other", "other", DIMENSIONS, dtype)
        ids = np.arange(1, 1801, 2)
        kept = (vectors(ids) % 200).astype(dtype)
        w.descriptors.put(kind, ids, kept)
        w.descriptors.put(other, ids + 1, kept)
        wanted = np.random.default_rng(0).permutation(np.arange(1, 1801))
        wanted = np.concatenate([wanted, wanted[:700]])
        found, present = w.descriptors.read(kind, wanted)
        assert found.dtype == dtype
        np.testing.assert_array_equal(present, wanted % 2 == 1)
        np.testing.assert_array_equal(found[present], (vectors(wanted[present]) % 200).astype(dtype))
        assert not found[~present].any()


def test_directions_are_kept_in_bytes(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        kind = w.descriptors.add_kind("k", "k", DIMENSIONS, "int8")
        x = np.random.default_rng(0).standard_normal((20, DIMENSIONS))
        x /= np.linalg.norm(x, axis=1, keepdims=True)
        x[3] = 0
        w.descriptors.put(kind, np.arange(1, 21), x)
        found, present = w.descriptors.read(kind, np.arange(1, 21))
        assert found.dtype == np.float32
        assert present.all()
        np.testing.assert_allclose(found, x, atol=0.01)
        np.testing.assert_allclose(np.linalg.norm(found, axis=1), [1] * 3 + [0] + [1] * 16, atol=1e-6)
        w.descriptors.put(kind, np.arange(1, 21), found)
        np.testing.assert_array_equal(np.concatenate([y for _, y in w.descriptors.blocks(kind, 7)]), found)
        with pytest.raises(ValueError, match="not finite"):
            w.descriptors.put(kind, [1], np.full((1, DIMENSIONS), np.nan))


def test_all_that_are_asked_for(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        ids = batch(w, 0, 1234)
        wanted = np.random.default_rng(1).permutation(ids)
        found, present = w.descriptors.read(index(w)[0], wanted)
        assert present.all()
        np.testing.assert_array_equal(found, vectors(wanted).astype(np.float16))


def test_none_are_asked_for(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        kind, _, _ = index(w)
        found, present = w.descriptors.read(kind, [])
        assert found.shape == (0, DIMENSIONS)
        assert present.shape == (0,)
        w.descriptors.put(kind, [], np.empty((0, DIMENSIONS)))
        assert list(w.descriptors.blocks(kind)) == []
        assert w.descriptors.ids(kind).tolist() == []


def test_blocks_in_id_order(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        ids = batch(w, 0, 25)
        w.remove([3, 4])
        left = np.setdiff1d(ids, [3, 4])
        blocks = list(w.descriptors.blocks(index(w)[0], 10))
        assert [len(some) for some, _ in blocks] == [10, 10, 3]
        np.testing.assert_array_equal(np.concatenate([some for some, _ in blocks]), left)
        np.testing.assert_array_equal(np.concatenate([some for _, some in blocks]), vectors(left).astype(np.float16))


def test_blocks_hold_what_is_read_one_by_one(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        ids, kind = batch(w, 0, 25), index(w)[0]
        w.descriptors.put(kind, [5], np.zeros((1, DIMENSIONS)))
        width = 2 * DIMENSIONS
        for photograph, damaged in {2: b"", 7: bytes(width - 2), 8: bytes(width + 2), 14: b"\xff" * width}.items():
            row = descriptor.c.id == kind.first() | photograph
            w.connection.execute(update(descriptor).where(row).values(vector=damaged))
        expected, present = w.descriptors.read(kind, ids, verify=False)
        assert ids[~present].tolist() == [2, 7, 8, 14]
        found, blocks = zip(*w.descriptors.blocks(kind, 10), strict=True)
        np.testing.assert_array_equal(np.concatenate(found), ids[present])
        np.testing.assert_array_equal(np.concatenate(blocks), expected[present])


def test_replaced(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        batch(w, 0, 3)
        kind, _, _ = index(w)
        w.descriptors.put(kind, [2], vectors([77]))
        np.testing.assert_array_equal(w.descriptors.read(kind, [1, 2])[0], vectors([1, 77]).astype(np.float16))
        assert w.descriptors.count(kind) == 3


@pytest.mark.parametrize("wrong", [np.nan, np.inf, 1e6])
def test_what_is_not_finite_is_refused(tmp_path: Path, wrong: float, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        kind, _, _ = index(w)
        with pytest.raises(ValueError, match="not finite as float16"):
            w.descriptors.put(kind, [1], np.full((1, DIMENSIONS), wrong))


@pytest.mark.parametrize("shape", [(2, DIMENSIONS), (1, DIMENSIONS - 1), (DIMENSIONS,)])
def test_what_does_not_fit_is_refused(tmp_path: Path, shape: tuple[int, ...], new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w, pytest.raises(ValueError, match="expected"):
        w.descriptors.put(index(w)[0], [1], np.zeros(shape))


def test_photographs_that_lack_a_vector(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        batch(w, 0, 5)
        register(w, files(5, 8))
        kind, _, _ = index(w)
        later = w.descriptors.add_kind("later", "later", DIMENSIONS)
        w.descriptors.put(later, [2, 3], vectors([2, 3]))
        w.photographs.mark_missing([5])
        w.photographs.record([read(6)])
        assert w.descriptors.lacking(kind).tolist() == [6]
        assert w.descriptors.lacking(later).tolist() == [1, 4, 6]
        assert w.photographs.counts()[PhotographState.PENDING] == 2


def test_a_kind_goes_with_its_vectors(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        kinds = [w.descriptors.add_kind(key, key, DIMENSIONS) for key in "abc"]
        for kind in kinds:
            w.descriptors.put(kind, [1, 2, (1 << 40) - 1], vectors([1, 2, 3]))
        w.descriptors.remove_kind(kinds[1])
        assert [w.descriptors.count(kind) for kind in kinds] == [3, 0, 3]
        assert w.descriptors.kinds() == [kinds[0], kinds[2]]


def test_ids_are_read_from_the_index_alone(tmp_path: Path) -> None:
    with making.new_store(tmp_path) as store, store.reading() as r:
        kind = KindRow(1, "key", "colour", DIMENSIONS, "float16", None)
        with plans(r) as found:
            assert r.descriptors.ids(kind).tolist() == []
            assert r.descriptors.count(kind) == 0
        assert ["COVERING INDEX descriptor_ids" in plan for plan in found] == [True, True]


def put(w: Transaction, ids: list[int], version: int = 1) -> None:
    w.keypoints.put(ids, version, [b"%d" % i for i in ids])


def test_keypoints_some_in_the_order_asked(tmp_path: Path, new_store: NewStore) -> None:
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
        with pytest.raises((IntegrityError, sqlite3.IntegrityError)), store.writing() as w:
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


def test_keypoints_ids_are_read_from_the_index_alone(tmp_path: Path) -> None:
    with making.new_store(tmp_path) as store, store.reading() as r:
        with plans(r) as found:
            assert r.keypoints.ids(1).tolist() == []
            assert not r.keypoints.has(2, 1)
        assert ["COVERING INDEX keypoints_by_version" in plan for plan in found] == [True, True]
