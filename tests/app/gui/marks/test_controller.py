"""Marking in the window: keys, signs, the way on, undo, and what cannot be marked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.frame.main_window import MainWindow
from app.gui.marks.mark_controls import Verdict
from app.library.library import Library
from app.machine.preferences import Preferences, keep
from app.marks.marks import mark_pairs
from tests.app.gui.frame.test_frame import answered, grid, hits, opened
from tests.app.gui.looking import LONG, button, said
from tests.app.library_fixture import Libraries

COUNT = 6
S, D = Qt.Key.Key_S, Qt.Key.Key_D


@pytest.fixture
def photographs(libraries: Libraries) -> Path:
    return libraries.photographs(COUNT)


@pytest.fixture
def made(libraries: Libraries, tmp_path: Path) -> Path:
    return libraries.copy(COUNT, tmp_path / "family.twinlens")


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep(Preferences(rescan_on_start=False))


@pytest.fixture
def frame(qtbot: QtBot, made: Path) -> Iterator[MainWindow]:
    shown = opened(qtbot, made)
    qtbot.waitUntil(lambda: grid(shown).rows().count == COUNT, timeout=LONG)
    yield shown
    shown.close()


def marks(frame: MainWindow) -> list[tuple[bool, str]]:
    held = frame.workspace.opened
    assert held is not None
    with held.library.store.reading() as r:
        return [(row.similar, row.origin) for row in r.marks.all()]


def settled(qtbot: QtBot, frame: MainWindow) -> None:
    QApplication.processEvents()
    qtbot.waitUntil(lambda: not frame.busy() and not frame.workspace.changes.running, timeout=LONG)


def asked(qtbot: QtBot, frame: MainWindow, *pictures: int | Path | bytes) -> list[int]:
    """Ask, and give the answers that are not what was asked with; the first of them is current."""
    frame.workspace.searching.ask_pictures(list(pictures))
    answered(qtbot, frame)
    settled(qtbot, frame)
    ids = [one.photograph.id for one in hits(frame).found if one.photograph.id not in pictures]
    results = frame.workspace.searching.view.grid
    results.set_current(ids[0])
    results.setFocus()
    return ids


def press(frame: MainWindow, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(frame.workspace.searching.view.grid, key)


def test_keys_mark_and_go_on_and_show_signs(qtbot: QtBot, frame: MainWindow) -> None:
    ids = asked(qtbot, frame, 1)
    results = frame.workspace.searching.view.grid
    press(frame, S, D, S)
    assert results.current_id() == ids[3]  # before anything is written
    settled(qtbot, frame)
    assert marks(frame) == [(True, "results"), (False, "results"), (True, "results")]
    assert results.verdicts() == {ids[0]: Verdict.SIMILAR, ids[1]: Verdict.DIFFERENT, ids[2]: Verdict.SIMILAR}
    assert "marked different" in results.spoken(results.rows().ids.tolist().index(ids[1]))
    assert "3 marks" in said(frame.status)


def test_the_same_key_takes_back_and_the_other_replaces(qtbot: QtBot, frame: MainWindow) -> None:
    ids = asked(qtbot, frame, 1)
    results = frame.workspace.searching.view.grid
    press(frame, S)
    settled(qtbot, frame)
    results.set_current(ids[0])
    press(frame, D)
    settled(qtbot, frame)
    assert marks(frame) == [(False, "results")]
    results.set_current(ids[0])
    press(frame, D)
    assert results.current_id() == ids[0]  # who corrects stays
    settled(qtbot, frame)
    assert marks(frame) == []
    assert results.verdicts() == {}


def test_undo_goes_back_step_by_step(qtbot: QtBot, frame: MainWindow) -> None:
    ids = asked(qtbot, frame, 1)
    results = frame.workspace.searching.view.grid
    press(frame, S, S)
    results.set_current(ids[0])
    press(frame, D)
    settled(qtbot, frame)
    assert sorted(similar for similar, _ in marks(frame)) == [False, True]
    for left in ([True, True], [True], []):
        QTest.keyClick(results, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        settled(qtbot, frame)
        assert [similar for similar, _ in marks(frame)] == left
    QTest.keyClick(results, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settled(qtbot, frame)
    assert "nothing to undo" in said(frame.status)


def test_selected_results_are_marked_with_each_example(qtbot: QtBot, frame: MainWindow) -> None:
    ids = asked(qtbot, frame, 1, 2)
    results = frame.workspace.searching.view.grid
    results.selection.toggle(results.rows().ids.tolist().index(ids[1]))
    press(frame, S)
    settled(qtbot, frame)
    assert len(marks(frame)) == 4
    assert results.verdicts() == dict.fromkeys(ids[:2], Verdict.SIMILAR)
    press(frame, S)  # all of them are marked so
    settled(qtbot, frame)
    assert marks(frame) == []


def test_what_was_asked_with_is_not_marked_with_itself(qtbot: QtBot, frame: MainWindow) -> None:
    ids = asked(qtbot, frame, 1)
    frame.workspace.searching.view.grid.set_current(1)
    press(frame, S)
    assert "cannot be marked with itself" in said(frame.status)
    assert frame.workspace.searching.view.grid.current_id() == ids[0]
    assert marks(frame) == []


def test_a_picture_from_elsewhere_must_be_added_first(qtbot: QtBot, frame: MainWindow, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere.png"
    Image.new("RGB", (64, 48), "#336699").save(other)
    asked(qtbot, frame, other)
    press(frame, S)
    assert "elsewhere.png is not in the library" in said(frame.status)
    settled(qtbot, frame)
    assert marks(frame) == []


def test_a_copy_elsewhere_counts_as_the_photograph(
    qtbot: QtBot, frame: MainWindow, photographs: Path, tmp_path: Path
) -> None:
    held = frame.workspace.opened
    assert held is not None
    original = sorted(photographs.rglob("*.*"))[0]
    copy = tmp_path / "copy.jpg"
    copy.write_bytes(original.read_bytes())
    frame.workspace.searching.ask_pictures([copy])
    answered(qtbot, frame)
    settled(qtbot, frame)
    frame.workspace.searching.view.grid.set_current(hits(frame).found[1].photograph.id)
    press(frame, S)
    settled(qtbot, frame)
    assert marks(frame) == [(True, "results")]


def test_contradictions_are_shown_until_one_is_chosen(qtbot: QtBot, frame: MainWindow) -> None:
    held = frame.workspace.opened
    assert held is not None
    mark_pairs(held.library, [(1, 2)], True, "import:a.csv")
    mark_pairs(held.library, [(1, 2)], False, "import:b.csv")
    asked(qtbot, frame, 1)
    results = frame.workspace.searching.view.grid
    assert results.verdicts() == {2: Verdict.BOTH}
    results.set_current(2)
    press(frame, S)
    settled(qtbot, frame)
    assert marks(frame) == [(True, "import:a.csv")]
    assert results.verdicts() == {2: Verdict.SIMILAR}


def test_the_panel_says_when_and_removes(qtbot: QtBot, frame: MainWindow) -> None:
    ids = asked(qtbot, frame, 1)
    section = frame.workspace.searching.view.why.marks
    similar = button(section, "Mark similar to what was asked with")
    assert not section.isHidden()
    similar.click()
    settled(qtbot, frame)
    frame.workspace.searching.view.grid.set_current(ids[0])
    assert similar.isChecked()
    button(section, "Remove this mark").click()
    settled(qtbot, frame)
    assert marks(frame) == []
    assert not similar.isChecked()


def test_several_selected_in_the_library_are_alike(qtbot: QtBot, frame: MainWindow) -> None:
    shown = grid(frame)
    shown.setFocus()
    shown.select_all()
    QTest.keyClick(shown, D)
    assert "D marks two photos" in said(frame.status)
    QTest.keyClick(shown, S)
    settled(qtbot, frame)
    assert marks(frame) == [(True, "selection")] * (COUNT * (COUNT - 1) // 2)
    assert frame.workspace.browsing.view.words() == ""
    QTest.keyClick(shown, S)
    settled(qtbot, frame)
    assert marks(frame) == []
    QTest.keyClick(shown, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settled(qtbot, frame)
    assert len(marks(frame)) == COUNT * (COUNT - 1) // 2


def test_two_selected_are_different_and_then_alike(qtbot: QtBot, frame: MainWindow) -> None:
    shown = grid(frame)
    shown.setFocus()
    shown.choose(0, Qt.KeyboardModifier.NoModifier)
    shown.choose(1, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(shown, D)
    settled(qtbot, frame)
    assert marks(frame) == [(False, "selection")]
    QTest.keyClick(shown, S)  # not a contradiction: it makes way
    settled(qtbot, frame)
    assert marks(frame) == [(True, "selection")]


def test_with_one_selected_letters_filter_as_ever(qtbot: QtBot, frame: MainWindow) -> None:
    shown = grid(frame)
    shown.setFocus()
    shown.choose(0, Qt.KeyboardModifier.NoModifier)
    QTest.keyClick(shown, S)
    assert frame.workspace.browsing.view.words() == "s"
    QTest.keyClick(frame.focusWidget(), D)
    assert frame.workspace.browsing.view.words() == "sd"
    settled(qtbot, frame)
    assert marks(frame) == []
    frame.workspace.browsing.view.clear_filter()


def test_the_large_photograph_is_marked_and_gives_way(qtbot: QtBot, frame: MainWindow) -> None:
    ids = asked(qtbot, frame, 1)
    results = frame.workspace.searching.view.grid
    QTest.keyClick(results, Qt.Key.Key_Space)
    viewer = frame.workspace.viewing.viewer
    QTest.keyClick(viewer, S)
    QTest.keyClick(viewer, D)
    settled(qtbot, frame)
    assert [similar for similar, _ in marks(frame)] == [True, False]
    assert results.current_id() == ids[2]
    viewer.grab()
    QTest.keyClick(viewer, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settled(qtbot, frame)
    assert [similar for similar, _ in marks(frame)] == [True]
    frame.workspace.viewing.close()


def test_the_large_photograph_of_the_library_is_not_marked(qtbot: QtBot, frame: MainWindow) -> None:
    asked(qtbot, frame, 1)
    frame.workspace.show_view("library")
    grid(frame).set_current(3)
    QTest.keyClick(grid(frame), Qt.Key.Key_Space)
    QTest.keyClick(frame.workspace.viewing.viewer, S)
    settled(qtbot, frame)
    assert marks(frame) == []


def test_a_folder_is_marked_as_alike_and_undone(qtbot: QtBot, frame: MainWindow, photographs: Path) -> None:
    frame.workspace.side.alike_wanted.emit(str(photographs))
    settled(qtbot, frame)
    assert {origin.partition(":")[0] for _, origin in marks(frame)} == {"folder"}
    frame.workspace.undoing.undo()
    settled(qtbot, frame)
    assert marks(frame) == []


def keys(frame: MainWindow, one: int, ids: list[int]) -> list[str]:
    return [thing.action.keys_text() for thing in frame.workspace.menu.things(one, ids) if thing.action]


def test_the_menu_says_what_can_be_marked(qtbot: QtBot, frame: MainWindow) -> None:
    assert not [key for key in keys(frame, 1, [1]) if key in ("S", "D")]
    assert [key for key in keys(frame, 1, [1, 2]) if key in ("S", "D")] == ["S", "D"]
    assert [key for key in keys(frame, 1, [1, 2, 3]) if key in ("S", "D")] == ["S"]
    ids = asked(qtbot, frame, 1)
    things = {one.action.keys_text(): one.act for one in frame.workspace.menu.things(ids[0], [ids[0]]) if one.action}
    act = things["D"]
    assert act is not None
    act()
    settled(qtbot, frame)
    assert marks(frame) == [(False, "results")]


def test_a_library_that_can_only_be_read_says_so(
    qtbot: QtBot, frame: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = asked(qtbot, frame, 1)
    held = frame.workspace.opened
    assert held is not None
    monkeypatch.setattr(held.library.store.place, "writable", False)
    press(frame, S)
    settled(qtbot, frame)
    assert "only be read" in said(frame.status) or "cannot be written" in said(frame.status), said(frame.status)
    assert frame.workspace.searching.view.grid.verdicts() == {}
    assert ids
    monkeypatch.undo()


def test_what_was_pressed_last_is_kept_when_the_window_closes(qtbot: QtBot, frame: MainWindow, made: Path) -> None:
    asked(qtbot, frame, 1)
    press(frame, S, S, D)
    frame.close()
    with Library.open(made) as library, library.store.reading() as r:
        assert r.marks.count() == 3
