"""The Lab's numbers are those of bench and plain numpy, in a process of its own too; nothing is measured again."""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Iterator
from importlib import util
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from PIL import Image

from tests.app.folders import added, write_scenes
from tests.app.lab.making import PLAN, STORED, new_library
from tests.app.made_library import put
from twinlens.app.bench.bench import bench, declared, written_out
from twinlens.app.bench.bench_results import BenchMethodResult
from twinlens.app.bench.experiment import Experiment
from twinlens.app.indexes.fitted_models import load_extractor, load_metric
from twinlens.app.indexes.index_specification import named_metric
from twinlens.app.indexes.indexes import create_index
from twinlens.app.indexes.loaded_index import index_measure
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.lab.experiments.common_questions import common_questions, first_experiment
from twinlens.app.lab.experiments.experiment_file import open_experiment, run_again, write_experiment
from twinlens.app.lab.experiments.forecast import forecast_plan
from twinlens.app.lab.experiments.lab_results import LabCheckResult, LabRun
from twinlens.app.lab.experiments.run_process import RepeatRun, ResumeRun, StartRun, run_in_own_process
from twinlens.app.lab.experiments.run_sheet import make_index
from twinlens.app.lab.experiments.runner import resume_run, run_experiment
from twinlens.app.lab.experiments.runs import list_runs, load_run
from twinlens.app.learn.learning import keep_metric, propose_metric
from twinlens.app.learn.learning_settings import LearningSettings
from twinlens.app.library.library import Library
from twinlens.app.machine.output_file import OutputFile
from twinlens.app.marks.marks import mark_pairs
from twinlens.app.methods import catalogue
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.searcher import Searcher
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.evaluation import plan as plan_module
from twinlens.core.evaluation.method_evaluation import evaluated_searches
from twinlens.core.hashing.method_under_metric import under
from twinlens.features.pictures.picture import Picture, PictureFacts


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Library]:
    with new_library(tmp_path) as library:
        yield library


def without_times(one: BenchMethodResult) -> dict[str, Any]:
    values = {name: value for name, value in one.model_dump().items() if name != "seconds"}
    values["deviation"] = {name: value for name, value in values["deviation"].items() if "seconds" not in name}
    return values


def test_figures_are_those_of_bench_on_the_same_vectors(measured: tuple[Library, LabRun], tmp_path: Path) -> None:
    np.save(tmp_path / "base.npy", STORED)
    methods = ("lsh:bits=16", "lsh:bits=48")
    asked = Experiment(
        base=str(tmp_path / "base.npy"), methods=methods, search=PLAN.search, seeds=PLAN.seeds, query_count=40,
        truth="hellinger",
    )  # fmt: skip
    expected, found = bench(asked), measured[1]
    assert found.complete
    assert [without_times(row.measured) for row in found.rows] == [without_times(one) for one in expected.results]
    assert [row.measured.spread["map"] > 0 for row in found.rows] == [True] * 4, "seeds that tell nothing"
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
    assert row.values["recall@1"] == pytest.approx(np.mean(recalls[1]))
    assert row.values["recall@10"] == pytest.approx(np.mean(recalls[10]))
    assert dict(row.recall_curve)[30] == pytest.approx(np.mean(recalls[30]))
    assert row.values["map"] == pytest.approx(np.mean(precisions), abs=1e-9)
    halves = np.array(recalls[30]).reshape(2, -1).mean(axis=1)
    assert row.recall_spread[[at for at, _ in row.recall_curve].index(30)] == pytest.approx(halves.std(ddof=1))
    assert row.values["bytes each"] == 2


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
    assert "accuracy" in found.rows[0].values
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
    assert found.rows[0].values["map"] == pytest.approx(np.mean(precisions))


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
    plan = written_out(Experiment(base="x.npy", methods=("klsh:rank={4,8}", "itq"), bits=(16, 32), seeds=(1, 1)))
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


@pytest.fixture
def own_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    monkeypatch.setenv("TWINLENS_PLAIN", "1")  # figures are the same, and nothing is compiled for them
    with new_library(tmp_path) as library:
        yield library


@pytest.mark.usefixtures("separate_processes")
def test_it_is_stopped_goes_on_and_measures_what_this_process_would(
    own_process: Library, measured: tuple[Library, LabRun]
) -> None:
    kept: list[int] = []

    def stop(*_: object) -> None:
        if len(kept) > 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        run_in_own_process(own_process.address, StartRun(PLAN), stop, kept.append)
    assert not psutil.Process().children(recursive=True) or _only_helpers(), "a process is left"
    part = load_run(own_process, "bits")
    assert 2 <= part.done < part.steps == 8
    found = run_in_own_process(own_process.address, ResumeRun("bits"))
    assert isinstance(found, int)
    whole = load_run(own_process, found)
    assert [without_times(row.measured) for row in whole.rows] == [
        without_times(row.measured) for row in measured[1].rows
    ]
    again = run_in_own_process(own_process.address, RepeatRun("bits"))
    assert isinstance(again, LabCheckResult)
    assert again.figures > 20
    assert again.differing == []


