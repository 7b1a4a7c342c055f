"""Experiments in the window: measured beside it, stopped, gone on with, compared, deleted, brought back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.benching import bench
from app.experiment import Experiment
from app.gui.adding_control import AddingControl
from app.gui.experiments_control import ExperimentsControl
from app.gui.jobs import Jobs
from app.gui.lab.facts import State
from app.gui.lab.view import ExperimentsView
from app.gui.opened import Opened
from app.gui.status_line import StatusLine
from app.gui.undoing import Undoing
from app.lab.runs import list_runs, load_run
from app.library import Library
from tests.app.gui.looking import button, nameless, show, words
from tests.app.lab.making import PLAN, STORED, new_library

LONG = 30_000
SMALL = Experiment(
    index="Learned", methods=("lsh:bits={16,48}",), search=("scan",), seeds=(0, 3), question="How many bits?",
    query_count=20,
)  # fmt: skip


class Experiments:
    """The page over a real library."""

    def __init__(self, qtbot: QtBot, library: Library, state: dict[str, object]) -> None:
        self.owner = QWidget()
        qtbot.addWidget(self.owner)
        self.jobs, self.status = Jobs(self.owner), StatusLine()
        qtbot.addWidget(self.status)
        self.view = ExperimentsView()
        self.view.resize(1400, 900)
        show(qtbot, self.view)
        self.adding = AddingControl(self.status, self.jobs, self.owner)
        self.undoing = Undoing(self.status, self.owner)
        self.control = ExperimentsControl(self.view, self.adding, self.undoing, self.status, self.jobs, self.owner)
        self.told: list[str] = []
        self.control.told.connect(self.told.append)
        self.qtbot = qtbot
        self.adding.take(Opened(library, state))
        self.control.take(Opened(library, state))
        self.settle()

    def settle(self) -> None:
        """Wait until nothing runs any more."""
        self.qtbot.wait(30)
        self.qtbot.waitUntil(lambda: not self.jobs.busy() and not self.control.follows(), timeout=LONG)

    def measure(self, plan: Experiment, name: str = "") -> int:
        self.control.start(plan, name)
        self.settle()
        return self.control.chosen()[0]

    def names(self) -> list[str]:
        return [one.name for one in self.view.runs.runs.runs]


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    monkeypatch.setenv("TWINLENS_PLAIN", "1")  # figures are the same, and nothing is compiled for them
    with new_library(tmp_path) as made:
        yield made


@pytest.fixture
def page(qtbot: QtBot, library: Library) -> Iterator[Experiments]:
    made = Experiments(qtbot, library, {})
    yield made
    made.jobs.finish()


def test_an_experiment_is_measured_seen_and_the_same_as_bench(
    page: Experiments, library: Library, tmp_path: Path
) -> None:
    assert "Measure how well" in " ".join(words(page.view.empty))
    assert nameless(page.view) == []
    seen: list[int] = []
    page.control.going.kept.connect(lambda _, run: seen.append(run))
    run = page.measure(SMALL)
    assert len(seen) == 5, "once when it begins, and with every step"
    found = load_run(library, run)
    assert found.complete
    assert page.names() == ["How many bits"]
    assert page.view.runs.runs.runs[0].state is State.WHOLE
    np.save(tmp_path / "base.npy", STORED)
    there = SMALL.changed(base=str(tmp_path / "base.npy"), index="", truth="hellinger")
    table = page.view.results.table
    for expected in bench(there).results:
        row = next(one for one in page.view.results.shown.rows if one.method == expected.method)
        assert row.quality["recall@10"].mean == expected.recall["10"]
        assert row.quality["recall@10"].spread == expected.deviation["recall@10"]
        assert row.quality["map"].mean == expected.map
        assert row.costs["looked at"] == expected.looked_at
    assert table.rows.rowCount() == 2
    assert "160 photographs" in page.view.results.head.line.text()
    assert page.view.results.head.title.text() == "How many bits?"
    drawn = [one.name for one in page.view.results.board.figures]
    assert drawn == page.view.results.chips.seen()
    assert "recall-at" in drawn
    assert nameless(page.view) == []

    page.control.run_again()
    page.settle()
    assert "all 18 figures are the same" in page.told[-1]


def test_it_is_stopped_and_gone_on_with_after_the_program_was_closed(
    page: Experiments, library: Library, qtbot: QtBot
) -> None:
    page.control.start(PLAN.changed(name=""), "part")
    qtbot.waitUntil(lambda: measured_steps(library) >= 1, timeout=LONG)
    page.control.going.stop(page.control.chosen()[0])
    page.settle()
    (status,) = list_runs(library).runs
    assert 0 < status.done < status.steps
    assert page.view.runs.runs.runs[0].state is State.PART
    assert "of 8 steps are measured" in page.view.results.head.line.text()
    kept = json.loads(json.dumps(page.control.state()))
    page.jobs.finish()

    again = Experiments(qtbot, library, {"experiments": kept})
    assert again.control.chosen() == [status.id]
    button(again.view, "Measure what is lacking").click()
    again.settle()
    assert load_run(library, status.id).complete
    assert again.view.runs.runs.runs[0].state is State.WHOLE
    again.jobs.finish()


def measured_steps(library: Library) -> int:
    return sum(one.done for one in list_runs(library).runs)
