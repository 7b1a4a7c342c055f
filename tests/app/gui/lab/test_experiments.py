"""Experiments in the window: lines checked, measured, stopped, gone on with, compared, deleted, brought back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from tests.app.gui.looking import LONG, button, edit, nameless, words
from tests.app.gui.working import rested, workspace
from tests.app.lab.making import PLAN, STORED, new_library
from twinlens.app.bench.bench import bench
from twinlens.app.bench.experiment import Experiment
from twinlens.app.gui.lab.experiment_list import ADVICE, ListedExperiment, RunState
from twinlens.app.gui.lab.experiments.sweep_list import SweepList, proposed_values
from twinlens.app.gui.lab.explore.explore_jobs import first_setting
from twinlens.app.gui.lab.lab_controller import LabControl
from twinlens.app.gui.lab.sheet.sheet_export import export_kinds
from twinlens.app.indexes.indexes import list_indexes
from twinlens.app.lab.experiments import run_process
from twinlens.app.lab.experiments.lab_results import LabCheckResult
from twinlens.app.lab.experiments.runner import run_experiment
from twinlens.app.lab.experiments.runs import list_runs, load_run
from twinlens.app.lab.explore.explorer import Explorer
from twinlens.app.lab.explore.sample import load_material
from twinlens.app.library.library import Library
from twinlens.app.machine.output_file import OutputFile
from twinlens.core.declaration.declaration import read_declaration
from twinlens.core.declaration.parameters import ParameterKind
from twinlens.core.hashing.packed_codes import LARGEST_BITS
from twinlens.core.methods import METHODS
from twinlens.core.methods.klsh import Klsh
from twinlens.core.progress import Progress

SMALL = Experiment(
    index="Learned", methods=("lsh:bits={16,48}",), search=("scan",), seeds=(0, 3), question="How many bits?",
    query_count=20,
)  # fmt: skip


class Experiments:
    """The page over a real library."""

    def __init__(self, qtbot: QtBot, library: Library, state: dict[str, object]) -> None:
        self.work = workspace(qtbot, library, state)
        self.work.show_view("lab")
        control = self.work.views.part("lab")
        assert isinstance(control, LabControl)
        self.jobs, self.status, self.adding, self.undoing = (
            self.work.jobs,
            self.work.status,
            self.work.adding,
            self.work.undoing,
        )
        self.control, self.view = control, control.view
        self.told: list[str] = []
        show = self.status.show_message

        def tell(words: str, *how: Any) -> None:
            self.told.append(words)
            show(words, *how)

        self.status.show_message = tell  # type: ignore[method-assign, assignment]
        self.qtbot = qtbot
        self.settle()

    def settle(self) -> None:
        """Wait until nothing runs any more."""
        rested(self.qtbot, self.view)
        self.qtbot.waitUntil(lambda: not self.jobs.busy() and not self.control.follows(), timeout=LONG)

    def measure(self, plan: Experiment, name: str = "") -> int:
        self.control.runs.start(plan, name)
        self.settle()
        return self.control.chosen()[0]

    def see(self, run: int) -> None:
        """Choose a run that the library has."""
        self.control.refresh()
        self.settle()
        self.control.choose([run])
        self.settle()

    def names(self) -> list[str]:
        return [one.name for one in self.listed()]

    def listed(self) -> list[ListedExperiment]:
        """Return the runs of the list, which begins with advice."""
        first, *runs = self.view.list.rows()
        assert first.id == ADVICE
        return runs


def test_values_of_a_knob_are_proposed_within_the_limits_of_its_declaration() -> None:
    about = {one.name: one for one in Klsh.parameters()}
    assert proposed_values(about["bits"], 256) == ["16", "32", "64", "128", "256", "512", "1024", "2048", "4096"]
    assert proposed_values(about["bits"], LARGEST_BITS)[-1] == str(LARGEST_BITS), "no more than the declaration allows"
    assert proposed_values(about["rank"], None)[0] == "none"
    assert proposed_values(about["centre_query"], True) == ["on", "off"]
    for one in Klsh.parameters():
        for value in proposed_values(one, one.default) if one.kind is not ParameterKind.DECLARATION else ():
            read_declaration((Klsh,), f"klsh:{one.name}={value}")


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


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure in this process: that another one does the same is held where it is made."""

    def work(
        path: Path, wish: run_process.RunJob, progress: Progress, kept: Callable[[int], None]
    ) -> int | LabCheckResult:
        with Library.open(path) as own:
            return wish(own, progress, kept)

    monkeypatch.setattr(run_process, "run_in_own_process", work)


