"""Indexes, their codes, metrics and learned models come back as they were kept, whatever was merged meanwhile."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import func, select, update
from sqlalchemy.exc import IntegrityError

from tests.storage.conftest import NewStore
from tests.storage.making import BYTES, batch, codes, index, new_store, vectors
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.storage.database.schema import array, code_segment
from twinlens.storage.indexes import index_codes
from twinlens.storage.indexes.index_codes import Segments, StaleModelError
from twinlens.storage.integrity.checksums import DamagedRowError
from twinlens.storage.library.store import Store, Transaction
from twinlens.storage.sqlite import engine


def test_added_at_the_end(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        one = w.indexes.add("Automatic", "vlad", "itq", "scan", automatic=True)
        two = w.indexes.add("Colours", "colour", "lsh", "scan", "itml")
        assert w.indexes.all() == [one, two]
        assert (one.automatic, two.automatic) == (True, False)
        assert (two.descriptor, two.method, two.search, two.metric) == ("colour", "lsh", "scan", "itml")
        assert (one.model_id, one.kind_id, one.fitted_on, one.metric) == (None, None, 0, None)
        assert w.indexes.add("Third", "edges", "lsh", "scan").position == 2
        assert w.indexes.by_id(99) is None


@pytest.mark.parametrize("name", ["Colours", "", "  "])
def test_names_that_cannot_be(tmp_path: Path, name: str, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        w.indexes.add("Colours", "colour", "lsh", "scan")
        other = w.indexes.add("Other", "colour", "lsh", "scan")
        for attempt in (
            lambda: w.indexes.add(name, "edges", "lsh", "scan"),
            lambda: w.indexes.rename(other.id, name),
        ):
            with pytest.raises(TwinlensError) as refused:
                attempt()
            assert str(refused.value.advice)


def test_renamed(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        made = w.indexes.add("Colours", "colour", "lsh", "scan")
        w.indexes.rename(made.id, "Colours")
        w.indexes.rename(made.id, "Farben")
        assert w.indexes.by_name("Colours") is None
        found = w.indexes.by_name("Farben")
        assert found is not None
        assert found.id == made.id


def test_deleted_with_its_codes(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        batch(w, 0, 5)
        kind, known, _ = index(w)
        w.indexes.delete(known.id)
        assert w.indexes.all() == []
        assert w.connection.exec_driver_sql("SELECT count(*) FROM code_segment").scalar() == 0
        assert w.descriptors.count(kind) == 5


def test_one_takes_the_place_of_another_with_its_own_codes(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        first = w.indexes.add("Automatic", "vlad", "itq", "scan", automatic=True)
        w.indexes.add("Others", "edges", "lsh", "scan")
        batch(w, 0, 5)
        _, made, _ = index(w)
        codes = w.codes.load(made.id)
        w.indexes.take_the_place(made.id, of=first.id)
        assert [(row.name, row.automatic) for row in w.indexes.all()] == [("Automatic", True), ("Others", False)]
        now = w.indexes.by_name("Automatic")
        assert now is not None
        assert (now.id, now.descriptor, now.model_id) == (made.id, made.descriptor, made.model_id)
        assert w.codes.load(now.id).codes.tolist() == codes.codes.tolist()
        assert w.indexes.by_id(first.id) is None


def test_another_search_keeps_the_codes(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        batch(w, 0, 5)
        _, known, model = index(w)
        w.indexes.describe(known.id, "colour", "lsh", "buckets")
        found = w.indexes.by_id(known.id)
        assert found is not None
        assert (found.search, found.model_id) == ("buckets", model)
        assert w.codes.count(known.id) == 5


@pytest.mark.parametrize("said", [("edges", "lsh", None), ("colour", "itq", None), ("colour", "lsh", "itml")])
def test_another_descriptor_method_or_metric_does_not(
    tmp_path: Path, said: tuple[str, str, str | None], new_store: NewStore
) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        batch(w, 0, 5)
        _, before, _ = index(w)
        w.indexes.describe(before.id, said[0], said[1], "scan", said[2])
        found = w.indexes.by_id(before.id)
        assert found is not None
        assert (found.model_id, found.kind_id, found.fitted_on) == (None, None, 0)
        assert w.codes.count(before.id) == 0


def test_another_kind_does_not(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        batch(w, 0, 5)
        kind, known, _ = index(w)
        w.indexes.set_kind(known.id, kind.id)
        assert w.codes.count(known.id) == 5
        other = w.descriptors.add_kind("other", "other", 4)
        w.indexes.set_kind(known.id, other.id)
        found = w.indexes.by_id(known.id)
        assert found is not None
        assert (found.kind_id, found.model_id) == (other.id, None)
        assert w.codes.count(known.id) == 0


def test_settings(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        assert w.settings.get("excludes", []) == []
        w.settings.put("excludes", ["*.tmp"])
        w.settings.put("threads", 2)
        w.settings.put("threads", None)
        assert w.settings.all() == {"excludes": ["*.tmp"], "threads": None}
        w.settings.remove("threads")
        assert w.settings.get("threads", 4) == 4


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
            Segments(w.dialect).merge(self.index)

    @invariant()
    def same(self) -> None:
        if not hasattr(self, "store"):
            return
        with self.store.reading() as r:
            loaded = r.codes.load(self.index)
            parts = Segments(r.dialect).all(self.index)
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
            assert len(Segments(r.dialect).all(known.id)) == -(-n // index_codes.FULL)
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
        assert len(Segments(w.dialect).all(known.id)) == -(-n // (index_codes.TAIL - index_codes.TAIL % 50))
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


def model(w: Transaction, key: str = "given") -> int:
    return w.models.put(key, "ExplicitMetric", "", {"spread": 1.0}, {"g": np.eye(8, dtype=np.float32)})


def test_several_side_by_side(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        one = w.metrics.add("Mine", "colour", model(w), note="from G.npy")
        two = w.metrics.add("Mine, later", "colour", model(w, "learned"), "itml")
        assert w.metrics.all() == [one, two]
        assert (one.descriptor, one.declaration, one.note) == ("colour", None, "from G.npy")
        assert (two.declaration, two.note) == ("itml", "")
        assert w.metrics.by_name("Mine") == w.metrics.by_id(one.id) == one
        assert w.metrics.by_name("mine") is None
        with pytest.raises(ValueError, match="unpack"):
            w.metrics.by_id(99)


@pytest.mark.parametrize("name", ["Mine", "", "  "])
def test_metrics_names_that_cannot_be(tmp_path: Path, name: str, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        w.metrics.add("Mine", "colour", model(w))
        other = w.metrics.add("Other", "colour", model(w))
        for attempt in (lambda: w.metrics.add(name, "edges", model(w)), lambda: w.metrics.rename(other.id, name)):
            with pytest.raises(TwinlensError) as refused:
                attempt()
            assert refused.value.next_step


def test_an_index_finds_its_metric_under_any_name(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        kept = w.metrics.add("Mine", "colour", model(w))
        made = w.indexes.add("Colours", "colour", "lsh", "scan", metric_id=kept.id)
        assert (made.metric_id, made.metric_name, made.metric, made.metric_model_id) == (kept.id, "Mine", None, None)
        w.metrics.rename(kept.id, "Mine")
        w.metrics.rename(kept.id, "Yours")
        found = w.indexes.by_name("Colours")
        assert found is not None
        assert (found.metric_id, found.metric_name) == (kept.id, "Yours")
        assert w.metrics.users(kept.id) == ["Colours"]


def test_what_an_index_measures_by_cannot_be_deleted(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        kept = w.metrics.add("Mine", "colour", model(w))
        one = w.indexes.add("Colours", "colour", "lsh", "scan", metric_id=kept.id)
        two = w.indexes.add("More", "colour", "itq", "scan", metric_id=kept.id)
        with pytest.raises(TwinlensError, match="the indexes “Colours”, “More” measure by it"):
            w.metrics.delete(kept.id)
        w.indexes.delete(two.id)
        with pytest.raises(TwinlensError, match="the index “Colours” measures by it") as refused:
            w.metrics.delete(kept.id)
        assert refused.value.next_step == Remedy("delete metric with indexes", {"name": "Mine"})
        with pytest.raises(IntegrityError), w.connection.begin_nested():
            w.connection.exec_driver_sql("DELETE FROM metric")
        w.indexes.delete(one.id)
        w.metrics.delete(kept.id)
        assert w.metrics.all() == []


def test_models_of_metrics_are_used(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        kept = w.metrics.add("Mine", "colour", model(w))
        made = w.indexes.add("Colours", "colour", "lsh", "scan", metric_id=kept.id)
        w.indexes.set_metric_model(made.id, model(w, "as the index uses it"), 5)
        assert w.models.remove_unused() == 0
        w.indexes.delete(made.id)
        assert w.models.remove_unused() == 1
        w.metrics.delete(kept.id)
        assert w.models.remove_unused() == 1


def test_another_metric_unfits(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        batch(w, 0, 5)
        _, before, _ = index(w)
        kept = w.metrics.add("Mine", "colour", model(w))
        w.indexes.set_metric_model(before.id, model(w), 5)
        w.indexes.describe(before.id, "colour", "lsh", "scan", metric_id=kept.id)
        found = w.indexes.by_id(before.id)
        assert found is not None
        assert (found.metric_id, found.model_id, found.metric_model_id) == (kept.id, None, None)
        assert w.codes.count(before.id) == 0


_arrays = npst.arrays(
    st.one_of(npst.floating_dtypes(), npst.integer_dtypes(), npst.unsigned_integer_dtypes(), npst.boolean_dtypes()),
    npst.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
)
_names = st.text(st.characters(codec="utf-8", exclude_characters="\0"))
_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, new_store: NewStore) -> Any:
    """Return one library for all examples."""
    with new_store(tmp_path_factory.mktemp("models")) as made:
        yield made


@given(st.dictionaries(st.text(), _json, max_size=4), st.dictionaries(_names, _arrays, max_size=3))
def test_round_trip(store: Store, numbers: dict[str, Any], arrays: dict[str, Any]) -> None:
    with store.writing() as w:
        w.models.remove_unused()
        made = w.models.put("key", "Kind", "text", numbers, arrays, b"digest")
        row = w.models.by_id(made)
        assert (row.key, row.kind, row.text, row.sample_digest, row.numbers) == (
            "key",
            "Kind",
            "text",
            b"digest",
            numbers,
        )
        assert w.models.by_key("key") == row
        found = w.models.arrays(made)
        assert list(found) == list(arrays)
        for name, one in arrays.items():
            assert found[name].dtype == one.dtype.newbyteorder("<")
            assert not found[name].flags.writeable
            np.testing.assert_array_equal(found[name], one)
        assert w.models.bytes(made) == sum(one.nbytes for one in arrays.values())


def test_views_and_columns_are_kept_as_they_look(store: Store) -> None:
    plain = np.arange(12, dtype=">f8").reshape(3, 4)
    with store.writing() as w:
        made = w.models.put("views", "Kind", "", {}, {"turned": plain.T, "some": plain[:, ::2]})
        found = w.models.arrays(made)
        np.testing.assert_array_equal(found["turned"], plain.T)
        np.testing.assert_array_equal(found["some"], plain[:, ::2])


def test_equal_keys_are_kept_once(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        one = w.models.put("key", "Kind", "first", {"a": 1}, {"x": np.zeros(2)})
        assert w.models.put("key", "Kind", "second", {"a": 2}, {"y": np.ones(2)}) == one
        assert w.models.by_id(one).text == "first"
        assert list(w.models.arrays(one)) == ["x"]


@pytest.mark.parametrize("wrong", [np.array([object()]), np.array(["text"]), np.zeros(2, "V4")])
def test_only_numbers_are_kept(tmp_path: Path, wrong: Any, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w, pytest.raises(TypeError, match="not numbers"):
        w.models.put("key", "Kind", "", {}, {"x": wrong})


def test_the_unused_are_removed(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        _, known, encoder = index(w)
        codebook = w.models.put("codebook", "Codebook", "", {}, {"x": np.zeros(3)})
        w.models.put("unused", "Encoder", "", {}, {"x": np.zeros(3)})
        w.descriptors.add_kind("vlad", "vlad", 4, model_id=codebook)
        assert w.models.remove_unused() == 1
        assert [row.id for row in w.models.all()] == [encoder, codebook]
        w.indexes.delete(known.id)
        assert w.models.remove_unused() == 1
        assert w.connection.execute(select(func.count()).select_from(array)).scalar() == 1
        assert w.models.by_key("unused") is None


def test_a_model_that_is_lacking_is_damage(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.reading() as r, pytest.raises(DamagedRowError, match="row 99"):
        r.models.by_id(99)
