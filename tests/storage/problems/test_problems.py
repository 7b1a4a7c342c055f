"""What could not be read stays listed until it is mended, ignored or forgotten."""

from __future__ import annotations

from pathlib import Path

from core.message import NOTHING, Message
from storage.database.schema import PhotographState
from storage.photographs.photographs import NewFile
from storage.photographs.problems import NewProblem
from tests.storage.conftest import NewStore
from tests.storage.making import batch, files, read, register, volume


def test_a_problem_marks_its_photograph(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        batch(w, 0, 2)
        path = files(1, 2)[0].path
        w.problems.add(
            [NewProblem(volume(w), path, Message("The file is cut off."), Message("Copy it again."), 10, 20, 2)]
        )
        (problem,) = w.problems.all()
        assert (problem.path, str(problem.reason), str(problem.next_step)) == (
            path,
            "The file is cut off.",
            "Copy it again.",
        )
        assert (problem.size, problem.mtime_ns, problem.photograph_id, problem.attempts) == (10, 20, 2, 1)
        assert problem.since.endswith("Z")
        (row,) = w.photographs.by_id([2])
        assert (row.state, row.content_hash) == (PhotographState.UNREADABLE, None)


def test_met_again(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        v = volume(w)
        w.problems.add([NewProblem(v, b"x", Message("first"))])
        since = w.problems.all()[0].since
        w.problems.add([NewProblem(v, b"x", Message("second"))])
        (problem,) = w.problems.all()
        assert (str(problem.reason), problem.attempts, problem.since) == ("second", 2, since)


def test_ignored_until_the_file_changes(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        v = volume(w)
        first = NewProblem(v, b"x", Message("broken"), NOTHING, 10, 20)
        w.problems.add([first, NewProblem(v, b"y", Message("broken"))])
        w.problems.ignore([row.id for row in w.problems.all() if row.path == b"x"])
        w.problems.add([first])
        assert [row.path for row in w.problems.all()] == [b"y"]
        assert [row.path for row in w.problems.all(ignored=True)] == [b"x"]
        assert len(w.problems.all(ignored=None)) == 2
        assert w.problems.count() == 1
        w.problems.add([first._replace(size=11)])
        assert w.problems.count() == 2
        w.problems.ignore([1, 2])
        w.problems.ignore([2], ignored=False)
        assert [row.path for row in w.problems.all()] == [b"y"]


def test_retrying(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        v = volume(w)
        new = files(0, 4)
        register(w, new)
        w.problems.add(
            [NewProblem(v, file.path, Message("broken"), NOTHING, *file[1:], i) for i, file in enumerate(new, 1)]
        )
        w.problems.add([NewProblem(v, b"folder", Message("may not be entered"))])
        w.problems.ignore([w.problems.under(v)[new[3].path].id])
        assert w.problems.retry([w.problems.under(v)[new[1].path].id]).tolist() == [2]
        assert [row.id for row in w.photographs.in_state(PhotographState.PENDING)] == [2]
        assert w.problems.retry().tolist() == [1, 2, 3]
        w.photographs.record([read(1)])
        w.problems.add([NewProblem(v, new[1].path, Message("still broken"), NOTHING, *new[1][1:], 2)])
        assert {row.path: row.attempts for row in w.problems.all()} == {new[1].path: 2, new[2].path: 1, b"folder": 1}


def test_listed_by_folder_and_struck_off(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        v = volume(w)
        w.problems.add([NewProblem(v, path, Message("broken")) for path in (b"b/2", b"a/1", b"a", b"ab")])
        assert [row.path for row in w.problems.all()] == [b"a", b"a/1", b"ab", b"b/2"]
        assert set(w.problems.under(v, b"a")) == {b"a", b"a/1"}
        w.problems.clear(v, [b"a/1", b"unknown"])
        assert set(w.problems.under(v)) == {b"a", b"ab", b"b/2"}


def test_the_problem_of_a_removed_photograph_goes_with_it(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        register(w, files(0, 1))
        w.problems.add([NewProblem(volume(w), files(0, 1)[0].path, Message("broken"), photograph_id=1)])
        w.remove([1])
        assert w.problems.all(ignored=None) == []


def test_files_that_are_no_pictures(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        v = volume(w)
        notes = [NewFile(b"a/notes.txt", 1, 2), NewFile(b"a.txt", 3, 4), NewFile(b"caf\xe9", 5, 6)]
        w.passed_over.add(v, notes)
        w.passed_over.add(v, [notes[0]._replace(size=9)])
        assert list(w.passed_over.known(v)) == [notes[1], notes[0]._replace(size=9), notes[2]]
        assert [file.path for file in w.passed_over.known(v, b"a")] == [b"a/notes.txt"]
        w.passed_over.remove(v, [b"caf\xe9"])
        assert w.passed_over.count() == 2
        assert list(w.passed_over.all()) == [(v, notes[1].path), (v, notes[0].path)]
        w.passed_over.clear()
        assert w.passed_over.count() == 0
