"""``twinlens search``, by a kept metric too, and ``twinlens describe``, as one types them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from rich.console import Console

from tests.app.cli.test_commands import document, run
from tests.app.folders import write_scene, write_scenes
from tests.app.learn.test_metrics import kept
from tests.app.learn.test_next_pairs import GROUPS, grouped
from tests.app.made_library import FEW_BITS, LEARNED, histograms, make
from twinlens.app.cli.search import print_result
from twinlens.app.indexes.indexes import default_index
from twinlens.app.learn.metrics import finish_index
from twinlens.app.library.library import Library
from twinlens.app.marks.marks import mark_pairs
from twinlens.app.search.search_results import (
    GeometricCheck,
    ResultPhotograph,
    SearchResult,
    SearchSeconds,
    SimilarityLevels,
)
from twinlens.app.search.searcher import search
from twinlens.core.errors import Cancelled
from twinlens.core.progress import Progress


def hit(number: int, check: GeometricCheck | None) -> ResultPhotograph:
    return ResultPhotograph(path=f"/photographs/{number}.jpg", id=number, distance=0.5, similarity=0.9, check=check)


def found(confirmed: bool, mirrored: bool = False, inverted: bool = False) -> GeometricCheck:
    return GeometricCheck(confirmed=confirmed, score=9.0, inliers=30, mirrored=mirrored, inverted=inverted)


def printed(
    hits: list[ResultPhotograph], checked: int, likeness: SimilarityLevels | None = None, numbers: bool = True
) -> list[str]:
    result = SearchResult(
        query="/asked.jpg",
        index="Automatic",
        text="compact-vlad",
        measure="linear",
        exact=False,
        hits=hits,
        seconds=SearchSeconds(extract=0.01, encode=0.001, scan=0.001, rerank=0.002, check=0.034, total=0.05),
        looked_at=3,
        scanned=3,
        of=3,
        checked=checked,
        likeness=likeness,
    )
    out = io.StringIO()
    print_result(Console(file=out, width=120), result, numbers)
    return out.getvalue().splitlines()


@pytest.mark.parametrize(
    ("check", "words"),
    [
        (found(True), "✓ same picture"),
        (found(True, mirrored=True), "✓ same picture, mirrored"),
        (found(True, inverted=True), "✓ same picture, in negative"),
        (found(True, mirrored=True, inverted=True), "✓ same picture, mirrored, in negative"),
        (found(False, mirrored=True), ""),
        (None, ""),
    ],
)
def test_a_hit_that_shows_the_same_is_marked(check: GeometricCheck | None, words: str) -> None:
    lines = printed([hit(1, check), hit(2, None)], checked=1)
    (row,) = [line for line in lines if "/photographs/1.jpg" in line]
    assert " ".join(row.split()) == " ".join(f"1 {words} /photographs/1.jpg 0.900 0.500".split())
    assert any(line.split() == ["rank", "how", "alike", "photo", "similarity", "distance"] for line in lines)
    assert any("checked 1 in 34.0" in line for line in lines)


def test_without_a_check_there_is_no_column_for_it() -> None:
    lines = printed([hit(1, None)], checked=0)
    assert any(line.split() == ["rank", "photo", "similarity", "distance"] for line in lines)
    assert not any("checked" in line for line in lines)


def test_a_line_stands_above_what_is_less_similar() -> None:
    hits = [hit(number, None).model_copy(update={"similarity": 0.5 - 0.1 * number}) for number in (1, 2, 3)]
    rows = [" ".join(line.split()) for line in printed(hits, 0, SimilarityLevels(very_similar=0.4, similar=0.25))]
    start = next(place for place, row in enumerate(rows) if row.startswith("1 very similar /photographs/1.jpg"))
    assert rows[start + 1].startswith("2 similar /photographs/2.jpg")
    assert rows[start + 2] == "— the rest is less similar —"
    assert rows[start + 3].startswith("3 /photographs/3.jpg")


def test_numbers_are_shown_when_asked_for_only() -> None:
    limits = SimilarityLevels(very_similar=0.4, similar=0.25)
    lines = printed([hit(1, found(True))], 1, limits, numbers=False)
    assert any(line.split() == ["rank", "how", "alike", "photo"] for line in lines)
    assert not any(word in line for line in lines for word in ("0.900", "0.500", "compact-vlad", "checked"))
    assert any(line.split() == ["rank", "photo", "similarity"] for line in printed([hit(1, None)], 0, None, False))


def test_a_stack_is_one_row_and_opens_with_the_numbers() -> None:
    hits = [hit(number, None).model_copy(update={"stack": 1 if number < 4 else None}) for number in (1, 2, 3, 4)]
    rows = [line.split() for line in printed(hits, 0, None, numbers=False) if "/photographs/" in line]
    assert [row[0] for row in rows] == ["1", "4"]
    assert rows[0][1:] == ["/photographs/1.jpg", "(and", "2", "more", "of", "this", "series)", "0.900"]
    assert len([line for line in printed(hits, 0) if "/photographs/" in line]) == 4


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

    monkeypatch.setattr("twinlens.app.learn.metrics.finish_index", stopped)
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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve pictures and, behind them, a larger copy of each of the first four."""
    folder = tmp_path_factory.mktemp("pictures")
    write_scenes(folder, 12)
    for seed in range(4):
        write_scene(folder / f"copy {seed}.jpg", seed, 400, 300)
    return folder


