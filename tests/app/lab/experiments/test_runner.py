"""The Lab's numbers are bench's and plain numpy's; what is measured is kept, and never measured again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.bench.bench import bench, declared, written_out
from app.bench.bench_results import BenchMethodResult
from app.bench.experiment import Experiment
from app.lab.experiments.lab_results import LabRun
from app.lab.experiments.runner import resume_run, run_experiment
from app.lab.experiments.runs import load_run
from app.library.library import Library
from app.marks.marks import mark_pairs
from app.methods import catalogue
from core.errors import Cancelled, TwinlensError
from core.evaluation import plan as plan_module
from core.evaluation.method_evaluation import evaluated_searches
from tests.app.lab.making import PLAN, STORED, new_library
from tests.app.made_library import put


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Library]:
    with new_library(tmp_path) as library:
        yield library


def without_times(one: BenchMethodResult) -> dict[str, Any]:
    values = one.model_dump(exclude={"seconds"})
    values["deviation"] = {name: value for name, value in values["deviation"].items() if "seconds" not in name}
    return values


def test_figures_are_those_of_bench_on_the_same_vectors(measured: tuple[Library, LabRun], tmp_path: Path) -> None:
    np.save(tmp_path / "base.npy", STORED)
    methods = ("lsh:bits=16", "lsh:bits=48")
    asked = Experiment(
        str(tmp_path / "base.npy"), methods=methods, search=PLAN.search, seeds=PLAN.seeds, query_count=40,
        truth="hellinger",
    )  # fmt: skip
    expected, found = bench(asked), measured[1]
    assert found.complete
    assert [without_times(row.measured) for row in found.rows] == [without_times(one) for one in expected.results]
    assert [row.measured.deviation["map"] > 0 for row in found.rows] == [True] * 4, "seeds that tell nothing"
    assert found.data is not None
    assert (found.data.n, found.data.queries, found.data.truth) == (160, 40, "hellinger")


def test_figures_are_those_of_plain_numpy(measured: tuple[Library, LabRun]) -> None:
    row = measured[1].rows[0]
    assert row.measured.method == "lsh:bits=16"
    asking = np.sort(np.random.default_rng(20_150_607).choice(160, 40, replace=False))
    roots = np.sqrt(STORED.astype(np.float64))
    away = np.square(roots[:, None] - roots[None]).sum(axis=2)
    recalls: dict[int, list[float]] = {1: [], 10: [], 30: []}
    precisions = []
    for seed in PLAN.seeds:
        codes = np.unpackbits(
            catalogue.method(f"lsh:bits=16,seed={seed}").fit(STORED).encode(STORED), axis=1, bitorder="little"
        )[:, :16]
        for asked in asking:
            others = np.delete(np.arange(160), asked)
            hamming = (codes[others] != codes[asked]).sum(axis=1)
            true = others[np.argsort(away[asked, others], kind="stable")][:50]
            far = hamming[others == true[0]][0]
            nearer, tied = (hamming < far).sum(), (hamming == far).sum()
            for first, values in recalls.items():
                values.append(np.clip((first - nearer) / tied, 0, 1))
            precisions.append(tied_precision(hamming, np.isin(others, true)))
    assert row.measured.recall["1"] == pytest.approx(np.mean(recalls[1]))
    assert row.measured.recall["10"] == pytest.approx(np.mean(recalls[10]))
    assert dict(row.recall_curve)[30] == pytest.approx(np.mean(recalls[30]))
    assert row.measured.map == pytest.approx(np.mean(precisions), abs=1e-9)
    halves = np.array(recalls[30]).reshape(2, -1).mean(axis=1)
    assert row.recall_spread[[at for at, _ in row.recall_curve].index(30)] == pytest.approx(halves.std(ddof=1))
    assert row.bytes_each == 2


def tied_precision(hamming: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> float:
    """Average precision, in expectation over the orders of what is tied, term by term."""
    before = found = 0
    total = 0.0
    for distance in np.unique(hamming):
        here = hamming == distance
        tied, hits = int(here.sum()), int((here & right).sum())
        for i in range(tied):
            more = (hits - 1) * i / (tied - 1) if tied > 1 else 0.0
            total += hits / tied * (found + 1 + more) / (before + i + 1)
        before, found = before + tied, found + hits
    return total / int(right.sum())


def test_folders_are_the_truth_that_labels_are_in_bench(measured: tuple[Library, LabRun], tmp_path: Path) -> None:
    library, _ = measured
    np.save(tmp_path / "base.npy", STORED)
    np.save(tmp_path / "labels.npy", (np.arange(1, 161) - 1) // 100)
    method = "klsh:bits=24,kernel=hellinger,landmarks=60,samples=20"
    asked = Experiment(methods=(method,), search=("scan",), k=3, query_count=30)
    there = asked.changed(base=str(tmp_path / "base.npy"), labels=str(tmp_path / "labels.npy"), truth="labels")
    found = run_experiment(library, asked.changed(index="Learned", truth="folders"), "folders")
    (expected,) = bench(there).results
    assert without_times(found.rows[0].measured) == without_times(expected)
    assert found.rows[0].measured.accuracy is not None
    assert found.data is not None
    assert str(found.data.relevant) == "photos in the same folder"


def test_marks_are_the_truth(own: Library) -> None:
    mark_pairs(own, [(3, 9), (3, 30), (40, 41)], similar=True)
    mark_pairs(
        own, [(40, 41), (5, 6)], similar=False
    )  # one that contradicts, and one that says nothing of what is right
    found = run_experiment(
        own, Experiment(index="Learned", methods=("lsh:bits=64",), truth="marks", search=("scan",)), "marks"
    )
    assert found.data is not None
    assert (found.data.queries, str(found.data.relevant)) == (3, "photos marked as similar")
    codes = np.unpackbits(catalogue.method("lsh:bits=64,seed=0").fit(STORED).encode(STORED), axis=1)
    precisions = []
    for asked, right in ((3, {9, 30}), (9, {3}), (30, {3})):
        others = [one for one in range(1, 161) if one != asked]
        hamming = (codes[np.array(others) - 1] != codes[asked - 1]).sum(axis=1)
        precisions.append(tied_precision(hamming, np.isin(others, list(right))))
    assert found.rows[0].measured.map == pytest.approx(np.mean(precisions))


def test_nothing_is_measured_twice_and_what_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fits: list[tuple[str, int, int]] = []
    genuine = evaluated_searches

    def counted(method: Any, searches: Any, *rest: Any) -> Any:
        fits.append((method.changed(seed=0).text(), method.seed, len(searches)))
        return genuine(method, searches, *rest)

    monkeypatch.setattr(plan_module, "evaluated_searches", counted)

    def stop(done: float, total: float, text: object = "") -> None:
        if str(text).startswith("Step 6 of 8"):
            raise Cancelled

    with new_library(tmp_path) as library:
        with pytest.raises(Cancelled):
            run_experiment(library, PLAN, progress=stop)
        part, path = load_run(library, "bits"), library.address
    assert (part.done, part.steps, part.complete) == (5, 8, False)
    assert [len(row.measured.seeds) for row in part.rows] == [2, 2, 1], "what is there is told"
    fits.clear()
    with Library.open(path) as again:
        whole = resume_run(again, "BITS")
        assert whole.complete
        assert sorted(fits) == [("lsh:bits=48", 0, 1), ("lsh:bits=48", 3, 2)]
        fits.clear()
        assert resume_run(again, "bits") == whole
        assert run_experiment(again, PLAN) == whole, "the same plan under the same name is the same run"
        other = run_experiment(again, PLAN.changed(name="more", methods=("lsh:bits={16,48,64}",)))
        assert fits == [("lsh:bits=64", 0, 2), ("lsh:bits=64", 3, 2)]
        assert [row.measured for row in other.rows[:4]] == [row.measured for row in whole.rows]
        with pytest.raises(TwinlensError, match="already a run named"):
            run_experiment(again, PLAN.changed(seeds=(7,)))


def test_other_photographs_are_other_data(own: Library) -> None:
    plan = PLAN.changed(methods=("lsh:bits=16",), search=("scan",), seeds=(0,))
    before = run_experiment(own, plan)
    put(own, STORED[:3], start=160)
    after = resume_run(own, "bits")
    assert before.data is not None
    assert after.data is not None
    assert (before.data.n, after.data.n, after.complete, after.id) == (160, 163, True, before.id)
    assert before.digest != after.digest


def test_a_plan_is_written_out(measured: tuple[Library, LabRun]) -> None:
    plan = written_out(Experiment("x.npy", methods=("klsh:rank={4,8}", "itq"), bits=(16, 32), seeds=(1, 1)))
    methods = declared(plan)
    assert plan.methods == tuple(one.text() for one in methods)
    assert [(one.key, one.bits) for one in methods] == [
        (key, bits) for key in ("klsh",) * 2 + ("itq",) for bits in (16, 32)
    ]
    assert (plan.bits, plan.seeds) == ((), (1,))
    library, _ = measured
    for plan, words in (
        (Experiment(index="Lerned"), "no index “Lerned”"),
        (PLAN.changed(partitions=3, truth="", metric="itml", name=""), "Partitions need labels"),
        (PLAN.changed(methods=("lsh:bits={8,",)), "unclosed brace"),
        (PLAN.changed(truth="marks", name=""), "marked as similar"),
        (PLAN.changed(truth="edits", edits=("grei",), name=""), "no edit “grei”"),
        (PLAN.changed(truth="nothing", name="other"), "Unknown truth “nothing”"),
    ):
        with pytest.raises(TwinlensError, match=words):
            run_experiment(library, plan)