@pytest.mark.usefixtures("here")
def test_an_experiment_is_measured_seen_and_the_same_as_bench(
    page: Experiments, library: Library, tmp_path: Path
) -> None:
    assert page.view.sheet.has_form()
    assert nameless(page.view) == []
    seen: list[int] = []
    page.control.runs.going.kept.connect(lambda _, run: seen.append(run))
    measured = page.measure(SMALL)
    assert len(seen) == 5, "once when it begins, and with every step"
    found = load_run(library, measured)
    assert found.complete
    assert page.listed()[0].finding == page.view.sheet.finding.words()[1]
    assert page.names() == ["How many bits"]
    assert page.listed()[0].state is RunState.WHOLE
    np.save(tmp_path / "base.npy", STORED)
    there = SMALL.changed(base=str(tmp_path / "base.npy"), index="", truth="hellinger")
    table = page.view.sheet.table
    for expected in bench(there).results:
        row = next(one for one in page.view.sheet.shown.rows if expected.method in str(one.about))
        assert row.values["recall@10"] == expected.values["recall@10"]
        assert f"± {expected.spread['recall@10']:.4f}" in str(row.about)
        assert row.values["map"] == expected.values["map"]
        assert row.values["looked_at"] == expected.values["looked_at"]
    assert table.rows.rowCount() == 2
    assert "160 photos" in page.view.sheet.head.line.text()
    assert page.view.sheet.head.title.text() == "How many bits?"
    assert page.view.sheet.finding.words()[1] == str(page.view.sheet.shown.finding) != ""
    drawn = [one.name for one in page.view.sheet.board.figures]
    assert drawn == page.view.sheet.chips.seen()
    assert "recall-at" in drawn
    assert nameless(page.view) == []

    button(page.view, "Measure again and compare the figures").click()
    page.settle()
    assert "All 26 figures of " in page.told[-1]


def test_it_is_stopped_and_gone_on_with_after_the_program_was_closed(
    page: Experiments, library: Library, qtbot: QtBot, request: pytest.FixtureRequest
) -> None:
    page.control.runs.start(PLAN.changed(name=""), "part")
    qtbot.waitUntil(lambda: measured_steps(library) >= 1, timeout=LONG)
    page.control.runs.going.stop(page.control.chosen()[0])
    page.settle()
    (status,) = list_runs(library).runs
    assert 0 < status.done < status.steps
    assert page.listed()[0].state is RunState.PART
    assert "of 8 steps measured" in page.view.sheet.head.line.text()
    kept = json.loads(json.dumps(page.control.state()))
    page.jobs.finish()

    request.getfixturevalue("here")
    again = Experiments(qtbot, library, {"lab": kept})
    assert again.control.chosen() == [status.id]
    button(again.view, "Measure the missing steps").click()
    again.settle()
    assert load_run(library, status.id).complete
    assert again.listed()[0].state is RunState.WHOLE
    again.jobs.finish()


def measured_steps(library: Library) -> int:
    return sum(one.done for one in list_runs(library).runs)


