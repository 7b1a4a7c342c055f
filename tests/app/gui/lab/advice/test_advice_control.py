"""Advice in the whole window: asked, watched, kept, built, undone, and what is said when the library has changed."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.gui.frame.frame import Frame
from app.gui.lab.advice.controller import AdviceControl
from app.gui.lab.controller import LabControl
from app.indexes.indexes import list_indexes
from app.lab.advice import advice, trials
from app.lab.advice.last_advice import KeptAdvice, keep_advice, last_advice
from app.lab.advice.questions import PAIRS, NamedPairs, find_pairs
from app.lab.advice.results import AdvicePoint
from app.lab.advice.separate_run import Advising
from app.library.library import Library
from app.machine.preferences import Preferences, keep
from app.marks.marks import mark
from core.progress import Progress
from tests.app.gui.lab.advice.test_advice_view import result
from tests.app.gui.looking import LONG
from tests.app.made_library import EXACTLY, FEW_BITS, LEARNED, histograms, make

COUNT = 120


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "a.twinlens"
    make(path, histograms(COUNT), [FEW_BITS, LEARNED, EXACTLY]).close()
    return path


def _advise_here(
    library: Path, asked: Advising, progress: Progress, found: Callable[[AdvicePoint], None]
) -> KeptAdvice:
    """Do in a thread what is otherwise done in a process, where nothing could be made quick for tests."""
    with Library.open(library) as opened:
        return asked(opened, progress, found)


@pytest.fixture
def frame(
    qtbot: QtBot, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Frame]:
    monkeypatch.setattr("app.gui.lab.advice.advice_run.advise_aside", _advise_here)
    monkeypatch.setattr(trials, "_BITS", (16,))
    monkeypatch.setattr(advice, "NEIGHBOUR_QUESTIONS", 12)
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep(Preferences(rescan_on_start=False))
    path = Path(shutil.copy(made, tmp_path / "a.twinlens"))
    prepare = getattr(request, "param", None)
    if prepare is not None:
        prepare(path)
    shown = Frame(path)
    qtbot.addWidget(shown)
    with qtbot.waitSignal(shown.opened, timeout=LONG):
        shown.show()
    shown.workspace.show_view("lab")
    qtbot.waitUntil(lambda: not shown.busy(), timeout=LONG)
    yield shown
    shown.close()


def part(frame: Frame) -> AdviceControl:
    made = frame.workspace.views.part("lab")
    assert isinstance(made, LabControl)
    assert made.view.page() is made.advice.view, "the first thing that is offered"
    return made.advice


def settle(qtbot: QtBot, frame: Frame) -> None:
    qtbot.waitUntil(lambda: not frame.busy() and not frame.workspace.adding.busy(), timeout=LONG)


def new(points: Iterable[AdvicePoint], proposed: str = "") -> AdvicePoint | None:
    """Return one that the library has not yet, and that is not proposed."""
    own = {"", "lsh:bits=24", "itq:bits=40"}
    return next((one for one in points if one.method not in own and not one.index and one.key != proposed), None)


def has_two_new(points: Iterable[AdvicePoint]) -> bool:
    """Return whether there is another one, whichever will be proposed."""
    first = new(points)
    return first is not None and new(points, first.key) is not None


def ask(qtbot: QtBot, frame: Frame) -> None:
    """Ask until two indexes are measured that the library has not, however fast the machine is."""
    control = part(frame)
    control.view.head.set_seconds(600)
    control.view.head.choose(3)
    control.view.head.go.click()
    assert control.running()
    qtbot.waitUntil(lambda: has_two_new(control.run.points), timeout=LONG)
    control.view.head.cancel.click()
    qtbot.waitUntil(lambda: not control.running(), timeout=LONG)
    settle(qtbot, frame)


def test_advice_is_asked_kept_built_and_undone(qtbot: QtBot, frame: Frame) -> None:
    control = part(frame)
    seen: list[str] = []
    show_measured = control.view.show_measured
    control.view.show_measured = lambda rows, *rest: (seen.append(str(len(rows))), show_measured(rows, *rest))[1]  # type: ignore[method-assign, func-returns-value]
    ask(qtbot, frame)
    assert control.result is not None
    assert len(seen) > 1, "the frontier fills in while it runs"
    assert control.view.answer.words()[0] == "Proposed"
    assert control.view.head.go.isVisible()
    opened = frame.workspace.opened
    assert opened is not None
    kept = last_advice(opened.library)
    assert kept is not None
    assert kept.result == control.result
    control.view.left_out.copy()
    command = QGuiApplication.clipboard().text()
    assert command.startswith("twinlens --library")
    assert command.endswith("advise --time 600 --truth neighbours")

    other = new(control.result.points, control.result.proposed)
    assert other is not None
    control.view.key_chosen.emit(other.key)
    assert control.view.answer.words()[0] == "Chosen instead"
    field = control.view.answer.name
    assert field.text() == control.making.free_name(other)
    assert "Few bits" in control.making.names.values()
    field.begin()
    QTest.keyClicks(field, "Few bits")
    assert not control.view.answer.build.isEnabled()
    QTest.keyClicks(field, ", but learned")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert not control.view.answer.build.isEnabled()
    settle(qtbot, frame)
    texts = {one.text: one.name for one in list_indexes(opened.library).indexes}
    name = texts[other.key]
    assert name == "Few bits, but learned"
    assert frame.workspace.view() == "lab", "Enter built it, and pressed nothing else"
    qtbot.waitUntil(lambda: frame.workspace.undoing.newest() is not None, timeout=LONG)
    frame.workspace.undoing.undo()
    settle(qtbot, frame)
    assert name not in {one.name for one in list_indexes(opened.library).indexes}
    assert control.view.answer.build.isVisible()
    there = next(one for one in control.result.points if one.index == "Few bits")
    control.view.key_chosen.emit(there.key)
    assert "Few bits" in control.view.answer.words()[2]
    before = frame.workspace.searching.index
    control.view.answer.default.click()
    settle(qtbot, frame)
    assert frame.workspace.searching.index == "Few bits"
    frame.workspace.undoing.undo()
    settle(qtbot, frame)
    assert frame.workspace.searching.index == before
    control.view.answer.back.click()
    assert control.view.answer.words()[0] == "Proposed"
    control.choose(other.key)
    control.view.answer.compare.click()
    assert frame.workspace.view() == "compare"
    changed = next(one for one in frame.workspace.comparing.columns() if one.method == other.method)
    assert (changed.index in texts.values(), changed.search) == (True, other.search)


def test_cancel_gives_what_is_known(qtbot: QtBot, frame: Frame) -> None:
    control = part(frame)
    control.view.head.set_seconds(600)
    control.view.head.choose(3)
    control.go()
    qtbot.waitUntil(lambda: control.view.answer.words()[1].startswith(("Exact", "itq", "lsh", "klsh")), timeout=LONG)
    assert control.view.answer.words()[0] == "So far"
    control.view.head.cancel.click()
    qtbot.waitUntil(lambda: not control.running(), timeout=LONG)
    settle(qtbot, frame)
    assert control.result is not None
    assert control.result.cancelled
    assert control.view.answer.words()[0] == "Proposed"


def _advised(path: Path) -> None:
    with Library.open(path) as library:
        keep_advice(library, result(), NamedPairs(((1, 2),)))
        kept = last_advice(library)
        assert kept is not None
        with library.store.writing() as w:
            w.settings.put("advice", kept.model_copy(update={"ready": kept.ready - 7}).model_dump(mode="json"))


@pytest.mark.parametrize("frame", [_advised], indirect=True)
def test_the_last_advice_is_there_when_one_comes_back(frame: Frame) -> None:
    view = part(frame).view
    assert view.answer.words()[1].startswith("lsh:bits=256 with scan finds 97 of 100")
    assert "7 more photos" in view.answer.grown()
    assert view.table.rows.rowCount() == 4


def test_advice_that_cannot_be_read_is_forgotten(made: Path, tmp_path: Path) -> None:
    with Library.open(Path(shutil.copy(made, tmp_path / "a.twinlens"))) as library:
        assert last_advice(library) is None
        with library.store.writing() as w:
            w.settings.put("advice", {"of": "another version"})
        assert last_advice(library) is None


def test_pairs_are_said_taken_from_marks_and_taken_back(qtbot: QtBot, frame: Frame) -> None:
    control, opened = part(frame), frame.workspace.opened
    assert opened is not None
    control.view.head.choose(2)
    assert control.view.head.truth == PAIRS
    assert not control.view.head.go.isEnabled(), "there is no pair"
    control.view.pairs.open_chooser()
    settle(qtbot, frame)
    grid = control.view.pairs.grid
    assert grid.rows().count == COUNT
    ids = [int(one) for one in grid.rows().ids[:8]]
    control.view.pairs.chosen.emit(ids[:2], True)
    settle(qtbot, frame)
    assert control.pairs.named() == NamedPairs(((ids[0], ids[1]),))
    assert control.view.head.go.isEnabled()
    mark(opened.library, [(ids[2], ids[3])], similar=True)
    mark(opened.library, [(ids[4], ids[5])], similar=False)
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
    assert control.result is not None
    assert control.result.truth == "pairs"
