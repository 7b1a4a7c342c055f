"""Marks and runs of the Lab come back as they were, and marks stay when their photographs go."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy.exc import IntegrityError

from tests.storage import making
from tests.storage.conftest import NewStore
from tests.storage.making import batch, files, read, register
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.measurement import StepRow
from twinlens.storage.database.values import PhotographState
from twinlens.storage.integrity.integrity_check import check
from twinlens.storage.library.backup import backup
from twinlens.storage.library.store import Store
from twinlens.storage.marks import NewMark


def content(i: int) -> bytes:
    return i.to_bytes(32, "big")


def new(one: int, other: int, similar: bool = True, origin: str = "results", created: str = "") -> NewMark:
    return NewMark(content(one), content(other), f"{one}.jpg", f"{other}.jpg", similar, origin, created)


def test_the_order_of_both_says_nothing_and_a_mark_is_kept_once(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        (one,) = w.marks.put([new(5, 2)])
        assert (one.pair, one.first_name, one.second_name) == ((content(2), content(5)), "2.jpg", "5.jpg")
        assert (one.similar, one.origin, one.created[-1]) == (True, "results", "Z")
        assert w.marks.put([new(2, 5), new(5, 2, origin="group")]) == []
        two, three = w.marks.put([new(2, 5, False), new(1, 2, created="2020-01-01T00:00:00Z")])
        assert (two.similar, three.created) == (False, "2020-01-01T00:00:00Z")
        assert w.marks.all() == w.marks.by_id([three.id, one.id, 99, two.id]) == [one, two, three]
        assert w.marks.among([content(5), content(1), content(2)]) == [one, two, three]
        assert w.marks.among([content(5), content(2), content(3)]) == [one, two]
        assert (w.marks.count(), w.marks.contradicted()) == (3, {one.pair})


def test_removed_marks_come_back_as_they_were_but_not_over_newer_ones(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        before = w.marks.put([new(i, i + 1) for i in range(1, 6)])
        removed = w.marks.remove([before[1].id, before[4].id, 99])
        assert removed == [before[1], before[4]]
        (again,) = w.marks.put([new(5, 6)])
        assert again.id > before[4].id
        assert w.marks.restore(removed) == [before[1]]
        assert w.marks.restore(removed) == []
        assert w.marks.all() == [*before[:4], again]


@pytest.fixture(scope="module")
def one_store(tmp_path_factory: pytest.TempPathFactory, new_store: NewStore) -> Iterator[Store]:
    """Return one library for all examples."""
    with new_store(tmp_path_factory.mktemp("marks")) as made:
        yield made


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6), st.booleans()).filter(lambda one: one[0] != one[1])))
def test_what_is_kept_is_what_was_said(one_store: Store, said: list[tuple[int, int, bool]]) -> None:
    with one_store.writing() as w:
        w.marks.remove([row.id for row in w.marks.all()])
        added = w.marks.put(new(*one) for one in said)
        assert added == w.marks.all()
        expected = {(content(min(one[:2])), content(max(one[:2])), one[2]) for one in said}
        assert {(*row.pair, row.similar) for row in added} == expected
        assert len(added) == len(expected)


def test_the_photograph_of_a_content_is_one_whose_file_is_there(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        batch(w, 0, 4)
        (copy, *_) = register(w, files(10, 12)).tolist()
        w.photographs.record([read(copy, content_hash=content(2))])
        w.marks.put([new(1, 2), new(2, 77)])
        assert {key: row.id for key, row in w.marks.photographs().items()} == {content(1): 1, content(2): 2}
        w.photographs.mark_missing([1, 2])
        found = w.marks.photographs_of([content(1), content(2), content(3), content(78)])
        assert {key: row.id for key, row in found.items()} == {content(1): 1, content(2): copy, content(3): 3}
        assert found[content(1)].state is PhotographState.MISSING
        assert w.forget(1, b"") == 6
        assert (w.marks.count(), w.marks.photographs()) == (2, {})


@pytest.mark.parametrize("wrong", [new(3, 3), new(3, 4)._replace(first=b"short"), new(3, 4)._replace(similar=2)])  # type: ignore[arg-type]
def test_what_is_no_mark_is_not_kept(tmp_path: Path, wrong: NewMark, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, pytest.raises((IntegrityError, sqlite3.IntegrityError)), store.writing() as w:
        w.marks.put([wrong])


def test_a_backup_has_them_and_the_check_looks_at_them(tmp_path: Path) -> None:
    with making.new_store(tmp_path) as store:
        with store.writing() as w:
            rows = w.marks.put([new(1, 2), new(2, 3, False)])
        assert check(store).findings == []
        backup(store, tmp_path / "copy.twinlens")
        with closing(sqlite3.connect(store.address.path)) as connection:
            connection.execute("PRAGMA ignore_check_constraints = ON")
            connection.execute("UPDATE mark SET first = x'00' WHERE id = 1")
            connection.commit()
        (finding,) = check(store).findings
        assert "mark" in str(finding.sentence)
    with Store.open(tmp_path / "copy.twinlens") as copied, copied.reading() as r:
        assert r.marks.all() == rows


def step(key: str, seconds: float = 0.5) -> StepRow:
    return StepRow(key, '{"n": 3}', '{"map": 0.25}', seconds, "{}", "2026-01-02T03:04:05Z")


def test_a_step_is_kept_once_and_shared_by_runs(tmp_path: Path) -> None:
    with making.new_store(tmp_path) as store, store.writing() as w:
        w.lab.put(step("a"))
        w.lab.put(step("a", 9.0))
        w.lab.put(step("b"))
        assert w.lab.steps(["b", "c", "a"]) == {"a": step("a"), "b": step("b")}
        assert w.lab.known(["a", "c"]) == {"a"}
        first = w.lab.add("first", "plan", ["a", "b"])
        second = w.lab.add("second", "plan", ["b", "c"])
        assert w.lab.all() == [first, second]
        assert (first.steps, w.lab.by_name("second")) == (("a", "b"), second)
        assert w.lab.delete(first.id) == (first, [step("a")])
        assert w.lab.known("abc") == {"b"}, "the other run needs it"
        assert w.lab.delete(first.id) is None
        w.lab.change(second.id, "another", ["b"])
        changed = w.lab.by_id(second.id)
        assert changed is not None
        assert (changed.plan, changed.steps) == ("another", ("b",))
    with Store.open(tmp_path / "library.twinlens") as store:
        assert check(store).findings == []


def test_a_deleted_run_comes_back_and_gives_way_to_a_newer_name(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        w.lab.put(step("a"))
        run = w.lab.add("ranks", "plan", ["a"])
        removed = w.lab.delete(run.id)
        assert removed is not None
        assert (w.lab.all(), w.lab.count()) == ([], 0)
        newer = w.lab.add("ranks", "other", [])
        assert newer.id > run.id
        back = w.lab.restore(*removed)
        assert (back.id, back.name, back.steps) == (run.id, "ranks (2)", ("a",))
        assert w.lab.by_id(run.id) == back == w.lab.restore(*removed)
        assert w.lab.steps(["a"]) == {"a": step("a")}


def test_names_are_given_once(tmp_path: Path, new_store: NewStore) -> None:
    with new_store(tmp_path) as store, store.writing() as w:
        run = w.lab.add("ranks", "plan", [])
        for wrong in ("ranks", " "):
            with pytest.raises(TwinlensError, match="name"):
                w.lab.add(wrong, "plan", [])
        w.lab.add("bits", "plan", [])
        w.lab.rename(run.id, "ranks")
        with pytest.raises(TwinlensError, match="already"):
            w.lab.rename(run.id, "bits")
        w.lab.rename(run.id, "scales")
        assert [one.name for one in w.lab.all()] == ["scales", "bits"]