def test_a_row_is_hidden_made_an_index_and_the_index_taken_back(page: Experiments, library: Library) -> None:
    page.see(run_experiment(library, SMALL, "bits").id)
    table, board = page.view.sheet.table, page.view.sheet.board
    first, second = (one.key for one in page.view.sheet.shown.rows)
    lit: list[object] = []
    table.lit.connect(lit.append)
    table.go_to(first)
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert lit[-1] == second
    QTest.keyClick(table, Qt.Key.Key_H)
    page.settle()
    assert table.hidden() == {second}
    assert all(second not in one.keys for figure in board.figures for one in figure.series)
    assert page.control.state()["hidden"] == [second]
    QTest.keyClick(table, Qt.Key.Key_H)
    page.settle()
    assert any(second in one.keys for figure in board.figures for one in figure.series)

    before = [one.name for one in list_indexes(library).indexes]
    QTest.keyClick(table, Qt.Key.Key_I)
    page.settle()
    (made,) = [one for one in list_indexes(library).indexes if one.name not in before]
    assert "lsh:bits=48" in made.text
    page.undoing.undo()
    page.settle()
    assert [one.name for one in list_indexes(library).indexes] == before

    table.sortByColumn(table.rows.sheet.place_of("bits"), Qt.SortOrder.DescendingOrder)
    assert [table.rows.row(place).values["bits"] for place in range(2)] == [48, 16]  # type: ignore[union-attr]
    page.view.sheet.chips.press(1)
    page.settle()
    assert "recall-at" not in [one.name for one in board.figures]
    assert page.control.state()["figures"]["recall-at"] is False


def test_what_a_line_finds_is_shown_and_its_knobs_are_turned_from_it(
    page: Experiments, library: Library, qtbot: QtBot
) -> None:
    page.see(run_experiment(library, SMALL, "bits").id)
    results, knobs = page.view.sheet, page.control.lines.knobs
    results.table.go_to(results.shown.rows[1].key)

    def exact() -> bool:
        reading = knobs.reading
        return reading is not None and reading.exact and reading.setting.method.bits == 48

    qtbot.waitUntil(exact, timeout=LONG)
    explorer = Explorer(load_material(library, "Learned"))
    tiles = results.line.pictures.tiles()
    line = first_setting(explorer, {"method": "lsh:bits=48", "search": "scan"})
    wanted = explorer.exact(line, explorer.material.row_of(tiles[0].id)).outcome
    assert wanted is not None
    assert [tile.id for tile in tiles[1:] if not tile.ghost] == [one.id for one in wanted.results]
    assert "provisional" not in " ".join(words(results.line))
    QTest.keyClick(results.table, Qt.Key.Key_V)
    page.settle()
    assert page.view.page() is knobs.view
    assert knobs.setting is not None
    assert knobs.setting.text() == "lsh:bits=48 · scan"
    QTest.keyClick(knobs.view, Qt.Key.Key_Escape)
    page.settle()
    assert page.view.page() is results
    page.control.choose([ADVICE])
    page.settle()
    assert results.line.isHidden(), "nothing is advised yet"


def test_runs_are_renamed_compared_deleted_and_brought_back(page: Experiments, library: Library) -> None:
    for name, seed in (("one", 0), ("two", 1)):
        run_experiment(library, SMALL.changed(seeds=(seed,), methods=("lsh:bits=16",)), name)
    page.control.refresh()
    page.settle()
    assert page.names() == ["two", "one"]
    two, one = (shown.id for shown in page.listed())
    page.view.list.selectAll()
    page.settle()
    assert page.control.chosen() == [two, one]
    assert len(page.view.sheet.shown.rows) == 2
    assert not any(one.isVisible() for one in page.view.sheet.findChildren(QLabel, "error"))
    assert "csv" in export_kinds("several")
    assert "json" not in export_kinds("several")
    page.control.runs.rename(one, "uno")
    page.settle()
    assert page.names() == ["two", "uno"]
    page.control.delete([two, one])
    page.settle()
    assert page.names() == []
    assert page.view.sheet.has_form()
    page.undoing.undo()
    page.settle()
    assert page.names() == ["two", "uno"]