def _only_helpers() -> bool:
    """Return whether nothing but what Python itself keeps is left."""
    time.sleep(0.1)
    left = psutil.Process().children(recursive=True)
    return not any("spawn_main" in " ".join(one.cmdline()) for one in left)


def test_what_cannot_be_run_is_said_by_the_process(own_process: Library) -> None:
    with pytest.raises(TwinlensError, match="no run “nothing”"):
        run_in_own_process(own_process.address, ResumeRun("nothing"))


def test_a_fault_of_the_process_is_told_in_a_line_and_logged_whole(
    own_process: Library, caplog: pytest.LogCaptureFixture
) -> None:
    plan: Any = None
    with pytest.raises(RuntimeError) as caught:
        run_in_own_process(own_process.address, StartRun(plan))
    assert str(caught.value).startswith("AttributeError: ")
    assert "\n" not in str(caught.value)
    assert "Traceback" in caplog.text


def test_every_question_has_a_plan_that_can_be_run(measured: tuple[Library, LabRun]) -> None:
    own, _ = measured
    every = common_questions(own)
    peers = ["peers"] if util.find_spec("faiss") else []
    assert [one.name for one in every] == ["method", "bits", "search", "edits", "rank", *peers]
    for one in every:
        known = forecast_plan(own, one.plan)
        assert known.photographs == 160
        assert known.steps == len(known.plan.methods) * len(known.plan.search) * len(known.plan.seeds)
        assert known.seconds > 0
        assert one.plan.question
    rank = next(one.plan for one in every if one.name == "rank")
    assert every[0].name == "method", "what a person asks comes first"
    assert "kernel=hellinger" in rank.methods[0], "KLSH compares as the index does"
    ranks = [text for text in forecast_plan(own, rank).plan.methods if "rank=" in text]
    assert len(ranks) == 3, "those above the number of landmarks are no question"


def test_a_reckoning_learns_from_what_was_measured(own_process: Library) -> None:
    plan = first_experiment(own_process)
    before = forecast_plan(own_process, plan)
    began = time.perf_counter()
    found = run_experiment(own_process, plan)
    took = time.perf_counter() - began
    assert before.steps == found.steps == 8
    after = forecast_plan(own_process, plan.changed(seeds=(0, 1, 2, 3)))
    assert after.steps == 16
    steps = sum(row.seconds for row in found.rows)
    assert 0.3 * steps < after.seconds < 3 * (2 * steps + took) + 5
    assert before.seconds < 30
    assert [one.name for one in list_runs(own_process).runs] == ["Which method for my photos"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"methods": ("itq:bits=4096",)}, "at most as many bits"),
        ({"methods": ("lsh:bits={8,",)}, "unclosed brace"),
        ({"index": "Nothing"}, "no index “Nothing”"),
        ({"truth": "edits", "edits": ("grei",)}, "no edit “grei”"),
    ],
)
def test_what_cannot_be_is_said_before_anything_runs(
    measured: tuple[Library, LabRun], changes: dict[str, tuple[str, ...] | str], words: str
) -> None:
    with pytest.raises(TwinlensError, match=words):
        forecast_plan(measured[0], Experiment(index="Learned", methods=("lsh",)).changed(**changes))


