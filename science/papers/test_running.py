"""Experiments can be read and name known data and methods; steps are kept, and what is kept is not measured again."""

from __future__ import annotations

import platform
from pathlib import Path

import numpy as np
import pytest

import science.papers.__main__ as command
from science.papers import running
from science.papers.claims import PAPERS
from science.papers.data_set import DataSet, Made
from science.papers.page.section import PageSection
from science.papers.result import Result, keep, kept
from science.papers.running import EXPERIMENTS, RunSettings, Steps, code_of, experiment_names, run, study, study_names
from science.papers.sections import SECTIONS
from science.papers.sets import DATA_SETS
from science.papers.size import FULL, QUICK, Size, Tables, sized
from science.papers.telling import ProgressTelling
from science.papers.verdict import Claim, ClaimJudgement, holds
from twinlens.app.bench.experiment import PEER, read_experiment
from twinlens.app.methods import catalogue
from twinlens.core.compilation import compilation
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.message import Message
from twinlens.core.progress import Progress

TOYS = 'base = "toys/base.npy"\nquery_count = 20\nseeds = [0, 1]\nmethods = ["lsh:bits=64", "lsh:bits=8"]\n'


@pytest.mark.parametrize("name", experiment_names())
def test_an_experiment_names_known_data_and_methods(name: str) -> None:
    experiment = read_experiment(EXPERIMENTS / f"{name}.toml").complete()
    folders = {Path(one).parent.name for one in (experiment.base, experiment.queries) if one}
    assert folders <= {one.name for one in DATA_SETS}
    own = [text for text in experiment.methods if not text.startswith(PEER)]
    texts = [catalogue.candidate(text).text() for text in own]
    assert len(set(texts)) == len(texts) > 0
    assert [catalogue.search_structure(text) for text in experiment.search]


def test_every_claim_has_a_source_and_every_source_is_on_the_page() -> None:
    claims = [claim for make in PAPERS.values() for claim in make()]
    sources = {*experiment_names(), *study_names()}
    assert {source for claim in claims for source in claim.sources} <= sources
    assert len({(claim.paper, claim.text, claim.case) for claim in claims}) == len(claims)
    assert sources == set(command.sources_of([]))


def test_every_claim_is_printed_below_an_item_of_its_paper() -> None:
    items = {section.key: {item.what for item in section.items} for section in SECTIONS}
    for paper, make in PAPERS.items():
        for claim in make():
            assert claim.item in items.get(paper, {claim.item}), f"{paper}: {claim.text}"