@pytest.mark.usefixtures("here")
def test_somebodys_file_is_opened_run_again_and_kept(page: Experiments, library: Library, tmp_path: Path) -> None:
    page.see(run_experiment(library, SMALL, "bits").id)
    written = {name: tmp_path / name for name in ("bits.csv", "bits.json", "bits.svg", "bits.twinlens-experiment")}
    for file in written.values():
        page.control.export(OutputFile(file), vectors=True)
        page.settle()
    assert written["bits.csv"].read_text().count("\n") == 3
    assert json.loads(written["bits.json"].read_text())["name"] == "bits"
    figures = {file.name for file in tmp_path.glob("bits *.svg")}
    assert figures == {f"bits {one.name}.svg" for one in page.view.sheet.board.figures}
    page.control.runs.open_file(written["bits.twinlens-experiment"])
    page.settle()
    assert page.listed()[0].state is RunState.FILE
    assert not any(row.index for row in page.view.sheet.shown.rows)
    button(page.view, "Measure again and compare the figures").click()
    page.settle()
    assert "All 26 figures of " in page.told[-1]
    button(page.view, "Keep this experiment in the library").click()
    page.settle()
    assert page.names() == ["bits (2)", "bits"]
    broken = tmp_path / "broken.twinlens-experiment"
    broken.write_bytes(b"nothing")
    failed: list[str] = []
    page.jobs.failed.connect(lambda failure: failed.append(failure.sentence))
    page.control.runs.open_file(broken)
    page.settle()
    assert "is not a readable experiment" in failed[0]


def test_the_form_is_filled_by_a_question_and_says_what_it_takes(page: Experiments, qtbot: QtBot) -> None:
    page.control.planning.new()
    page.settle()
    form = page.view.form
    page.settle()
    assert page.view.is_form()
    assert nameless(page.view) == []
    plan = form.plan()
    assert plan is not None
    assert plan.question == "Which method for my photos?"
    assert "160 photos with 116 dimensions, 100 queries" in " ".join(words(form))
    button(form, "How many bits?").click()
    page.settle()
    plan = form.plan()
    assert plan is not None
    assert plan.methods[0] == "lsh:bits={16,32,64}"
    for card, methods in (("PCA + ITQ", 2), ("Kernelized LSH", 1)):
        assert button(form, card).isChecked()
        button(form, card).click()
        plan = form.plan()
        assert plan is not None
        assert len(plan.methods) == methods
        assert not button(form, card).isChecked()
    button(form, "Spectral hashing").click()
    plan = form.plan()
    assert plan is not None
    assert plan.methods == ("lsh:bits={16,32,64}", "spectral:bits=256"), "its knobs are open now"
    for bits, text in (("64", "spectral:bits=64"), ("16", "spectral:bits={16,64}"), ("64", "spectral:bits=16")):
        chips = [one for one in form.findChildren(QPushButton) if one.accessibleName() == f"Try {bits}"]
        next(one for one in chips if one.isVisible()).click()
        plan = form.plan()
        assert plan is not None
        assert plan.methods[1] == text
    button(form, "Spectral hashing").click()
    edit(form, "Seeds").setText("0, x")
    edit(form, "Seeds").textEdited.emit("0, x")
    assert not button(form, "Start measuring").isEnabled()
    assert "whole numbers" in " ".join(words(form))
    edit(form, "Seeds").setText("4")
    edit(form, "Seeds").textEdited.emit("4")
    line = form.findChildren(QLineEdit, options=Qt.FindChildOption.FindChildrenRecursively)
    method = next(one for one in line if one.text() == "lsh:bits={16,32,64}")
    method.setText("itq:bits={16,4096}")
    method.textEdited.emit(method.text())
    page.settle()
    assert "at most as many bits" in " ".join(words(form))
    assert not button(form, "Start measuring").isEnabled()
    method.setText("lsh:bits={16,24}")
    method.textEdited.emit(method.text())
    page.settle()
    started: list[tuple[Experiment, str]] = []
    form.start_wanted.disconnect()
    form.start_wanted.connect(lambda *told: started.append(told))
    QTest.keyClick(form, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    ((wanted, name),) = started
    assert (wanted.seeds, wanted.methods[0], name) == ((4,), "lsh:bits={16,24}", "")
    QTest.keyClick(form, Qt.Key.Key_Escape)
    assert not page.view.is_form()


def test_methods_sweeps_and_indexes_of_faiss_are_taken_and_what_is_unknown_is_not(qtbot: QtBot) -> None:
    lines = SweepList(METHODS, "method")
    qtbot.addWidget(lines)
    for texts, valid in (
        (["itq:bits=64", "lsh:bits={16,32}", "faiss:OPQ16,PQ16np"], True),
        (["itq:bits=64", "face:PQ16"], False),
    ):
        lines.set_texts(texts)
        assert lines.texts() == texts
        assert lines.is_valid() == valid
