"""``twinlens bench`` as one types it, with files of vectors and of codes; wrong use is a sentence."""

from __future__ import annotations

import csv
import json
import re
from io import StringIO
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from rich.console import Console

from tests.app.cli.test_commands import run
from twinlens.app.bench.bench import bench
from twinlens.app.bench.experiment import Experiment
from twinlens.app.cli import bench as command

Capture = pytest.CaptureFixture[bytes]
ROWS, DIMENSIONS = 300, 13


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    x = rng.random((ROWS, DIMENSIONS)).astype(np.float32)
    np.save(tmp_path / "base.npy", x)
    np.save(tmp_path / "few.npy", x[:20])
    np.save(tmp_path / "labels.npy", np.arange(ROWS) % 3)
    for name, value in (("nan", np.nan), ("negative", -0.5)):
        spoilt = x.copy()
        spoilt[217, 4] = value
        np.save(tmp_path / f"{name}.npy", spoilt)
    return tmp_path


def write_all(folder: Path, x: npt.NDArray[np.float32]) -> list[str]:
    """Write the same vectors in every kind of file."""
    import h5py
    from scipy.sparse import csr_array, save_npz

    np.savez(folder / "x.npz", base=x, labels=np.arange(len(x)))
    for name, rows in (("x.fvecs", x), ("x.bvecs", (255 * x).astype(np.uint8))):
        (folder / name).write_bytes(b"".join(np.int32(x.shape[1]).tobytes() + row.tobytes() for row in rows))
    with h5py.File(folder / "x.hdf5", "w") as file:
        file["train"], file["test"] = x, x[:30]
        file["neighbors"], file["distances"] = np.zeros((30, 9), np.int32), np.zeros((30, 9), np.float32)
    save_npz(folder / "sparse.npz", csr_array(np.where(x > 0.7, x, 0)))
    return ["base.npy", "x.npz", "x.fvecs", "x.bvecs", "x.hdf5", "sparse.npz"]


def test_an_answer_that_cannot_be_saved_is_told_before_the_work(capfdbinary: Capture, folder: Path) -> None:
    begin = ("tune", str(folder / "missing.npy"), "--save")
    code, _, told = run(capfdbinary, *begin, str(folder / "nowhere" / "answer.toml"))
    assert code == 2
    assert "answer.toml cannot be written" in told
    code, _, told = run(capfdbinary, *begin, str(folder / "answer.toml"))
    assert code == 2
    assert "missing.npy" in told
    assert not (folder / "answer.toml").exists()  # looking whether it can be written leaves nothing


def test_every_kind_of_file_is_read(capfdbinary: Capture, folder: Path) -> None:
    recalls = {}
    for name in write_all(folder, np.load(folder / "base.npy")):
        code, out, _ = run(capfdbinary, "bench", str(folder / name), "--method", "lsh:bits=32", "--json", "-q")
        assert code == 0
        document = json.loads(out)
        assert (document["data"]["n"], document["data"]["d"]) == (ROWS, DIMENSIONS)
        assert document["data"]["queries"] == (30 if name == "x.hdf5" else 100)
        recalls[name] = document["results"][0]["recall"]
    assert recalls["base.npy"] == recalls["x.npz"] == recalls["x.fvecs"]
    assert recalls["x.bvecs"]["10"] == pytest.approx(recalls["base.npy"]["10"], abs=0.1)


@pytest.mark.parametrize(
    ("file", "words", "told"),
    [
        ("negative.npy", ("--method", "klsh:kernel=chi-square"), "row 217"),
        ("negative.npy", ("--method", "klsh:kernel=intersection", "--truth", "l2"), "row 217"),
        ("base.npy", ("--method", "itq:bits=64"), "here 13, not 64. Write itq:bits=13"),
        ("base.npy", ("--method", "bilinear-lsh:bits=8"), "13 dimensions cannot be laid out as a matrix"),
        ("base.npy", ("--method", "bilinear-sik:bits=8"), "13 dimensions cannot be laid out as a matrix"),
        ("nan.npy", ("--method", "lsh"), "nan.npy: Row 217"),
        ("base.npy", ("--queries", "nan.npy"), "nan.npy: Row 217"),
        ("base.npy", ("--metric", "whiten"), "no “whiten”"),
        ("base.npy", ("--metric", "missing.npy"), "no file"),
        ("base.npy", ("--map-protocol", "both"), "'ranking', 'candidates'"),
        ("base.npy", ("--method", "klsh:norm_filter=1.5"), "norm_filter must be"),
        ("missing.npy", (), "no file"),
    ],
)
def test_wrong_use_is_a_sentence(
    capfdbinary: Capture, folder: Path, monkeypatch: pytest.MonkeyPatch, file: str, words: tuple[str, ...], told: str
) -> None:
    monkeypatch.chdir(folder)
    code, out, err = run(capfdbinary, "bench", file, *words, "-q")
    assert code == 2
    assert out == ""
    assert told in err
    assert "Traceback" not in err


