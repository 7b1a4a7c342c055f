"""Stars, favourites and picks by key and menu, their signs, and how they are undone; programs that open photographs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.gui.frame.commands import PhotographMenu
from app.gui.frame.library_workspace import LibraryWorkspace
from app.gui.process import outside_files
from app.gui.services import photograph_actions
from app.library.browsing import photographs
from app.library.ingest.adding import Adding, add
from app.library.library import Library
from app.library.own_notes import set_notes
from core.systems import system
from core.systems.programs import Program
from tests.app.folders import Libraries
from tests.app.gui.looking import LONG
from tests.app.gui.working import settle, workspace
from tests.app.made_library import FEW_BITS, histograms, make
from tests.features.sample_pictures import encode, scene

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
    steps = [
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
    keys = {one.key().toString(): one for one in grid.findChildren(QShortcut)}
    grid.set_current(int(grid.ids()[0]))
    assert not keys["F"].isEnabled()
    grid.choose(1, Qt.KeyboardModifier.ControlModifier)
    assert keys["F"].isEnabled()
    keys["F"].activated.emit()
    keys["4"].activated.emit()
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


def test_the_menu_has_stars(work: LibraryWorkspace, monkeypatch: pytest.MonkeyPatch) -> None:
    offered: list[str] = []

    def look(menu: QMenu, *__: object) -> None:
        for action in menu.actions():
            below = action.menu()
            offered.extend(one.text().partition("\t")[0] for one in (below.actions() if below else [action]))

    monkeypatch.setattr(QMenu, "exec", look)
    one = int(work.browsing.grid.ids()[0])
    PhotographMenu(work).show(one, work.mapToGlobal(work.rect().center()))
    assert {"Favourite, or no longer", "Stars: ★★★", "Add to an album…", "Open with…"} <= set(offered)


def test_a_photograph_opens_in_a_chosen_program(
    qtbot: QtBot, work: LibraryWorkspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[tuple[str, Path]] = []
    programs = [Program("Painter & Co", ("painter", "%f")), Program("", ("list", "%f"))]
    monkeypatch.setattr("app.library.browsing.original", lambda library, one: tmp_path / "a.jpg")
    monkeypatch.setattr(photograph_actions, "programs_for", lambda path: programs)
    monkeypatch.setattr(
        photograph_actions, "start", lambda program, path: started.append((program.command[0], path)) or False
    )
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
    monkeypatch.setattr(outside_files, "start", lambda program, path: shown.append(path) or True)
    outside_files.reveal_path(str(tmp_path / "a.jpg"), told.append)
    assert (shown, len(told)) == ([tmp_path], 1)


def test_the_type_of_a_file_decides_which_programs_open_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[tuple[list[str], str]] = []
    monkeypatch.setattr(system, "programs_for", lambda kinds, ending: asked.append((list(kinds), ending)) or [])
    outside_files.programs_for(tmp_path / "A.JPG")
    assert asked[0][0][0] == "image/jpeg"
    assert asked[0][1] == "jpg"


def test_photographs_near_one_are_chosen_and_notes_are_written(
    qtbot: QtBot, libraries: Libraries, tmp_path: Path
) -> None:
    folder = libraries.changeable(6, path := tmp_path / "family.twinlens")
    for seed, place in enumerate((60.39, 60.3901, 41.9)):
        exif = Image.Exif()
        exif.get_ifd(0x8825).update({1: "N", 2: (place, 0.0, 0.0), 3: "E", 4: (5.32, 0.0, 0.0)})
        (folder / f"near{seed}.jpg").write_bytes(encode(scene(48, 32, seed), "JPEG", exif=exif.tobytes()))
    with Library.open(path) as library:
        add(library, [folder], Adding(workers=1))
        ids = {one.name: one.id for one in photographs(library)}
        set_notes(library, [ids["near0.jpg"]], rating=4)
    work = workspace(qtbot, Library.open(path))
    try:
        settle(qtbot, work)
        near = {ids["near0.jpg"], ids["near1.jpg"]}
        work.side.narrow_to_place(ids["near0.jpg"])
        qtbot.waitUntil(
            lambda: set(work.browsing.grid.ids().tolist()) == {ids["near0.jpg"], ids["near1.jpg"]}, timeout=LONG
        )
        assert work.side.filters() == {"near": f"#{ids['near0.jpg']}", "within": "1km"}
        with qtbot.waitSignal(work.actions_.told, timeout=LONG) as told:
            work.actions_.write_notes([*near])
        assert told.args == ["1 XMP file written."]
        assert (folder / "near0.jpg.xmp").exists()
    finally:
        work.leave_library()()
