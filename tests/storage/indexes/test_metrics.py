"""Metrics are kept by name, and stay while an index measures by them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sqlalchemy.exc import IntegrityError

from core.errors import Remedy, TwinlensError
from storage.library.store import Transaction
from tests.storage.conftest import NewStore
from tests.storage.making import batch, index


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
def test_names_that_cannot_be(tmp_path: Path, name: str, new_store: NewStore) -> None:
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
