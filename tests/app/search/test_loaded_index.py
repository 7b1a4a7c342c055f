"""Loaded indexes: every change is seen; rounded vectors and a server's lists find what measuring everything does."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import psycopg
import pytest

from tests.app.made_library import EXACTLY, FEW_BITS, LEARNED, histograms, make, put
from twinlens.app.indexes import loaded_index
from twinlens.app.indexes.encoders import bring_indexes_up_to_date
from twinlens.app.indexes.indexes import create_index, delete_index, rename_index
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.library.library import Library
from twinlens.app.library.maintenance import copy_library
from twinlens.app.machine import app_folders
from twinlens.app.search import confirmation, rounded_vectors, search_space
from twinlens.app.search.search_options import Filters, SearchOptions
from twinlens.app.search.search_query import Example, SearchQuery
from twinlens.app.search.search_results import SearchResult
from twinlens.app.search.search_space import passing
from twinlens.app.search.searcher import Searcher
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.exact_search.measure import nearest_by
from twinlens.core.search import server_lists
from twinlens.core.search.server_lists import ServerLists
from twinlens.core.vectors import unit_rows
from twinlens.storage.database.address import Address
from twinlens.storage.library.store import Transaction
from twinlens.storage.postgres import dialect

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
    monkeypatch.setattr(search_space.HistogramSample, "ids", lambda *_: pytest.fail("the sample was drawn again"))
    with changing.store.writing() as w:
        w.settings.put("history", [3, 4])
    searcher.search(3, "Learned")


@pytest.mark.parametrize("name", ["Learned", "Exactly"])
def test_a_change_is_seen_at_once(changing: Library, name: str) -> None:
    searcher = Searcher(changing)
    assert len(searcher.search(1, name, SearchOptions(k=500)).hits) == 60
    put(changing, VECTORS[60:100], 60)
    bring_indexes_up_to_date(changing)
    assert {hit.id for hit in searcher.search(1, name, SearchOptions(k=500)).hits} == set(range(1, 101))
    with changing.store.writing() as w:
        w.photographs.mark_missing([5, 6])
    assert {hit.id for hit in searcher.search(1, name, SearchOptions(k=500)).hits} == set(range(1, 101)) - {5, 6}
    with changing.store.writing() as w:
        w.remove([7])
    result = searcher.search(1, name, SearchOptions(k=500))
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
        assert len(searcher.search(1, "Exactly", SearchOptions(k=500)).hits) == found


def test_threads_ask_while_another_writes(changing: Library) -> None:
    searcher = Searcher(changing)

    def ask(number: int) -> set[int]:
        return {
            hit.id
            for hit in searcher.search(1 + number % 50, ("Learned", "Exactly")[number % 2], SearchOptions(k=500)).hits
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


COUNT = 300
BLANK = (105, 106, 177)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "made.twinlens"
    vectors = histograms(COUNT)
    vectors[np.array(BLANK) - 1] = 0
    make(path, vectors, (FEW_BITS, LEARNED)).close()
    return path


@pytest.fixture
def library_of_rounded(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    monkeypatch.setenv("TWINLENS_CACHE", str(tmp_path / "cache"))  # which copies of a library share
    with Library.open(Path(shutil.copy(made, tmp_path))) as opened:
        yield opened


EXAMPLES = SearchQuery((Example(3), Example(200, 0.5), Example(9, -0.5)))
MANY: Sequence[int | SearchQuery] = [*range(10, 40, 3), EXAMPLES, *BLANK]
FEW: Sequence[int | SearchQuery] = [10, 37, EXAMPLES, BLANK[0]]


def answers(
    library: Library,
    k: int = 12,
    questions: Sequence[int | SearchQuery] = FEW,
    indexes: Sequence[str] = ("Few bits", "Learned"),
) -> list[object]:
    searcher = Searcher(library)
    found: list[object] = []
    for index in indexes:
        for filters in (Filters(), Filters(orientation="portrait")):
            for question in questions:
                result = searcher.search(question, index, SearchOptions(k=k, exact=True, filters=filters))
                found.append(([(hit.id, hit.distance) for hit in result.hits], result.looked_at, result.of))
    return found


def kept(library: Library) -> list[Path]:
    return sorted((app_folders.cache_folder() / "exact" / library.store.id).glob("*-*"))


@pytest.mark.parametrize("k", [1, 12, COUNT])
def test_the_answers_are_the_same(library_of_rounded: Library, monkeypatch: pytest.MonkeyPatch, k: int) -> None:
    plain = answers(library_of_rounded, k, MANY)
    assert not kept(library_of_rounded)
    monkeypatch.setattr(confirmation, "LEAST", 1)
    with patch("twinlens.app.search.confirmation.nearest_by", wraps=nearest_by) as everything:
        assert answers(library_of_rounded, k, MANY) == plain
    assert everything.call_count == 2 * 2 * (1 + len(BLANK))  # several examples, and what is like nothing
    assert len(kept(library_of_rounded)) == 2


def test_vectors_kept_as_bytes_are_read_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The network's numbers are kept as int8, by their direction: nothing is rounded, and nothing kept."""
    vectors = unit_rows(np.random.default_rng(1).standard_normal((COUNT, 512))).astype(np.float32)
    vectors[np.array(BLANK) - 1] = 0
    index = ("Network", "network", "itq:bits=24", "scan:candidates=1")
    without_codes = ("Exactly", "network", "itq:bits=24", "exact")
    monkeypatch.setattr(rounded_vectors, "_BLOCK", COUNT // 3)
    with make(tmp_path / "made.twinlens", vectors, [index, without_codes]) as library:
        with library.store.writing() as w:
            w.descriptors.remove([2, 5])  # the index still knows them
        plain = answers(library, 12, MANY, ("Network", "Exactly"))
        monkeypatch.setattr(confirmation, "LEAST", 1)
        with patch("twinlens.app.search.confirmation.nearest_by", wraps=nearest_by) as everything:
            assert answers(library, 12, MANY, ("Network", "Exactly")) == plain
        assert everything.call_count == 2 * 2 * (1 + len(BLANK))
        assert not kept(library)


def test_what_has_changed_is_rounded_anew(library_of_rounded: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confirmation, "LEAST", 1)
    answers(library_of_rounded)
    before = kept(library_of_rounded)
    with library_of_rounded.store.writing() as w:
        w.descriptors.remove([2, 5, 8])
        w.codes.remove([2, 5, 8])
    put(library_of_rounded, histograms(20, seed=9), start=COUNT)
    bring_indexes_up_to_date(library_of_rounded)
    after = answers(library_of_rounded)
    assert not set(kept(library_of_rounded)) & set(before)
    monkeypatch.setattr(confirmation, "LEAST", 2 * COUNT)
    assert answers(library_of_rounded) == after


def test_what_nobody_needs_any_more_is_removed(library_of_rounded: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confirmation, "LEAST", 1)
    folder = app_folders.cache_folder() / "exact" / library_of_rounded.store.id
    for name in ("99-abc", "part-killed", "part-now"):
        (folder / name).mkdir(parents=True)
    os.utime(folder / "part-killed", (0, 0))
    answers(library_of_rounded)
    assert len(kept(library_of_rounded)) == 3
    assert folder / "part-now" in kept(library_of_rounded)
    with library_of_rounded.store.writing() as w:
        ids = {one.name: one.id for one in w.indexes.all()}
        w.indexes.delete(ids["Few bits"])
        w.codes.touch(ids["Learned"])
    Searcher(library_of_rounded).search(1, "Learned", SearchOptions(exact=True))
    now, *others = (one.name for one in kept(library_of_rounded) if one.name != "part-now")
    assert now.startswith(f"{ids['Learned']}-")
    assert not others


@pytest.mark.parametrize("file", ["codes", "squares", "errors", "frame"])
def test_damaged_files_are_made_anew(library_of_rounded: Library, monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    plain = answers(library_of_rounded)
    monkeypatch.setattr(confirmation, "LEAST", 1)
    answers(library_of_rounded)
    for folder in kept(library_of_rounded):
        (folder / f"{file}.npy").write_bytes(b"\x93NUMPY")
    assert answers(library_of_rounded) == plain
    for folder in kept(library_of_rounded):
        np.load(folder / f"{file}.npy")


def test_without_room_everything_is_measured(library_of_rounded: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = answers(library_of_rounded)
    monkeypatch.setattr(confirmation, "LEAST", 1)
    free = shutil.disk_usage("/")._replace(free=1_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: free)
    assert answers(library_of_rounded) == plain
    assert not kept(library_of_rounded)


def test_cancelled_nothing_is_kept(library_of_rounded: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confirmation, "LEAST", 1)

    def stop(done: float, total: float, text: object) -> None:
        if "Preparing" in str(text):
            raise Cancelled

    with pytest.raises(Cancelled):
        Searcher(library_of_rounded).search(1, "Few bits", SearchOptions(exact=True), stop)
    assert not kept(library_of_rounded)
    assert not list((app_folders.cache_folder() / "exact" / library_of_rounded.store.id).glob("*"))


METHOD = ("colour:levels=1", "itq:bits=40")
EVERY_LIST = ("every list", *METHOD, "server:lists=5,probes=5,candidates=30")
FEW_LISTS = ("few lists", *METHOD, "server:lists=20,probes=2,candidates=30")
SCAN = ("scan", *METHOD, "scan:candidates=30")
LISTED = histograms(420)
LISTED[200:230] = LISTED[5]  # equal codes


@pytest.fixture
def library_with_lists(server_address: Address) -> Iterator[Library]:
    with make(server_address, LISTED[:300], [EVERY_LIST, FEW_LISTS, SCAN]) as opened:
        yield opened


def ids(result: SearchResult) -> list[int]:
    return [hit.id for hit in result.hits]


def tables(address: Address) -> list[str]:
    with psycopg.connect(address.text) as connection:
        found = connection.execute("SELECT relname FROM pg_class WHERE relname ~ '^index_code_[0-9]+$' ORDER BY 1")
        return [name for (name,) in found]


def agree(searcher: Searcher, photograph: int, wanted: SearchOptions) -> None:
    """Check an answer that looks into every list, and so misses nothing."""
    served, scanned = searcher.search_indexes(photograph, [EVERY_LIST[0], SCAN[0]], wanted)
    assert served.hits == scanned.hits
    assert "approximate" in str(served.note)
    assert not served.exact


def test_it_answers_as_the_scan_through_additions_removals_and_new_codes(library_with_lists: Library) -> None:
    searcher = Searcher(library_with_lists)
    for round_ in range(3):
        for photograph in (3, 77, 299):
            agree(searcher, photograph, SearchOptions(k=10))
        put(library_with_lists, LISTED[300 + 40 * round_ : 340 + 40 * round_], start=300 + 40 * round_)
        with library_with_lists.store.writing() as w:
            w.remove([10 + round_])
        bring_indexes_up_to_date(library_with_lists)
    assert searcher.search(3, EVERY_LIST[0], SearchOptions(k=10)).of == 417
    with library_with_lists.store.writing() as w:
        for one in w.indexes.all():
            w.codes.clear(one.id)
    bring_indexes_up_to_date(library_with_lists)
    agree(searcher, 3, SearchOptions(k=10))
    with library_with_lists.store.reading() as r:
        for name, *_ in (EVERY_LIST, FEW_LISTS):
            row = r.indexes.by_name(name)
            assert row is not None
            kept = r.codes.load(row.id)
            there = r.codes.tables.server(row.id).codes(kept.ids)
            np.testing.assert_array_equal(there[:, : kept.codes.shape[1]], kept.codes)


def test_few_lists_find_most(library_with_lists: Library) -> None:
    searcher = Searcher(library_with_lists)
    overlaps = []
    for photograph in range(1, 300, 10):
        served, scanned = searcher.search_indexes(photograph, [FEW_LISTS[0], SCAN[0]], SearchOptions(k=10))
        assert len(served.hits) == 10
        overlaps.append(np.isin(ids(scanned), ids(served)).mean())
    assert np.mean(overlaps) > 0.7


def test_of_equal_codes_those_with_small_ids_come_first(library_with_lists: Library) -> None:
    found = Searcher(library_with_lists).search(6, EVERY_LIST[0], SearchOptions(k=40))
    alike = [6, *range(201, 231)]
    assert ids(found)[: len(alike)] == alike


@pytest.mark.parametrize("filters", [Filters(since="2005", until="2006"), Filters(camera="Camera 1")])
def test_only_what_passes_the_filters_is_found(library_with_lists: Library, filters: Filters) -> None:
    searcher = Searcher(library_with_lists)
    agree(searcher, 3, SearchOptions(k=8, filters=filters))
    found = set(ids(searcher.search(3, FEW_LISTS[0], SearchOptions(k=8, filters=filters))))
    passing = set(ids(searcher.search(3, SCAN[0], SearchOptions(k=500, exact=True, filters=filters))))
    assert len(found) == 8
    assert found <= passing


def test_an_exact_answer_is_exact(library_with_lists: Library) -> None:
    served, scanned = Searcher(library_with_lists).search_indexes(
        3, [FEW_LISTS[0], SCAN[0]], SearchOptions(k=20, exact=True)
    )
    assert served.exact
    assert served.hits == scanned.hits
    assert not str(served.note)


def test_its_table_is_dropped_with_it(library_with_lists: Library, server_address: Address) -> None:
    assert len(tables(server_address)) == 2
    delete_index(library_with_lists, FEW_LISTS[0])
    assert len(tables(server_address)) == 1
    with library_with_lists.store.writing() as w:
        row = w.indexes.by_name(EVERY_LIST[0])
        assert row is not None
        w.indexes.describe(row.id, row.descriptor, row.method, "scan")
    assert tables(server_address) == []


def test_a_file_refuses_it_and_a_copy_on_a_server_makes_it_anew(
    library_with_lists: Library, server_address: Address, tmp_path: Path
) -> None:
    file = tmp_path / "copy.twinlens"
    copy_library(server_address, Address.of(file))
    with Library.open(file) as copied:
        with pytest.raises(TwinlensError, match=r"Only a library on a server.*Choose another"):
            Searcher(copied).search(3, EVERY_LIST[0], SearchOptions(k=5))
        with pytest.raises(TwinlensError, match=r"Only a library on a server.*Choose another"):
            create_index(copied, NewIndex(descriptor=METHOD[0], method=METHOD[1], search="server"))
        bring_indexes_up_to_date(copied)  # everything else goes on
        assert Searcher(copied).search(3, SCAN[0], SearchOptions(k=5)).hits
    before = Searcher(library_with_lists).search(3, EVERY_LIST[0], SearchOptions(k=10)).hits
    library_with_lists.close()
    copy_library(Address.of(file), server_address, replace=True)
    assert tables(server_address) == []
    with Library.open(server_address) as copied:
        with pytest.raises(TwinlensError, match="has no lists of the codes"):
            Searcher(copied).search(3, EVERY_LIST[0], SearchOptions(k=10))
        bring_indexes_up_to_date(copied)
        assert Searcher(copied).search(3, EVERY_LIST[0], SearchOptions(k=10)).hits == before


def test_while_there_is_nothing_to_learn_from_every_photograph_is_compared(server_address: Address) -> None:
    with make(server_address, np.zeros_like(LISTED[:20]), [("empty", *METHOD, "server")]) as library:
        assert tables(server_address) == []
        put(library, LISTED[20:60], start=20)
        bring_indexes_up_to_date(library)
        assert Searcher(library).search(30, "empty", SearchOptions(k=5)).hits[0].id == 30


def test_lists_are_made_anew_when_the_library_has_grown(
    server_address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_lists, "_PER_LIST", 20)
    with make(server_address, LISTED[:100], [("grows", *METHOD, "server")]) as library:
        numbers = []
        for first, end in ((100, 150), (150, 300)):
            put(library, LISTED[first:end], start=first)
            bring_indexes_up_to_date(library)
            with library.store.reading() as r:
                row = r.indexes.by_name("grows")
                assert row is not None
                numbers.append(r.codes.tables.lists(row.id))
        assert numbers == [5, 15]


def test_a_server_without_pgvector_refuses_it(library_with_lists: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialect, "EXTENSION", "no such extension")
    with pytest.raises(TwinlensError, match=r"no pgvector.*Have its administrator"):
        create_index(library_with_lists, NewIndex(descriptor=METHOD[0], method=METHOD[1], search="server"))


def test_who_does_not_own_the_library_adds_and_searches_but_makes_no_such_index(
    library_with_lists: Library, server_address: Address
) -> None:
    with psycopg.connect(server_address.text, autocommit=True) as connection:
        connection.execute("CREATE ROLE adder LOGIN IN ROLE pg_read_all_data, pg_write_all_data")
    try:
        with Library.open(Address.of(server_address.text.replace("//postgres:", "//adder:"))) as hers:
            put(hers, LISTED[300:420], start=300)
            bring_indexes_up_to_date(hers)
            agree(Searcher(hers), 400, SearchOptions(k=10))
            with pytest.raises(TwinlensError, match=r"this login is not the owner.*owner's login"):
                create_index(hers, NewIndex(descriptor=METHOD[0], method=METHOD[1], search="server"))
    finally:
        with psycopg.connect(server_address.text, autocommit=True) as connection:
            connection.execute("DROP ROLE adder")


def test_without_a_library_there_is_no_server_to_ask() -> None:
    with pytest.raises(TwinlensError, match=r"only indexes of a library on a server.*Choose another"):
        ServerLists().build(np.zeros((1, 3), np.uint64))


@pytest.mark.parametrize(
    ("automatic", "stays", "many", "search"),
    [
        (True, True, True, "ivf:candidates=10"),
        (True, True, False, "scan:candidates=10"),
        (True, False, True, "scan:candidates=10"),
        (False, True, True, "scan:candidates=10"),
    ],
)
def test_lists_take_the_place_of_the_automatic_indexs_scan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, automatic: bool, stays: bool, many: bool, search: str
) -> None:
    """Where its codes are many, and a program stays, so that building them pays."""
    monkeypatch.setattr(loaded_index, "LISTED_FROM", 100 if many else 101)
    index = ("Signs", "colour:levels=1", "itq:bits=40", "scan:candidates=10")
    with make(tmp_path / "made.twinlens", VECTORS, [index]) as opened, opened.store.reading() as r:
        known = r.indexes.by_name("Signs")
        assert known is not None
        row = replace(known, automatic=automatic)
        loaded = loaded_index.load_index(r, row, build_later=stays)
        assert loaded.search.text() == search
        again = loaded_index.load_index(r, row, loaded, build_later=stays)
        assert again.search == loaded.search
