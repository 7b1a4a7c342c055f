"""The Theory page asks, answers in numbers, keeps what was found, and says what is missing."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.gui.charts.chart_export import free
from app.gui.frame.frame import Frame
from app.gui.lab.theory.controller import TheoryPart
from app.gui.lab.theory.theory_options import NAMES, Knobs
from app.gui.lab.theory.theory_words import KINDS, help_of, label_of, question
from app.lab.theory.choices import offered
from app.lab.theory.theory import Asked, theory
from app.library.library import Library
from core.message import Message
from core.progress import Progress
from tests.app.gui.looking import LONG, chooser, edit, nameless
from tests.app.made_library import LEARNED, histograms, make


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a library of made-up colours, whose index ranks by Hellinger's kernel."""
    path = tmp_path_factory.mktemp("theory") / "made.twinlens"
    make(path, histograms(120, seed=3), [LEARNED]).close()
    return path


@pytest.fixture
def library(made: Path, tmp_path: Path) -> Path:
    """Copy it: a window remembers in it how it was left."""
    return Path(shutil.copy(made, tmp_path / "own.twinlens"))


def shown(qtbot: QtBot, path: Path) -> tuple[Frame, TheoryPart]:
    frame = Frame(path)
    qtbot.addWidget(frame)
    frame.resize(1100, 800)
    with qtbot.waitSignal(frame.opened, timeout=LONG):
        frame.show()
    frame.workspace.show_view("theory")
    found = frame.workspace.views.part("theory")
    assert isinstance(found, TheoryPart)
    return frame, found


def settled(qtbot: QtBot, part: TheoryPart, kind: str) -> None:
    """Wait for the answer of a kind, of which charts are seen."""

    def answered() -> bool:
        return part.view.kind == kind and bool(part.view.board.figures) and part.view.cancel.isHidden()

    qtbot.waitUntil(answered, timeout=LONG)


@pytest.fixture
def part(qtbot: QtBot, library: Path) -> Iterator[TheoryPart]:
    frame, found = shown(qtbot, library)
    qtbot.waitUntil(lambda: bool(found.view.knobs.values().get("index")), timeout=LONG)
    yield found
    frame.close()


