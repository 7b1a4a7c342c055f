"""Theory as a layer: a switch at a curve, an answer in numbers, what it says along the curve's own axes."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tests.app.gui.looking import LONG, button, chooser, edit, nameless
from tests.app.gui.working import rested, workspace
from tests.app.lab.making import new_library
from twinlens.app.bench.experiment import Experiment
from twinlens.app.gui.frame.library_workspace import LibraryWorkspace
from twinlens.app.gui.lab.lab_controller import LabControl
from twinlens.app.gui.lab.theory.theory_options import (
    KINDS,
    OPTION_NAMES,
    TheoryOptions,
    option_help,
    option_label,
    theory_topic,
)
from twinlens.app.gui.lab.theory.theory_panel import kinds_of
from twinlens.app.gui.look.buttons import Switch
from twinlens.app.gui.process.outside_files import free_name
from twinlens.app.lab.experiments.runner import run_experiment
from twinlens.app.lab.figures.run_figures import figures
from twinlens.app.lab.theory.theory import theory
from twinlens.app.lab.theory.theory_data import theory_choices
from twinlens.app.lab.theory.theory_settings import TheorySettings
from twinlens.app.library.library import Library
from twinlens.core.message import Message
from twinlens.core.progress import Progress

PLAN = Experiment(
    index="Learned", methods=("klsh:bits=16,kernel=hellinger,landmarks=40,rank={4,16}", "itq:bits=16"),
    search=("scan",), seeds=(0,), question="What does rank do to KLSH?", query_count=20,
)  # fmt: skip


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library with one run, to be copied."""
    with new_library(tmp_path_factory.mktemp("measured")) as made:
        run_experiment(made, PLAN, "ranks")
    return made.address.path


@pytest.fixture
def library(measured: Path, tmp_path: Path) -> Iterator[Library]:
    with Library.open(Path(shutil.copy(measured, tmp_path))) as opened:
        yield opened


class Page:
    """A run that is seen."""

    def __init__(self, qtbot: QtBot, library: Library) -> None:
        self.qtbot, self.work = qtbot, workspace(qtbot, library)
        self.lab = lab_of(self.work)
        self.results, self.layer = self.lab.view.sheet, self.lab.theory
        self.panel = self.layer.panel
        self.settle()
        self.lab.choose([1])
        self.settle()

    def settle(self) -> None:
        rested(self.qtbot, self.lab.view)
        self.qtbot.waitUntil(lambda: not self.work.jobs.busy() and not self.lab.follows(), timeout=LONG)

    def switch(self, figure: str) -> Switch:
        chart = self.results.board.chart_of(figure)
        assert chart is not None
        (found,) = chart.findChildren(Switch)
        return found

    def ask(self, kind: str) -> None:
        """Switch theory on at the first curve, and ask one of its questions."""
        self.layer.switch("recall-at", True)
        self.settle()
        self.layer.choose(kind)
        self.settle()


def lab_of(work: LibraryWorkspace) -> LabControl:
    work.show_view("lab")
    found = work.views.part("lab")
    assert isinstance(found, LabControl)
    return found


@pytest.fixture
def page(qtbot: QtBot, library: Library) -> Iterator[Page]:
    made = Page(qtbot, library)
    yield made
    made.work.jobs.finish()


def test_a_switch_at_a_curve_lays_theory_over_it_as_theory_itself_says_it(page: Page, library: Library) -> None:
    assert page.panel.isHidden()
    before = {one.name: one for one in page.results.board.figures}
    page.switch("recall-rank").click()
    page.settle()
    asked = page.layer.asked()
    assert asked == TheorySettings(
        kind="rank", index="Learned", kernel="hellinger", landmarks=40, bits=16, scales=(3.0,)
    )
    found = theory(asked, library)
    assert page.panel.board.figures == list(found.figures)
    assert page.panel.finding.words == str(found.answer)
    assert page.panel.title.text() == theory_topic("rank").heading
    over = page.results.board.chart_of("recall-rank")
    assert over is not None
    assert over.figure is not None
    *own, theirs = over.figure.series
    assert own == list(before["recall-rank"].series)
    assert list(theirs.y) == list(found.figures[0].series[0].y)
    assert set(found.figures[0].markers) < set(over.figure.markers)
    assert not nameless(page.lab.view)
    page.switch("recall-rank").click()
    page.settle()
    assert page.panel.isHidden()
    assert {one.name: one for one in page.results.board.figures} == before


