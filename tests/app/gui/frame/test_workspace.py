"""A workspace: its views, actions and status line, and what dragging over it says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QTreeView
from pytestqt.qtbot import QtBot

from tests.app.folders import write_scene
from tests.app.gui.looking import LONG, button, edit, named, part, said, words
from tests.app.gui.working import settle, workspace
from tests.app.machine.test_background_work import Clock
from tests.app.made_library import EXACTLY, FEW_BITS, histograms, make
from twinlens.app.compare.columns import offers
from twinlens.app.gui.actions.picture_actions import viewer_actions
from twinlens.app.gui.frame.commands import CommandPalette
from twinlens.app.gui.frame.library_workspace import LibraryWorkspace
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.services import dropped_files
from twinlens.app.gui.services.status_line import StatusLine
from twinlens.app.gui.side_panel.side_panel import FolderModel
from twinlens.app.library.library import Library
from twinlens.app.library.saved_state import history
from twinlens.app.machine.remaining_time import RemainingTime
from twinlens.core.message import Message, verbatim
from twinlens.core.progress import Progress


@pytest.fixture
def path(tmp_path: Path) -> Path:
    make(tmp_path / "made.twinlens", histograms(30, seed=5), [FEW_BITS, EXACTLY]).close()
    return tmp_path / "made.twinlens"


@pytest.fixture
def work(qtbot: QtBot, path: Path) -> LibraryWorkspace:
    return workspace(qtbot, Library.open(path))


def test_views_are_made_when_they_are_first_shown(qtbot: QtBot, work: LibraryWorkspace) -> None:
    assert work.views.made("learn") is None
    assert work.views.made("compare") is None
    assert work.views.made("search") is None
    work.show_view("learn")
    assert work.views.made("learn") is not None
    settle(qtbot, work)
    work.leave_library()()


def test_indexes_are_looked_after_in_the_lab_and_lead_back_to_it(qtbot: QtBot, work: LibraryWorkspace) -> None:
    work.show_view("lab")
    settle(qtbot, work)
    button(work.views.part("lab").view, "Create, rename and delete indexes").click()
    assert work.view() == "indexes"
    settle(qtbot, work)
    button(work.views.part("indexes").view, "Back to the Lab").click()
    assert work.view() == "lab"
    settle(qtbot, work)
    work.leave_library()()


def test_a_deleted_index_is_offered_nowhere(qtbot: QtBot, work: LibraryWorkspace) -> None:
    def offered() -> set[str]:
        return {one.name for one in offers(work.opened.library, [], "Exactly", work.opened.put_away).bases}

    assert "Few bits" in offered()
    work.indexes.put_away("Few bits")
    settle(qtbot, work)
    assert "Few bits" not in offered()
    assert "Few bits" not in [name for name, __, __ in work.searching.choice.offered]
    work.leave_library()()


def test_the_first_question_after_a_change_elsewhere_is_asked_and_remembered(
    qtbot: QtBot, work: LibraryWorkspace
) -> None:
    work.searching.use_index("Exactly")
    work.searching.take_pictures([3])
    settle(qtbot, work)
    work.show_view("library")
    work.views.refresh()  # photographs have come meanwhile
    work.searching.take_pictures([5])
    settle(qtbot, work)
    question = work.searching.query
    assert question is not None
    assert [one.picture for one in question.examples] == [5]
    assert [one["examples"][0]["picture"] for one in history(work.opened.library)][:2] == [5, 3]
    work.leave_library()()


def test_what_cannot_be_done_just_now_is_said(qtbot: QtBot, work: LibraryWorkspace) -> None:
    open_palette(work)
    (palette,) = work.findChildren(CommandPalette)
    field = palette.findChild(QLineEdit)
    assert field is not None
    field.setText("add a column")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "cannot be done just now" in " ".join(words(work.status)), timeout=LONG)
    assert work.view() == "compare"
    settle(qtbot, work)
    work.leave_library()()


@pytest.fixture
def work_with_actions(qtbot: QtBot, tmp_path: Path) -> LibraryWorkspace:
    return workspace(qtbot, make(tmp_path / "made.twinlens", histograms(30, seed=5), [FEW_BITS, EXACTLY]))


def open_palette(work: LibraryWorkspace) -> None:
    found = work.findChild(QAction, "window.palette")
    assert found is not None
    found.trigger()


def test_what_is_typed_into_the_palette_is_done_in_its_view(qtbot: QtBot, work_with_actions: LibraryWorkspace) -> None:
    open_palette(work_with_actions)
    (palette,) = work_with_actions.findChildren(CommandPalette)
    field = palette.findChild(QLineEdit)
    assert field is not None
    QTest.keyClicks(field, "by fold")
    assert palette.offered()[0].name == "library.by folder"
    QTest.keyClick(field, Qt.Key.Key_Down)
    QTest.keyClick(field, Qt.Key.Key_Up)
    field.setText("new ind")
    assert palette.offered()[0].words == "New index"
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: work_with_actions.view() == "new index", timeout=LONG)
    work_with_actions.leave_library()()


def test_back_and_forward_lead_through_views_and_questions(qtbot: QtBot, work_with_actions: LibraryWorkspace) -> None:
    work_with_actions.searching.take_pictures([3])
    settle(qtbot, work_with_actions)
    work_with_actions.show_view("map")
    work_with_actions.searching.take_pictures([5])
    settle(qtbot, work_with_actions)
    seen = []
    for __ in range(3):
        work_with_actions.history.go_back()
        settle(qtbot, work_with_actions)
        seen.append(work_with_actions.view())
    assert seen == ["map", "search", "library"]
    work_with_actions.history.go_forward()
    settle(qtbot, work_with_actions)
    question = work_with_actions.searching.query
    assert work_with_actions.view() == "search"
    assert question is not None
    assert [one.picture for one in question.examples] == [3]
    work_with_actions.leave_library()()


COPY = Qt.DropAction.CopyAction
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def of(paths: Sequence[Path]) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def waiting(frame: MainWindow) -> str:
    """Return what is said of the folders that wait."""
    return " ".join(one.text() + one.toolTip() for one in frame.status.findChildren(QLabel) if one.isVisible())


def enter(frame: MainWindow, data: QMimeData) -> str:
    QApplication.sendEvent(frame, QDragEnterEvent(QPoint(50, 50), COPY, data, LEFT, NONE))
    return frame.drop_sign.words()[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "Alps").mkdir()
    (tmp_path / "Alps" / "one.jpg").touch()
    return tmp_path / "Alps"


def test_what_a_drop_does_is_said_in_each_view_until_it_is_done(frame: MainWindow, folder: Path) -> None:
    for view in ("library", "search", "compare", "learn", "lab", "map", "indexes", "problems", "settings"):
        frame.workspace.show_view(view)
        data = of([folder])
        assert enter(frame, data) == "Add “Alps” to the library", view
        assert frame.drop_sign.size() == frame.size()
        QApplication.sendEvent(frame, QDragLeaveEvent())
        assert frame.drop_sign.isHidden()
        data = of([folder / "one.jpg"])
        asks = "Compare indexes with this photo" if view == "compare" else "Search with this photo"
        assert enter(frame, data) == asks, view
    QApplication.sendEvent(frame, QDropEvent(QPointF(50, 50), COPY, data, LEFT, NONE))
    assert frame.drop_sign.isHidden()


def test_a_picture_of_another_program_is_searched_with(frame: MainWindow) -> None:
    data = QMimeData()
    data.setImageData(QImage(4, 4, QImage.Format.Format_RGB32))
    assert enter(frame, data) == "Search with this photo"


def test_what_is_nowhere_here_gets_no_promise(frame: MainWindow) -> None:
    data = QMimeData()
    data.setUrls([QUrl("https://example.org/a.jpg")])
    assert enter(frame, data) == ""


def test_several_things_are_said_together() -> None:
    title, more = dropped_files.drop_sentences([Path("/a/Alps")], 2, "library", after="Sea")
    assert title.splitlines() == ["Add “Alps” to the library", "Search with these photos"]
    assert "after “Sea”" in more
    assert dropped_files.drop_sentences([Path("/a"), Path("/b")], 0, "library")[0] == "Add 2 folders to the library"
    assert "at most 16" in dropped_files.drop_sentences([], 17, "search")[0]


def test_it_can_be_seen_in_light_and_dark(frame: MainWindow, folder: Path) -> None:
    before = frame.grab().toImage()
    data = of([folder])
    enter(frame, data)
    assert frame.grab().toImage() != before


def test_a_folder_that_comes_while_another_is_added_waits_and_says_so(
    qtbot: QtBot, frame: MainWindow, tmp_path: Path
) -> None:
    def endless(progress: Progress) -> None:
        while True:
            progress(1, 10, Message("1 of 10"))

    frame.workspace.work.run("Adding Sea…", endless)
    for name in ("Alps", "Lake"):
        (tmp_path / name).mkdir()
        frame.workspace.taking.take_files([tmp_path / name])
        assert f"“{name}” is added after “" in said(frame.status)
    assert "“Alps”" not in frame.workspace.work.last_waiting()
    assert frame.workspace.work.last_waiting().endswith("Lake")
    qtbot.waitUntil(lambda: "Alps, Lake" in waiting(frame), timeout=LONG)  # once their cost is estimated
    frame.workspace.taking.take_files([tmp_path / "Lake"])
    assert "being added already" in said(frame.status)
    assert enter(frame, of([tmp_path])) == f"Add “{tmp_path.name}” to the library"
    frame.status.cancel()
    qtbot.waitUntil(lambda: not frame.workspace.work.busy(), timeout=LONG)
    assert "Alps" not in waiting(frame)
    # The folders that waited are not lost.
    goes_on = button(frame.status, "Continue")
    qtbot.waitUntil(goes_on.isVisible, timeout=LONG)
    goes_on.click()
    qtbot.waitUntil(
        lambda: not frame.workspace.work.busy() and not frame.workspace.adding.has_unfinished(), timeout=LONG
    )
    folders = part(frame.workspace.side, FolderModel)
    qtbot.waitUntil(lambda: folders.index_of(str(tmp_path / "Lake")).isValid(), timeout=LONG)


@pytest.fixture
def line(qtbot: QtBot) -> StatusLine:
    made = StatusLine()
    qtbot.addWidget(made)
    made.show()
    return made


def test_what_has_happened_gives_way_to_the_state(
    qtbot: QtBot, line: StatusLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("twinlens.app.gui.services.status_line.MESSAGE_MS", 10)
    line.show_state("306 photos")
    line.show_message("24 new photos")
    assert said(line) == "24 new photos"
    qtbot.waitUntil(lambda: said(line) == "306 photos")


def test_an_undo_keeps_its_words_while_work_goes_on(qtbot: QtBot, line: StatusLine) -> None:
    line.begin("Adding photos…")
    line.show_message("album is being forgotten", "Undo")
    line.show_progress(1, 10, Message("1 of 10 photos"))
    assert said(line) == "album is being forgotten"
    with qtbot.waitSignal(line.action_wanted):
        button(line, "Undo").click()
    assert said(line) == "1 of 10 photos"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("twinlens.app.gui.services.status_line.RemainingTime", lambda: RemainingTime(made))
    return made


def running(line: StatusLine, clock: Clock, upto: int) -> None:
    """Read photographs of 100, five a second."""
    for done in range(upto + 1):
        line.show_progress(done, 100, verbatim(f"{done} of 100 photos"))
        clock.now += 0.2 if done < upto else 0


def test_a_pause_says_how_far_it_is_and_is_no_work(qtbot: QtBot, clock: Clock, line: StatusLine) -> None:
    line.begin("Adding photos…")
    clock.now += 10
    running(line, clock, 1)
    assert said(line) == "1 of 100 photos"  # the first one says nothing of the others
    running(line, clock, 50)
    assert said(line) == "50 of 100 photos 10 s left"
    with qtbot.waitSignal(line.pause_wanted):
        line.toggle_pause()
    assert said(line) == "Paused · 50 of 100 photos"
    clock.now += 1000
    line.toggle_pause()
    line.show_progress(50, 100, verbatim("50 of 100 photos"))
    assert said(line) == "50 of 100 photos 10 s left"


def test_new_work_after_a_pause_begins_at_zero(clock: Clock, line: StatusLine) -> None:
    line.begin("Adding photos…")
    running(line, clock, 50)
    line.toggle_pause()
    clock.now += 1000
    line.begin("Making the index…")
    assert said(line) == "Making the index…"
    running(line, clock, 50)
    assert said(line) == "50 of 100 photos 10 s left"


def test_the_time_that_is_left_is_unknown_where_nothing_comes_any_more(
    qtbot: QtBot, clock: Clock, line: StatusLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("twinlens.app.gui.services.status_line.LEFT_EVERY_MS", 5)
    line.begin("Adding photos…")
    running(line, clock, 50)
    clock.now += 60
    qtbot.waitUntil(lambda: "left" not in said(line))


def test_letters_go_to_the_filter_from_everywhere(qtbot: QtBot, frame: MainWindow, tmp_path: Path) -> None:
    frame.workspace.adding.add([write_scene(tmp_path / "Lake" / "a.jpg", 1).parent])
    view = frame.workspace.browsing.view
    qtbot.waitUntil(lambda: view.grid.rows().count > 0 and not frame.busy(), timeout=LONG)
    tree = named(frame.workspace.side, "Folders")
    assert isinstance(tree, QTreeView)
    places = (view.grid, tree, button(view, "Add a folder of photos"), frame.rail, frame.status)
    for number, place in enumerate(places, 1):
        place.setFocus()
        QTest.keyClick(place, Qt.Key.Key_Z)
        assert view.words() == "z" * number
    chosen = tree.currentIndex().row()
    assert chosen == 0
    frame.workspace.show_view("search")
    QTest.keyClick(frame, Qt.Key.Key_Z)
    assert view.words() == "z" * len(places)


def test_the_palette_has_the_keys_at_once_and_gives_them_back(frame: MainWindow) -> None:
    view = frame.workspace.browsing.view
    view.setFocus()
    before = frame.focusWidget()
    QTest.keyClick(frame, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    for key in (Qt.Key.Key_Q, Qt.Key.Key_X):  # no turn of the event loop between them
        QTest.keyClick(frame.focusWidget(), key)
    (palette,) = frame.findChildren(CommandPalette)
    assert edit(palette, "What do you want to do?").text() == "qx"
    assert "Nothing is called so." in said(palette)
    QTest.keyClick(frame.focusWidget(), Qt.Key.Key_Escape)
    assert frame.focusWidget() is before
    assert not palette.isVisible()


def test_the_palette_offers_what_the_large_photo_can_while_it_is_shown(
    qtbot: QtBot, work_with_actions: LibraryWorkspace
) -> None:
    work = work_with_actions
    large = {one.name for one in viewer_actions().values() if not one.keys_only}

    def offered() -> set[str]:
        open_palette(work)
        (palette,) = [one for one in work.findChildren(CommandPalette) if one.isVisible()]
        names = {one.name for one in palette.offered()}
        palette.close()
        return names & large

    assert offered() == set()
    work.viewing.show(work.browsing.grid, int(work.browsing.grid.ids()[0]))
    settle(qtbot, work)
    assert offered() == large
    work.viewing.close()
    work.leave_library()()
