"""An index whose codes the server searches: nearly what the scan finds, through every change of the library."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psycopg
import pytest

from app.indexes.encoders import bring_indexes_up_to_date
from app.indexes.indexes import NewIndex, create_index, delete_index
from app.library.library import Library
from app.library.maintenance import copy_library
from app.search.search_query import SearchOptions
from app.search.search_results import SearchResult
from app.search.search_space import Filters
from app.search.searcher import Searcher
from core.errors import TwinlensError
from core.search import server_lists
from core.search.server_lists import ServerLists
from storage.database.address import Address
from storage.postgres import dialect
from tests.app.made_library import histograms, make, put
from tests.app.server_fixture import postgres, server_address

__all__ = ["postgres", "server_address"]

METHOD = ("colour:levels=1", "itq:bits=40")
EVERY_LIST = ("every list", *METHOD, "server:lists=5,probes=5,candidates=30")
FEW_LISTS = ("few lists", *METHOD, "server:lists=20,probes=2,candidates=30")
SCAN = ("scan", *METHOD, "scan:candidates=30")
VECTORS = histograms(420)
VECTORS[200:230] = VECTORS[5]  # equal codes


@pytest.fixture
def library(server_address: Address) -> Iterator[Library]:
    with make(server_address, VECTORS[:300], [EVERY_LIST, FEW_LISTS, SCAN]) as opened:
        yield opened


def ids(result: SearchResult) -> list[int]:
    return [hit.id for hit in result.hits]


def tables(address: Address) -> list[str]:
    with psycopg.connect(address.text) as connection:
        found = connection.execute("SELECT relname FROM pg_class WHERE relname ~ '^index_code_[0-9]+$' ORDER BY 1")
        return [name for (name,) in found]


def agree(searcher: Searcher, photograph: int, wanted: SearchOptions) -> None:
    """Check an answer that looks into every list, and so misses nothing."""
    served, scanned = searcher.ask(photograph, [EVERY_LIST[0], SCAN[0]], wanted)
    assert served.hits == scanned.hits
    assert "approximate" in str(served.note)
    assert not served.exact


def test_it_answers_as_the_scan_through_additions_removals_and_new_codes(library: Library) -> None:
    searcher = Searcher(library)
    for round_ in range(3):
        for photograph in (3, 77, 299):
            agree(searcher, photograph, SearchOptions(10))
        put(library, VECTORS[300 + 40 * round_ : 340 + 40 * round_], start=300 + 40 * round_)
        with library.store.writing() as w:
            w.remove([10 + round_])
        bring_indexes_up_to_date(library)
    assert searcher.search(3, EVERY_LIST[0], SearchOptions(10)).of == 417
    with library.store.writing() as w:
        for one in w.indexes.all():
            w.codes.clear(one.id)
    bring_indexes_up_to_date(library)
    agree(searcher, 3, SearchOptions(10))
    with library.store.reading() as r:
        for name, *_ in (EVERY_LIST, FEW_LISTS):
            row = r.indexes.by_name(name)
            assert row is not None
            kept = r.codes.load(row.id)
            there = r.codes.tables.server(row.id).codes(kept.ids)
            np.testing.assert_array_equal(there[:, : kept.codes.shape[1]], kept.codes)


def test_few_lists_find_most(library: Library) -> None:
    searcher = Searcher(library)
    overlaps = []
    for photograph in range(1, 300, 10):
        served, scanned = searcher.ask(photograph, [FEW_LISTS[0], SCAN[0]], SearchOptions(10))
        assert len(served.hits) == 10
        overlaps.append(np.isin(ids(scanned), ids(served)).mean())
    assert np.mean(overlaps) > 0.7


def test_of_equal_codes_those_with_small_ids_come_first(library: Library) -> None:
    found = Searcher(library).search(6, EVERY_LIST[0], SearchOptions(40))
    alike = [6, *range(201, 231)]
    assert ids(found)[: len(alike)] == alike


@pytest.mark.parametrize("filters", [Filters(since="2005", until="2006"), Filters(camera="Camera 1")])
def test_only_what_passes_the_filters_is_found(library: Library, filters: Filters) -> None:
    searcher = Searcher(library)
    agree(searcher, 3, SearchOptions(8, filters=filters))
    found = set(ids(searcher.search(3, FEW_LISTS[0], SearchOptions(8, filters=filters))))
    passing = set(ids(searcher.search(3, SCAN[0], SearchOptions(500, exact=True, filters=filters))))
    assert len(found) == 8
    assert found <= passing


def test_an_exact_answer_is_exact(library: Library) -> None:
    served, scanned = Searcher(library).ask(3, [FEW_LISTS[0], SCAN[0]], SearchOptions(20, exact=True))
    assert served.exact
    assert served.hits == scanned.hits
    assert not str(served.note)


def test_its_table_is_dropped_with_it(library: Library, server_address: Address) -> None:
    assert len(tables(server_address)) == 2
    delete_index(library, FEW_LISTS[0])
    assert len(tables(server_address)) == 1
    with library.store.writing() as w:
        row = w.indexes.by_name(EVERY_LIST[0])
        assert row is not None
        w.indexes.describe(row.id, row.descriptor, row.method, "scan")
    assert tables(server_address) == []


def test_a_file_refuses_it_and_a_copy_on_a_server_makes_it_anew(
    library: Library, server_address: Address, tmp_path: Path
) -> None:
    file = tmp_path / "copy.twinlens"
    copy_library(server_address, Address.of(file))
    with Library.open(file) as copied:
        with pytest.raises(TwinlensError, match=r"Only a library on a server.*Choose another"):
            Searcher(copied).search(3, EVERY_LIST[0], SearchOptions(5))
        with pytest.raises(TwinlensError, match=r"Only a library on a server.*Choose another"):
            create_index(copied, NewIndex(*METHOD, "server"))
        bring_indexes_up_to_date(copied)  # everything else goes on
        assert Searcher(copied).search(3, SCAN[0], SearchOptions(5)).hits
    before = Searcher(library).search(3, EVERY_LIST[0], SearchOptions(10)).hits
    library.close()
    copy_library(Address.of(file), server_address, replace=True)
    assert tables(server_address) == []
    with Library.open(server_address) as copied:
        with pytest.raises(TwinlensError, match="has no lists of the codes"):
            Searcher(copied).search(3, EVERY_LIST[0], SearchOptions(10))
        bring_indexes_up_to_date(copied)
        assert Searcher(copied).search(3, EVERY_LIST[0], SearchOptions(10)).hits == before


def test_while_there_is_nothing_to_learn_from_every_photograph_is_compared(server_address: Address) -> None:
    with make(server_address, np.zeros_like(VECTORS[:20]), [("empty", *METHOD, "server")]) as library:
        assert tables(server_address) == []
        put(library, VECTORS[20:60], start=20)
        bring_indexes_up_to_date(library)
        assert Searcher(library).search(30, "empty", SearchOptions(5)).hits[0].id == 30


def test_lists_are_made_anew_when_the_library_has_grown(
    server_address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_lists, "_PER_LIST", 20)
    with make(server_address, VECTORS[:100], [("grows", *METHOD, "server")]) as library:
        numbers = []
        for first, end in ((100, 150), (150, 300)):
            put(library, VECTORS[first:end], start=first)
            bring_indexes_up_to_date(library)
            with library.store.reading() as r:
                row = r.indexes.by_name("grows")
                assert row is not None
                numbers.append(r.codes.tables.lists(row.id))
        assert numbers == [5, 15]


def test_a_server_without_pgvector_refuses_it(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialect, "EXTENSION", "no such extension")
    with pytest.raises(TwinlensError, match=r"no pgvector.*Have its administrator"):
        create_index(library, NewIndex(*METHOD, "server"))


def test_who_does_not_own_the_library_adds_and_searches_but_makes_no_such_index(
    library: Library, server_address: Address
) -> None:
    with psycopg.connect(server_address.text, autocommit=True) as connection:
        connection.execute("CREATE ROLE adder LOGIN IN ROLE pg_read_all_data, pg_write_all_data")
    try:
        with Library.open(Address.of(server_address.text.replace("//postgres:", "//adder:"))) as hers:
            put(hers, VECTORS[300:420], start=300)
            bring_indexes_up_to_date(hers)
            agree(Searcher(hers), 400, SearchOptions(10))
            with pytest.raises(TwinlensError, match=r"this login is not the owner.*owner's login"):
                create_index(hers, NewIndex(*METHOD, "server"))
    finally:
        with psycopg.connect(server_address.text, autocommit=True) as connection:
            connection.execute("DROP ROLE adder")


def test_without_a_library_there_is_no_server_to_ask() -> None:
    with pytest.raises(TwinlensError, match=r"only indexes of a library on a server.*Choose another"):
        ServerLists().build(np.zeros((1, 3), np.uint64))
