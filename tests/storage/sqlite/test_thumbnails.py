"""Thumbnails are kept where they can be, and nothing fails where they cannot."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from twinlens.storage.sqlite.thumbnails import Thumbnails


def _hash(i: int) -> bytes:
    return i.to_bytes(32, "big")


@pytest.fixture
def thumbnails(tmp_path: Path) -> Iterator[Thumbnails]:
    """Yield an empty file of thumbnails."""
    made = Thumbnails(tmp_path / "cache" / "thumbnails.sqlite")
    yield made
    made.close()


def test_kept_and_found(thumbnails: Thumbnails) -> None:
    assert thumbnails.get(_hash(1)) is None
    thumbnails.put([(_hash(i), b"jpeg %d" % i) for i in range(1200)])
    thumbnails.put([(_hash(3), b"another")])
    thumbnails.put([])
    assert thumbnails.get(_hash(3)) == b"another"
    found = thumbnails.get_many([_hash(i) for i in range(600, 1800)])
    assert found == {_hash(i): b"jpeg %d" % i for i in range(600, 1200)}
    assert thumbnails.lacking([_hash(i) for i in (1300, 5, 1299)]) == [_hash(1300), _hash(1299)]
    thumbnails.remove([_hash(3), _hash(9999)])
    assert thumbnails.get(_hash(3)) is None
    assert thumbnails.bytes() > 0


def test_found_again(thumbnails: Thumbnails) -> None:
    thumbnails.put([(_hash(1), b"jpeg")])
    thumbnails.close()
    assert [path.name for path in thumbnails.path.parent.iterdir()] == ["thumbnails.sqlite"]
    assert thumbnails.get(_hash(1)) == b"jpeg"


def test_beyond_a_limit_the_oldest_go_and_the_space_is_given_back(thumbnails: Thumbnails) -> None:
    thumbnails.put([(_hash(i), bytes(12_000)) for i in range(400)])
    thumbnails.put([(_hash(0), b"put in again, so it is the newest")])
    thumbnails.close()
    before = thumbnails.bytes()
    assert thumbnails.prune(10 * before) == 0
    removed = thumbnails.prune(before // 2)
    assert 200 <= removed <= 230
    hashes = [_hash(i) for i in range(400)]
    assert thumbnails.lacking(hashes) == hashes[1 : removed + 1]
    assert thumbnails.prune(before // 2) == 0
    thumbnails.close()
    assert 0.4 * before < thumbnails.bytes() < 0.5 * before


def test_a_limit_that_nothing_fits_in(thumbnails: Thumbnails) -> None:
    thumbnails.put([(_hash(i), bytes(1000)) for i in range(20)])
    assert thumbnails.prune(0) == 20
    assert thumbnails.prune(0) == 0
    thumbnails.put([(_hash(1), b"jpeg")])
    assert thumbnails.get(_hash(1)) == b"jpeg"


def _text(path: Path) -> None:
    path.write_text("These are words and no database, and there are enough of them to fill a header.\n" * 9)


def _cut(path: Path) -> None:
    with path.open("rb+") as file:
        file.truncate(path.stat().st_size // 2)


def _without_table(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE thumbnail")


def _deleted(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize("spoil", [_text, _cut, _without_table, _deleted])
def test_a_damaged_file_is_made_anew(thumbnails: Thumbnails, spoil: Callable[[Path], None]) -> None:
    thumbnails.put([(_hash(i), b"jpeg" * 1000) for i in range(50)])
    thumbnails.close()
    spoil(thumbnails.path)
    assert thumbnails.get(_hash(1)) is None
    thumbnails.put([(_hash(1), b"new")])
    assert thumbnails.get(_hash(1)) == b"new"


def test_deleted_while_it_is_open(thumbnails: Thumbnails) -> None:
    thumbnails.put([(_hash(1), b"old")])
    thumbnails.path.unlink()
    assert thumbnails.lacking([_hash(1)]) == [_hash(1)]
    thumbnails.put([(_hash(1), b"new")])
    thumbnails.close()
    assert thumbnails.get(_hash(1)) == b"new"


def test_a_place_that_cannot_be_used(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    thumbnails = Thumbnails(tmp_path / "file" / "thumbnails.sqlite")
    with caplog.at_level(logging.WARNING):
        thumbnails.put([(_hash(1), b"jpeg")])
        thumbnails.put([(_hash(2), b"jpeg")])
        assert thumbnails.get(_hash(1)) is None
        assert thumbnails.lacking([_hash(1)]) == [_hash(1)]
        assert thumbnails.bytes() == 0
    assert len(caplog.records) == 1
    thumbnails.close()


def test_the_file_of_another_program_is_left_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "thumbnails.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA application_id = 77")
        connection.execute("CREATE TABLE mine (x)")
    before = path.read_bytes()
    thumbnails = Thumbnails(path)
    thumbnails.put([(_hash(1), b"jpeg")])
    thumbnails.close()
    assert path.read_bytes() == before
    assert "it belongs to another program" in caplog.text


def test_a_full_disk(thumbnails: Thumbnails, caplog: pytest.LogCaptureFixture) -> None:
    thumbnails.put([(_hash(1), b"jpeg")])
    assert thumbnails._connection is not None
    thumbnails._connection.execute("PRAGMA max_page_count = 5")
    thumbnails.put([(_hash(2), bytes(1 << 20))])
    assert "full" in caplog.text
    assert thumbnails.get(_hash(1)) == b"jpeg"
    assert thumbnails.get(_hash(2)) is None


def test_from_several_threads_and_objects(thumbnails: Thumbnails) -> None:
    other = Thumbnails(thumbnails.path)

    def work(start: int) -> None:
        for i in range(start, start + 20):
            for each in (thumbnails, other):
                each.put([(_hash(i), b"%d" % i)])
                assert each.get(_hash(i)) == b"%d" % i

    threads = [threading.Thread(target=work, args=(start,)) for start in (0, 100, 200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    other.close()
    assert len(thumbnails.get_many([_hash(i) for i in range(300)])) == 60
