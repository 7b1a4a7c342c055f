"""A run in a process of its own is that of this process, is stopped at once, and keeps what it measured."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib import util
from pathlib import Path
from typing import Any

import psutil
import pytest

from app.bench.experiment import Experiment
from app.lab.experiments.common_questions import common_questions, first_experiment
from app.lab.experiments.forecast import forecast_plan
from app.lab.experiments.lab_results import LabCheckResult, LabRun
from app.lab.experiments.run_process import RepeatRun, ResumeRun, StartRun, run_in_own_process
from app.lab.experiments.runner import run_experiment
from app.lab.experiments.runs import list_runs, load_run
from app.library.library import Library
from app.library.workers import decoders
from core.errors import Cancelled, TwinlensError
from tests.app.lab.experiments.test_runner import without_times
from tests.app.lab.making import PLAN, new_library


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    decoders.end()
    monkeypatch.setenv("TWINLENS_PLAIN", "1")  # figures are the same, and nothing is compiled for them
    with new_library(tmp_path) as library:
        yield library


def test_it_is_stopped_goes_on_and_measures_what_this_process_would(
    own: Library, measured: tuple[Library, LabRun]
) -> None:
    kept: list[int] = []

    def stop(*_: object) -> None:
        if len(kept) > 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        run_in_own_process(own.address, StartRun(PLAN), stop, kept.append)
    assert not psutil.Process().children(recursive=True) or _only_helpers(), "a process is left"
    part = load_run(own, "bits")
    assert 2 <= part.done < part.steps == 8
    found = run_in_own_process(own.address, ResumeRun("bits"))
    assert isinstance(found, int)
    whole = load_run(own, found)
    assert [without_times(row.measured) for row in whole.rows] == [
        without_times(row.measured) for row in measured[1].rows
    ]
    again = run_in_own_process(own.address, RepeatRun("bits"))
    assert isinstance(again, LabCheckResult)
    assert again.figures > 20
    assert again.differing == []


def _only_helpers() -> bool:
    """Return whether nothing but what Python itself keeps is left."""
    time.sleep(0.1)
    left = psutil.Process().children(recursive=True)
    return not any("spawn_main" in " ".join(one.cmdline()) for one in left)


def test_what_cannot_be_run_is_said_by_the_process(own: Library) -> None:
    with pytest.raises(TwinlensError, match="no run “nothing”"):
        run_in_own_process(own.address, ResumeRun("nothing"))


def test_a_fault_of_the_process_is_told_in_a_line_and_logged_whole(
    own: Library, caplog: pytest.LogCaptureFixture
) -> None:
    plan: Any = None
    with pytest.raises(RuntimeError) as caught:
        run_in_own_process(own.address, StartRun(plan))
    assert str(caught.value).startswith("AttributeError: ")
    assert "\n" not in str(caught.value)
    assert "Traceback" in caplog.text


def test_every_question_has_a_plan_that_can_be_run(measured: tuple[Library, LabRun]) -> None:
    own, _ = measured
    every = common_questions(own)
    peers = ["peers"] if util.find_spec("faiss") else []
    assert [one.name for one in every] == ["rank", "method", "bits", "search", "edits", *peers]
    for one in every:
        known = forecast_plan(own, one.plan)
        assert known.photographs == 160
        assert known.steps == len(known.plan.methods) * len(known.plan.search) * len(known.plan.seeds)
        assert known.seconds > 0
        assert one.plan.question
    assert "kernel=hellinger" in every[0].plan.methods[0], "KLSH compares as the index does"
    ranks = [text for text in forecast_plan(own, every[0].plan).plan.methods if "rank=" in text]
    assert len(ranks) == 3, "those above the number of landmarks are no question"


def test_a_reckoning_learns_from_what_was_measured(own: Library) -> None:
    plan = first_experiment(own)
    before = forecast_plan(own, plan)
    began = time.perf_counter()
    found = run_experiment(own, plan)
    took = time.perf_counter() - began
    assert before.steps == found.steps == 8
    after = forecast_plan(own, plan.changed(seeds=(0, 1, 2, 3)))
    assert after.steps == 16
    steps = sum(row.seconds for row in found.rows)
    assert 0.3 * steps < after.seconds < 3 * (2 * steps + took) + 5
    assert before.seconds < 30
    assert [one.name for one in list_runs(own).runs] == ["What does rank do to KLSH"]


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
