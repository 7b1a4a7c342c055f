"""What is known of duplicates is kept by content; decisions by photograph."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.comparisons import ComparedRow, RefusedRow, RelatedRow
from storage.library.store import Store
from storage.photographs.photographs import NewFile, ReadFile
from tests.storage.conftest import NewStore

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
    with store.reading() as r:
        assert r.comparisons.anything_new()
    with store.writing() as w:
        w.comparisons.put([ComparedRow(A, b"12345678"), ComparedRow(B, None), ComparedRow(C, None)], 1)
        w.comparisons.put([ComparedRow(B, b"abcdefgh")], 2)
    with store.reading() as r:
        assert r.comparisons.compared(1) == {A: b"12345678", C: None}
        assert r.comparisons.compared(2) == {B: b"abcdefgh"}
        assert not r.comparisons.anything_new()
    with store.writing() as w:
        w.comparisons.forget_absent()
        assert w.comparisons.compared(1) == {A: b"12345678"}


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
