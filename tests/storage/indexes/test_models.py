"""What was learned comes back as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from sqlalchemy import func, select

from storage.database.schema import array
from storage.integrity.checksums import DamagedRowError
from storage.library.store import Store
from tests.storage.conftest import NewStore
from tests.storage.making import index

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
