"""``twinlens describe``, and what ``bench`` makes of its files."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse

from tests.app.cli.test_commands import run
from tests.app.folders import write_scene, write_scenes


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve pictures and, behind them, a larger copy of each of the first four."""
    folder = tmp_path_factory.mktemp("pictures")
    write_scenes(folder, 12)
    for seed in range(4):
        write_scene(folder / f"copy {seed}.jpg", seed, 400, 300)
    return folder


def asked(capfdbinary: pytest.CaptureFixture[bytes], *words: str) -> dict[str, Any]:
    code, out, err = run(capfdbinary, *words, "--json", "-q")
    assert code == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


def test_files_and_folders_become_rows_that_bench_takes(
    capfdbinary: pytest.CaptureFixture[bytes], folder: Path, tmp_path: Path
) -> None:
    file = str(tmp_path / "colours.npy")
    result = asked(capfdbinary, "describe", "colour", str(folder), "-o", file, "--workers", "1")
    assert (result["pictures"], result["file"], result["table"]) == (16, file, str(tmp_path / "colours.csv"))
    measured = asked(capfdbinary, "bench", file, "--method", "lsh:bits=32")
    assert (measured["data"]["n"], measured["data"]["d"]) == (16, result["dimensions"])


def test_sparse_rows_are_hashed_and_found_under_bench_and_a_metric(
    capfdbinary: pytest.CaptureFixture[bytes], folder: Path, tmp_path: Path
) -> None:
    """Queries that were described in a run of their own have their dimensions in common with the base."""
    words = ("describe", "pyramid-match", "--sparse", "--workers", "1", "-o")
    base, queries = str(tmp_path / "base.npz"), str(tmp_path / "queries.npz")
    asked(capfdbinary, *words, base, *(str(folder / f"{seed:04}.jpg") for seed in range(12)))
    result = asked(capfdbinary, *words, queries, *(str(folder / f"copy {seed}.jpg") for seed in range(4)))
    assert result["dimensions"] > 2**40
    first = scipy.sparse.csr_array(scipy.sparse.load_npz(base))[:2]
    np.save(tmp_path / "labels.npy", np.arange(12))
    np.save(tmp_path / "query labels.npy", np.arange(4))
    labels = ("--labels", str(tmp_path / "labels.npy"), "--query-labels", str(tmp_path / "query labels.npy"))
    bench = ("bench", base, "--queries", queries, "--method", "lsh:bits=1024", *labels, "-k", "1")
    found = asked(capfdbinary, *bench)
    assert found["results"][0]["accuracy"] == 1
    items: dict[str, Any] = {
        "data": first.data,
        "indices": first.indices,
        "indptr": first.indptr,
        "shape": np.array(first.shape),
    }
    np.savez(tmp_path / "metric.npz", S=np.zeros((2, 2)), format=np.array(b"csr"), **items)
    under = asked(capfdbinary, *bench, "--metric", str(tmp_path / "metric.npz"))
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
