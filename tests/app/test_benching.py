"""Methods measured on files of vectors; experiments that can be shared; wrong use is a sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.benching import bench
from app.experiment import Experiment, read_experiment
from core.errors import Cancelled, TwinlensError

METHODS = ("lsh:bits=32", "itq:bits=8")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 5, 400)
    middles = rng.random((5, 12)) * 4
    np.savez(
        tmp_path / "data.npz", base=np.abs(middles[labels] + 0.2 * rng.standard_normal((400, 12))), labels=labels,
        names=np.array([f"class {label}" for label in labels]),
        queries=np.abs(middles[labels[:30]] + 0.2 * rng.standard_normal((30, 12))), asked=labels[:30],
    )  # fmt: skip
    return tmp_path


def test_figures_are_there_and_repeat(files: Path) -> None:
    experiment = Experiment(
        f"{files}/data.npz", labels=f"{files}/data.npz::labels", methods=METHODS, seeds=(0, 1, 2), k=3, query_count=40
    )
    result = bench(experiment)
    assert (result.data.n, result.data.d, result.data.queries, result.data.truth) == (400, 12, 40, "l2")
    for one in result.results:
        assert one.accuracy == pytest.approx(1.0, abs=0.1)
        assert 0 < one.recall["10"] <= 1
        assert one.overlap["10"] == 1.0
        assert one.map is not None
        assert "map" in one.deviation
        assert one.of == 400
    again = bench(experiment)
    assert [(one.recall, one.map) for one in again.results] == [(one.recall, one.map) for one in result.results]


@pytest.mark.parametrize("truth", ["l2", "cosine", "chi-square", "gaussian", "radius:50", "labels"])
def test_every_truth(files: Path, truth: str) -> None:
    experiment = Experiment(
        f"{files}/data.npz", f"{files}/data.npz::queries", f"{files}/data.npz::names", f"{files}/data.npz::asked",
        methods=("lsh:bits=64",), truth=truth,
    ).changed(labels=f"{files}/data.npz::labels")  # fmt: skip
    (one,) = bench(experiment).results
    assert one.map is not None
    assert one.map > 0.5


@pytest.mark.parametrize("method", ["sik:bits=512", "sik:bits=512,kernel=laplacian"])
def test_a_method_with_a_kernel_is_judged_by_it(files: Path, method: str) -> None:
    result = bench(Experiment(f"{files}/data.npz", f"{files}/data.npz::queries", methods=(method,)))
    assert result.data.truth == ("laplacian" if "laplacian" in method else "gaussian")
    assert result.results[0].overlap["100"] > 0.5
    assert "was found from the data" in result.results[0].note


def test_an_experiment_is_written_and_read(files: Path) -> None:
    made = Experiment("data.npz", labels="data.npz::labels", methods=METHODS, seeds=(3, 4), truth="chi-square")
    (files / "own.toml").write_text(made.to_toml(), "utf-8")
    read = read_experiment(files / "own.toml")
    assert read == made.changed(base=f"{files}/data.npz", labels=f"{files}/data.npz::labels")
    assert bench(read).results[0].seeds == [3, 4]
    for text, words in (
        ("base = 3", "does not name its base"),
        ('base = "x"\nmethod = []', "there is no “method”"),
        ('base = "x"\nseeds = 3', "seeds must be like"),
        ("base = ", "is no experiment"),
    ):
        (files / "own.toml").write_text(text, "utf-8")
        with pytest.raises(TwinlensError, match=words):
            read_experiment(files / "own.toml")
    with pytest.raises(TwinlensError, match="no file"):
        read_experiment(files / "missing.toml")


def test_wrong_use_is_a_sentence(files: Path) -> None:
    base = f"{files}/data.npz"
    spoilt = np.ones((50, 4))
    spoilt[7, 2] = np.nan
    np.save(files / "nan.npy", spoilt)
    spoilt[7, 2] = -1
    np.save(files / "negative.npy", spoilt)
    for experiment, words in (
        (Experiment(base, methods=()), "nothing to run"),
        (Experiment(base, methods=("itq:bits=13",)), "here 12, not 13"),
        (Experiment(base, methods=("nothing",)), "no “nothing”"),
        (Experiment(base, truth="labels"), "needs labels"),
        (Experiment(base, truth="colour"), "no “colour”"),
        (Experiment(base, labels=f"{base}::asked"), "30 labels for 400"),
        (Experiment(base, queries=str(files / "negative.npy")), "4 dimensions"),
        (Experiment(str(files / "nan.npy")), "Row 7"),
        (Experiment(str(files / "negative.npy"), truth="chi-square"), "row 7"),
        (Experiment(f"{base}::labels"), "no table of vectors"),
    ):
        with pytest.raises(TwinlensError, match=words):
            bench(experiment)


def test_it_can_be_cancelled(files: Path) -> None:
    def stop(done: float, total: float, text: str) -> None:
        if done / total > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        bench(Experiment(f"{files}/data.npz"), stop)
