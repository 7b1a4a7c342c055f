"""What is known of duplicates is kept by content, decisions by photograph; the log of moves comes back as written."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.storage import making
from tests.storage.conftest import NewStore
from tests.storage.making import volume
from twinlens.core.message import NOTHING, Message
from twinlens.storage.comparisons import ComparedRow, RelatedRow
from twinlens.storage.disposals import DisposalOutcome, MovedCompanion, NewDisposal
from twinlens.storage.integrity.integrity_check import check
from twinlens.storage.library.store import Store
from twinlens.storage.marks import RefusedRow
from twinlens.storage.photographs.photographs import NewFile, ReadFile

A, B, C = (bytes([one]) * 32 for one in (1, 2, 3))


@pytest.fixture
def store(tmp_path: Path, new_store: NewStore) -> Iterator[Store]:
    with new_store(tmp_path) as opened:
        with opened.writing() as w:
            volume = w.volumes.seen("a disk", "Disk", b"/mnt/disk")
            ids = w.photographs.register(volume, None, [NewFile(b"%d.jpg" % one, 10, 1) for one in range(2)])
            w.photographs.record(
                [
                    ReadFile(one, content, "JPEG", 4, 3, 1, None, None)
                    for one, content in zip(ids.tolist(), (A, B), strict=True)
                ]
            )
        yield opened


def test_compared_contents_are_of_one_version(store: Store) -> None:
    with store.writing() as w:
        w.comparisons.put([ComparedRow(A, b"12345678"), ComparedRow(B, None), ComparedRow(C, None)], 1)
        w.comparisons.put([ComparedRow(B, b"abcdefgh")], 2)
    with store.reading() as r:
        assert dict(r.comparisons.compared(1)) == {A: b"12345678", C: None}
        assert dict(r.comparisons.compared(2)) == {B: b"abcdefgh"}
    with store.writing() as w:
        w.comparisons.forget_absent()
        assert dict(w.comparisons.compared(1)) == {A: b"12345678"}


def test_related_pairs_are_replaced_and_in_order(store: Store) -> None:
    with store.writing() as w:
        w.comparisons.relate([RelatedRow(A, B, "same", "{}"), RelatedRow(B, C, "edited", "{}")])
        w.comparisons.relate([RelatedRow(A, B, "similar", '{"a": 1}')])
        assert w.comparisons.related() == [RelatedRow(A, B, "similar", '{"a": 1}'), RelatedRow(B, C, "edited", "{}")]
        assert w.comparisons.count() == 2
        with pytest.raises(ValueError, match="comes first"):
            w.comparisons.relate([RelatedRow(B, A, "same", "{}")])


def test_what_are_no_duplicates_can_be_taken_back(store: Store) -> None:
    with store.writing() as w:
        w.comparisons.refuse([RefusedRow(B, A, "b", "a"), RefusedRow(A, C, "a", "c")])
        w.comparisons.refuse([RefusedRow(A, B, "other", "names")])
        (kept,) = [one for one in w.comparisons.refused() if one.second == B]
        assert kept[:4] == (A, B, "a", "b")
        taken = w.comparisons.take_back([(B, A)])
        assert [(one.first, one.second) for one in taken] == [(A, B)]
        assert [(one.first, one.second) for one in w.comparisons.refused()] == [(A, C)]
        w.comparisons.refuse(taken)
        assert kept in w.comparisons.refused()


def test_choices_go_with_their_photographs(store: Store) -> None:
    with store.writing() as w:
        w.comparisons.choose([1, 2], "goes")
        w.comparisons.choose([1], "best")
        assert w.comparisons.choices() == {1: "best", 2: "goes"}
        w.comparisons.choose([2], None)
        assert w.comparisons.choices() == {1: "best"}
        w.remove([1])
        assert w.comparisons.choices() == {}


def test_a_damaged_row_says_nothing(store: Store) -> None:
    with store.writing() as w:
        w.comparisons.relate([RelatedRow(A, B, "same", "{}"), RelatedRow(B, C, "edited", "{}")])
    with store.writing() as w:
        w.connection.exec_driver_sql("UPDATE related SET checksum = checksum + 1 WHERE kind = 'same'")
        w.connection.exec_driver_sql("UPDATE related SET checksum = 5 WHERE kind = 'same'")
    with store.reading() as r:
        assert [row.kind for row in r.comparisons.related()] == ["edited"]


def made(volume_id: int, number: int, content: bytes | None = None, kept: bytes = b"k" * 32) -> NewDisposal:
    return NewDisposal(
        volume_id=volume_id,
        path=b"p\xff/%d.jpg" % number,
        size=number,
        mtime_ns=10**18 + number,
        content_hash=content or number.to_bytes(32, "big"),
        kept=kept,
        kept_name="/photos/kept.jpg",
        destination=None,
        lies_at=None,
        beside=(MovedCompanion(b"p\xff/%d.xmp" % number, 5, 6), MovedCompanion(b"p/\xe9.mov", 7, 8, b"/trash/\xff")),
        known={"photograph": number, "kind": "same"},
    )


def test_rows_come_back_as_they_were_written(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        with store.writing() as w:
            new = [made(volume(w), number) for number in range(1, 700)]
            rows = w.disposals.plan(new)
        assert [row.run for row in rows] == [1] * 699
        for row, one in zip(rows, new, strict=True):
            assert (row.path, row.beside, row.known, row.kept) == (one.path, one.beside, one.known, one.kept)
            assert (row.state, row.reason) == (DisposalOutcome.PLANNED, NOTHING)
        with store.reading() as r:
            assert r.disposals.unfinished() == rows == r.disposals.by_run(1)
            assert r.disposals.by_id([5, 3, 9999]) == [rows[2], rows[4]]
            assert r.disposals.count() == 699


def test_what_becomes_of_a_row(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        with store.writing() as w:
            first, second, third = w.disposals.plan([made(volume(w), number) for number in range(3)])
            w.disposals.replan(first.id, b"/to/a.jpg", ())
            w.disposals.done(first.id, b"/lies/\xff", first.beside[:1], {"marks": [1]})
            w.disposals.left(second.id, Message("The file is {what}.", what="busy"))
        with store.writing() as w:
            done, left, planned = w.disposals.by_run(first.run)
            assert (done.state, done.lies_at, done.beside) == (DisposalOutcome.DONE, b"/lies/\xff", first.beside[:1])
            assert done.known == {"marks": [1]}
            assert (left.state, str(left.reason)) == (DisposalOutcome.LEFT, "The file is busy.")
            assert w.disposals.unfinished() == [planned] == [third]
            assert w.disposals.kept_instead(b"k" * 32) == [done] == w.disposals.of_contents([first.content_hash])
            w.disposals.undone(first.id)
            assert w.disposals.by_id([first.id])[0].state is DisposalOutcome.UNDONE
            assert w.disposals.kept_instead(b"k" * 32) == []


def test_pages_newest_first(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        with store.writing() as w:
            for _ in range(3):
                w.disposals.plan([made(volume(w), number) for number in range(4)])
        with store.reading() as r:
            first = r.disposals.all(limit=5)
            rest = r.disposals.all(before=first[-1].id, limit=100)
            assert [row.id for row in [*first, *rest]] == list(range(12, 0, -1))
            assert [row.run for row in first] == [3, 3, 3, 3, 2]


def test_an_empty_plan_has_no_rows(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        assert w.disposals.plan([]) == []


def test_disposals_a_damaged_row_says_nothing(tmp_path: Path) -> None:
    with making.new_store(tmp_path) as store:
        with store.writing() as w:
            w.disposals.plan([made(volume(w), number) for number in range(2)])
        with closing(sqlite3.connect(store.address.path)) as connection:  # without the triggers of the program
            connection.execute("UPDATE disposal SET size = 99 WHERE id = 1")
            connection.commit()
        with store.reading() as r:
            assert [row.id for row in r.disposals.all()] == [2]
        assert len(check(store).findings) == 1
