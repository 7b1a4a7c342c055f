"""What the searcher keeps in memory: nothing is loaded twice, and every change is seen."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.indexes import loaded_index
from app.indexes.encoders import bring_indexes_up_to_date
from app.indexes.indexes import rename_index
from app.library.library import Library
from app.search import search_space
from app.search.search_query import SearchOptions
from app.search.search_space import Filters, passing
from app.search.searcher import Searcher
from core.errors import Cancelled
from storage.library.store import Transaction
from tests.app.made_library import EXACTLY, FEW_BITS, LEARNED, histograms, make, put

INDEXES = (FEW_BITS, LEARNED, EXACTLY)
VECTORS = histograms(100)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with make(tmp_path_factory.mktemp("library") / "made.twinlens", VECTORS, INDEXES) as opened:
        yield opened


@pytest.fixture
def changing(tmp_path: Path) -> Iterator[Library]:
    """Yield a library that a test may change."""
    with make(tmp_path / "made.twinlens", VECTORS[:60], (LEARNED, EXACTLY)) as opened:
        yield opened


def count_loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    loads: list[str] = []
    load = loaded_index.load_index

    def counted_load(r: Any, row: Any, *how: Any) -> Any:
        loads.append(row.name)
        return load(r, row, *how)

    def counted_look(*given: Any) -> Any:
        loads.append("scope")
        return passing(*given)

    monkeypatch.setattr(loaded_index, "load_index", counted_load)
    monkeypatch.setattr(search_space, "passing", counted_look)
    return loads


@pytest.mark.parametrize("name", [name for name, *_ in INDEXES])
def test_the_second_search_loads_nothing(library: Library, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    loads = count_loads(monkeypatch)
    searcher = Searcher(library)
    first = searcher.search(3, name)
    assert loads == [name, "scope"]
    second = searcher.search(4, name)
    searcher.search(4, name, SearchOptions(filters=Filters(since="2003")))
    assert loads == [name, "scope", "scope"]
    assert second.hits == Searcher(library).search(4, name).hits != first.hits


def test_what_concerns_no_photograph_leaves_codes_and_sample(
    changing: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads = count_loads(monkeypatch)
    searcher = Searcher(changing)
    searcher.search(3, "Learned")
    with changing.store.writing() as w:
        w.settings.put("history", [3])
    searcher.search(3, "Learned")
    assert loads == ["Learned", "scope", "scope"]
    monkeypatch.setattr(search_space, "histogram_sample", lambda *_: pytest.fail("the sample was drawn again"))
    with changing.store.writing() as w:
        w.settings.put("history", [3, 4])
    searcher.search(3, "Learned")


@pytest.mark.parametrize("name", ["Learned", "Exactly"])
def test_a_change_is_seen_at_once(changing: Library, name: str) -> None:
    searcher = Searcher(changing)
    assert len(searcher.search(1, name, SearchOptions(500)).hits) == 60
    put(changing, VECTORS[60:100], 60)
    bring_indexes_up_to_date(changing)
    assert {hit.id for hit in searcher.search(1, name, SearchOptions(500)).hits} == set(range(1, 101))
    with changing.store.writing() as w:
        w.photographs.mark_missing([5, 6])
    assert {hit.id for hit in searcher.search(1, name, SearchOptions(500)).hits} == set(range(1, 101)) - {5, 6}
    with changing.store.writing() as w:
        w.remove([7])
    result = searcher.search(1, name, SearchOptions(500))
    assert {hit.id for hit in result.hits} == set(range(1, 101)) - {5, 6, 7}
    assert result.of == 99
    assert result.histogram is not None
    assert result.histogram.sample == 97


def test_a_new_name_and_a_new_fit_are_seen(changing: Library) -> None:
    searcher = Searcher(changing)
    assert searcher.search(1, "Learned").index == "Learned"
    rename_index(changing, "Learned", "Mine")
    before = searcher.search(1, "Mine")
    assert before.index == "Mine"
    with changing.store.writing() as w:
        row = w.indexes.by_name("Mine")
        assert row is not None
        w.indexes.describe(row.id, row.descriptor, '{"key": "lsh", "bits": 8, "seed": 1}', row.search)
        w.indexes.set_kind(row.id, row.kind_id)
    unfitted = searcher.search(1, "Mine")
    assert unfitted.exact
    assert "lsh:bits=8" in unfitted.text
    bring_indexes_up_to_date(changing)
    assert not searcher.search(1, "Mine").exact


@pytest.mark.parametrize(("before", "answers"), [(True, (70, 80, 80)), (False, (60, 70, 80))])
def test_a_writer_in_between_never_gives_an_answer_of_two_moments(
    changing: Library, monkeypatch: pytest.MonkeyPatch, before: bool, answers: tuple[int, ...]
) -> None:
    searcher = Searcher(changing)
    searcher.search(1, "Exactly")
    reading = changing.store.reading
    added = [(60, 70), (70, 80)]

    def write() -> None:
        if added:
            start, stop = added.pop(0)
            put(changing, VECTORS[start:stop], start)

    @contextmanager
    def meanwhile() -> Iterator[Transaction]:
        """Write just before the moment begins, or just after."""
        if before:
            write()
        with reading() as r:
            if not before:
                write()
            yield r

    monkeypatch.setattr(changing.store, "reading", meanwhile)
    for found in answers:
        assert len(searcher.search(1, "Exactly", SearchOptions(500)).hits) == found


def test_threads_ask_while_another_writes(changing: Library) -> None:
    searcher = Searcher(changing)

    def ask(number: int) -> set[int]:
        return {
            hit.id
            for hit in searcher.search(1 + number % 50, ("Learned", "Exactly")[number % 2], SearchOptions(500)).hits
        }

    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(ask, number) for number in range(24)]
        for start in range(60, 100, 10):
            put(changing, VECTORS[start : start + 10], start)
            bring_indexes_up_to_date(changing)
        for one in answers:
            found = one.result()
            assert found == set(range(1, len(found) + 1))
            assert 60 <= len(found) <= 100


def test_an_exact_search_can_be_cancelled(library: Library) -> None:
    def stop(*_: Any) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        Searcher(library).search(1, "Exactly", progress=stop)
