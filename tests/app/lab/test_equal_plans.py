"""The same plan gives the same numbers, to the digit, wherever it is asked from."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from importlib import util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.app.folders import added, write_scenes
from tests.app.lab.making import STORED
from tests.app.made_library import make
from twinlens import workbench
from twinlens.app.bench.bench import bench
from twinlens.app.bench.bench_results import BenchMethodResult
from twinlens.app.bench.code_bench import bench_codes
from twinlens.app.bench.experiment import Experiment
from twinlens.app.bench.kept_steps import CachedSteps
from twinlens.app.bench.tuning import tune_parameters
from twinlens.app.bench.tuning_settings import TuningSettings
from twinlens.app.evaluate.edited_copies import PhotographOrder
from twinlens.app.evaluate.evaluation import chosen_edits, evaluate
from twinlens.app.evaluate.evaluation_settings import EvaluationSettings
from twinlens.app.indexes.fitted_models import load_extractor
from twinlens.app.indexes.loaded_index import index_measure
from twinlens.app.lab.advice import index_trials
from twinlens.app.lab.advice import index_trials as order
from twinlens.app.lab.advice.advice import advise
from twinlens.app.lab.advice.advice_settings import AdviceSettings
from twinlens.app.lab.advice.index_plan import AdvicePhotographs
from twinlens.app.lab.experiments.runner import measure_indexes, run_experiment
from twinlens.app.lab.explore.explorer import Explorer
from twinlens.app.lab.explore.knobs import KnobSetting
from twinlens.app.lab.explore.sample import load_material
from twinlens.app.library.library import Library
from twinlens.app.methods import catalogue
from twinlens.core.evaluation import plan as plan_module
from twinlens.core.evaluation.plan import HeldOutSplits
from twinlens.features.pictures.channels import picture_of_pixels

METHOD, SEARCH = "lsh:bits=24", "scan:candidates=100"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    file = tmp_path_factory.mktemp("equal") / "made.twinlens"
    with make(file, STORED, [("Short", "colour:levels=1", METHOD, SEARCH)]) as made:
        yield made


@pytest.fixture(scope="module")
def benched(tmp_path_factory: pytest.TempPathFactory) -> BenchMethodResult:
    file = tmp_path_factory.mktemp("equal") / "base.npy"
    np.save(file, STORED)
    asked = Experiment(base=str(file), methods=(METHOD,), search=(SEARCH,), truth="hellinger")
    return bench(asked).results[0]


def figures(one: BenchMethodResult) -> dict[str, Any]:
    return {name: value for name, value in one.model_dump().items() if name != "seconds"}


def test_the_lab_and_bench(library: Library, benched: BenchMethodResult) -> None:
    found = run_experiment(library, Experiment(index="Short", methods=(METHOD,), search=(SEARCH,)), "lab")
    assert figures(found.rows[0].measured) == figures(benched)
    assert 0.2 < benched.values["recall@10"] < 0.999, "a figure that tells"
    assert benched.values["overlap@10"] < 1, "another"


def test_evaluate_and_bench_and_the_lab_keeps_it(
    library: Library, benched: BenchMethodResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    (found,) = measure_indexes(library, ["Short"]).indexes
    assert figures(found.measured) == figures(benched)
    monkeypatch.delattr(plan_module, "evaluated_searches")
    again = measure_indexes(library)
    assert again.indexes == [found], "what was measured is not measured again"
    taken_over = run_experiment(library, Experiment(index="Short", methods=(METHOD,), search=(SEARCH,)), "taken over")
    assert figures(taken_over.rows[0].measured) == figures(benched), "by the Lab neither"
    assert "0 photos with vectors" in str(again.notes[0]), "the automatic index has none yet"


def test_scripts_and_bench(benched: BenchMethodResult) -> None:
    (row,) = workbench.bench(STORED, 100, [METHOD], [SEARCH], truth="hellinger")
    values = {key: value for key, value in benched.values.items() if not key.startswith("seconds")}
    assert values == {key: row[key] for key in values}
    assert {"recall@10", "overlap@10", "map", "looked_at", "scanned", "bytes model", "bytes search"} <= values.keys()


def test_advice_and_bench(library: Library, benched: BenchMethodResult, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "BITS", (64,))
    monkeypatch.setattr(order, "_OTHERS", 1)
    now = itertools.count()
    wanted = AdviceSettings(time_limit_s=100_000, truth="neighbours", clock=lambda: float(next(now)))
    own = next(one for one in advise(library, wanted).points if one.index == "Short")
    assert (own.questions, own.overlap, own.recall) == (100, benched.values["overlap@10"], benched.values["overlap@10"])
    monkeypatch.delattr(AdvicePhotographs, "exactly")
    resumed = next(one for one in advise(library, wanted).points if one.index == "Short")
    assert resumed == own, "what was measured is not measured again"


def test_tune_and_bench(library: Library, tmp_path: Path) -> None:
    wanted = TuningSettings(descriptor="colour:levels=1", methods=(METHOD,), trials=5, queries=20, truth="hellinger")
    store = CachedSteps(tmp_path / "steps.jsonl")
    (tuned,) = tune_parameters(wanted, library, store=store).tried
    recalls = []
    for split in tuned.splits:
        asked, found = HeldOutSplits(STORED, "hellinger", 20).rows(split, tuned.items)
        np.save(tmp_path / "base.npy", STORED[found])
        np.save(tmp_path / "queries.npy", STORED[asked])
        base, queries = (str(tmp_path / f"{name}.npy") for name in ("base", "queries"))
        plan = Experiment(base=base, queries=queries, methods=(METHOD,), search=("scan",), truth="hellinger")
        recalls.append(bench(plan).results[0].values)
    assert tuned.splits == [0, 1, 2, 3]
    for key in ("recall@1", "recall@10", "recall@100"):
        assert tuned.values[key] == np.mean([one[key] for one in recalls])
    assert 0.2 < tuned.values["recall@10"] < 0.999, "a figure that tells"
    assert tune_parameters(wanted, library, store=store).tried == [tuned]


@pytest.mark.skipif(util.find_spec("faiss") is None, reason="faiss is not installed")
def test_a_peer_in_advice_and_in_bench(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "BITS", (64,))
    monkeypatch.setattr(order, "_OTHERS", 0)
    monkeypatch.setattr(index_trials, "PEER_SEARCH", SEARCH)
    np.save(tmp_path / "base.npy", STORED)
    asked = Experiment(base=str(tmp_path / "base.npy"), methods=("faiss:LSH",), search=(SEARCH,), truth="hellinger")
    (expected,) = bench(asked).results
    now = itertools.count()
    wanted = AdviceSettings(
        time_limit_s=45_000, truth="neighbours", peers=("LSH", "PQ7"), clock=lambda: float(next(now))
    )
    result = advise(library, wanted)
    (found,) = result.peers
    assert (found.method, found.overlap) == ("faiss:LSH", expected.values["overlap@10"])
    assert 0.1 < found.overlap < 1
    assert found.bytes_per_photograph == expected.values["bytes codes"] // 160
    assert found.key not in {one.key for one in result.points}, "it is never proposed"
    assert "multiple" in " ".join(map(str, result.refused))


def test_a_turned_knob_and_bench(library: Library, benched: BenchMethodResult) -> None:
    found = Explorer(load_material(library, "Short")).exact(
        KnobSetting(catalogue.method(METHOD), catalogue.search_structure(SEARCH))
    )
    shown = ("recall@1", "recall@10", "recall@100", "map", "overlap@10", "looked_at", "scanned")
    assert [found.values[key] for key in shown] == [benched.values[key] for key in shown]


def test_a_file_of_vectors_in_the_lab_and_bench(library: Library, benched: BenchMethodResult, tmp_path: Path) -> None:
    np.save(tmp_path / "base.npy", STORED)
    plan = Experiment(base=str(tmp_path / "base.npy"), methods=(METHOD,), search=(SEARCH,), truth="hellinger")
    assert figures(run_experiment(library, plan, "file").rows[0].measured) == figures(benched)


def test_evaluate_with_pictures_and_a_plain_computation(tmp_path: Path) -> None:
    """Edited copies described and ranked by numpy alone, of photographs that no other test has."""
    write_scenes(tmp_path / "photographs", 6, first=300)
    shutil.copyfile(tmp_path / "photographs" / "0303.jpg", tmp_path / "photographs" / "again.jpg")
    file, names = tmp_path / "pictures.twinlens", ("crop 25 %", "grey", "pasted", "turn 180")
    added(file, tmp_path / "photographs")
    with Library.open(file) as library:
        found = evaluate(
            library,
            EvaluationSettings(indexes=("Colours",), descriptors=("colour",), photographs=4, edits=names, check=False),
        )
        with library.store.reading() as r:
            kind = index_measure(r, "Colours").kind
            (ids, stored) = next(r.descriptors.blocks(kind))
            extractor = load_extractor(r, kind)
        roots = np.sqrt(stored.astype(np.float64))
        ranks: dict[str, list[int]] = {name: [] for name in names}
        for copies in PhotographOrder(library, None, 0).copies(chosen_edits(names), 4):
            for copy in copies:
                asked = np.sqrt(
                    extractor.extract(picture_of_pixels(copy.editing.pixels())).astype(kind.stored()).astype(np.float64)
                )
                cosine = roots @ asked / np.sqrt(np.square(roots).sum(axis=1) * np.square(asked).sum())
                order = ids[np.lexsort((ids, np.round(2 - 2 * cosine, 9)))].tolist()
                counting = [one for one in order if one not in copy.beside]
                ranks[copy.edit.name].append(min(counting.index(one) for one in copy.right))
    for index in found.indexes[:2]:
        for one in index.edits:
            places = np.array(ranks[one.edit])
            assert one.questions == 4
            assert one.values["found@1"] == np.mean(places == 0)
            assert one.values["found@10"] == np.mean(places < 10)
            assert one.values["map"] == pytest.approx(np.mean(1 / (places + 1)), abs=1e-15)
        assert index.mean.values["map"] == pytest.approx(
            np.mean([1 / (one + 1) for some in ranks.values() for one in some])
        )
    assert 0 < found.indexes[1].mean.values["found@1"] < 1, "a figure that tells"


def test_partitions_in_the_lab_and_in_bench(library: Library, tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", x=STORED, labels=np.arange(len(STORED)) % 3)
    asked = Experiment(
        base=f"{tmp_path / 'x.npz'}::x",
        labels=f"{tmp_path / 'x.npz'}::labels",
        metric="whitening",
        partitions=1,
        asked=9,
        k=3,
        methods=(METHOD, "itq:bits=8"),
        search=("scan:candidates=20",),
    )
    votes = bench(asked).partitions
    assert votes is not None
    rows = [one.measured for one in run_experiment(library, asked, "partitions").rows]
    assert [(one.method, one.search) for one in rows] == [(one.method, one.search) for one in votes.rows[1:]]
    for one, other in zip(rows, votes.rows[1:], strict=True):
        mine, theirs = one.values, other.values
        assert (mine["accuracy"], mine["accuracy_before"]) == (theirs["after"], theirs["before"])
        assert (mine["overlap@3"], mine["looked_at"] / one.of) == (theirs["overlap share"], theirs["looked_at share"])
    assert 0.2 < rows[0].values["overlap@3"] < 1, "a figure that tells"


def test_codes_in_a_file_and_the_codes_of_bench(benched: BenchMethodResult, tmp_path: Path) -> None:
    """The scan compares the same codes, whoever made them; its nearest are true by what it measures."""
    np.save(tmp_path / "codes.npy", catalogue.method(METHOD).fit(STORED).encode(STORED))
    (given,) = bench_codes(Experiment(base=str(tmp_path / "codes.npy"), search=("scan",))).results
    assert given.of == benched.of
    assert [given.values[key] == benched.values[key] for key in ("scanned", "bytes search")] == [True, True]
    assert [given.values[key] for key in ("recall@1", "overlap@10", "overlap@100")] == [1.0, 1.0, 1.0]