def test_the_page_answers_as_theory_itself_and_keeps_what_it_found(
    qtbot: QtBot, part: TheoryPart, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part.cancel()
    part.choose("rotation")
    settled(qtbot, part, "rotation")
    asked = part.asked()
    assert asked == Asked("rotation", index=asked.index, bits=256, scales=())
    with Library.open(library) as opened:
        found = theory(asked, opened)
    assert part.view.board.figures == list(found.figures)
    assert part.view.answer.words == str(found.answer)
    assert str(found.sample).rstrip(".") in part.view.line.text()
    for chart, figure in zip(part.view.board.charts, found.figures, strict=True):
        assert chart.figure == figure
    QTest.keyClick(part.view, Qt.Key.Key_2)
    settled(qtbot, part, "hamming")
    assert part.view.title.text() == question("hamming").heading
    monkeypatch.setattr("app.lab.theory.theory.theory", None)  # nothing is computed again
    part.choose("rotation")
    assert part.view.board.figures == list(found.figures)
    assert not part.view.again.isHidden()
    assert not nameless(part.view)


def test_another_number_is_asked_when_one_has_stopped_typing_and_can_be_cancelled(
    qtbot: QtBot, part: TheoryPart, monkeypatch: pytest.MonkeyPatch
) -> None:
    part.cancel()
    part.choose("rotation")
    settled(qtbot, part, "rotation")
    before = part.view.board.figures
    asked: list[Asked] = []

    def slow(wanted: Asked, _: Library, progress: Progress) -> None:
        asked.append(wanted)
        while True:
            progress(0.4, 1, Message("Turning"))
            time.sleep(0.005)

    monkeypatch.setattr("app.lab.theory.theory.theory", slow)
    bits = edit(part.view, label_of("bits"))
    bits.selectAll()
    QTest.keyClicks(bits, "16")
    assert not asked  # not yet
    qtbot.waitUntil(lambda: "40 %" in part.view.line.text(), timeout=LONG)
    assert [one.bits for one in asked] == [16]
    assert part.view.board.figures == before  # what is seen stays until there is more
    QTest.keyClick(part.view, Qt.Key.Key_Escape)
    qtbot.waitUntil(part.view.cancel.isHidden, timeout=LONG)
    assert part.view.board.figures == before


def test_what_goes_wrong_is_said_where_one_looks(qtbot: QtBot, part: TheoryPart) -> None:
    part.cancel()
    part.choose("bounds")
    settled(qtbot, part, "bounds")
    kernel = chooser(part.view, label_of("kernel"))
    kernel.setCurrentIndex(kernel.findData("sigmoid"))
    kernel.activated.emit(kernel.currentIndex())
    qtbot.waitUntil(lambda: "not positive definite" in part.view.answer.words, timeout=LONG)
    assert not part.view.board.figures
    assert not part.view.export.isEnabled()


def test_a_library_that_has_changed_is_said_to_have_and_pages_come_back_as_they_were(
    qtbot: QtBot, part: TheoryPart
) -> None:
    part.cancel()
    part.choose("rotation")
    settled(qtbot, part, "rotation")
    part.refresh()
    qtbot.waitUntil(lambda: "changed since" in part.view.line.text(), timeout=LONG)
    stale = next(iter(part._kept.values()))
    part.again()
    part.refresh()  # the library changes once more: what is computed anew is not given up for it, but of before
    qtbot.waitUntil(lambda: next(iter(part._kept.values())) is not stale, timeout=LONG)
    assert "changed since" in part.view.line.text()
    qtbot.waitUntil(part.view.isVisible, timeout=LONG)
    part.again()
    qtbot.waitUntil(part.view.isVisible, timeout=LONG)
    assert part._meanwhile is ("changed since" in part.view.line.text())  # the window itself may have heard of a change
    edit(part.view, label_of("bits")).setText("24")
    part.view.knobs._on_changed()
    assert part.state() == {"kind": "rotation", "knobs": {"rotation": {"bits": 24}}}
    other = Knobs()
    qtbot.addWidget(other)
    other.set_state(part.state()["knobs"])
    other.offer({"index": [("a", "a")]})
    other.show_kind("rotation")
    assert other.values()["bits"] == 24
    other.set_state({"rotation": {"bits": "many", "luck": 3}, "nonsense": 1})
    other.show_kind("rotation")
    assert other.values()["bits"] == 256


def test_what_is_missing_is_said_with_one_button(
    qtbot: QtBot, part: TheoryPart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part.cancel()
    part.choose("metric")
    assert part.view.is_empty
    frame: Any = part.view.window()
    part.view.empty_wanted.emit()
    assert frame.workspace.view() == "learn"
    window, empty = shown(qtbot, tmp_path / "empty.twinlens")
    qtbot.waitUntil(lambda: empty.view.is_empty, timeout=LONG)
    chosen: list[bool] = []

    def choose(*_: object) -> str:
        chosen.append(True)
        return ""

    monkeypatch.setattr(QFileDialog, "getExistingDirectory", choose)
    empty.focus()
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Space)
    assert chosen == [True]
    window.close()


def test_charts_are_written_and_copied(
    qtbot: QtBot, part: TheoryPart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part.cancel()
    part.choose("rotation")
    settled(qtbot, part, "rotation")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "all"), ""))
    (tmp_path / "itq-turns.svg").write_text("mine")
    for action, files in ((1, {f"{one.name}.svg" for one in part.view.board.figures}), (2, {"all.csv"})):
        with qtbot.waitSignal(part._files.told, timeout=LONG):
            part.view.export_menu().actions()[action].trigger()
        assert files <= {one.name for one in tmp_path.iterdir()}
    assert (tmp_path / "itq-turns.svg").read_text() == "mine"
    assert b"<svg" in (tmp_path / "itq-turns 2.svg").read_bytes()
    assert (tmp_path / "all.csv").read_text().startswith("figure,series,x,y")
    assert free(tmp_path / "all.csv").name == "all 2.csv"
    with qtbot.waitSignal(part._files.told, timeout=LONG):
        part.view.board.charts[0].menu().actions()[0].trigger()
    assert QGuiApplication.clipboard().image().width() > 1_000


def test_every_question_and_number_has_words(library: Path) -> None:
    for kind in KINDS:
        assert question(kind).heading.endswith("?")
        for name in NAMES[kind]:
            assert label_of(name)
            assert help_of(name)
    with Library.open(library) as opened:
        found = offered(opened)
    assert [(one.kernel, one.photographs) for one in found.indexes if one.name == "Learned"] == [("hellinger", 120)]
    assert found.photographs == 120


def test_all_of_a_kind_can_be_told_apart_by_what_they_ask(part: TheoryPart) -> None:
    part.cancel()
    for kind in KINDS:
        part.view.show_kind(kind)
        values = part.view.knobs.values()
        assert set(values) <= set(NAMES[kind])
        assert part.asked().kind == kind
    part.view.show_kind("rank")
    assert part.asked().scales == (3.0,)
    assert part.asked().landmarks == 500
