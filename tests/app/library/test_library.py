"""What a library remembers comes back, on a server that several people use too."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.app.folders import Libraries, write_scenes
from tests.app.made_library import FEW_BITS, histograms, make
from twinlens.app.library.ingest.adding import Adding, add
from twinlens.app.library.ingest.forgotten_folders import forget
from twinlens.app.library.library import Library
from twinlens.app.library.maintenance import copy_library
from twinlens.app.library.pictures import thumbnails
from twinlens.app.library.saved_state import (
    HISTORY,
    forget_search,
    history,
    keep_window_state,
    remember,
    save_search,
    saved_searches,
    window_state,
)
from twinlens.app.library.workers import capacity
from twinlens.app.marks.judgement import judge_pairs
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.searcher import search
from twinlens.core.errors import TwinlensError
from twinlens.storage.database.address import Address
from twinlens.storage.indexes.index_codes import IndexCodes


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library.twinlens", create=True) as made:
        yield made


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("remembered") / "library.twinlens", create=True) as made:
        yield made


def test_questions_come_back_newest_first_and_each_once(library: Library) -> None:
    assert history(library) == []
    for number in (1, 2, 3, 1):
        remember(library, {"photograph": number})
    assert [one["photograph"] for one in history(library)] == [1, 3, 2]


def test_the_oldest_questions_are_forgotten(library: Library) -> None:
    with library.store.writing() as w:
        w.settings.put("history", [{"photograph": number} for number in range(HISTORY)])
    remember(library, {"photograph": -1})
    found = [one["photograph"] for one in history(library)]
    assert (len(found), found[0], found[-1]) == (HISTORY, -1, HISTORY - 2)


_values = st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.floats(0, 1)))


@given(st.dictionaries(st.text(min_size=1).map(str.strip).filter(bool), _values, max_size=4), _values)
def test_searches_and_the_window_come_back(shared: Library, searches: dict[str, Any], state: dict[str, Any]) -> None:
    for name in saved_searches(shared):
        forget_search(shared, name)
    for name, value in searches.items():
        save_search(shared, f" {name} ", value)
    keep_window_state(shared, state)
    assert saved_searches(shared) == searches
    assert list(saved_searches(shared)) == sorted(searches, key=str.casefold)
    assert window_state(shared) == state


def test_a_search_needs_a_name(library: Library) -> None:
    with pytest.raises(TwinlensError, match="needs a name"):
        save_search(library, "  ", {})


def test_the_same_state_is_not_written_again(library: Library) -> None:
    keep_window_state(library, {"width": 800})
    before = library.store.data_version()
    keep_window_state(library, {"width": 800})
    forget_search(library, "none")
    assert library.store.data_version() == before


def test_what_is_no_such_value_counts_as_nothing(library: Library) -> None:
    with library.store.writing() as w:
        for name in ("history", "saved searches", "window"):
            w.settings.put(name, "nonsense")
    assert (history(library), saved_searches(library), window_state(library)) == ([], {}, {})
    remember(library, {"photograph": 1})
    assert history(library) == [{"photograph": 1}]


def test_where_nothing_can_be_written_nothing_fails(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library.store.place, "writable", False)
    remember(library, {"photograph": 1})
    keep_window_state(library, {"width": 800})
    assert (history(library), window_state(library)) == ([], {})


COUNT = 5
PEOPLE, MARKS = 8, 25


@pytest.fixture
def shared_library(server_address: Address, libraries: Libraries) -> Address:
    """Give the address of a library of some photographs, none of which has a thumbnail yet."""
    copy_library(Address.of(libraries.of(COUNT)), server_address)
    return server_address


def machine(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let what follows be another machine's: its caches are empty."""
    monkeypatch.setenv("TWINLENS_CACHE", str(folder))


def contents(library: Library) -> list[bytes]:
    with library.store.reading() as r:
        return [row.content_hash or b"" for row in r.photographs.by_id(range(1, COUNT + 1))]


def counted(address: Address) -> int:
    with psycopg.connect(address.text) as connection:
        return int(connection.execute("SELECT count(*) FROM thumbnail").fetchone()[0])  # type: ignore[index]


