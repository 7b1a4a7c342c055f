"""Runs of the Lab share their steps, and come back as they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import TwinlensError
from storage.integrity.integrity_check import check
from storage.lab import StepRow
from storage.library.store import Store
from tests.storage import making
from tests.storage.conftest import NewStore


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
