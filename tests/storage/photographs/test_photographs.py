"""Photographs, volumes, camera notes and problems: ids stay, and contents are forgotten with their last photograph."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.storage.conftest import NewStore
from tests.storage.making import batch, codes, files, index, read, register, volume
from twinlens.core.message import NOTHING, Message
from twinlens.storage.database.values import PhotographState
from twinlens.storage.library.store import Store
from twinlens.storage.photographs.notes import CameraNote
from twinlens.storage.photographs.photographs import ChangedFile, KnownFile, MovedFile, NewFile
from twinlens.storage.photographs.problems import NewProblem
from twinlens.storage.photographs.volumes import VolumeRow


def test_ids_are_dense_in_the_given_order(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        with store.writing() as w:
            assert register(w, files(0, 5)).tolist() == [1, 2, 3, 4, 5]
        with store.writing() as w:
            # Known paths take no id, wherever they stand among the new ones.
            assert register(w, [*files(7, 9), *files(1, 3), *files(5, 7)]).tolist() == [6, 7, 8, 9]
            assert register(w, []).tolist() == []
        with store.reading() as r:
            paths = [row.path for row in r.photographs.by_id([6, 7, 8, 9])]
        assert paths == [file.path for file in [*files(7, 9), *files(5, 7)]]


def test_ids_are_never_given_again(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        with store.writing() as w:
            ids = batch(w, 0, 5)
            w.remove(ids[3:])
        with store.writing() as w:
            w.remove(ids)
        with store.writing() as w:
            assert register(w, files(0, 2)).tolist() == [6, 7]


def test_the_same_path_on_two_volumes(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        one, two = w.volumes.seen("a", "A", b"/a"), w.volumes.seen("b", "B", b"/b")
        w.photographs.register(one, None, files(0, 1))
        assert w.photographs.register(two, None, files(0, 1)).tolist() == [2]
        found = w.photographs.by_path(two, files(0, 1)[0].path)
        assert found is not None
        assert found.id == 2


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, new_store: NewStore) -> Iterator[Store]:
    """Yield one library for all examples."""
    with new_store(tmp_path_factory.mktemp("photographs")) as made:
        yield made


@given(st.lists(st.binary(min_size=1, max_size=40), unique=True, min_size=1, max_size=20))
def test_any_bytes_are_a_path(store: Store, paths: list[bytes]) -> None:
    with store.writing() as w:
        w.forget(volume(w), b"")
        ids = register(w, [NewFile(path, 1, 2) for path in paths])
    with store.reading() as r:
        assert [row.path for row in r.photographs.by_id(ids)] == paths
        assert [known.path for known in r.photographs.known(1)] == sorted(paths)
        for i, path in zip(ids.tolist(), paths, strict=True):
            found = r.photographs.by_path(1, path)
            assert found is not None
            assert found.id == i


def test_reading_makes_a_photograph_ready_and_ends_its_problem(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        ids = register(w, files(0, 3))
        w.problems.add([NewProblem(volume(w), files(0, 1)[0].path, Message("cut off"), photograph_id=1)])
        facts = read(1, taken="2023-05-14T11:08:00", camera="Canon", orientation=6, width=3, height=4)
        w.photographs.record([facts])
        (row,) = w.photographs.by_id([1])
        assert (row.state, row.content_hash, row.taken, row.camera) == (PhotographState.READY, *facts[1:2], *facts[6:])
        assert (row.format, row.width, row.height, row.orientation) == ("JPEG", 3, 4, 6)
        assert w.problems.all() == []
        assert [row.id for row in w.photographs.in_state(PhotographState.PENDING)] == ids.tolist()[1:]


def test_pages_of_a_state(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        register(w, files(0, 10))
        w.photographs.record([read(i) for i in (2, 5, 9)])
        pages, after = [], 0
        while rows := w.photographs.in_state(PhotographState.PENDING, after, 3):
            pages.append([row.id for row in rows])
            after = rows[-1].id
        assert pages == [[1, 3, 4], [6, 7, 8], [10]]


def test_a_changed_file_is_read_again_and_keeps_what_is_known(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        batch(w, 0, 3)
        w.photographs.mark_changed([ChangedFile(2, 77, 88)])
        (row,) = w.photographs.by_id([2])
        assert (row.state, row.size, row.mtime_ns) == (PhotographState.PENDING, 77, 88)
        assert row.content_hash == read(2).content_hash
        assert w.codes.count(index(w)[1].id) == 3


def test_vanished_and_returned(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        batch(w, 0, 2)
        register(w, files(2, 4))
        w.problems.add([NewProblem(volume(w), files(3, 4)[0].path, Message("cut off"), photograph_id=4)])
        w.photographs.mark_missing(np.array([1, 3, 4]))
        assert w.photographs.counts() == {
            PhotographState.PENDING: 0,
            PhotographState.READY: 1,
            PhotographState.UNREADABLE: 0,
            PhotographState.MISSING: 3,
        }
        assert w.problems.count() == 0
        w.photographs.mark_present([1, 2, 3, 4])
        states = [row.state for row in w.photographs.by_id([1, 2, 3, 4])]
        assert states == [
            PhotographState.READY,
            PhotographState.READY,
            PhotographState.PENDING,
            PhotographState.PENDING,
        ]


def test_a_moved_file_keeps_its_id(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        batch(w, 0, 3)
        w.photographs.mark_missing([2])
        other = w.volumes.seen("other", "Other", b"/other")
        folder = w.folders.add(other, b"elsewhere")
        place = NewFile(b"elsewhere/x.jpg", 5, 6)
        (registered,) = w.photographs.register(other, folder, [place]).tolist()
        w.remove([registered])
        w.photographs.move([MovedFile(2, other, folder, *place)])
        (row,) = w.photographs.by_id([2])
        assert (row.volume_id, row.folder_id, row.path, row.size, row.mtime_ns) == (other, folder, *place)
        assert row.state is PhotographState.READY
        np.testing.assert_array_equal(w.codes.load(index(w)[1].id).codes, codes([1, 2, 3]))


def test_looking_up_by_content_and_size(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        register(w, [NewFile(b"%d" % i, 10 + i % 2, 0) for i in range(6)])
        w.photographs.record([read(1), read(3, content_hash=b"\1" * 32), read(5, content_hash=b"\1" * 32)])
        assert [row.id for row in w.photographs.by_hash(b"\1" * 32)] == [3, 5]
        assert w.photographs.by_hash(b"\2" * 32) == []
        one, other = read(1).content_hash, b"\1" * 32
        assert [row.id for row in w.photographs.by_hash(other, one)] == [1, 3, 5]
        assert w.photographs.contents_by_size([10, 11], 9) == {10: {1: one, 3: other, 5: other}}
        assert w.photographs.contents_by_size([10, 11], 2) == {10: {3: other, 5: other}}


def test_looking_up_many_ids_in_their_order(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        register(w, files(0, 1500))
        wanted = [1500, 3, 99_999, 3, 1]
        assert [row.id for row in w.photographs.by_id(wanted)] == [1500, 3, 3, 1]
        assert [row.id for row in w.photographs.by_id(np.arange(1500, 0, -1))] == list(range(1500, 0, -1))


def test_what_is_known_of_a_folder(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        names = [b"a", b"a.b/1", b"a/1", b"a/b/2", b"a0", b"b/1"]
        register(w, [NewFile(name, 1, 2) for name in names])
        assert [known.path for known in w.photographs.known(1)] == sorted(names)
        assert list(w.photographs.known(1, b"a")) == [
            KnownFile(i, path, 1, 2, PhotographState.PENDING) for i, path in [(1, b"a"), (3, b"a/1"), (4, b"a/b/2")]
        ]
        assert list(w.photographs.known(2)) == []
        assert w.photographs.count_under(1, b"a") == 3
        assert w.photographs.count_under(1) == 6
        assert w.photographs.count_under(1, b"a", PhotographState.READY) == 0


def test_contents_of_photographs_that_were_read(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        register(w, files(0, 6))
        w.photographs.record([read(i) for i in (1, 2, 4, 5)])
        ids, hashes = w.photographs.contents([2, 3, 5, 6])
        assert ids.tolist() == [2, 5]
        assert hashes == [read(2).content_hash, read(5).content_hash]
        assert w.photographs.contents([])[1] == []


def test_forgetting_a_folder(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        kind, known, model = index(w)
        v = volume(w)
        for folder in (b"a", b"a/b", b"ab"):
            w.folders.add(v, folder)
            ids = w.photographs.register(v, None, files(0, 4, folder))
            w.photographs.record([read(i) for i in ids.tolist()])
            w.descriptors.put(kind, ids, np.ones((4, kind.dimensions)))
            w.codes.put(known.id, model, ids, codes(ids))
            w.passed_over.add(v, [NewFile(folder + b"/notes.txt", 1, 1)])
            w.problems.add([NewProblem(v, folder + b"/broken", Message("broken"))])
        assert w.forget(v, b"a") == 8
        assert w.photographs.counts()[PhotographState.READY] == 4
        assert [row.path for row in w.folders.all()] == [b"ab"]
        assert [file.path for file in w.passed_over.known(v)] == [b"ab/notes.txt"]
        assert [row.path for row in w.problems.all()] == [b"ab/broken"]
        assert w.descriptors.ids(kind).tolist() == w.codes.ids(known.id).tolist() == [9, 10, 11, 12]
        assert w.forget(v, b"") == 4
        assert w.forget(v, b"") == 0


def test_notes_are_of_contents(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store:
        with store.writing() as w:
            batch(w, 0, 3)
            present = w.photographs.by_id([1])[0].content_hash or b""
            w.camera_notes.put([CameraNote(present, "", ""), CameraNote(b"gone", "1.0,2.0", "25", '{"rating": 4}')])
            w.camera_notes.put([CameraNote(present, "48.137500,11.575000", "08")])
        with store.reading() as r:
            assert r.camera_notes.all()[present] == CameraNote(present, "48.137500,11.575000", "08")
            assert r.camera_notes.of([present, b"never"]) == {present: r.camera_notes.all()[present]}
        with store.writing() as w:
            w.camera_notes.forget_absent()
        with store.reading() as r:
            assert list(r.camera_notes.all()) == [present]


def test_a_volume_is_known_again_elsewhere(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        first = w.volumes.seen("uuid-1", "Photos", b"/media/photos")
        second = w.volumes.seen("uuid-2", "Photos", b"/media/other")
        assert w.volumes.seen("uuid-1", "Renamed", b"/mnt/\xff") == first
        assert w.volumes.all() == [
            VolumeRow(first, "uuid-1", "Renamed", b"/mnt/\xff"),
            VolumeRow(second, "uuid-2", "Photos", b"/media/other"),
        ]


def test_folders_keep_their_patterns(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        v = w.volumes.seen("a", "A", b"/a")
        folder = w.folders.add(v, b"caf\xe9", ["*.tmp", "naïve"])
        assert w.folders.all()[0].excludes == ("*.tmp", "naïve")
        assert w.folders.add(v, b"caf\xe9", ["*.bak"]) == folder
        (row,) = w.folders.all()
        assert (row.path, row.excludes) == (b"caf\xe9", ("*.bak",))


def test_a_folder_off_the_list_leaves_its_photographs(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        v = w.volumes.seen("a", "A", b"/a")
        for path in (b"x", b"x/y", b"xy"):
            w.photographs.register(v, w.folders.add(v, path), files(0, 1, path))
        w.folders.remove(v, b"x")
        assert [row.path for row in w.folders.all()] == [b"xy"]
        assert [row.folder_id for row in w.photographs.by_id([1, 2, 3])] == [None, None, 3]


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