def test_files_and_folders_become_rows_that_bench_takes(
    capfdbinary: pytest.CaptureFixture[bytes], folder: Path, tmp_path: Path
) -> None:
    file = str(tmp_path / "colours.npy")
    result = document(capfdbinary, "describe", "colour", str(folder), "-o", file, "--workers", "1")
    assert (result["pictures"], result["file"], result["table"]) == (16, file, str(tmp_path / "colours.csv"))
    measured = document(capfdbinary, "bench", file, "--method", "lsh:bits=32")
    assert (measured["data"]["n"], measured["data"]["d"]) == (16, result["dimensions"])


def test_sparse_rows_are_hashed_and_found_under_bench_and_a_metric(
    capfdbinary: pytest.CaptureFixture[bytes], folder: Path, tmp_path: Path
) -> None:
    """Queries that were described in a run of their own have their dimensions in common with the base."""
    words = ("describe", "pyramid-match", "--sparse", "--workers", "1", "-o")
    base, queries = str(tmp_path / "base.npz"), str(tmp_path / "queries.npz")
    document(capfdbinary, *words, base, *(str(folder / f"{seed:04}.jpg") for seed in range(12)))
    result = document(capfdbinary, *words, queries, *(str(folder / f"copy {seed}.jpg") for seed in range(4)))
    assert result["dimensions"] > 2**40
    first = scipy.sparse.csr_array(scipy.sparse.load_npz(base))[:2]
    np.save(tmp_path / "labels.npy", np.arange(12))
    np.save(tmp_path / "query labels.npy", np.arange(4))
    labels = ("--labels", str(tmp_path / "labels.npy"), "--query-labels", str(tmp_path / "query labels.npy"))
    bench = ("bench", base, "--queries", queries, "--method", "lsh:bits=1024", *labels, "-k", "1")
    found = document(capfdbinary, *bench)
    assert found["results"][0]["accuracy"] == 1
    items: dict[str, Any] = {
        "data": first.data,
        "indices": first.indices,
        "indptr": first.indptr,
        "shape": np.array(first.shape),
    }
    np.savez(tmp_path / "metric.npz", S=np.zeros((2, 2)), format=np.array(b"csr"), **items)
    under = document(capfdbinary, *bench, "--metric", str(tmp_path / "metric.npz"))
    assert under["results"][0]["accuracy"] == 1


def test_people_are_told_what_is_where_and_what_is_missing(
    capfdbinary: pytest.CaptureFixture[bytes], folder: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "broken.jpg"
    bad.write_bytes(b"\xff\xd8\xff no picture")
    words = ("describe", "edges", str(folder / "0000.jpg"), str(bad), "-o", str(tmp_path / "edges.npy"))
    code, out, _ = run(capfdbinary, *words, "-q", "--workers", "1")
    assert code == 0
    assert "1 picture by edges, 80 numbers each" in out
    assert str(bad) in out
    with (tmp_path / "edges.csv").open(newline="") as file:
        assert list(csv.reader(file)) == [["row", "path", "id"], ["0", str(folder / "0000.jpg"), ""]]


def test_wrong_use_is_a_sentence(capfdbinary: pytest.CaptureFixture[bytes], folder: Path, tmp_path: Path) -> None:
    code, out, err = run(capfdbinary, "describe", "edges", str(folder), "-o", str(tmp_path / "edges.txt"))
    assert (code, out) == (2, "")
    assert "Name a file that ends in .npy" in err
