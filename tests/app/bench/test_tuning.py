"""Good parameters for vectors of a file and of a library; wrong use is a sentence."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.app.made_library import FEW_BITS, SIZE, histograms, make
from twinlens.app.bench.bench import bench
from twinlens.app.bench.experiment import read_experiment
from twinlens.app.bench.kept_steps import CachedSteps
from twinlens.app.bench.tuning import TuneResult, tune_parameters, tuning_file
from twinlens.app.bench.tuning_settings import TuningSettings
from twinlens.app.library.library import Library
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.evaluation.measures import by_count
from twinlens.testing.declarations import training_data


@pytest.fixture
def vectors(tmp_path: Path) -> str:
    np.save(tmp_path / "vectors.npy", training_data(400, 24))
    return f"{tmp_path}/vectors.npy"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with make(tmp_path / "library.twinlens", histograms(300), [FEW_BITS]) as made:
        yield made


def test_everything_that_was_tried_is_told(vectors: str) -> None:
    result = tune_parameters(TuningSettings(base=vectors, methods=("itq", "lsh"), bits=(8, 16), trials=40))
    assert (result.data.n, result.data.d, result.data.queries, result.data.truth) == (400, 24, 80, "l2")
    assert result.trials <= 40
    assert {one.bits for one in result.tried} == {8, 16}
    assert {one.method.split(":")[0] for one in result.tried} == {"itq", "lsh"}
    chosen = next(one for one in result.tried if one.method == result.chosen)
    assert chosen.values["recall@10"] == result.recall
    assert (
        set(by_count(chosen.values, "recall@"))
        == {"1", "10", "100"}
        == set(by_count(chosen.spread, "recall@")) | set(by_count(chosen.values, "recall@"))
    )
    assert max(one.values["recall@10"] for one in result.tried if one.items == chosen.items) - result.recall < 0.1
    assert result.command == f"twinlens bench {vectors} --method {result.chosen} --truth l2"
    assert any("bytes" in one.best_for for one in result.tried)
    assert sum(one.default for one in result.tried) == 4
    document = result.model_dump_json()
    assert TuneResult.model_validate_json(document).model_dump_json() == document
    assert json.loads(result.model_dump_json())["chosen"] == result.chosen


def test_a_number_of_trials_repeats(vectors: str) -> None:
    wanted = TuningSettings(base=vectors, methods=("klsh",), bits=(16,), trials=12, seed=3)
    first, second = tune_parameters(wanted), tune_parameters(wanted)
    assert first.chosen == second.chosen
    assert [(one.method, by_count(one.values, "recall@")) for one in first.tried] == [
        (one.method, by_count(one.values, "recall@")) for one in second.tried
    ]
    assert first.data.truth == "gaussian"
    other = tune_parameters(TuningSettings(base=vectors, methods=("klsh",), bits=(16,), trials=12, seed=4))
    assert [one.method for one in other.tried] != [one.method for one in first.tried]


def test_what_the_library_holds_is_tuned_on(library: Library) -> None:
    wanted = TuningSettings(descriptor="colour:levels=1", methods=("klsh:kernel=chi-square",), bits=(32,), trials=8)
    result = tune_parameters(wanted, library)
    assert (result.data.base, result.data.n, result.data.d) == ("colour:levels=1", 300, SIZE)
    assert result.data.truth == "chi-square"
    assert result.command.startswith("twinlens index create --descriptor colour:levels=1 --method klsh:")
    assert result.chosen in result.command
    saved = tomllib.loads(tuning_file(wanted, result))
    assert saved == {"descriptor": "colour:levels=1", "method": result.chosen}
    plain = tune_parameters(
        TuningSettings(descriptor="colour:levels=1", methods=("lsh",), bits=(32,), trials=2), library
    )
    assert plain.data.truth == "hellinger"
    with pytest.raises(TwinlensError, match="has no vectors of edges"):
        tune_parameters(TuningSettings(descriptor="edges"), library)


def test_the_answer_is_an_experiment_that_runs(vectors: str, tmp_path: Path) -> None:
    wanted = TuningSettings(base=vectors, methods=("itq:subspace=random",), bits=(16,), trials=6, truth="cosine")
    result = tune_parameters(wanted)
    (tmp_path / "own.toml").write_text(tuning_file(wanted, result), "utf-8")
    experiment = read_experiment(tmp_path / "own.toml")
    assert experiment.truth == "cosine"
    assert experiment.methods[0] == result.chosen
    assert all("subspace=random" in one.method for one in result.tried)
    assert bench(experiment).results[0].method == result.chosen


def test_cancelled_it_still_answers(vectors: str) -> None:
    def stop(done: float, total: float, text: object = "") -> None:
        if done > 0.3:
            raise Cancelled

    wanted = TuningSettings(base=vectors, methods=("lsh",), bits=(8, 16), trials=10)
    result = tune_parameters(wanted, progress=stop)
    assert result.cancelled
    assert result.trials < 10
    assert result.chosen.startswith("lsh:bits=")

    def at_once(done: float, total: float, text: object = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        tune_parameters(wanted, progress=at_once)


def test_stopped_it_goes_on_where_it_was(vectors: str, tmp_path: Path) -> None:
    def stop(done: float, total: float, text: object = "") -> None:
        if done > 0.5:
            raise Cancelled

    wanted = TuningSettings(base=vectors, methods=("itq",), bits=(8, 16), trials=20)
    first = tune_parameters(wanted, progress=stop, store=CachedSteps(tmp_path / "steps.jsonl"))
    assert first.cancelled
    known = (tmp_path / "steps.jsonl").read_bytes()
    again = tune_parameters(wanted, store=CachedSteps(tmp_path / "steps.jsonl"))
    assert (tmp_path / "steps.jsonl").read_bytes().startswith(known)
    whole = tune_parameters(wanted)
    timed = {"encode_seconds", "query_seconds", "fit_seconds", "best_for"}
    told = [
        [{key: value for key, value in one.model_dump().items() if key not in timed} for one in result.tried]
        for result in (again, whole)
    ]
    assert told[0] == told[1]
    assert (again.chosen, again.trials) == (whole.chosen, whole.trials)
    kept = (tmp_path / "steps.jsonl").read_bytes()
    tune_parameters(wanted, store=CachedSteps(tmp_path / "steps.jsonl"))
    assert (tmp_path / "steps.jsonl").read_bytes() == kept, "nothing is measured twice"


def test_wrong_use_is_a_sentence(vectors: str, tmp_path: Path) -> None:
    np.save(tmp_path / "few.npy", np.ones((10, 4)))
    for wanted, words in (
        (TuningSettings(base=vectors, methods=()), "No methods to try"),
        (TuningSettings(), "two sources"),
        (TuningSettings(base=vectors, descriptor="colour"), "two sources"),
        (TuningSettings(base=vectors, methods=("nothing",)), "no “nothing”"),
        (TuningSettings(base=vectors, methods=("itq",), bits=(64,)), "here 24, not 64"),
        (TuningSettings(base=vectors, truth="colour"), "truth “colour” is not possible.*Give l2, cosine"),
        (TuningSettings(base=f"{tmp_path}/few.npy"), "10 vectors"),
        (TuningSettings(base=f"{tmp_path}/none.npy"), "no file"),
        (TuningSettings(base=vectors, bits=(0,)), "from 1 to"),
    ):
        with pytest.raises(TwinlensError, match=words):
            tune_parameters(wanted)


def test_codes_are_as_long_as_short_vectors_allow(vectors: str) -> None:
    found = tune_parameters(TuningSettings(base=vectors, methods=("itq",), trials=2))
    assert {one.bits for one in found.tried} == {24}


def test_too_little_time_is_a_sentence(vectors: str) -> None:
    times = iter(range(1_000))
    with pytest.raises(TwinlensError, match="in 2 seconds"):
        tune_parameters(TuningSettings(base=vectors, methods=("lsh",), seconds=2.0), clock=lambda: float(next(times)))