def test_only_curves_that_theory_can_say_something_of_have_a_switch(page: Page) -> None:
    (run,) = page.lab.loaded
    every = {one.name: kinds_of(one, [run], metrics=True) for one in figures([run])}
    assert every["recall-rank"] == ("rank", "rotation", "metric")
    assert every["found-time"] == ("bounds",)
    plain = run.model_copy(update={"rows": [one for one in run.rows if "itq:" in one.measured.method]})
    assert kinds_of(figures([run])[0], [plain], metrics=False) == ("rotation",)
    assert kinds_of(figures([run])[0], [run.model_copy(update={"id": -1})], metrics=True) == ()
    QTest.keyClick(page.results.table, Qt.Key.Key_T, Qt.KeyboardModifier.ShiftModifier)
    assert page.results.layers.over == "recall-rank"
    QTest.keyClick(page.results.table, Qt.Key.Key_T, Qt.KeyboardModifier.ShiftModifier)
    assert page.results.layers.over == ""
    page.layer.switch("recall-at", True)
    page.settle()
    page.lab.choose([0])
    page.lab.choose([1])
    page.settle()


def test_another_number_is_asked_when_one_has_stopped_typing_and_can_be_cancelled(
    page: Page, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.ask("rotation")
    before = page.panel.board.figures
    assert before
    asked: list[TheorySettings] = []

    def slow(wanted: TheorySettings, _: Library, progress: Progress) -> None:
        asked.append(wanted)
        while True:
            progress(0.4, 1, Message("Turning"))
            time.sleep(0.005)

    monkeypatch.setattr("twinlens.app.lab.theory.theory.theory", slow)
    bits = edit(page.panel, option_label("bits"))
    bits.selectAll()
    QTest.keyClicks(bits, "24")
    assert not asked  # not yet
    qtbot.waitUntil(lambda: "40 %" in page.panel.line.text(), timeout=LONG)
    assert [one.bits for one in asked] == [24]
    assert page.panel.board.figures == before  # what is seen stays until there is more
    QTest.keyClick(page.panel, Qt.Key.Key_Escape)
    qtbot.waitUntil(page.panel.cancel.isHidden, timeout=LONG)
    assert page.panel.board.figures == before
    assert page.work.view() == "lab"


def test_what_goes_wrong_is_said_where_one_looks(page: Page, qtbot: QtBot) -> None:
    page.ask("bounds")
    kernel = chooser(page.panel, option_label("kernel"))
    kernel.setCurrentIndex(kernel.findData("sigmoid"))
    kernel.activated.emit(kernel.currentIndex())
    qtbot.waitUntil(lambda: "not positive definite" in page.panel.finding.words, timeout=LONG)
    assert not page.panel.board.figures
    assert not page.panel.export.isEnabled()


def test_a_library_that_has_changed_is_said_to_have_and_choices_come_back_as_they_were(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.ask("rotation")
    found = page.panel.board.figures
    page.layer.refresh()
    page.settle()
    assert "changed since" in page.panel.line.text()
    page.layer.again()
    page.settle()
    assert "changed since" not in page.panel.line.text()
    page.layer.choose("bounds")
    page.settle()
    monkeypatch.setattr("twinlens.app.lab.theory.theory.theory", None)  # nothing is computed again
    page.layer.choose("rotation")
    page.settle()
    assert page.panel.board.figures == found
    edit(page.panel, option_label("bits")).setText("24")
    edit(page.panel, option_label("bits")).textEdited.emit("24")
    assert page.lab.state()["theory"] == {"knobs": {"rotation": {"bits": 24}}}
    other = TheoryOptions()
    page.qtbot.addWidget(other)
    other.set_state(page.layer.state()["knobs"])
    other.offer({"index": [("a", "a"), ("b", "b")]})
    other.begin_with({"index": "b", "size": 500, "seed": -1})
    other.show_kind("rotation")
    assert other.values() == {"bits": 24, "index": "b", "size": 500, "seed": 0}
    other.set_state({"rotation": {"bits": "many", "luck": 3}, "nonsense": 1})
    other.show_kind("rotation")
    assert other.values()["bits"] == 256, "what cannot be chosen is forgotten"


def test_charts_are_written_and_copied(
    page: Page, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.ask("rotation")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "all"), ""))
    (tmp_path / "itq-turns.svg").write_text("mine")
    for action, files in ((1, {f"{one.name}.svg" for one in page.panel.board.figures}), (2, {"all.csv"})):
        page.panel.export_menu().actions()[action].trigger()
        page.settle()
        assert files <= {one.name for one in tmp_path.iterdir()}
    assert (tmp_path / "itq-turns.svg").read_text() == "mine"
    assert b"<svg" in (tmp_path / "itq-turns 2.svg").read_bytes()
    assert (tmp_path / "all.csv").read_text().startswith("figure,series,x,y")
    assert free_name(tmp_path / "all.csv").name == "all 2.csv"
    page.panel.board.charts[0].menu().actions()[0].trigger()
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().image().width() > 1_000, timeout=LONG)
    button(page.panel, "Show what theory says, or hide it").click()
    assert page.results.layers.over == ""


def test_every_question_and_number_has_words(library: Library) -> None:
    for kind in KINDS:
        assert theory_topic(kind).heading.endswith("?")
        for name in OPTION_NAMES[kind]:
            assert option_label(name)
            assert option_help(name)
    found = theory_choices(library)
    assert [(one.kernel, one.photographs) for one in found.indexes if one.name == "Learned"] == [("hellinger", 160)]
