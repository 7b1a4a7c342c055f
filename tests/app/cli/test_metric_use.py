"""Searching by a kept metric from the command line: what is asked where no index is named, and the way back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.indexes.indexes import default_index
from app.learn.metrics import finish_index
from app.library.library import Library
from app.marks.marks import mark_pairs
from app.search.searcher import search
from core.errors import Cancelled
from core.progress import Progress
from tests.app.cli.test_commands import run
from tests.app.learn.test_metric_use import kept
from tests.app.learn.test_next_pairs import GROUPS, grouped
from tests.app.made_library import FEW_BITS, LEARNED, histograms, make

Out = pytest.CaptureFixture[bytes]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a library that keeps the metric "Learned 1" and searches without it."""
    with make(tmp_path / "a.twinlens", histograms(120), (LEARNED, FEW_BITS)) as library:
        assert kept(library, LEARNED[0]) == "Learned 1"
    return tmp_path / "a.twinlens"


def told(out: Out, path: Path, *words: str, code: int = 0) -> dict[str, Any]:
    ended, written, _ = run(out, *words, "--library", str(path), "--json")
    assert ended == code, written
    found: dict[str, Any] = json.loads(written)
    return found


def test_what_is_used_answers_wherever_no_index_is_named(capfdbinary: Out, path: Path) -> None:
    used = told(capfdbinary, path, "metrics", "use", "learned 1")
    assert (used["index"], used["metric"], used["before"], used["waiting"]) == (
        "Learned 1",
        "Learned 1",
        "Automatic",
        0,
    )
    assert "ready" not in used["sentence"]
    (found,) = told(capfdbinary, path, "search", "#7")["results"]
    assert (found["index"], found["measure"], found["exact"]) == ("Learned 1", "metric Learned 1", False)
    with Library.open(path) as library:
        assert search(library, [7]).results[0].hits[0].id == found["hits"][0]["id"]
    (found,) = told(capfdbinary, path, "search", "#7", "--index", LEARNED[0])["results"]
    assert found["index"] == LEARNED[0]
    assert told(capfdbinary, path, "metrics", "back")["index"] == "Automatic"
    _, _, err = run(capfdbinary, "metrics", "back", "--library", str(path))
    assert "No earlier index" in err


def test_a_metric_in_use_is_deleted_with_its_index_where_that_is_said(capfdbinary: Out, path: Path) -> None:
    told(capfdbinary, path, "metrics", "use", "Learned 1", "--later")
    _, _, err = run(capfdbinary, "metrics", "delete", "Learned 1", "--library", str(path))
    assert "--with-indexes" in err
    ended, _, err = run(capfdbinary, "metrics", "delete", "Learned 1", "--with-indexes", "--library", str(path))
    assert (ended, "and with it the index Learned 1. “Automatic” answers" in " ".join(err.split())) == (0, True)
    assert told(capfdbinary, path, "metrics", "list")["metrics"] == []
    with Library.open(path) as library:
        assert default_index(library) == "Automatic"


def test_an_index_that_is_fitted_later_answers_exactly_meanwhile(capfdbinary: Out, path: Path) -> None:
    used = told(capfdbinary, path, "metrics", "use", "Learned 1", "--later")
    assert used["waiting"] == 120
    assert "takes longer and is exact" in used["sentence"]
    assert told(capfdbinary, path, "search", "#7")["results"][0]["exact"]
    assert told(capfdbinary, path, "metrics", "use", "Learned 1")["waiting"] == 0
    assert not told(capfdbinary, path, "search", "#7")["results"][0]["exact"]


def test_fitting_that_is_stopped_leaves_a_search_by_the_metric(
    capfdbinary: Out, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(library: Library, index: str, progress: Progress) -> None:
        raise Cancelled

    monkeypatch.setattr("app.learn.metrics.finish_index", stopped)
    assert told(capfdbinary, path, "metrics", "use", "Learned 1", code=130)["waiting"] == 120
    monkeypatch.undo()
    with Library.open(path) as library:
        assert default_index(library) == "Learned 1"
        finish_index(library, "Learned 1")
    assert not told(capfdbinary, path, "search", "#7")["results"][0]["exact"]


def test_what_is_learned_is_used_at_once_and_compared(capfdbinary: Out, tmp_path: Path) -> None:
    path = tmp_path / "a.twinlens"
    with make(path, grouped(120), (FEW_BITS,)) as library:
        mark_pairs(library, [(i, i + GROUPS) for i in range(1, 25)], True)
        mark_pairs(library, [(i, i + GROUPS + 1) for i in range(30, 54)], False)
    learned = told(capfdbinary, path, "learn", "--index", FEW_BITS[0], "--anyway", "--use", "--name", "Mine")
    assert (learned["metric"], learned["switched"]["index"], learned["switched"]["waiting"]) == ("Mine", "Mine", 0)
    assert told(capfdbinary, path, "search", "#7")["results"][0]["measure"] == "metric Mine"
    compared = told(capfdbinary, path, "metrics", "compare")["metrics"]
    assert [(one["name"], one["default"]) for one in compared] == [("", False), ("Mine", True)]
    _, table, _ = run(capfdbinary, "metrics", "compare", "--library", str(path))
    assert f"{compared[0]['held_out']['area']['mean']:.3f}" in table
    learned = told(capfdbinary, path, "learn", "--index", FEW_BITS[0], "--anyway")
    assert learned["switched"] is None
