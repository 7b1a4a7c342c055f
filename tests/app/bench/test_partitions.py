"""k-NN before and after a metric over random partitions: figures that can be checked, files that say so, wrong use."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.app.cli.test_commands import run as command
from twinlens.app.bench import partitions
from twinlens.app.bench.bench import bench
from twinlens.app.bench.bench_metric import bench_metric
from twinlens.app.bench.bench_results import BenchVotes
from twinlens.app.bench.experiment import Experiment, read_experiment
from twinlens.app.bench.partitions import fastest
from twinlens.app.lab.experiments.runner import resume_run, run_experiment
from twinlens.app.lab.experiments.runs import load_run
from twinlens.app.library.library import Library
from twinlens.core.errors import Cancelled, TwinlensError


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    """Vectors of three classes that two small dimensions tell, beside loud ones that tell nothing."""
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 3, 240)
    x = np.concatenate([2 * rng.standard_normal((240, 6)), rng.standard_normal((240, 2)) * 0.1], axis=1)
    x[:, 6:] += 1.5 * np.array([[0, 0], [0, 1], [1, 0]])[labels]
    file = tmp_path_factory.mktemp("partitions") / "loud.npz"
    np.savez(file, x=x, labels=labels)
    return Experiment(
        base=f"{file}::x", labels=f"{file}::labels", metric="itml:slack=10", k=4, partitions=2, labelled=10, asked=6,
        methods=("lsh",), bits=(16, 64), epsilons=(0.5, 1.5), marks=(10, 60),
    )  # fmt: skip


def test_the_metric_gains_and_hashing_loses_little(experiment: Experiment) -> None:
    result = bench(experiment)
    found = result.partitions
    assert found is not None
    assert (found.partitions, found.classes, found.k, found.base, found.labelled) == (2, 3, 4, 222, 30)
    assert [(one.values["pairs"], one.bits) for one in found.rows] == [
        (n, b) for n in (10, 60) for b in (0, 16, 16, 64, 64)
    ]
    scan = found.rows[5]
    assert (scan.method, scan.search, scan.values["looked_at share"], scan.values["times"]) == ("", "linear", 1.0, 1.0)
    assert scan.values["gain"] > 0.2
    assert scan.values["gain"] == pytest.approx(scan.values["after"] - scan.values["before"])
    for one in found.rows:
        assert "before" in one.spread
        assert one.values["lost"] == pytest.approx(
            found.rows[0 if one.values["pairs"] == 10 else 5].values["after"] - one.values["after"]
        )
    many, few = found.rows[8:]
    assert many.method == few.method == "lsh:bits=64"
    assert "epsilon=0.5" in many.search
    assert many.values["looked_at share"] == pytest.approx(2 * round(222 ** (1 / 1.5)) / 222)
    assert few.values["looked_at share"] < many.values["looked_at share"]
    assert many.values["overlap share"] > few.values["overlap share"]
    best = max(found.rows, key=lambda one: one.values["times"])
    assert (best.search if best.method else "the linear scan") in str(found.fastest)


def test_the_fastest_search_is_named(experiment: Experiment) -> None:
    found = bench(experiment.changed(bits=(16,), epsilons=(1.5,), marks=(30,))).partitions
    assert found is not None
    scan, hashed = found.rows
    for times, said in ((0.25, "The linear scan"), (3.0, hashed.search)):
        row = hashed.model_copy(update={"values": {**hashed.values, "times": times}})
        assert said.lower() in str(fastest([scan, row])).lower()
    assert not fastest([scan])


def _shares(row: BenchVotes) -> list[float]:
    return [row.values[key] for key in ("before", "after", "overlap share")]


def test_the_same_experiment_gives_the_same_figures(experiment: Experiment) -> None:
    few = experiment.changed(bits=(16,), epsilons=(1.5,), marks=(30,))
    one, other = (found for found in (bench(few).partitions, bench(few).partitions) if found is not None)
    assert [_shares(row) for row in one.rows] == [_shares(row) for row in other.rows]


def test_a_metric_that_does_harm_is_named(experiment: Experiment, tmp_path: Path) -> None:
    x = np.load(experiment.base.removesuffix("::x"))["x"]
    np.save(tmp_path / "loud.npy", np.diag(np.r_[np.ones(x.shape[1] - 2), np.full(2, 1e-3)]).astype(np.float32))
    harmed = bench(experiment.changed(metric=str(tmp_path / "loud.npy"), marks=(), bits=(16,), epsilons=(1.5,)))
    assert harmed.partitions is not None
    (scan, *_others) = harmed.partitions.rows
    assert scan.values["after"] < scan.values["before"]
    assert f"{100 * scan.values['after']:.1f} % are judged rightly" in str(scan.note)
    helped = bench(experiment.changed(marks=(60,), bits=(16,), epsilons=(1.5,))).partitions
    assert helped is not None
    assert helped.rows[0].values["gain"] > 0
    assert not helped.rows[0].note


def test_a_search_looks_at_the_share_that_is_asked_for(experiment: Experiment) -> None:
    asked = experiment.changed(
        search=("permuted", "scan"), shares=(0.17, 0.3), epsilons=(), bits=(32,), marks=(10,), partitions=1
    )
    found = bench(asked).partitions
    assert found is not None
    looked = [one.values["looked_at share"] for one in found.rows]
    assert looked[0] == looked[4] == 1.0  # the linear scan, and one of codes with a thousand candidates
    assert looked[1] < looked[2] < looked[3]
    assert looked[2:4] == pytest.approx([36 / 222, 54 / 222])
    assert looked[5:] == pytest.approx([0.17, 0.3], abs=0.01)


def test_pairs_of_a_file_never_ask_and_other_metrics_need_none(experiment: Experiment, tmp_path: Path) -> None:
    file = experiment.labels.removesuffix("::labels")
    labels = np.load(file)["labels"]
    rows = np.arange(0, 120).reshape(60, 2)
    np.save(tmp_path / "pairs.npy", np.column_stack([rows, labels[rows[:, 0]] == labels[rows[:, 1]]]))
    asked = experiment.changed(pairs=str(tmp_path / "pairs.npy"), marks=(), bits=(64,), epsilons=(1.5,), partitions=2)
    found = bench(asked).partitions
    assert found is not None
    assert found.labelled == 0
    assert [one.values["pairs"] for one in found.rows] == [60, 60]
    assert found.rows[0].values["gain"] > 0.1
    white = bench(asked.changed(metric="whitening", pairs="", scaled=True, partitions=1)).partitions
    assert white is not None
    assert white.scaled
    assert white.rows[0].values["pairs"] == 0
    assert "before" not in white.rows[0].spread
    assert (
        white.rows[0].values["before"] > found.rows[0].values["before"] + 0.2
    )  # scaled, what tells is as loud as the rest


def test_it_is_written_and_read_and_asked_for_by_what_only_it_has(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own.toml").write_text(experiment.complete().to_toml())
    assert read_experiment(tmp_path / "own.toml") == experiment.complete()
    assert experiment.complete().search == ("permuted",)
    assert experiment.changed(epsilons=()).complete().shares == (0.1,)
    (tmp_path / "own.toml").write_text('base = "x.npy"\nmarks = 0\n')
    assert read_experiment(tmp_path / "own.toml").marks == ()
    plain = Experiment(base=experiment.base, labels=experiment.labels, metric="itml", asked=2, labelled=5)
    assert partitions.PARTITIONS == 10
    monkeypatch.setattr(partitions, "PARTITIONS", 2)
    found = bench(plain.changed(methods=("lsh:bits=8",))).partitions
    assert found is not None
    assert found.partitions == 2
    assert found.rows[0].values["pairs"] == 3 * 5 * 4 / 2 + 75  # 20 a pair of classes would be 180, and there are 105


def test_bits_alone_sweep_lengths(experiment: Experiment) -> None:
    plain = Experiment(base=experiment.base, methods=("lsh", "sik:bits=4"), bits=(8, 24), query_count=20)
    found = bench(plain)
    assert found.partitions is None
    assert [one.method for one in found.results] == ["lsh:bits=8", "lsh:bits=24", "sik:bits=8", "sik:bits=24"]


def test_the_lab_keeps_it_and_goes_on_where_it_was_stopped(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = experiment.changed(bits=(16,), epsilons=(1.5,), marks=())
    expected = bench(few).partitions
    assert expected is not None
    learned: list[str] = []

    def fit(text: str, *others: Any) -> Any:
        learned.append(text)
        return bench_metric(text, *others)

    monkeypatch.setattr("twinlens.app.bench.partitions.bench_metric", fit)

    def stopping(_done: float, _total: float, text: object) -> None:
        if "Step 6" in str(text):
            raise Cancelled

    with Library.open(tmp_path / "library.twinlens", create=True) as library:
        with pytest.raises(Cancelled):
            run_experiment(library, few, "parts", stopping)
        (row,) = load_run(library, "parts").rows
        assert (row.measured.seeds, len(learned)) == ([0], 1), "one partition is complete"
        found = resume_run(library, "parts")
        assert (found.complete, found.steps, len(learned)) == (True, 8, 2)
        assert resume_run(library, "parts") == found
        assert len(learned) == 2, "nothing is measured again"
    (row,), votes = found.rows, expected.rows[1]
    assert (row.measured.method, row.measured.search) == (votes.method, votes.search)
    assert (row.measured.seeds, row.measured.of, row.measured.bits) == ([0, 1], 222, 16)
    assert row.measured.values["accuracy"] == pytest.approx(votes.values["after"])
    assert row.measured.values["accuracy_before"] == pytest.approx(votes.values["before"])
    assert row.measured.values["overlap@4"] == pytest.approx(votes.values["overlap share"])
    assert row.measured.values["looked_at"] / 222 == pytest.approx(votes.values["looked_at share"])
    assert row.measured.spread["accuracy"] / 2**0.5 == pytest.approx(votes.spread["after"])


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"labels": ""}, "Partitions need labels"),
        ({"metric": ""}, "Partitions need a metric"),
        ({"metric": "whitening"}, "not learned from pairs"),
        ({"truth": "l2"}, "drawn from the base"),
        ({"search": ("exact",)}, "does not search codes"),
        ({"marks": (0,)}, "marks must be"),
        ({"k": 0}, "k must be"),
        ({"shares": (1.5,)}, "above 0 and at most 1"),
    ],
)
def test_wrong_use_is_told(experiment: Experiment, values: dict[str, object], words: str) -> None:
    with pytest.raises(TwinlensError, match=words):
        bench(experiment.changed(**values))


def test_one_command_gives_a_table_json_and_csv(
    capfdbinary: pytest.CaptureFixture[bytes], experiment: Experiment, tmp_path: Path
) -> None:
    words = (
        *("bench", experiment.base, "--labels", experiment.labels, "--metric", "itml", "-k", "4", "-q"),
        *(
            "--partitions",
            "2",
            "--labelled",
            "8",
            "--asked",
            "5",
            "--marks",
            "20,40",
            "--bits",
            "16",
            "--method",
            "lsh",
        ),
    )
    code, out, _ = command(capfdbinary, *words, "--epsilon", "1.5", "--table", str(tmp_path / "table.csv"))
    assert code == 0
    for word in (
        "2 partitions with 15 queries",
        "linear scan",
        "lsh:bits=16 · permuted",
        "±",
        "looked at",
        "4 voting neighbours",
    ):
        assert word in out, word
    with (tmp_path / "table.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["search"], row["pairs"]) for row in rows] == [
        ("linear", "20"), ("permuted", "20"), ("linear", "40"), ("permuted", "40")
    ]  # fmt: skip
    code, out, _ = command(capfdbinary, *words, "--json")
    assert code == 0
    found = json.loads(out)["partitions"]["rows"]
    assert [f"{one['after']['mean']:.8g}" for one in found] == [row["after"] for row in rows]
    for wrong in (("--epsilon", "much"), ("--table", str(tmp_path / "nowhere" / "t.csv")), ("--queries", "x.npy")):
        assert command(capfdbinary, *words, *wrong)[0] == 2
