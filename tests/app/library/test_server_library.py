"""A library on a server that several people and machines use at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path

import psycopg
import pytest

from app.library.ingest.adding import Adding, add, forget
from app.library.library import Library
from app.library.maintenance import copy_library
from app.library.pictures import thumbnails
from app.library.workers import capacity
from app.marks.judgement import judge_pairs
from app.search.search_query import SearchOptions
from app.search.searcher import search
from storage.database.address import Address
from storage.indexes.index_codes import IndexCodes
from tests.app.folders import write_scenes
from tests.app.library_fixture import Libraries
from tests.app.made_library import FEW_BITS, histograms, make
from tests.app.server_fixture import postgres, server_address

__all__ = ["postgres", "server_address"]

COUNT = 5
PEOPLE, MARKS = 8, 25


@pytest.fixture
def shared(server_address: Address, libraries: Libraries) -> Address:
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
    shared: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(monkeypatch, tmp_path / "one")
    with Library.open(shared) as library:
        wanted = contents(library)
        assert library.thumbnails.get_many(wanted) == {}
        made: dict[bytes, bytes] = {}
        while len(made) < COUNT:  # a few are made at a time
            made |= thumbnails(library, wanted)
    machine(monkeypatch, tmp_path / "two")
    monkeypatch.setattr("app.library.workers.decoding.thumbnail", None)
    with Library.open(shared) as library:
        assert thumbnails(library, wanted) == made
    with psycopg.connect(shared.text, autocommit=True) as connection:
        connection.execute("DELETE FROM thumbnail")
    with Library.open(shared) as library:
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
    shared: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(monkeypatch, tmp_path / "cache")
    with Library.open(shared) as library, psycopg.connect(shared.text, autocommit=True) as connection:
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


def test_a_second_start_fetches_no_codes(shared: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, tmp_path / "cache")

    def asked() -> list[tuple[int, float]]:
        with Library.open(shared) as library:
            (found,) = search(library, [1], ["Automatic"], SearchOptions(COUNT)).results
            assert not found.exact
            return [(hit.id, hit.distance) for hit in found.hits]

    first = asked()
    monkeypatch.setattr(IndexCodes, "load", None)
    assert asked() == first


def test_a_mount_point_is_not_rewritten_by_every_machine(
    shared: Address, libraries: Libraries, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Library.open(shared) as library:
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
