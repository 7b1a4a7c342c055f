"""The workbench measures what bench measures, on arrays or files, and gives tables and figures."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import h5py
import numpy as np
import pytest

import twinlens.core.workbench
from twinlens import workbench
from twinlens.core.errors import TwinlensError


def test_all_of_the_core_is_in_it() -> None:
    offered = twinlens.core.workbench.__all__
    assert [getattr(workbench, name) for name in offered] == [
        getattr(twinlens.core.workbench, name) for name in offered
    ]


def test_a_script_compares_on_arrays(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 4, 600)
    x = (rng.normal(size=(4, 12))[labels] + 0.3 * rng.normal(size=(600, 12))).astype(np.float32)
    np.save(tmp_path / "x.npy", x)
    x = workbench.load_vectors(str(tmp_path / "x.npy"))
    methods = ["itq:bits={4,8}", "itq:bits=64", "lda-itq:bits=3"]
    rows = workbench.bench(x, 50, methods, ["scan", "buckets"], truth="labels", labels=labels, seeds=[0, 1])
    assert [row["bits"] for row in rows] == [4, 4, 8, 8, 64, 64, 3, 3]
    assert [bool(row["refused"]) for row in rows] == [False] * 4 + [True] * 2 + [False] * 2
    assert all(row["map"] > 0.5 and "±map" in row for row in rows if not row["refused"])
    assert len({tuple(row) for row in rows}) == 1, "every row has every key"
    assert all(row["map"] is None for row in rows if row["refused"])
    whitening = workbench.declare("whitening", "metric").fit(x[50:])
    by_text, by_metric = (
        workbench.bench(x[50:], x[:50], ["itq:bits=8"], metric=one)[0] for one in ("whitening", whitening)
    )
    assert by_text["recall@10"] == pytest.approx(by_metric["recall@10"])


def vectors(n: int = 300) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, n)
    return (rng.normal(size=(3, 8))[labels] + 0.5 * rng.normal(size=(n, 8))).astype(np.float32), labels


def test_a_file_is_measured_as_its_arrays_are(tmp_path: Path) -> None:
    x, _ = vectors()
    np.save(tmp_path / "base.npy", x[50:])
    np.save(tmp_path / "queries.npy", x[:50])
    base, queries = str(tmp_path / "base.npy"), str(tmp_path / "queries.npy")
    tables = [
        workbench.bench(one, other, ["itq:bits=8"])
        for one, other in ((x[50:], x[:50]), (base, queries), (base, x[:50]), (x[50:], queries))
    ]
    figures = [{key: value for key, value in row.items() if not key.startswith("seconds")} for (row,) in tables]
    assert figures == figures[:1] * 4
    assert [len(workbench.bench(one, 20, ["itq:bits=8"])[0]["seeds"]) for one in (base, x[50:])] == [1, 1]


def test_a_file_of_ann_benchmarks_comes_as_it_is(tmp_path: Path) -> None:
    x, _ = vectors()
    x *= np.random.default_rng(1).uniform(0.5, 3, (len(x), 1)).astype(np.float32)
    with h5py.File(tmp_path / "small-angular.hdf5", "w") as file:
        file.attrs["distance"] = "angular"
        file["train"], file["test"] = x[50:], x[:50]
    table = workbench.bench(str(tmp_path / "small-angular.hdf5"), methods=["lsh:bits=128"])
    assert table.measured.result.data.truth == "cosine"
    assert table.measured.result.data.queries == 50
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    (row,) = workbench.bench(unit[50:], unit[:50], ["lsh:bits=128"], truth="cosine")
    assert table[0]["recall@10"] == pytest.approx(row["recall@10"], abs=0.02)
    with h5py.File(tmp_path / "small-angular.hdf5", "a") as file:
        file.attrs["distance"] = "dot"
    with pytest.raises(TwinlensError, match="Name another truth"):
        workbench.bench(str(tmp_path / "small-angular.hdf5"), methods=["lsh:bits=128"])
    (by_name,) = workbench.bench(str(tmp_path / "small-angular.hdf5"), methods=["lsh:bits=128"], truth="cosine")
    assert by_name["recall@10"] == table[0]["recall@10"]


def test_arrays_are_taken_as_they_come(tmp_path: Path) -> None:
    x, labels = vectors()
    words = np.array(["cat", "dog", "owl"])[labels]
    (row,) = workbench.bench(x, 40, ["itq:bits=8"], truth="labels", labels=labels)
    for base, named, methods in (
        (x.tolist(), labels.tolist(), "itq:bits=8"),
        (x.astype(">f8"), words, [workbench.declare("itq:bits=8")]),
        (x.reshape(300, 2, 4), words.tolist(), ("itq:bits=8",)),
    ):
        (other,) = workbench.bench(base, 40, methods, "scan", truth="labels", labels=named)
        assert [other[key] for key in ("map", "recall@10")] == [row[key] for key in ("map", "recall@10")]
    np.save(tmp_path / "x.npy", x)
    assert workbench.bench(tmp_path / "x.npy", 40, "itq:bits=8")[0]["recall@10"] == row["recall@10"]


@pytest.mark.parametrize(
    ("base", "queries", "labels", "said"),
    [
        (np.full((9, 4), np.nan), 3, None, "base: Row 0"),
        (np.eye(9), np.full((2, 9), np.inf), None, "queries: Row 0"),
        (np.eye(9), np.ones((2, 4)), None, "have 4 dimensions"),
        (np.eye(9), np.ones((0, 9)), None, "queries holds no vectors"),
        (np.ones(9), 3, None, "not a table"),
        ([[1, 2], [3]], 1, None, "different lengths"),
        (np.eye(9), 3, [0, 1], "labels has 2 labels for 9"),
        (np.eye(9), -3, None, "at least 1"),
    ],
)
def test_arrays_that_cannot_be_measured_are_a_sentence(base: Any, queries: Any, labels: Any, said: str) -> None:
    with pytest.raises(TwinlensError, match=said):
        workbench.bench(base, queries, ["lsh:bits=8"], labels=labels)


def test_pairs_teach_a_metric(tmp_path: Path) -> None:
    x, labels = vectors()
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 300, (80, 2))
    rows = rows[rows[:, 0] != rows[:, 1]]
    pairs = np.column_stack([rows, labels[rows[:, 0]] == labels[rows[:, 1]]])
    np.save(tmp_path / "pairs.npy", pairs)
    (by_array,) = workbench.bench(x, 50, ["itq:bits=8"], metric="itml", pairs=pairs, labels=labels, k=3)
    assert 0 < by_array["accuracy"] <= 1
    other = pairs.copy()
    other[:, 2] = 1 - other[:, 2]
    (turned,) = workbench.bench(x, 50, ["itq:bits=8"], metric="itml", pairs=other, labels=labels, k=3)
    quality = ("accuracy", "recall@10", "overlap@10", "map")
    assert [turned[key] for key in quality] != [by_array[key] for key in quality], "other pairs are measured anew"
    (drawn,) = workbench.bench(x, 50, ["itq:bits=8"], metric="itml", pairs=60, labels=labels)
    assert drawn["accuracy"] > drawn["accuracy_before"] - 0.1
    with pytest.raises(TwinlensError, match="not among the 300 vectors"):
        workbench.bench(x, 50, ["itq:bits=8"], metric="itml", pairs=[[0, 300, 1]])


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_table_is_a_data_frame_where_the_package_is_there(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x, _ = vectors()
    table = workbench.bench(x, 20, ["itq:bits=8", "itq:bits=64"])
    monkeypatch.setitem(sys.modules, package, SimpleNamespace(DataFrame=lambda rows, **_: rows))
    assert getattr(table, f"to_{package}")() == list(table)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(TwinlensError, match=f"pip install {package}"):
        getattr(table, f"to_{package}")()


def test_a_table_is_drawn(tmp_path: Path) -> None:
    x, _ = vectors()
    table = workbench.bench(x, 20, ["itq:bits={4,8}", "lsh:bits=8", "itq:bits=64"])
    beginnings = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
    for ending, beginning in beginnings.items():
        table.figure(tmp_path / f"recall.{ending}")
        table.figure(tmp_path / f"recall.{ending}")  # its own is replaced
        assert (tmp_path / f"recall.{ending}").read_bytes().startswith(beginning)
    table.figure(tmp_path / "map.svg", "map-bits")
    assert "lsh" in (tmp_path / "map.svg").read_text("utf-8")
    with pytest.raises(TwinlensError, match="map-bits"):
        table.figure(tmp_path / "none.svg", "none")
    with pytest.raises(TwinlensError, match="cannot be drawn"):
        table.figure(tmp_path / "recall.jpg")
