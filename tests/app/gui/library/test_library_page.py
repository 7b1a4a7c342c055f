"""The library in the window: looked through, added to, its folders forgotten, and its problems."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import MagicMock

import pytest
from PySide6.QtCore import QMimeData, QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QLabel, QSlider, QTreeView
from pytestqt.qtbot import QtBot

from tests.app.folders import added, write_scene, write_scenes
from tests.app.gui.looking import LONG, button, named, nameless, part, show, words
from tests.app.gui.working import settle, settled, settled_window, workspace
from tests.app.made_library import FEW_BITS, histograms, make
from twinlens.app.gui.frame.library_workspace import LibraryWorkspace
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.library.problems_page import ProblemList, ProblemsPage
from twinlens.app.gui.pictures.photograph import SeenPhotographs
from twinlens.app.gui.search.history_menu import history_entry
from twinlens.app.gui.search.query_examples import ExamplePicture
from twinlens.app.gui.services.dropped_files import MOST_EXAMPLES, path_in_text
from twinlens.app.gui.side_panel.side_panel import PATH, FolderModel, SidePanel
from twinlens.app.gui.viewer.viewer import Viewer
from twinlens.app.library.browsing.listing import FolderNode
from twinlens.app.library.browsing.photographs import photographs as known
from twinlens.app.library.ingest.forgotten_folders import forget_for_now, forgotten
from twinlens.app.library.library import Library
from twinlens.app.library.library_results import Problem, ProblemsResult
from twinlens.app.library.saved_state import history, window_state
from twinlens.core.message import NOTHING
from twinlens.core.progress import Progress, silent

COUNT = 30


@pytest.fixture
def path(tmp_path: Path) -> Path:
    make(tmp_path / "made.twinlens", histograms(COUNT, seed=5), [FEW_BITS]).close()
    return tmp_path / "made.twinlens"


@pytest.fixture
def work(qtbot: QtBot, path: Path) -> LibraryWorkspace:
    return workspace(qtbot, Library.open(path))


def left(work: LibraryWorkspace, row: int) -> str:
    """Return the name under a photograph; a line for none."""
    caption = work.browsing.grid.rows().caption(row)
    return "-" if caption is None else caption.left


def beside(work: LibraryWorkspace) -> set[str]:
    """Return what is read in the side panel."""
    labels = work.side.findChildren(QLabel)
    return {one.accessibleName() for one in labels if one.isVisibleTo(work.side)}


def photographs(work: LibraryWorkspace, row: int) -> set[str]:
    """Return name and folder of a photograph."""
    found = known(work.opened.library, [int(work.browsing.grid.rows().ids[row])])[0]
    return {found.name, found.folder}


def test_names_stand_under_the_photographs_where_they_are_wanted(
    qtbot: QtBot, work: LibraryWorkspace, path: Path
) -> None:
    grid = work.browsing.grid
    low = grid.layout_now.pitch
    assert left(work, 0) == "-"
    button(work, "Names and dates under the photos").click()
    settle(qtbot, work)
    qtbot.waitUntil(lambda: all(left(work, row) not in ("-", "") for row in range(COUNT)), timeout=LONG)
    assert left(work, 0) in beside(work)  # the facts of the current photograph, the first
    assert grid.layout_now.pitch > low
    work.leave_library()()
    library = Library.open(path)
    again = workspace(qtbot, library, dict(window_state(library)))
    assert left(again, 0) != "-"
    again.browsing.toggle_names()
    settle(qtbot, again)
    assert left(again, 0) == "-"
    assert again.browsing.grid.layout_now.pitch == low
    again.leave_library()()


def test_the_slider_and_the_keys_size_the_thumbnails(qtbot: QtBot, work: LibraryWorkspace) -> None:
    grid = work.browsing.grid
    slider = named(work, "Size of the thumbnails")
    assert isinstance(slider, QSlider)
    slider.setValue(slider.maximum())
    assert grid.tile_side == slider.maximum()
    grid.tile_side = 120
    assert slider.value() == 120
    settle(qtbot, work)
    work.leave_library()()


def test_facts_of_the_current_photograph_stand_beside_the_library_alone(qtbot: QtBot, work: LibraryWorkspace) -> None:
    ids = work.browsing.grid.rows().ids
    for row in (3, 4):
        work.browsing.grid.set_current(int(ids[row]))
        settle(qtbot, work)
        qtbot.waitUntil(lambda row=row: photographs(work, row) <= beside(work), timeout=LONG)  # type: ignore[misc]
    work.searching.take_pictures([int(ids[0])])
    settle(qtbot, work)
    work.panel_wanted.emit(True)
    assert not photographs(work, 4) & beside(work)
    work.leave_library()()


def test_a_photograph_shown_large_covers_the_window_and_goes_with_the_library(
    qtbot: QtBot, work: LibraryWorkspace
) -> None:
    work.viewing.show(work.browsing.grid, int(work.browsing.grid.rows().ids[2]))
    settle(qtbot, work)
    viewer = work.window().findChild(Viewer)
    assert viewer is not None
    assert viewer.isVisible()
    assert viewer.geometry() == work.window().rect()
    work.window().resize(1000, 700)
    assert viewer.geometry() == work.window().rect()
    work.leave_library()()
    assert not viewer.isVisible()


def test_what_is_gone_is_asked_for_once(qtbot: QtBot, work: LibraryWorkspace) -> None:
    captions = SeenPhotographs(work.opened, work.jobs, work)
    came: list[bool] = []
    captions.changed.connect(lambda: came.append(True))
    captions.changed.connect(lambda: captions.of(10**9))  # as a grid that paints again
    captions.of(10**9)
    qtbot.waitUntil(lambda: bool(came), timeout=LONG)
    settle(qtbot, work)
    assert captions.of(10**9) is None
    settle(qtbot, work)
    assert len(came) == 1
    work.leave_library()()


NODES = [
    FolderNode("a", "/a", 0, 9, True, True),
    FolderNode("2023", "/a/2023", 1, 5, True, False),
    FolderNode("May", "/a/2023/May", 2, 2, True, False),
    FolderNode("2024", "/a/2024", 1, 4, True, False),
    FolderNode("b", "/b", 0, 3, False, True),
]


def tree(side: SidePanel) -> tuple[QTreeView, FolderModel]:
    found = named(side, "Folders")
    assert isinstance(found, QTreeView)
    return found, part(side, FolderModel)


def test_folders_stand_below_those_they_lie_in(qtbot: QtBot) -> None:
    model = FolderModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_folders(NODES, 12)

    def below(parent: QModelIndex) -> list[tuple[object, object, list[object]]]:
        rows = range(model.rowCount(parent))
        return [
            (index.data(), index.siblingAtColumn(1).data(), list(below(index)))
            for index in (model.index(row, 0, parent) for row in rows)
        ]

    assert below(QModelIndex()) == [
        ("All photos", "12", []),
        ("a", "9", [("2023", "5", [("May", "2", [])]), ("2024", "4", [])]),
        ("⏏ b (offline)", "3", []),
    ]
    assert model.index_of("/a/2023/May").data(PATH) == "/a/2023/May"
    assert not model.index_of("/c").isValid()
    assert tester.model() is model


def test_the_chosen_folder_and_the_open_ones_stay_while_photographs_are_added(qtbot: QtBot) -> None:
    side = SidePanel()
    qtbot.addWidget(side)
    side.show_folders(NODES, 12)
    view, model = tree(side)
    view.expand(model.index_of("/a"))
    view.expand(model.index_of("/a/2023"))
    view.setCurrentIndex(model.index_of("/a/2023/May"))
    told = []
    side.changed.connect(lambda: told.append(side.folder()))

    side.show_folders([replace(one, photographs=7) for one in NODES], 30)
    assert model.index_of("/a/2023").siblingAtColumn(1).data() == "7"
    side.show_folders([*NODES, FolderNode("c", "/c", 0, 1, True, True)], 13)

    assert side.folder() == "/a/2023/May"
    assert view.isExpanded(model.index_of("/a/2023"))
    assert model.index_of("/c").isValid()
    assert told == []

    side.show_folders(NODES[-1:], 3)
    assert side.folder() is None


def test_the_tree_grows_with_what_is_added_and_stays_where_it_was(qtbot: QtBot) -> None:
    side = SidePanel()
    qtbot.addWidget(side)
    side.resize(216, 700)
    side.show()
    side.show_folders(NODES[:1], 9)
    view, model = tree(side)
    small = view.height()

    def seen(path: str) -> bool:
        return view.viewport().rect().contains(view.visualRect(model.index_of(path)))

    many = [FolderNode(f"f{n}", f"/f{n}", 0, n, True, True) for n in range(8)]
    side.show_folders([*NODES[:1], *many], 37)
    qtbot.waitUntil(lambda: view.height() > small and all(seen(one.path) for one in many))

    side.resize(216, 420)
    more = [FolderNode(f"g{n:02}", f"/g{n:02}", 0, n, True, True) for n in range(60)]
    side.show_folders([*NODES[:1], *many, *more], 99)
    view.setCurrentIndex(model.index_of("/f3"))
    view.verticalScrollBar().setValue(30)
    side.show_folders([*NODES, *many, *more], 99)
    assert view.verticalScrollBar().value() == 30
    assert side.folder() == "/f3"


def test_where_the_chosen_folder_is_gone_everything_is_chosen_and_that_is_told(qtbot: QtBot) -> None:
    side = SidePanel()
    qtbot.addWidget(side)
    side.show_folders(NODES, 12)
    view, model = tree(side)
    view.setCurrentIndex(model.index_of("/b"))
    told = []
    side.changed.connect(lambda: told.append(side.folder()))
    side.show_folders(NODES[:4], 9)
    assert told == [None]


def said(frame: MainWindow) -> str:
    return " ".join(words(frame.status))


def test_folders_given_one_after_another_are_all_added(qtbot: QtBot, frame: MainWindow, tmp_path: Path) -> None:
    for name in "ab":
        write_scene(tmp_path / name / "one.jpg", ord(name))
        frame.workspace.taking.take_files([tmp_path / name])
    qtbot.waitUntil(lambda: frame.workspace.browsing.view.grid.rows().count == 2, timeout=LONG)


def test_a_folder_given_while_one_is_asked_about_comes_to_it(
    qtbot: QtBot, frame: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("twinlens.app.gui.services.adding_photos.LARGE_SECONDS", -1)
    for name in "ab":
        write_scene(tmp_path / name / "one.jpg", ord(name))
        with qtbot.waitSignal(frame.workspace.adding.asks, timeout=LONG):
            frame.workspace.taking.take_files([tmp_path / name])
    frame.workspace.adding.agree()
    qtbot.waitUntil(lambda: frame.workspace.browsing.view.grid.rows().count == 2, timeout=LONG)


def test_what_is_cancelled_cannot_be_paused(qtbot: QtBot, frame: MainWindow) -> None:
    def endless(progress: Progress) -> None:
        while True:
            progress(0, 1, NOTHING)

    stopped: list[bool] = []
    job = frame.workspace.jobs.begin(endless).stopped(lambda: stopped.append(True))
    job.cancel()
    job.pause(True)
    qtbot.waitUntil(lambda: bool(stopped), timeout=LONG)


def test_what_is_no_longer_there_is_told(frame: MainWindow, tmp_path: Path) -> None:
    frame.workspace.taking.take_files([tmp_path / "gone.jpg"])
    assert "gone.jpg is not there any more" in said(frame)
    assert frame.workspace.view() == "library"


def test_thousands_of_pictures_are_too_many_to_ask_with(frame: MainWindow, tmp_path: Path) -> None:
    frame.workspace.searching.take_pictures(list(range(1, MOST_EXAMPLES + 2)))
    assert "too many" in said(frame)
    assert frame.workspace.searching.query is None


def test_nonsense_on_the_clipboard_is_no_mistake(frame: MainWindow) -> None:
    for text in ("~nobody-of-this-name/x", "x" * 5000, "/" + "x" * 5000, "a\0b", ".", "file:///gone.jpg", "\n"):
        data = QMimeData()
        data.setText(text)
        frame.workspace.taking.take_data(data)
        assert "There is no picture on the clipboard" in said(frame), text
    data = QMimeData()
    data.setImageData(b"nonsense")
    frame.workspace.taking.take_data(data)
    assert "cannot be read" in said(frame)
    frame.workspace.taking.take_data(QMimeData())
    assert frame.workspace.view() == "library"


def test_a_path_on_the_clipboard_is_taken_as_it_iswritten(tmp_path: Path) -> None:
    (tmp_path / "a b.jpg").touch()
    assert path_in_text(f" {tmp_path}/a b.jpg\n") == [tmp_path / "a b.jpg"]
    assert path_in_text((tmp_path / "a b.jpg").as_uri()) == [tmp_path / "a b.jpg"]


def test_what_was_cancelled_says_how_much_is_left_and_goes_on(qtbot: QtBot, frame: MainWindow, tmp_path: Path) -> None:
    for seed in range(500, 520):  # which no other test has read before: they take their time
        write_scene(tmp_path / "photos" / f"{seed}.jpg", seed)

    def cancel(done: float, total: float, text: object) -> None:
        if " of 20" in str(text):  # whichever is told first: not every step is
            frame.status.cancel()

    frame.workspace.work.progressed.connect(cancel)
    frame.workspace.taking.take_files([tmp_path / "photos"])
    goes_on = button(frame.status, "Continue")
    qtbot.waitUntil(goes_on.isVisible, timeout=LONG)
    assert "still to be added" in said(frame)
    goes_on.click()
    qtbot.waitUntil(
        lambda: frame.workspace.browsing.view.grid.rows().count == 20 and not frame.workspace.work.busy(),
        timeout=LONG,
    )
    qtbot.waitUntil(lambda: not goes_on.isVisible(), timeout=LONG)


def test_a_start_with_photographs_that_were_never_read_offers_to_go_on(
    qtbot: QtBot, own_data: None, tmp_path: Path
) -> None:
    from twinlens.app.library.ingest.folder_scan import survey_folder
    from twinlens.app.library.ingest.folder_walk import EXCLUDES, resolved_folder

    for seed in range(3):
        write_scene(tmp_path / "photos" / f"{seed:02}.jpg", seed)
    with Library.open(tmp_path / "b.twinlens", create=True) as library:
        survey_folder(library, resolved_folder(tmp_path / "photos"), EXCLUDES, silent)
    frame = MainWindow(tmp_path / "b.twinlens")
    qtbot.addWidget(frame)
    frame.show()
    qtbot.waitUntil(lambda: "3 still to be added" in said(frame), timeout=LONG)
    button(frame.workspace.browsing.view, "Continue").click()  # in the place of the photographs
    qtbot.waitUntil(lambda: frame.workspace.browsing.view.grid.rows().count == 3, timeout=LONG)
    frame.close()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("made")
    write_scenes(root / "photos" / "Alps", 4)
    write_scenes(root / "photos" / "Sea", 5, first=20)
    added(root / "l.twinlens", root / "photos" / "Alps", root / "photos" / "Sea")
    return root


@pytest.fixture
def main_window(qtbot: QtBot, own_data: None, made: Path, tmp_path: Path) -> Iterator[MainWindow]:
    shutil.copy(made / "l.twinlens", tmp_path)
    shown = settled_window(qtbot, tmp_path / "l.twinlens")
    yield shown
    shown.close()


def count(frame: MainWindow) -> int:
    return frame.workspace.browsing.view.grid.rows().count


def library(frame: MainWindow) -> Library:
    held = frame.workspace.opened
    assert held is not None
    return held.library


def forget(qtbot: QtBot, frame: MainWindow, folder: Path) -> None:
    frame.workspace.side.forget_wanted.emit(str(folder))
    settled(qtbot, frame)


def test_it_says_how_many_and_comes_back_by_the_button(qtbot: QtBot, main_window: MainWindow, made: Path) -> None:
    forget(qtbot, main_window, made / "photos" / "Alps")
    assert "“Alps” and its 4 photos are no longer in the library" in " ".join(words(main_window.status))
    assert count(main_window) == 5
    button(main_window.status, "Undo").click()
    settled(qtbot, main_window)
    assert count(main_window) == 9
    assert "“Alps” is back in the library, with 4 photos" in " ".join(words(main_window.status))


def test_the_undo_key_brings_all_back_the_last_one_first(qtbot: QtBot, main_window: MainWindow, made: Path) -> None:
    for name in ("Alps", "Sea"):
        forget(qtbot, main_window, made / "photos" / name)
    assert count(main_window) == 0
    for left in (5, 9):
        main_window.workspace.browsing.view.focus_content()
        QTest.keyClick(main_window.focusWidget() or main_window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        settled(qtbot, main_window)
        assert count(main_window) == left


def query_photographs(frame: MainWindow) -> list[str]:
    return [one.accessibleName() for one in frame.workspace.searching.view.bar.findChildren(ExamplePicture)]


def test_results_history_viewer_and_question_lose_what_is_gone(
    qtbot: QtBot, main_window: MainWindow, made: Path
) -> None:
    first = int(main_window.workspace.browsing.view.grid.rows().ids[0])
    folder = made / "photos" / _folder(main_window, first)
    main_window.workspace.searching.take_pictures([first])
    settled(qtbot, main_window)
    results = main_window.workspace.searching.view.grid
    assert results.rows().count == 9
    other = next(one for one in results.rows().ids.tolist() if _folder(main_window, one) != folder.name)
    main_window.workspace.viewing.show(results, first)
    forget(qtbot, main_window, folder)
    assert not main_window.workspace.viewing.is_open()
    assert results.rows().count == 0
    assert any("no longer in the library" in said for said in words(main_window.workspace.searching.view))
    assert "does not know" not in " ".join(words(main_window.status))  # nobody explains a result that is gone
    assert query_photographs(main_window) == ["Like no longer in the library"]
    told = history_entry(main_window.workspace.opened, history(library(main_window))[0])
    assert not told.there
    assert "(no longer in the library)" in told.name
    assert told.name.startswith("00")  # what it was
    main_window.workspace.undoing.undo()
    settled(qtbot, main_window)
    assert results.rows().count == 9
    assert query_photographs(main_window)[0].startswith("Like 00")
    assert history_entry(main_window.workspace.opened, history(library(main_window))[0]).there
    # Results of a photograph that stays have lost those of the folder when they are seen again.
    main_window.workspace.searching.take_pictures([other])
    settled(qtbot, main_window)
    main_window.workspace.show_view("library")
    forget(qtbot, main_window, folder)
    main_window.workspace.show_view("search")
    settled(qtbot, main_window)
    assert 0 < results.rows().count < 9


def _folder(frame: MainWindow, photograph_id: int) -> str:
    from twinlens.app.library.browsing.photographs import photographs

    return Path(photographs(library(frame), [photograph_id])[0].folder).name


def test_it_is_over_when_the_window_closes(qtbot: QtBot, main_window: MainWindow, made: Path, tmp_path: Path) -> None:
    forget(qtbot, main_window, made / "photos" / "Alps")
    assert (tmp_path / "l.twinlens-forgotten").exists()
    main_window.close()
    assert not (tmp_path / "l.twinlens-forgotten").exists()
    with Library.open(tmp_path / "l.twinlens") as closed:
        assert forgotten(closed) == []


def test_what_a_killed_window_had_forgotten_can_still_come_back(
    qtbot: QtBot, own_data: None, made: Path, tmp_path: Path
) -> None:
    shutil.copy(made / "l.twinlens", tmp_path / "k.twinlens")
    with Library.open(tmp_path / "k.twinlens") as killed:
        forget_for_now(killed, made / "photos" / "Sea")
    frame = settled_window(qtbot, tmp_path / "k.twinlens")
    assert count(frame) == 4
    button(frame.status, "Undo").click()
    settled(qtbot, frame)
    assert count(frame) == 9
    frame.close()


def problem(number: int, ignored: bool = False) -> Problem:
    return Problem(
        path=f"/photographs/holiday/{number}.jpg", reason="The file ends too early.", next_step="Copy it again.",
        since="2026-05-14T11:00:00", attempts=1, ignored=ignored,
    )  # fmt: skip


@pytest.fixture
def window() -> MagicMock:
    return MagicMock()


@pytest.fixture
def page(qtbot: QtBot, window: MagicMock) -> ProblemsPage:
    made = ProblemsPage(window)
    made.resize(964, 700)
    made.set_problems(ProblemsResult(problems=[problem(0), problem(1), problem(2, ignored=True)]))
    show(qtbot, made)
    return made


def rows(page: ProblemsPage) -> ProblemList:
    found = page.findChild(ProblemList)
    assert isinstance(found, ProblemList)
    return found


def go_to(page: ProblemsPage, row: int) -> None:
    rows(page).setFocus()
    rows(page).setCurrentIndex(rows(page).model().index(row, 0))


def test_reason_and_next_step_are_spoken_and_drawn(page: ProblemsPage) -> None:
    first = rows(page).model().index(0, 0)
    assert first.data(Qt.ItemDataRole.AccessibleTextRole) == "0.jpg: The file ends too early. Copy it again."
    assert "/photographs/holiday/0.jpg" in first.data(Qt.ItemDataRole.ToolTipRole)
    assert not page.grab().isNull()
    assert nameless(page) == []


def test_keys_do_what_the_buttons_do(page: ProblemsPage, window: MagicMock, monkeypatch: pytest.MonkeyPatch) -> None:
    go_to(page, 1)
    path = "/photographs/holiday/1.jpg"
    QTest.keyClick(rows(page), Qt.Key.Key_R)
    window.adding.retry.assert_called_once_with([path])
    QTest.keyClick(rows(page), Qt.Key.Key_I)
    assert window.undoing.offer.call_args.args[0] == "1 problem set aside."
    revealed: list[str] = []
    monkeypatch.setattr("twinlens.app.gui.library.problems_page.reveal_path", lambda path, tell: revealed.append(path))
    QTest.keyClick(rows(page), Qt.Key.Key_Return)
    assert revealed == [path]
    QTest.keyClick(rows(page), Qt.Key.Key_R, Qt.KeyboardModifier.ShiftModifier)
    window.adding.retry.assert_called_with(None)
    QTest.keyClick(rows(page), Qt.Key.Key_Escape)
    window.left.emit.assert_called_once()


def test_many_at_once(page: ProblemsPage, window: MagicMock) -> None:
    rows(page).selectAll()
    assert "3 chosen" in words(page)
    button(page, "Read the chosen files again").click()
    assert len(window.adding.retry.call_args.args[0]) == 3


def listed(window: MagicMock) -> tuple[object, ...]:
    """Return what was asked of the library last: whether with those set aside, and with files that are no pictures."""
    window.jobs.latest().begin.call_args.args[0](None)
    return tuple(window.opened.library.problems.call_args.args)


def test_those_set_aside_are_listed_again(page: ProblemsPage, window: MagicMock) -> None:
    assert listed(window) == (False, False)
    go_to(page, 2)
    ignore = button(page, "List the chosen files no longer")
    assert ignore.text() == "List again"
    ignore.click()
    assert window.undoing.offer.call_args.args[0] == "1 problem shown again."
    button(page, "Also list the files that were set aside").click()
    assert listed(window) == (True, False)


def test_files_that_are_no_pictures_are_listed_where_wanted(page: ProblemsPage, window: MagicMock) -> None:
    button(page, "Also list the files that are no pictures").click()
    assert listed(window) == (False, True)
    page.set_problems(ProblemsResult(problems=[problem(0)], passed_over=["/photographs/film.mp4"]))
    assert [one.path for one in rows(page).rows()] == ["/photographs/holiday/0.jpg", "/photographs/film.mp4"]
    go_to(page, 1)
    assert not button(page, "Read the chosen files again").isEnabled()
    assert not button(page, "List the chosen files no longer").isEnabled()
    assert button(page, "Show the file in the file manager").isEnabled()
    rows(page).selectAll()
    QTest.keyClick(rows(page), Qt.Key.Key_R)
    window.adding.retry.assert_called_once_with(["/photographs/holiday/0.jpg"])
    page.set_problems(ProblemsResult(problems=[], passed_over=["/photographs/film.mp4"]))
    assert "Every file could be read." in words(page)


def test_what_was_chosen_stays_when_others_are_mended(page: ProblemsPage) -> None:
    go_to(page, 1)
    page.set_problems(ProblemsResult(problems=[problem(1)], retried=3, mended=2))
    assert rows(page).current() == problem(1)
    assert any("2 mended" in text for text in words(page))


def test_none(page: ProblemsPage) -> None:
    page.set_problems(ProblemsResult(problems=[]))
    assert "Every file could be read. There is nothing to do here." in words(page)
    assert not rows(page).isVisible()
    assert not button(page, "Read all these files again").isEnabled()


def test_as_many_as_there_are(page: ProblemsPage) -> None:
    page.set_problems(ProblemsResult(problems=[problem(number) for number in range(20_000)]))
    QTest.keyClick(rows(page), Qt.Key.Key_End)
    assert rows(page).current() == problem(19_999)