def test_fewer_items_than_landmarks_is_told(capfdbinary: Capture, folder: Path) -> None:
    for method in ("klsh:bits=8", "kpca-lsh:bits=8", "nystrom-lsh:bits=8", "kpca-itq:bits=40", "preimage-klsh:bits=8"):
        code, out, _ = run(capfdbinary, "bench", str(folder / "few.npy"), "--method", method, "-q", "--json")
        assert code == 0
        note = json.loads(out)["results"][0]["note"]
        assert "landmarks" in note, method


def test_curves_are_written_in_one_long_form(capfdbinary: Capture, folder: Path) -> None:
    words = ("--method", "lsh:bits=8", "--method", "klsh:bits=8,landmarks=50", "--seed", "1", "--seed", "2")
    code, _, err = run(capfdbinary, "bench", str(folder / "base.npy"), *words, "--curves", str(folder / "c.csv"))
    assert code == 0
    assert "c.csv" in err
    with (folder / "c.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["method", "seed", "curve", "x", "y"]
    assert {row["seed"] for row in rows} == {"mean", "1", "2"}
    assert {row["curve"] for row in rows if row["method"].startswith("klsh")} == {
        "recall", "precision", "recall_at", "eigenvalue", "residual", "estimation",
    }  # fmt: skip
    assert all(np.isfinite(float(row["y"])) for row in rows)
    code, _, err = run(capfdbinary, "bench", str(folder / "base.npy"), *words, "--curves", str(folder), "-q")
    assert code == 2
    assert "is a folder" in err


def test_the_tables_fit_a_hundred_columns(folder: Path) -> None:
    experiment = Experiment(
        base=f"{folder}/base.npy", labels=f"{folder}/labels.npy", metric="whitening", seeds=(0, 1),
        map_protocol="candidates",
        methods=("lsh:bits=8", "klsh:bits=1024,landmarks=50,kernel=cauchy,rank=20,norm_filter=0.98"),
    )  # fmt: skip
    out = StringIO()
    command._print(Console(file=out, width=100, highlight=False), bench(experiment))
    lines = out.getvalue().splitlines()
    assert max(map(len, lines)) <= 100
    told = out.getvalue()
    for word in ("R@10", "mAP", "dropped", "before", "looked at", "metric whitening", "norm_filter=0.98", "±"):
        assert word in told
    assert not re.search(r"\b[01]\.\d{1,2}(?!\d)(?! (m?s|[kM]?B)\b)(?=\s)", told.split("looked at")[0])  # none is cut
    assert not re.search(r"±\.\d{1,2}\s", told)


@pytest.fixture
def codes(tmp_path: Path) -> str:
    np.save(tmp_path / "codes.npy", np.random.default_rng(0).integers(0, 256, (500, 16), dtype=np.uint8))
    return str(tmp_path / "codes.npy")


def test_a_table_for_people(capfdbinary: Capture, codes: str) -> None:
    words = ("--search", "scan", "--search", "buckets", "--search", "permuted:lists=100000,memory=1", "-k", "20")
    code, out, _ = run(capfdbinary, "bench", codes, "--codes", *words, "-q")
    assert code == 0
    assert "500 codes of 128 bits (8.0 kB), 100 queries for the 20 nearest codes." in out
    assert "permuted:lists=100000,memory=1" in out
    assert "Not measured: 100,000 sorted lists" in out
    heading = next(line for line in out.splitlines() if "R@1" in line)
    assert heading.split() == [
        "structure", "R@1", "overlap@10", "worst@10", "scanned", "probed", "build", "query", "lists",
    ]  # fmt: skip
    assert max(map(len, out.splitlines()[1:])) <= 200


def test_json_has_every_figure(capfdbinary: Capture, codes: str) -> None:
    code, out, _ = run(capfdbinary, "bench", codes, "--codes", "--queries", codes, "--query-count", "9", "--json", "-q")
    assert code == 0
    document = json.loads(out)
    assert (document["n"], document["bits"], document["queries"]) == (500, 128, 9)
    assert [one["search"] for one in document["results"]] == [
        "scan",
        "grouped",
        "buckets",
        "multi-index",
        "ivf",
        "permuted",
    ]
    assert document["results"][0]["overlap"] == {"10": 1.0, "100": 1.0}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--method", "lsh", "--seed", "1"), "--method, --seed"),
        (("--labels", "x.npy"), "--labels"),
        (("--truth", "l2"), "--truth"),
        (("--metric", "whitening"), "--metric"),
        (("--curves", "c.csv"), "--curves"),
        (("--write", "e.toml"), "--write"),
        (("-k", "3", "--neighbours", "3"), "Give only one of them"),
    ],
)
def test_options_of_vectors_are_refused(capfdbinary: Capture, codes: str, words: tuple[str, ...], told: str) -> None:
    code, out, err = run(capfdbinary, "bench", codes, "--codes", *words)
    assert (code, out) == (2, "")
    assert told in err


def test_an_experiment_is_refused(capfdbinary: Capture) -> None:
    code, _, err = run(capfdbinary, "bench", "some.toml", "--codes")
    assert code == 2
    assert "packed codes" in err