def test_what_one_machine_has_decoded_no_other_decodes(
    shared_library: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(monkeypatch, tmp_path / "one")
    with Library.open(shared_library) as library:
        wanted = contents(library)
        assert library.thumbnails.get_many(wanted) == {}
        made: dict[bytes, bytes] = {}
        while len(made) < COUNT:  # a few are made at a time
            made |= thumbnails(library, wanted)
    machine(monkeypatch, tmp_path / "two")
    monkeypatch.setattr("twinlens.app.library.workers.decoding.thumbnail", None)
    with Library.open(shared_library) as library:
        assert thumbnails(library, wanted) == made
    with psycopg.connect(shared_library.text, autocommit=True) as connection:
        connection.execute("DELETE FROM thumbnail")
    with Library.open(shared_library) as library:
        assert thumbnails(library, wanted) == made, "out of this machine's cache"


def test_thumbnails_come_with_adding_and_go_with_their_photographs(
    server_address: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(monkeypatch, tmp_path / "cache")
    folders = [tmp_path / "one", tmp_path / "two"]
    for number, folder in enumerate(folders):
        write_scenes(folder, 2, 10 * number)
    with Library.open(server_address, create=True) as library:
        add(library, folders, Adding(workers=1))
        assert counted(server_address) == 4
        forget(library, folders[0])
        assert counted(server_address) == 2


def test_thumbnails_cost_nothing_else_where_the_server_refuses_or_is_gone(
    shared_library: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(monkeypatch, tmp_path / "cache")
    with Library.open(shared_library) as library, psycopg.connect(shared_library.text, autocommit=True) as connection:
        library.thumbnails.put([(b"a", b"jpeg")])
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        assert library.thumbnails.get_many([b"a", b"b"]) == {b"a": b"jpeg"}
        library.thumbnails.put([(b"b", b"other")])
        connection.execute("ALTER TABLE thumbnail RENAME TO elsewhere")
        library.thumbnails.put([(b"c", b"third")])
        assert library.thumbnails.get_many([b"c", b"d"]) == {b"c": b"third"}
        connection.execute("ALTER TABLE elsewhere RENAME TO thumbnail")


def test_a_second_start_fetches_no_codes(
    shared_library: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(monkeypatch, tmp_path / "cache")

    def asked() -> list[tuple[int, float]]:
        with Library.open(shared_library) as library:
            (found,) = search(library, [1], ["Automatic"], SearchOptions(k=COUNT)).results
            assert not found.exact
            return [(hit.id, hit.distance) for hit in found.hits]

    first = asked()
    monkeypatch.setattr(IndexCodes, "load", None)
    assert asked() == first


def test_a_mount_point_is_not_rewritten_by_every_machine(
    shared_library: Address, libraries: Libraries, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Library.open(shared_library) as library:
        with library.store.writing() as w:
            (volume,) = w.volumes.all()
            w.volumes.seen(volume.identity, volume.label, b"/elsewhere")
        add(library, [libraries.photographs(COUNT)], Adding(workers=1))
        with library.store.reading() as r:
            (kept,) = r.volumes.all()
            assert kept.mount_point == b"/elsewhere"
            paths = library.paths(r, r.photographs.by_id([1]))
    assert paths == [bytes(libraries.photographs(COUNT) / "0000.jpg")], "looked up on this machine"


def test_pace_is_that_of_each_machine(server_address: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    with Library.open(server_address, create=True) as library:
        for name, seconds in (("slow", 100), ("fast", 10)):
            monkeypatch.setattr("platform.node", lambda name=name: name)
            with library.store.writing() as w:
                capacity.remember_pace(w, 100, seconds, 1)
                capacity.remember_fitting_pace(w, 100, seconds)
        for name, seconds in (("fast", 10), ("slow", 100), ("new", 10)):
            monkeypatch.setattr("platform.node", lambda name=name: name)
            with library.store.reading() as r:
                assert capacity.reading_cost(r, 100, 1)[0] == pytest.approx(seconds)
                assert capacity.fitting_seconds(r, 100) == pytest.approx(seconds)


def test_everybody_marks_at_once_and_every_mark_is_made_once(server_address: Address) -> None:
    every = list(combinations(range(1, 31), 2))[: PEOPLE * MARKS]

    def mark(number: int) -> None:
        with Library.open(server_address) as library:
            for pair in every[number::PEOPLE]:
                judge_pairs(library, [pair], True, "pair")

    with make(server_address, histograms(30), (FEW_BITS,)) as library:
        with ThreadPoolExecutor(PEOPLE) as people:
            list(people.map(mark, range(PEOPLE)))
        with library.store.reading() as r:
            marks = r.marks.all()
            photographs = {row.content_hash: row.id for row in r.photographs.by_id(range(1, 31))}
    assert sorted(tuple(sorted(photographs[one] for one in mark.pair)) for mark in marks) == every
    assert sorted(mark.id for mark in marks) == list(range(1, len(every) + 1))
