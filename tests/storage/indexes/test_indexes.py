"""Indexes are kept by name and order; settings by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import TwinlensError
from tests.storage.conftest import NewStore
from tests.storage.making import batch, index


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
