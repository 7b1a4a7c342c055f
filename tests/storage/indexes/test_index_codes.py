"""Codes come back in id order, however they came in and whatever was merged meanwhile."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import update

from storage.database.schema import code_segment
from storage.indexes import index_codes
from storage.indexes.index_codes import Segments, StaleModelError
from storage.integrity.checksums import DamagedRowError
from storage.sqlite import engine
from tests.storage.conftest import NewStore
from tests.storage.making import BYTES, batch, codes, index, new_store, vectors

_ids = st.lists(st.integers(1, 60), unique=True, max_size=12)


class CodesOfAnIndex(RuleBasedStateMachine):
    """Whatever is put, replaced and removed, an index holds what a dictionary would; with small segments."""

    @initialize()
    def open(self) -> None:
        self.patch = pytest.MonkeyPatch()
        for name, value in (("FULL", 16), ("TAIL", 4), ("SMALL", 3)):
            self.patch.setattr(index_codes, name, value)
        self.patch.setattr(engine, "STEP", 24)
        self.folder = tempfile.TemporaryDirectory()
        self.store = new_store(Path(self.folder.name))
        with self.store.writing() as w:
            _, known, self.model = index(w)
            self.index = known.id
            self.token = w.codes.load(self.index).token
        self.held: dict[int, int] = {}
        self.salt = 0

    def _made(self, ids: list[int]) -> np.ndarray:
        self.salt += 1000
        self.held.update({i: i + self.salt for i in ids})
        return codes([i + self.salt for i in ids])

    @rule(ids=_ids)
    def put(self, ids: list[int]) -> None:
        with self.store.writing() as w:
            w.codes.put(self.index, self.model, ids, self._made(ids))

    @rule(ids=st.lists(st.integers(1, 60), unique=True, max_size=40))
    def replace(self, ids: list[int]) -> None:
        self.held.clear()
        with self.store.writing() as w:
            w.codes.replace(self.index, self.model, len(ids), ids, self._made(ids))

    @rule(ids=_ids)
    def remove(self, ids: list[int]) -> None:
        with self.store.writing() as w:
            w.codes.remove(ids)
        for i in ids:
            self.held.pop(i, None)

    @rule()
    def merge(self) -> None:
        with self.store.writing() as w:
            Segments(w.connection).merge(self.index)

    @invariant()
    def same(self) -> None:
        if not hasattr(self, "store"):
            return
        with self.store.reading() as r:
            loaded = r.codes.load(self.index)
            parts = Segments(r.connection).all(self.index)
            assert r.codes.ids(self.index).tolist() == sorted(self.held)
            assert r.codes.count(self.index) == len(self.held)
        assert loaded.ids.tolist() == sorted(self.held)
        expected = codes([self.held[i] for i in sorted(self.held)])
        np.testing.assert_array_equal(loaded.codes.reshape(-1, BYTES), expected)
        assert all(1 <= part.length <= index_codes.FULL for part in parts)
        assert sum(part.length < index_codes.FULL for part in parts) <= index_codes.SMALL + 2

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            self.folder.cleanup()
            self.patch.undo()


def test_codes_of_an_index() -> None:
    """In a file: segments are one text for both databases, and the tests below ask both."""
    run_state_machine_as_test(CodesOfAnIndex, settings=settings(max_examples=15, stateful_step_count=20, deadline=None))


def test_codes_of_several_full_segments(tmp_path: Path, new_store: NewStore) -> None:
    n = 3 * index_codes.FULL + 5
    rng = np.random.default_rng(0)
    made = rng.integers(0, 256, (n, 32), dtype=np.uint8)
    ids = np.arange(1, n + 1) * 3
    with new_store(tmp_path) as store:
        with store.writing() as w:
            _, known, model = index(w)
            w.codes.replace(known.id, model, n, ids, made)
        with store.reading() as r:
            loaded = r.codes.load(known.id)
            assert len(Segments(r.connection).all(known.id)) == -(-n // index_codes.FULL)
    np.testing.assert_array_equal(loaded.ids, ids)
    np.testing.assert_array_equal(loaded.codes, made)
    assert loaded.ids.dtype == np.int64


def test_many_small_batches_make_few_segments(
    tmp_path: Path, new_store: NewStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    n = 4_000
    monkeypatch.setattr(index_codes, "TAIL", index_codes.TAIL // 5)
    with new_store(tmp_path) as store, store.writing() as w:
        _, known, model = index(w)
        for start in range(0, n, 50):
            ids = np.arange(start + 1, start + 51)
            w.codes.put(known.id, model, ids, codes(ids))
        assert len(Segments(w.connection).all(known.id)) == -(-n // (index_codes.TAIL - index_codes.TAIL % 50))
        np.testing.assert_array_equal(w.codes.load(known.id).codes, codes(np.arange(1, n + 1)))


def test_the_token_tells_of_changes(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        ids = batch(w, 0, 5)
        _, known, model = index(w)
        other = w.indexes.add("Other", "colour", "lsh", "scan")
        w.codes.replace(other.id, model, 0, [1, 2], codes([1, 2]))
        tokens = [w.codes.load(known.id).token]
        assert w.codes.load(known.id).token == tokens[0]
        w.codes.put(known.id, model, ids, codes(ids + 1))
        tokens.append(w.codes.load(known.id).token)
        w.codes.remove([1])
        tokens.append(w.codes.load(known.id).token)
        untouched = w.codes.load(other.id).token
        w.codes.remove([5])
        assert w.codes.load(other.id).token == untouched
        w.codes.replace(known.id, model, 5, ids, codes(ids))
        tokens.append(w.codes.load(known.id).token)
        assert len(set(tokens)) == 4


def test_fitted_anew(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        ids = batch(w, 0, 5)
        _, known, old = index(w)
        new = w.models.put("new", "Encoder", "lsh:bits=8", {}, {})
        w.codes.replace(known.id, new, 5, ids, codes(ids)[:, :1])
        found = w.indexes.by_id(known.id)
        assert found is not None
        assert (found.model_id, found.fitted_on) == (new, 5)
        loaded = w.codes.load(known.id)
        assert (loaded.codes.shape, loaded.model_id) == ((5, 1), new)
        with pytest.raises(StaleModelError):
            w.codes.put(known.id, old, [6], codes([6]))


def test_photographs_that_lack_a_code(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        batch(w, 0, 5)
        kind, known, model = index(w)
        w.descriptors.put(kind, [9, 8], vectors([9, 8]))
        assert w.codes.lacking(known.id, kind).tolist() == [8, 9]
        w.codes.put(known.id, model, [8], codes([8]))
        assert w.codes.lacking(known.id, kind).tolist() == [9]
        assert w.codes.bytes(known.id) == 6 * (8 + BYTES)


def test_an_empty_index(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        made = w.indexes.add("Empty", "colour", "lsh", "scan")
        loaded = w.codes.load(made.id)
        assert loaded.ids.shape == (0,)
        assert loaded.codes.shape == (0, 0)
        assert loaded.model_id is None
        assert w.codes.ids(made.id).tolist() == []
        w.codes.remove([])


@pytest.mark.parametrize(
    ("ids", "made"),
    [
        ([1, 1], codes([1, 1])),
        ([1, 2], codes([1])),
        ([1], codes([1]).astype(np.int32)),
        ([1], codes([1])[0]),
        ([9], np.zeros((1, BYTES + 1), np.uint8)),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path: Path, ids: list[int], made: np.ndarray, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        batch(w, 0, 3)
        _, known, model = index(w)
        with pytest.raises(ValueError, match=r"expected|twice"):
            w.codes.put(known.id, model, ids, made)


def test_cut_off_codes_are_met(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        batch(w, 0, 3)
        w.connection.execute(update(code_segment).values(ids=bytes(8)))
        with pytest.raises(DamagedRowError, match="code_segment"):
            w.codes.load(index(w)[1].id)
