"""Advice in the whole window: asked by its form, watched, kept, built and undone."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.app.gui.looking import LONG, button, words
from tests.app.gui.working import opened
from tests.app.lab.advice.making import result
from tests.app.made_library import EXACTLY, FEW_BITS, LEARNED, histograms, make
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.lab.advice.advice_form import AdviceForm
from twinlens.app.gui.lab.advice.named_pairs import PairsPanel, PhotographPair
from twinlens.app.gui.lab.lab_controller import LabControl
from twinlens.app.gui.lists.card import remove_sign_rect
from twinlens.app.gui.look.style_sheet import apply_theme
from twinlens.app.indexes.indexes import list_indexes
from twinlens.app.lab.advice import advice, index_trials
from twinlens.app.lab.advice.advice import AdviceJob, KeptAdvice, keep_advice, last_advice
from twinlens.app.lab.advice.advice_queries import find_pairs
from twinlens.app.lab.advice.advice_results import AdvicePoint
from twinlens.app.lab.advice.advice_settings import PAIRS, NamedPairs
from twinlens.app.library.browsing.photographs import Photograph
from twinlens.app.library.library import Library
from twinlens.app.machine.output_file import OutputFile
from twinlens.app.marks.marks import mark_pairs
from twinlens.core.errors import TwinlensError
from twinlens.core.progress import Progress
from twinlens.storage.database.address import Address

COUNT = 120


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "a.twinlens"
    make(path, histograms(COUNT), [FEW_BITS, LEARNED, EXACTLY]).close()
    return path


def _advise_here(
    library: Address, asked: AdviceJob, progress: Progress, found: Callable[[AdvicePoint], None]
) -> KeptAdvice:
    """Do in a thread what is otherwise done in a process, where nothing could be made quick for tests."""
    with Library.open(library) as opened:
        return asked(opened, progress, found)


@pytest.fixture
def frame(
    qtbot: QtBot,
    own_data: None,
    made: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> Iterator[MainWindow]:
    monkeypatch.setattr("twinlens.app.gui.lab.advice.advice_controller.advise_in_process", _advise_here)
    monkeypatch.setattr(index_trials, "BITS", (16,))
    monkeypatch.setattr(advice, "NEIGHBOUR_QUERIES", 12)
    path = Path(shutil.copy(made, tmp_path / "a.twinlens"))
    prepare = getattr(request, "param", None)
    if prepare is not None:
        prepare(path)
    shown = opened(qtbot, path)
    shown.workspace.show_view("lab")
    qtbot.waitUntil(lambda: not shown.busy(), timeout=LONG)
    yield shown
    shown.close()


def lab(frame: MainWindow) -> LabControl:
    made = frame.workspace.views.part("lab")
    assert isinstance(made, LabControl)
    assert made.view.sheet.has_form(), "the first thing that is offered"
    return made


def settle(qtbot: QtBot, frame: MainWindow) -> None:
    qtbot.waitUntil(lambda: not frame.busy() and not frame.workspace.work.busy(), timeout=LONG)
    qtbot.waitUntil(lambda: not lab(frame).follows(), timeout=LONG)


def new(points: Iterable[AdvicePoint], proposed: str = "") -> AdvicePoint | None:
    """Return one that the library has not yet, and that is not proposed."""
    own = {"", "lsh:bits=24", "itq:bits=40"}
    return next((one for one in points if one.method not in own and not one.index and one.key != proposed), None)


def has_two_new(points: Iterable[AdvicePoint]) -> bool:
    """Return whether there is another one, whichever will be proposed."""
    first = new(points)
    return first is not None and new(points, first.key) is not None


def ask(qtbot: QtBot, frame: MainWindow) -> KeptAdvice:
    """Ask until two indexes are measured that the library has not, however fast the machine is."""
    page = lab(frame)
    control = page.advice
    control.form.set_seconds(59)
    control.form.choose(3)
    control.form.go.click()
    assert control.running()
    qtbot.waitUntil(lambda: has_two_new(control.run.points), timeout=LONG)
    button(page.view, "Stop and keep what was measured").click()
    qtbot.waitUntil(lambda: not control.running(), timeout=LONG)
    settle(qtbot, frame)
    assert control.kept is not None
    return control.kept


def test_advice_is_asked_kept_built_and_undone(qtbot: QtBot, frame: MainWindow, tmp_path: Path) -> None:
    page, sheet = lab(frame), lab(frame).view.sheet
    seen: list[int] = []
    page.advice.changed.connect(lambda: seen.append(len(page.advice.run.points)))
    result = ask(qtbot, frame).result
    assert len(set(seen)) > 1, "the frontier fills in while it runs"
    assert sheet.finding.words()[0] in ("Proposed", "No change needed")
    assert page.advice.form.go.isEnabled()
    assert page.view.list.rows()[0].finding in sheet.finding.words()[1]
    opened = frame.workspace.opened
    assert opened is not None
    kept = last_advice(opened.library)
    assert kept is not None
    assert kept.result == result
    button(sheet, "Copy the command").click()
    command = QGuiApplication.clipboard().text()
    assert command.startswith("twinlens --library")
    assert command.endswith("advise --time 59 --truth neighbours")

    for name in ("advice.csv", "advice.json", "advice.svg", "advice.html"):
        page.export(OutputFile(tmp_path / name))
        settle(qtbot, frame)
    assert (tmp_path / "advice.csv").read_text().count("\n") == 1 + len(result.points)
    assert json.loads((tmp_path / "advice.json").read_text())["proposed"] == result.proposed
    assert {one.name for one in tmp_path.glob("advice *.svg")} == {"advice advice-time.svg", "advice advice-bytes.svg"}
    assert "<svg" in (tmp_path / "advice.html").read_text()

    other = new(result.points, result.proposed)
    assert other is not None
    sheet.choose(other.key)
    assert sheet.finding.words()[0] == "Chosen instead"
    field, make = sheet.finding.name, sheet.finding.keep
    proposed = field.text()
    assert other.method.partition(":")[0] in proposed
    field.begin()
    QTest.keyClicks(field, "Few bits")
    assert not make.isEnabled()
    QTest.keyClicks(field, ", but learned")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert not make.isEnabled()
    settle(qtbot, frame)
    texts = {one.text: one.name for one in list_indexes(opened.library).indexes}
    name = texts[other.key]
    assert name == "Few bits, but learned"
    assert frame.workspace.view() == "lab", "Enter made it, and pressed nothing else"
    qtbot.waitUntil(sheet.finding.default.isVisible, timeout=LONG)
    qtbot.waitUntil(lambda: frame.workspace.undoing.newest() is not None, timeout=LONG)
    frame.workspace.undoing.undo()
    qtbot.waitUntil(make.isVisible, timeout=LONG)
    settle(qtbot, frame)
    assert name not in {one.name for one in list_indexes(opened.library).indexes}
    there = next(one for one in result.points if one.index == "Few bits")
    sheet.choose(there.key)
    assert "Few bits" in sheet.finding.words()[2]
    before = frame.workspace.searching.index
    sheet.finding.default.click()
    settle(qtbot, frame)
    assert frame.workspace.searching.index == "Few bits"
    assert "It is in use." in sheet.finding.words()[2]
    frame.workspace.undoing.undo()
    settle(qtbot, frame)
    assert frame.workspace.searching.index == before
    sheet.finding.back.click()
    assert sheet.finding.words()[0] in ("Proposed", "No change needed")
    sheet.choose(other.key)
    sheet.finding.compare.click()
    assert frame.workspace.view() == "compare"
    changed = next(one for one in frame.workspace.comparing.columns() if one.method == other.method)
    assert (changed.index in texts.values(), changed.search) == (True, other.search)


def test_stopping_gives_what_is_known(qtbot: QtBot, frame: MainWindow) -> None:
    page, sheet = lab(frame), lab(frame).view.sheet
    page.advice.form.set_seconds(59)
    page.advice.form.choose(3)
    page.advice.go()
    qtbot.waitUntil(lambda: sheet.finding.words()[1].startswith("≈"), timeout=LONG)
    assert sheet.finding.words()[0] == "So far"
    assert "measured" in sheet.head.line.text()
    page.advice.cancel()
    qtbot.waitUntil(lambda: not page.advice.running(), timeout=LONG)
    settle(qtbot, frame)
    assert page.advice.kept is not None
    assert page.advice.kept.result.cancelled
    assert sheet.finding.words()[0] in ("Proposed", "No change needed")


def test_what_fails_is_told_once(qtbot: QtBot, frame: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise TwinlensError("No index could be measured.", "Allow more time.")

    monkeypatch.setattr("twinlens.app.gui.lab.advice.advice_controller.advise_in_process", fail)
    told: list[str] = []
    frame.workspace.jobs.failed.connect(lambda failure: told.append(failure.sentence))
    lab(frame).advice.go()
    qtbot.waitUntil(lambda: bool(told), timeout=LONG)
    settle(qtbot, frame)
    assert told == ["No index could be measured."]
    assert "No index could be measured." not in words(lab(frame).view)


def _advised(path: Path) -> None:
    with Library.open(path) as library:
        keep_advice(library, result(), NamedPairs(((1, 2),)))
        kept = last_advice(library)
        assert kept is not None
        with library.store.writing() as w:
            w.settings.put("advice", kept.model_copy(update={"ready": kept.ready - 7}).model_dump(mode="json"))


@pytest.mark.parametrize("frame", [_advised], indirect=True)
def test_the_last_advice_is_there_when_one_comes_back(qtbot: QtBot, frame: MainWindow) -> None:
    settle(qtbot, frame)
    sheet = lab(frame).view.sheet
    assert sheet.finding.words()[1].startswith("lsh:bits=256 finds 97 of 100")
    assert "7 more photos" in sheet.finding.warning()
    assert sheet.table.rows.rowCount() == 4


def test_advice_that_cannot_be_read_is_forgotten(made: Path, tmp_path: Path) -> None:
    with Library.open(Path(shutil.copy(made, tmp_path / "a.twinlens"))) as library:
        assert last_advice(library) is None
        with library.store.writing() as w:
            w.settings.put("advice", {"of": "another version"})
        assert last_advice(library) is None


def test_pairs_are_said_taken_from_marks_and_taken_back(qtbot: QtBot, frame: MainWindow) -> None:
    control, opened = lab(frame).advice, frame.workspace.opened
    assert opened is not None
    control.form.choose(2)
    assert control.form.truth == PAIRS
    assert not control.form.go.isEnabled(), "there is no pair"
    button(control.panel, "Choose pairs of photos from the library").click()
    settle(qtbot, frame)
    grid = control.panel.grid
    assert grid.rows().count == COUNT
    ids = [int(one) for one in grid.rows().ids[:8]]
    grid.selection.take(np.arange(COUNT) < 2)
    grid.tell_selection(True)
    button(control.panel, "These two should match").click()
    settle(qtbot, frame)
    assert control.pairs.named() == NamedPairs(((ids[0], ids[1]),))
    assert control.form.go.isEnabled()
    mark_pairs(opened.library, [(ids[2], ids[3])], similar=True)
    mark_pairs(opened.library, [(ids[4], ids[5])], similar=False)
    control.pairs.take_marks()
    settle(qtbot, frame)
    assert len(control.pairs.pairs) == 3
    frame.workspace.undoing.undo()
    assert len(control.pairs.pairs) == 1
    control.pairs.remove(control.pairs.pairs[0])
    assert not control.pairs.pairs
    frame.workspace.undoing.undo()
    assert control.state()["pairs"] == [[ids[0], ids[1], True]]
    found, fault = find_pairs(opened.library, [(ids[0], Path("/nowhere.jpg"), True), (ids[0], ids[1], False)])
    assert found == [(ids[0], ids[1], False)]
    assert "nowhere" in fault
    control.go()
    qtbot.waitUntil(lambda: not control.running() or bool(control.run.points), timeout=LONG)
    control.cancel()
    qtbot.waitUntil(lambda: not control.running(), timeout=LONG)
    assert control.kept is not None
    assert control.kept.result.truth == "pairs"


@pytest.fixture(autouse=True)
def light(qtbot: QtBot) -> Iterator[None]:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_theme(application, "light")
    yield
    application.setProperty("twinlens-scheme", None)


@pytest.fixture
def form(qtbot: QtBot) -> AdviceForm:
    shown = AdviceForm()
    qtbot.addWidget(shown)
    with qtbot.waitExposed(shown):
        shown.show()
    return shown


@pytest.fixture
def panel(qtbot: QtBot) -> PairsPanel:
    shown = PairsPanel()
    qtbot.addWidget(shown)
    shown.resize(1000, 400)
    with qtbot.waitExposed(shown):
        shown.show()
    return shown


def test_keys_choose_what_is_asked_and_for_how_long(form: AdviceForm, qtbot: QtBot) -> None:
    alt = Qt.KeyboardModifier.AltModifier
    form.go.setFocus()
    for key, truth in ((Qt.Key.Key_3, "neighbours"), (Qt.Key.Key_2, "pairs"), (Qt.Key.Key_1, "edits")):
        QTest.keyClick(form, key, alt)
        assert form.truth == truth
    for key, seconds in ((Qt.Key.Key_4, 10), (Qt.Key.Key_6, 300)):
        QTest.keyClick(form, key, alt)
        assert form.seconds == seconds
    QTest.keyClick(form, Qt.Key.Key_7, alt)
    QTest.keyClicks(form.own, "42")
    assert (form.seconds, form.truth) == (42, "edits")
    QTest.keyClick(form.own, Qt.Key.Key_Up)
    assert form.seconds == 52
    with qtbot.waitSignal(form.go.clicked):
        QTest.keyClick(form.own, Qt.Key.Key_Return)


def test_what_runs_cannot_be_changed_and_what_lacks_leads_to_the_library(form: AdviceForm, qtbot: QtBot) -> None:
    form.show_running()
    assert not form.go.isEnabled()
    form.show_ready(False, "Choose a pair.")
    assert (form.go.isEnabled(), form.words()) == (False, "Choose a pair.")
    with qtbot.assertNotEmitted(form.go.clicked):
        QTest.keyClick(form.own, Qt.Key.Key_Return)
    form.show_lacking("Too few photos.")
    assert not form.go.isVisible()
    form.focus()
    with qtbot.waitSignal(form.library.clicked):
        QTest.keyClick(form.focusWidget() or form, Qt.Key.Key_Space)
    form.show_ready(True)
    assert form.go.isVisible()
    assert not form.library.isVisible()


def test_the_focus_stays_in_a_form_whose_controls_change(form: AdviceForm) -> None:
    form.show_ready(True)
    form.focus()
    assert form.go.hasFocus()
    form.show_lacking("Too few photos.")
    assert form.library.hasFocus()
    form.show_ready(True)
    assert form.go.hasFocus()


def pictures(count: int) -> list[Photograph]:
    return [
        Photograph(n, f"/{n}.jpg", f"{n}.jpg", "/", bytes([n]) * 32, None, None, 80, 60, 1, "JPEG", away=False)
        for n in range(count)
    ]


def test_pairs_are_taken_away_by_cross_and_key(panel: PairsPanel, qtbot: QtBot) -> None:
    some = pictures(6)
    pairs = [
        PhotographPair(some[0], some[1]),
        PhotographPair(some[2], some[3]),
        PhotographPair(some[4], some[5], match=False),
    ]
    panel.show_pairs(pairs)
    cards = panel.match
    assert cards.rows() == pairs[:2]
    with qtbot.waitSignal(panel.match.removed) as gone:
        place = cards.card_place(cards.cards.index(1))
        QTest.mouseClick(cards.viewport(), Qt.MouseButton.LeftButton, pos=remove_sign_rect(place).center())
    assert gone.args == [pairs[1]]
    cards.setFocus()
    QTest.keyClick(cards, Qt.Key.Key_Home)
    with qtbot.waitSignal(panel.match.removed) as gone:
        QTest.keyClick(cards, Qt.Key.Key_Delete)
    assert gone.args == [pairs[0]]


def test_photographs_are_dropped_on_what_they_should_do(panel: PairsPanel, qtbot: QtBot) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(one) for one in ("/a/1.jpg", "/a/2.jpg")])
    no = Qt.KeyboardModifier.NoModifier
    event = QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, no)
    with qtbot.waitSignal(panel.differ.dropped) as dropped:
        panel.differ.dropEvent(event)
    assert dropped.args == [["/a/1.jpg", "/a/2.jpg"]]