EDITS = ("mirror", "upside down")


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile nothing: figures are the same."""
    monkeypatch.setenv("TWINLENS_PLAIN", "1")


def test_edited_copies_are_asked_as_a_plain_computation_asks_them(tmp_path: Path) -> None:
    folder = tmp_path / "photographs"
    write_scenes(folder, 6)
    shutil.copyfile(folder / "0004.jpg", folder / "same.jpg")  # both are right for a copy of either
    added(tmp_path / "library.twinlens", folder)
    with Library.open(tmp_path / "library.twinlens") as library:
        create_index(
            library, NewIndex(descriptor="pixels:rows=4,columns=4", method="lsh:bits=12", search="scan", name="Small")
        )
        plan = Experiment(index="Small", methods=("lsh:bits=12",), truth="edits", edits=EDITS, query_count=6)
        found = run_experiment(library, plan.changed(search=("scan",)), "edits")
        with library.store.reading() as r:
            measured = index_measure(r, "Small")
            ids = np.asarray(r.descriptors.ids(measured.kind), np.int64)
            base = np.asarray(r.descriptors.read(measured.kind, ids)[0], np.float32)
            rows = {Path(bytes(one.path).decode()).name: one.id for one in r.photographs.by_id(ids.tolist())}
            extractor = load_extractor(r, measured.kind)
    place = {name: int(np.flatnonzero(ids == one)[0]) for name, one in rows.items()}
    codes = np.unpackbits(catalogue.method("lsh:bits=12,seed=0").fit(base).encode(base), axis=1)
    fitted = catalogue.method("lsh:bits=12,seed=0").fit(base)
    recalls: dict[int, list[float]] = {1: [], 3: []}
    precisions = []
    for name in sorted(set(rows) - {"same.jpg"}):
        pixels = np.asarray(Image.open(folder / name).convert("RGB"))
        right = {place[name], place["same.jpg"]} if name == "0004.jpg" else {place[name]}
        for turned in (pixels[:, ::-1], pixels[::-1]):
            height, width = turned.shape[:2]
            picture = Picture(np.ascontiguousarray(turned), None, PictureFacts("BMP", width, height))
            vector = extractor.extract(picture).astype(measured.kind.stored()).astype(np.float32)
            code = np.unpackbits(fitted.encode(vector[None]), axis=1)
            hamming = (codes != code).sum(axis=1)
            for first, values in recalls.items():
                best = min(hamming[one] for one in right)  # identical files: either is enough
                nearer, tied = int((hamming < best).sum()), int((hamming == best).sum())
                as_near = sum(hamming[one] == best for one in right)
                drawn = min(max(first - nearer, 0), tied)
                values.append(1 - math.comb(tied - as_near, drawn) / math.comb(tied, drawn))
            precisions.append(tied_precision(hamming, np.isin(np.arange(len(ids)), list(right))))
    (row,) = found.rows
    assert found.data is not None
    assert (found.data.queries, found.data.n) == (12, 7)
    assert 0.05 < row.values["recall@1"] < 0.95, "what tells nothing"
    assert row.values["recall@1"] == pytest.approx(np.mean(recalls[1]))
    assert dict(row.recall_curve)[3] == pytest.approx(np.mean(recalls[3]))
    assert row.values["map"] == pytest.approx(np.mean(precisions))


def test_a_learned_metric_ranks_a_plan_as_it_ranks_a_search(tmp_path: Path) -> None:
    roots = np.sqrt(STORED.astype(np.float64))
    away = np.square(roots[:, None] - roots[None]).sum(axis=2)
    order = np.argsort(away, axis=1)
    with new_library(tmp_path) as library:
        mark_pairs(library, [(i + 1, int(order[i, 1]) + 1) for i in range(14)], similar=True)
        mark_pairs(library, [(i + 1, int(order[i, -1]) + 1) for i in range(10)], similar=False)
        name = keep_metric(library, propose_metric(library, LearningSettings(index="Learned", anyway=True)))
        plan = Experiment(
            index="Learned", metric=name, methods=("lsh:bits=32",), search=("scan",), seeds=(0,), query_count=20
        )
        found = run_experiment(library, plan, "learned")
        with library.store.reading() as r:
            kept = named_metric(r, name)
            assert kept is not None
            metric = load_metric(r, kept.model_id).fitted_to(STORED)
        create_index(
            library,
            NewIndex(descriptor="colour:levels=1", method="lsh:bits=32", search="exact", name="Exactly", metric=name),
        )
        searcher = Searcher(library)
        asking = np.sort(np.random.default_rng(20_150_607).choice(160, 20, replace=False))
        encoder = under(metric, catalogue.method("lsh:bits=32,seed=0")).fit(STORED)
        codes = np.unpackbits(encoder.encode(STORED), axis=1)
        precisions = []
        for asked in asking:
            hits = [hit.id - 1 for hit in searcher.search(int(asked) + 1, "Exactly", SearchOptions(k=60)).hits]
            true = [one for one in hits if one != asked][:50]
            others = np.delete(np.arange(160), asked)
            precisions.append(tied_precision((codes[others] != codes[asked]).sum(axis=1), np.isin(others, true)))
        (row,) = found.rows
        assert found.data is not None
        assert (found.data.metric, found.data.truth) == (name, "metric")
        assert row.values["map"] == pytest.approx(np.mean(precisions), abs=2e-3)
        assert make_index(library, "learned", "1", "Made").text.endswith(f"{name} · lsh:bits=32 · scan")
        file = tmp_path / "learned.twinlens-experiment"
        write_experiment(library, "learned", OutputFile(file), vectors=True)
    again = run_again(open_experiment(file))[1]
    assert again.figures > 5
    assert again.differing == []
