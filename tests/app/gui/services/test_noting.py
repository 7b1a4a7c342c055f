"""Stars, favourites and picks by key and menu, with their signs, undone; programs that open a photograph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from tests.app.gui.looking import LONG, menu_commands
from tests.app.gui.working import settle, workspace
from tests.app.made_library import FEW_BITS, histograms, make
from twinlens.app.gui.frame.library_workspace import LibraryWorkspace
from twinlens.app.gui.frame.photograph_commands import PhotographCommands
from twinlens.app.gui.process import outside_files
from twinlens.app.gui.services import photograph_actions
from twinlens.app.library.library import Library
from twinlens.core.systems import system
from twinlens.core.systems.programs import Program

COUNT = 12
Key = Qt.Key


@pytest.fixture
def work(qtbot: QtBot, tmp_path: Path) -> Iterator[LibraryWorkspace]:
    make(tmp_path / "made.twinlens", histograms(COUNT, seed=5), [FEW_BITS]).close()
    made = workspace(qtbot, Library.open(tmp_path / "made.twinlens"))
    yield made
    made.leave_library()()


def written(qtbot: QtBot, work: LibraryWorkspace) -> None:
    qtbot.waitUntil(lambda: not work.changes.running and not work.jobs.busy(), timeout=LONG)


def signs(qtbot: QtBot, work: LibraryWorkspace, row: int) -> str:
    """Return the signs on a photograph, once they are known."""
    written(qtbot, work)
    one = int(work.browsing.grid.rows().ids[row])
    work.seen.signs(one)
    qtbot.waitUntil(lambda: work.seen.of(one) is not None, timeout=LONG)
    return work.seen.signs(one).text()


def test_notes_are_signs_and_every_one_is_undone(qtbot: QtBot, work: LibraryWorkspace) -> None:
    grid = work.browsing.grid
    first, second = grid.ids()[:2].tolist()
    steps: list[tuple[Callable[[], object], str, str]] = [
        (lambda: work.note("3", [first, second]), "★★★", "★★★"),
        (lambda: work.note("favourite", [first]), "♥ ★★★", "★★★"),
        (lambda: work.note("favourite", [first, second]), "♥ ★★★", "♥ ★★★"),
        (lambda: work.note("favourite", [first, second]), "★★★", "★★★"),
        (lambda: work.note("reject", [first]), "✕ ★★★", "★★★"),
        (lambda: work.note("pick", [first]), "⚑ ★★★", "★★★"),
        (lambda: work.note("pick", [first]), "★★★", "★★★"),
        (lambda: work.note("0", [second]), "★★★", ""),
    ]
    for act, of_first, of_second in steps:
        act()
        assert (signs(qtbot, work, 0), signs(qtbot, work, 1)) == (of_first, of_second)
    grid.grab()
    for _, of_first, of_second in reversed(steps[:-1]):
        work.undoing.undo()
        assert (signs(qtbot, work, 0), signs(qtbot, work, 1)) == (of_first, of_second)
    work.undoing.undo()
    assert (signs(qtbot, work, 0), signs(qtbot, work, 1)) == ("", "")
    work.undoing.redo()
    assert (signs(qtbot, work, 0), signs(qtbot, work, 1)) == ("★★★", "★★★")


def test_letters_note_in_the_library_where_several_are_selected(qtbot: QtBot, work: LibraryWorkspace) -> None:
    grid = work.browsing.grid
    favourite, four = (grid.findChild(QAction, name) for name in ("note.favourite", "note.4"))
    assert favourite is not None
    assert four is not None
    grid.set_current(int(grid.ids()[0]))
    assert not favourite.isEnabled()
    grid.choose(1, Qt.KeyboardModifier.ControlModifier)
    assert favourite.isEnabled()
    favourite.trigger()
    four.trigger()
    assert (signs(qtbot, work, 0), signs(qtbot, work, 1), signs(qtbot, work, 2)) == ("♥ ★★★★", "♥ ★★★★", "")


def test_a_filter_and_the_order_by_stars_follow(qtbot: QtBot, work: LibraryWorkspace) -> None:
    grid = work.browsing.grid
    last = int(grid.ids()[-1])
    work.browsing.order_by("rating")
    settle(qtbot, work)
    work.note("5", [last])
    written(qtbot, work)
    assert int(grid.ids()[0]) == last
    work.side.choose({"rating": "4"}, None)
    settle(qtbot, work)
    assert grid.ids().tolist() == [last]
    work.note("1", [last])
    written(qtbot, work)
    assert grid.ids().tolist() == []


def test_what_is_seen_large_is_noted(qtbot: QtBot, work: LibraryWorkspace) -> None:
    grid, viewer = work.browsing.grid, work.viewing.viewer
    work.viewing.show(grid, int(grid.ids()[2]))
    settle(qtbot, work)
    QTest.keyClick(viewer, Key.Key_F)
    written(qtbot, work)
    work.note("2", work.noted_photographs())
    written(qtbot, work)
    assert "favourite" in viewer.caption()
    assert "★★" in viewer.caption()
    assert signs(qtbot, work, 2) == "♥ ★★"
    QTest.keyClick(viewer, Key.Key_X)
    assert signs(qtbot, work, 2) == "✕ ♥ ★★"


def test_the_menu_has_stars(work: LibraryWorkspace) -> None:
    menu, one = QMenu(work), int(work.browsing.grid.ids()[0])
    commands = work.findChild(PhotographCommands)
    assert commands is not None
    commands.add_notes(menu, [one])
    below = menu.actions()[0].menu()
    assert isinstance(below, QMenu)
    offered = [action.text().partition("\t")[0] for action in below.actions()]
    offered += [command.action.words for command in menu_commands(work, one, [one])]
    assert {"Favourite, or no longer", "Stars: ★★★", "Add to an album…", "Open with…"} <= set(offered)


def test_a_photograph_opens_in_a_chosen_program(
    qtbot: QtBot, work: LibraryWorkspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[tuple[str, Path]] = []
    programs = [Program("Painter & Co", ("painter", "%f")), Program("", ("list", "%f"))]
    monkeypatch.setattr("twinlens.app.library.browsing.photographs.original", lambda library, one: tmp_path / "a.jpg")
    monkeypatch.setattr(photograph_actions, "programs_for", lambda path: programs)

    def fails(program: Program, path: Path) -> bool:
        started.append((program.command[0], path))
        return False

    monkeypatch.setattr(photograph_actions, "start", fails)
    told: list[str] = []
    work.actions_.told.connect(told.append)
    work.actions_.open_with(1)
    settle(qtbot, work)
    menu = work.findChildren(QMenu)[-1]
    assert [one.text() for one in menu.actions()] == ["Painter && Co", "Choose a program…"]
    menu.actions()[0].trigger()
    assert started == [("painter", tmp_path / "a.jpg")]
    assert told == ["Painter & Co could not be started."]
    programs.clear()
    work.actions_.open_with(1)
    settle(qtbot, work)
    work.actions_.open(1)
    settle(qtbot, work)
    assert told[1:] == ["The system has no program that opens a.jpg."] * 2


def test_where_there_is_no_file_manager_that_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(outside_files, "_ask_file_manager", lambda path: False)
    monkeypatch.setattr(system, "file_managers", list)
    told: list[str] = []
    outside_files.reveal_path(str(tmp_path), told.append)
    assert told == [f"There is no file manager here that shows {tmp_path}."]
    shown: list[Path] = []
    monkeypatch.setattr(system, "file_managers", lambda: [Program("Files", ("files", "%f"))])

    def start(__: Program, path: Path) -> bool:
        shown.append(path)
        return True

    monkeypatch.setattr(outside_files, "start", start)
    outside_files.reveal_path(str(tmp_path / "a.jpg"), told.append)
    assert (shown, len(told)) == ([tmp_path], 1)


def test_the_type_of_a_file_decides_which_programs_open_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[tuple[list[str], str]] = []

    def programs(kinds: list[str], ending: str) -> list[Program]:
        asked.append((kinds, ending))
        return []

    monkeypatch.setattr(system, "programs_for", programs)
    outside_files.programs_for(tmp_path / "A.JPG")
    assert asked[0][0][0] == "image/jpeg"
    assert asked[0][1] == "jpg"
