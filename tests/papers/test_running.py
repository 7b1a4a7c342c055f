"""Experiments can be read and name known data and methods; results are kept and judged; verdicts follow the spread."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tests.papers.__main__ as command
from app import catalogue
from app.experiment import read_experiment
from core import compilation
from core.progress import Progress
from tests.papers import quick, running
from tests.papers.claims import PAPERS
from tests.papers.data_set import DataSet, Facts, Made
from tests.papers.result import Figure, Result, kept
from tests.papers.running import EXPERIMENTS, experiment_names, run, study, study_names
from tests.papers.sets import DATA_SETS
from tests.papers.studies import transform
from tests.papers.verdict import Claim, Judgement, Verdict, above, gained, gravest, holds, level, within


@pytest.mark.parametrize("name", experiment_names())
def test_an_experiment_names_known_data_and_methods(name: str) -> None:
    experiment = read_experiment(EXPERIMENTS / f"{name}.toml").complete()
    folders = {Path(one).parent.name for one in (experiment.base, experiment.queries) if one}
    assert folders <= {one.name for one in DATA_SETS}
    texts = [catalogue.method(text).text() for text in experiment.methods]
    assert len(set(texts)) == len(texts) > 0
    assert [catalogue.search_structure(text) for text in experiment.search]


def test_every_claim_has_a_source_and_every_source_a_claim() -> None:
    claims = [claim for make in PAPERS.values() for claim in make()]
    sources = {*experiment_names(), *study_names()}
    assert {claim.source for claim in claims} == sources
    assert len({claim.text for claim in claims}) == len(claims)


@pytest.mark.parametrize("name", study_names())
def test_a_study_names_known_data(name: str) -> None:
    assert set(study(name).DATA) <= {one.name for one in DATA_SETS}


def test_verdicts_follow_the_spread() -> None:
    high, low, wide = Figure(0.6, 0.01, 4), Figure(0.5, 0.01, 4), Figure(0.55, 0.2, 4)
    assert above(high, low) is Verdict.CONFIRMED
    assert above(low, high) is Verdict.NOT_CONFIRMED
    assert above(high, wide) is Verdict.CANNOT_TELL
    assert above(high, low, by=0.2) is Verdict.NOT_CONFIRMED
    assert above(Figure(1.0, 0, 4), Figure(0.995, 0, 4)) is Verdict.CANNOT_TELL  # nothing is left to gain
    assert level(high, low, 0.2) is level(low, high, 0.2) is Verdict.CONFIRMED
    assert level(high, low, 0.01) is Verdict.NOT_CONFIRMED
    assert within(4, 5, 8) is Verdict.CONFIRMED
    assert within(4, 8.5, 8, slack=1) is Verdict.CANNOT_TELL
    assert within(4, 10, 8, slack=1) is Verdict.NOT_CONFIRMED
    assert gained(0.02, 0.004) is Verdict.CONFIRMED
    assert gained(-0.02, 0.004) is Verdict.NOT_CONFIRMED
    assert gained(0.005, 0.004) is Verdict.CANNOT_TELL
    assert gravest([Verdict.CONFIRMED, Verdict.NOT_CONFIRMED, Verdict.CANNOT_TELL]) is Verdict.NOT_CONFIRMED
    assert holds(True) is Verdict.CONFIRMED


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Put a small experiment in the place of all others."""
    rng = np.random.default_rng(0)

    def make(progress: Progress) -> Made:
        return Made({"base": rng.random((200, 8))}, ("package 1",), {"base": 3})

    folder = tmp_path / "experiments"
    folder.mkdir()
    text = 'base = "toys/base.npy"\nquery_count = 20\nseeds = [0, 1]\nmethods = ["lsh:bits=64", "lsh:bits=8"]\n'
    (folder / "toys.toml").write_text(text, "utf-8")
    monkeypatch.setattr(running, "EXPERIMENTS", folder)
    monkeypatch.setattr(quick, "ITEMS", 100)
    monkeypatch.setattr(quick, "QUERIES", 10)
    monkeypatch.setattr(running, "DATA_SETS", (DataSet("toys", "Toys", "", make),))
    return text


def test_a_result_is_kept_with_all_that_repeats_it(toys: str) -> None:
    result = run("toys")
    assert result.about == "Toys: 200 x 8 from 3 photographs"
    more, fewer = result.figure("lsh:bits=64", "recall@10"), result.figure("lsh:bits=8", "recall@10")
    assert above(more, fewer) is Verdict.CONFIRMED
    assert more.runs == 2
    found = kept("toys", toys, result.facts)
    assert found is not None
    assert found.figures == result.figures
    assert run("toys", again=False).figures["results"][0]["seconds"] == result.figures["results"][0]["seconds"]
    assert kept("toys", toys + "k = 3\n", result.facts) is None
    assert kept("nothing", toys, result.facts) is None


def test_a_quick_run_is_small_and_leaves_what_is_kept_alone(toys: str) -> None:
    whole = run("toys")
    result = run("toys", quickly=True)
    assert result.about == "a small part of: Toys: 100 x 8 from 3 photographs"
    assert result.figures["data"]["queries"] == 10
    assert result.figure("lsh:bits=64", "recall@10").runs == 2
    assert kept("toys", toys, whole.facts) is not None


def test_claims_are_printed_with_numbers_and_verdict(
    toys: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def judge(result: Result) -> Judgement:
        return Judgement(holds(True), str(result.figure("lsh:bits=64", "recall@1")))

    claims: list[Any] = [Claim("TOYS", "more bits rank better", "toys", judge)]
    monkeypatch.setattr(compilation, "ready", lambda wait: True)  # nothing is timed here
    monkeypatch.setattr(compilation, "prepare", lambda folder: None)
    monkeypatch.setattr(command, "PAPERS", {"toys": lambda: claims})
    assert command.main(["toys"]) == 0
    printed = capsys.readouterr().out
    assert "toys (Toys: 200 x 8 from 3 photographs)" in printed
    assert "TOYS: more bits rank better: 0." in printed
    assert "1 confirmed" in printed
    with pytest.raises(SystemExit):
        command.main(["nothing"])


def test_what_is_judged_pair_by_pair_is_what_the_study_measures() -> None:
    one = {"better": 0.7, "worse": 0.6, "gain": 0.1, "error": 0.01, "chosen": ["r=64", "full"]}
    contests = {f"{better} above {worse}": {"10": one} for better, worse in transform.CONTESTS}
    cases = {f"{name} {kernel.key}": {"contests": contests} for name in transform.DATA for kernel in transform.KERNELS}
    facts = Facts(name="", title="", stands_for="", version=1, packages=(), files={})
    judged = [claim for claim in PAPERS["jqk"]() if claim.source == "transform"]
    assert len(judged) == len(cases) * len(contests)
    for claim in judged:
        found = claim.judge(Result("transform", facts, "", cases))
        assert found.verdict is Verdict.CONFIRMED
        assert "gain +0.100 ±0.010" in found.numbers