@pytest.mark.parametrize("name", study_names())
def test_a_study_names_known_data(name: str) -> None:
    assert set(study(name).DATA) <= {one.name for one in DATA_SETS}
    assert study(name).CASES
    assert study(name).REPEATS >= 1


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a small experiment in the place of all others, and give its file."""
    rng = np.random.default_rng(0)

    def make(progress: Progress) -> Made:
        return Made({"base": rng.random((200, 8))}, ("package 1",), {"base": 3})

    folder = tmp_path / "experiments"
    folder.mkdir()
    (folder / "toys.toml").write_text(TOYS, "utf-8")
    monkeypatch.setattr(running, "EXPERIMENTS", folder)
    monkeypatch.setattr(running, "STUDIES", folder)
    monkeypatch.setattr(running, "DATA_SETS", (DataSet("toys", "Toys", make),))
    return folder / "toys.toml"


class Counting(Steps):
    """Counts what is measured."""

    measured = 0

    def put(self, key: str, step: dict[str, object]) -> None:
        """Count it."""
        Counting.measured += 1
        super().put(key, step)


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunSettings:
    """Keep steps in a folder of their own."""
    monkeypatch.setattr(Counting, "measured", 0)
    return RunSettings(steps=Counting(tmp_path / "steps"))


def test_steps_are_kept_and_a_changed_line_measures_only_what_is_new(toys: Path, asked: RunSettings) -> None:
    result = run("toys", asked)
    assert Counting.measured == 4
    assert result.about == "Toys: 200 x 8 from 3 photographs"
    more, fewer = result.figure("lsh:bits=64", "recall@10"), result.figure("lsh:bits=8", "recall@10")
    assert more.mean > fewer.mean + 0.2
    assert more.runs == 2
    assert more.deviation > 0
    assert result.method("lsh:bits=64")["recall_curve"][0][0] == 1
    again = run("toys", asked)
    assert Counting.measured == 4
    assert again.figures == result.figures
    toys.write_text(TOYS.replace('"lsh:bits=8"', '"lsh:bits=16"'), "utf-8")
    assert run("toys", asked).text != result.text
    assert Counting.measured == 6
    run("toys", RunSettings(again=True, steps=asked.steps))
    assert Counting.measured == 10


def test_what_an_experiment_of_ones_own_measured_is_written_in_lines(toys: Path, asked: RunSettings) -> None:
    del toys
    first, second = command.own_lines(run("toys", asked))
    assert first.startswith("`lsh:bits=64")
    assert ", recall@1 " in first
    assert ", bits 8" in second


@pytest.mark.parametrize("base", ["own/base.npy", "/somewhere/own.npy", "own.npy"])
def test_unknown_data_are_said_with_what_there_is(toys: Path, asked: RunSettings, base: str) -> None:
    toys.write_text(TOYS.replace("toys/base.npy", base), "utf-8")
    with pytest.raises(TwinlensError, match="no data set") as caught:
        run("toys", asked)
    assert "There are toys" in str(caught.value.advice)


def test_a_run_that_is_stopped_goes_on_where_it_was(toys: Path, asked: RunSettings, tmp_path: Path) -> None:
    """Stopped in the middle, it measures what is lacking, and finds what a run finds that nothing stopped."""
    del toys

    def stop(done: float, total: float, text: object = "") -> None:
        if Counting.measured == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        run("toys", asked, stop)
    assert Counting.measured == 2
    found = run("toys", asked)
    assert Counting.measured == 4
    whole = run("toys", RunSettings(FULL, steps=Steps(tmp_path / "others")))
    assert found.size == whole.size == FULL.name
    for one, other in zip(found.figures["results"], whole.figures["results"], strict=True):
        assert len(one["seeds"]) == 2
        for figure in ("method", "seeds", "recall", "recall_curve", "deviation"):
            own, its = (row[figure] for row in (one, other))
            if figure == "deviation":  # of times it is chance
                own, its = ({name: value for name, value in row.items() if "recall" in name} for row in (own, its))
            assert own == its


def test_a_quick_run_is_small_and_leaves_what_is_kept_alone(toys: Path, asked: RunSettings) -> None:
    whole = run("toys", asked)
    small = Size("quick", items=100, wide_items=10, queries=10, seeds=1)
    result = run("toys", RunSettings(small, steps=asked.steps))
    assert result.about == "Toys: 100 x 8 from 3 photographs"
    assert result.figures["data"]["queries"] == 10
    assert result.figure("lsh:bits=64", "recall@10").runs == 1
    assert run("toys", asked).figures == whole.figures


def test_the_quick_size_asks_little_and_the_full_one_what_the_file_says(tmp_path: Path) -> None:
    file = tmp_path / "one.toml"
    text = 'base = "some/part.npy"\nquery_count = 300\nseeds = [0, 27, 3, 4]\nmethods = ["lsh:bits=8"]\n'
    file.write_text(text, "utf-8")
    experiment = read_experiment(file)
    full = sized(experiment, FULL, Tables(FULL))
    assert (full.query_count, full.seeds) == (300, (0, 27, 3, 4))
    quick = sized(experiment, QUICK, Tables(QUICK))
    assert (quick.query_count, quick.seeds) == (200, (0, 27, 3))


def test_a_result_is_written_with_all_that_repeats_it_and_nothing_of_this_machine(
    toys: Path, asked: RunSettings, tmp_path: Path
) -> None:
    result = run("toys", asked)
    file = keep(result, tmp_path / "results")
    assert str(tmp_path) not in file.read_text("utf-8")
    found = kept("toys", tmp_path / "results")
    assert found is not None
    assert found.text == TOYS
    assert found.figures == result.figures
    assert set(found.made) == {"date", "version", "machine"}
    assert found.made["machine"]["system"] == platform.system()
    assert platform.release() not in file.read_text("utf-8")
    assert kept("nothing", tmp_path / "results") is None


def test_what_is_said_in_code_changes_no_key() -> None:
    assert code_of('"""A."""\nx = 1  # one\n\n\ndef f():\n    """B."""\n') == code_of("x = 1\ndef f():\n    '''C.'''\n")
    assert code_of("from a import x\nimport b\n\ny = x\n") == code_of("from a.b import x\n\ny = x\n")
    assert code_of("x = 1\n") != code_of("x = 2\n")


def test_a_damaged_step_is_measured_again(tmp_path: Path) -> None:
    steps = Steps(tmp_path)
    steps.put("ab", {"figures": 1})
    assert steps.get("ab") == {"figures": 1}
    next(tmp_path.rglob("*.json")).write_text('{"figu', "utf-8")
    assert steps.get("ab") is None


def test_what_is_left_is_told_by_what_is_known() -> None:
    now = [0.0]
    said: list[str] = []
    telling = ProgressTelling(["a", "b", "c"], {"c": 100.0}, clock=lambda: now[0], say=said.append)
    progress = telling.of("a")
    now[0] = 20.0
    progress(0.5, 1, Message("step"))
    assert said == ["[1/3, about 3 min 10 s left of all] a 50 % step"]  # 20 s of a, b as the mean of both, 100 s of c
    telling.done("a", 40.0)
    telling.of("b")
    assert telling.left("b", 0.0) == pytest.approx(70 + 100)


def test_claims_are_printed_with_numbers_and_verdict_and_the_page_is_written(
    toys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def judge(result: Result) -> ClaimJudgement:
        return ClaimJudgement(holds(True), str(result.figure("lsh:bits=64", "recall@1")))

    monkeypatch.setattr(compilation, "ready", lambda wait: True)  # nothing is timed here
    monkeypatch.setattr(compilation, "prepare", lambda folder: None)
    monkeypatch.setattr(running, "papers_folder", lambda: tmp_path)
    papers = {"toys": lambda: [Claim("toys", "more bits rank better", "toys", judge)]}
    monkeypatch.setattr(command, "PAPERS", papers)
    monkeypatch.setattr("science.papers.page.writing.PAPERS", papers)
    monkeypatch.setattr(command, "SECTIONS", (PageSection("toys", "Toys", "", "", ()),))
    assert command.main(["toys", "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "toys (Toys: 200 x 8 from 3 photographs; full size)" in printed
    assert "toys: more bits rank better: 0." in printed
    assert "1 confirmed" in printed
    written = (tmp_path / "science/papers/pages/toys.md").read_text("utf-8")
    assert "more bits rank better" in written
    monkeypatch.setattr(command, "run", None)  # from what is kept, nothing is run
    assert command.main(["--page", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "science/papers/pages/toys.md").read_text("utf-8") == written
    with pytest.raises(SystemExit):
        command.main(["nothing"])
