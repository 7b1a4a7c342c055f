from __future__ import annotations

from pathlib import Path

from app.library.library import Library
from app.marks.marked_pairs import JudgedPair, marks_among, marks_of
from app.marks.marks import mark_pairs, remove_marks
from storage.photographs.photographs import NewFile, ReadFile
from tests.app.made_library import FEW_BITS, histograms, make


def made(path: Path, count: int = 30) -> Library:
    return make(path / "a.twinlens", histograms(count), (FEW_BITS,))


def test_marks_among_what_is_shown_and_of_one_photograph(tmp_path: Path) -> None:
    with made(tmp_path) as library:
        with library.store.reading() as r:
            assert marks_among(r, [1, 2]) == []
            assert marks_of(r, 1) == []
        mark_pairs(library, [(2, 1), (3, 9)], True, "results")
        mark_pairs(library, [(1, 3)], False, "results")
        mark_pairs(library, [(1, 2)], False, "asked")
        with library.store.reading() as r:
            assert marks_among(r, [1, 2, 3, 999, 2**70]) == [
                JudgedPair(1, 2, None, (1, 4)),
                JudgedPair(1, 3, False, (3,)),
            ]
            assert marks_among(r, list(range(1, 31))) == [
                JudgedPair(1, 2, None, (1, 4)),
                JudgedPair(3, 9, True, (2,)),
                JudgedPair(1, 3, False, (3,)),
            ]
            assert marks_of(r, 3) == [JudgedPair(3, 9, True, (2,)), JudgedPair(3, 1, False, (3,))]
            assert marks_of(r, 999) == marks_of(r, 7) == []
        remove_marks(library, [4])
        with library.store.reading() as r:
            assert marks_among(r, [2, 1]) == [JudgedPair(1, 2, True, (1,))]


def test_what_is_said_of_a_picture_holds_for_its_copies(tmp_path: Path) -> None:
    with made(tmp_path) as library:
        with library.store.writing() as w:
            volume = w.volumes.seen("a disk", "Disk", b"/mnt/disk")
            (copy,) = w.photographs.register(volume, None, [NewFile(b"copy", 1, 1)]).tolist()
            w.photographs.record([ReadFile(copy, (4).to_bytes(32, "big"), "JPEG", 640, 480, 1, None, None)])
        mark_pairs(library, [(4, 5)], True)
        with library.store.reading() as r:
            assert marks_among(r, [4, 5, copy]) == [JudgedPair(4, 5, True, (1,)), JudgedPair(5, copy, True, (1,))]
            assert marks_among(r, [4, copy]) == []
            assert marks_of(r, copy) == [JudgedPair(copy, 5, True, (1,))]
            assert marks_of(r, 5) == [JudgedPair(5, 4, True, (1,))]


def test_many_photographs_at_once_have_the_same_marks_as_few(tmp_path: Path) -> None:
    with made(tmp_path, 2100) as library:
        mark_pairs(library, [(5, 2099), (2, 3)], False)
        with library.store.reading() as r:
            assert marks_among(r, range(1, 2101)) == marks_among(r, [2, 3, 5, 2099])
            assert len(marks_among(r, range(1, 2101))) == 2
