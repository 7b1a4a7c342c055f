"""The whole window, as a person uses it, at its size and place."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QCoreApplication, QMimeData, QPointF, QRect, QSize, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMainWindow,
    QPushButton,
    QTreeView,
)
from pytestqt.qtbot import QtBot

from tests.app.folders import Libraries, write_scene
from tests.app.gui.looking import (
    LONG,
    button,
    choose,
    chooser,
    edit,
    named,
    nameless,
    part,
    said,
    words,
)
from tests.app.gui.working import opened
from tests.features.sample_pictures import encode, scene
from twinlens.app.gui.frame import kept_windows
from twinlens.app.gui.frame.kept_windows import fitted_to_screens
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.frame.photograph_commands import PhotographCommands
from twinlens.app.gui.library.problems_page import ProblemList, ProblemsPage
from twinlens.app.gui.look.style_sheet import apply_theme
from twinlens.app.gui.photo_grid.photo_grid import PhotoGrid
from twinlens.app.gui.search.search_results import ResultRows
from twinlens.app.gui.search.similarity_histogram import SimilarityHistogram
from twinlens.app.gui.side_panel.filters import FilterPanel
from twinlens.app.gui.side_panel.side_panel import PATH
from twinlens.storage.database.address import Address

pytestmark = pytest.mark.usefixtures("own_data")

COUNT = 12


@pytest.fixture
def photographs(libraries: Libraries) -> Path:
    return libraries.photographs(COUNT)


@pytest.fixture
def path(libraries: Libraries, tmp_path: Path) -> Path:
    return libraries.copy(COUNT, tmp_path / "family.twinlens")


@pytest.fixture
def look(qapp: QApplication) -> Iterator[None]:
    """Give the window the look of the program; most of what is tested here does not depend on it."""
    apply_theme(qapp)
    yield
    qapp.setStyleSheet("")


@pytest.fixture
def frame(qtbot: QtBot, path: Path) -> Iterator[MainWindow]:
    shown = opened(qtbot, path)
    qtbot.waitUntil(lambda: grid(shown).rows().count == COUNT, timeout=LONG)
    yield shown
    shown.close()


def grid(frame: MainWindow) -> PhotoGrid:
    return frame.workspace.browsing.view.grid


def hits(frame: MainWindow) -> ResultRows:
    rows = frame.workspace.searching.view.grid.rows()
    assert isinstance(rows, ResultRows)
    return rows


def answered(qtbot: QtBot, frame: MainWindow) -> None:
    qtbot.waitUntil(
        lambda: (
            frame.workspace.view() == "search" and isinstance(frame.workspace.searching.view.grid.rows(), ResultRows)
        ),
        timeout=LONG,
    )
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)


def drop(frame: MainWindow, *paths: Path) -> None:
    content = QMimeData()
    content.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    action, buttons, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    frame.dropEvent(QDropEvent(QPointF(50, 50), action, content, buttons, keys))


def test_the_library_is_shown_as_it_was_left(qtbot: QtBot, frame: MainWindow, path: Path) -> None:
    assert "family" in frame.windowTitle()
    frame.workspace.browsing.order_by("folder")
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    grid(frame).set_current(5)
    frame.close()
    again = opened(qtbot, path)
    qtbot.waitUntil(lambda: grid(again).current_id() == 5, timeout=LONG)
    assert again.workspace.browsing.state()["order"] == "folder"
    again.workspace.browsing.order_by("date")
    again.close()


def test_what_was_open_is_open_again(qtbot: QtBot, frame: MainWindow, path: Path) -> None:
    frame.resize(900, 600)
    grid(frame).tile_side = 320
    grid(frame).set_current(3)
    grid(frame).choose(5, Qt.KeyboardModifier.ControlModifier)
    grid(frame).scroll_by(150)
    chosen, seen = frame.workspace.chosen(), grid(frame).first_seen()
    frame.workspace.show_photographs("search", [2])
    answered(qtbot, frame)
    frame.workspace.searching.view.grid.choose(4, Qt.KeyboardModifier.NoModifier)
    found, current = sorted(hits(frame).ids.tolist()), frame.workspace.current()
    frame.close()
    again = opened(qtbot, path)
    answered(qtbot, again)
    assert again.workspace.searching.query is not None
    assert again.workspace.searching.query.photographs == [2]
    assert sorted(hits(again).ids.tolist()) == found
    assert again.workspace.current() == current
    again.workspace.show_view("library")
    assert again.workspace.chosen() == chosen
    assert seen > 0
    assert grid(again).first_seen() == seen
    again.close()


def test_filters_and_their_place_are_there_again(
    qtbot: QtBot, frame: MainWindow, path: Path, photographs: Path
) -> None:
    side = frame.workspace.side
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    side.choose({"orientation": "landscape"}, str(photographs))
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    grid(frame).set_current(7)
    frame.workspace.show_view("duplicates")
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    frame.close()
    again = opened(qtbot, path)
    qtbot.waitUntil(lambda: again.workspace.view() == "duplicates", timeout=LONG)
    qtbot.waitUntil(lambda: not again.busy(), timeout=LONG)
    assert again.workspace.side.filters() == {"orientation": "landscape"}
    assert again.workspace.side.folder() == str(photographs)
    assert grid(again).current_id() == 7
    again.close()


def test_enter_finds_look_alikes_and_escape_goes_back(qtbot: QtBot, frame: MainWindow) -> None:
    grid(frame).set_current(4)
    QTest.keyClick(grid(frame), Qt.Key.Key_Return)
    answered(qtbot, frame)
    first = hits(frame).found[0]
    assert (first.photograph.id, first.rank, round(first.result.similarity, 3)) == (4, 1, 1.0)
    assert hits(frame).count == COUNT
    frame.workspace.leave()
    assert frame.workspace.view() == "library"
    assert grid(frame).current_id() == 4


def test_several_are_asked_together_and_one_can_be_taken_away(qtbot: QtBot, frame: MainWindow) -> None:
    grid(frame).set_current(2)
    QTest.keyClick(grid(frame), Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    chosen = set(frame.workspace.chosen())
    assert len(chosen) == 2
    QTest.keyClick(grid(frame), Qt.Key.Key_Return)
    answered(qtbot, frame)
    question = frame.workspace.searching.query
    assert question is not None
    assert {one.picture for one in question.examples} == chosen
    frame.workspace.searching.view.bar.example_removed.emit(0)
    answered(qtbot, frame)
    question = frame.workspace.searching.query
    assert question is not None
    assert len(question.examples) == 1
    frame.workspace.history.go_back()
    question = frame.workspace.searching.query
    assert question is not None
    assert len(question.examples) == 2


def test_what_should_not_be_like_goes_down(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.searching.take_pictures([3])
    answered(qtbot, frame)
    second = hits(frame).found[1].photograph.id
    before = [one.photograph.id for one in hits(frame).found].index(second)
    frame.workspace.searching.add_examples([second], like=False)
    answered(qtbot, frame)
    assert [one.photograph.id for one in hits(frame).found].index(second) > before


def test_a_photo_of_the_query_is_not_added_to_it_again(qtbot: QtBot, frame: MainWindow) -> None:
    searching = frame.workspace.searching
    searching.take_pictures([3])
    answered(qtbot, frame)
    asked = searching.query
    for like in (True, False):
        searching.add_examples([3], like=like)
        assert searching.query == asked
    assert "The search has this photo already." in said(frame.status)
    searching.add_examples([3, 4], like=True)
    answered(qtbot, frame)
    assert searching.query is not None
    assert [one.picture for one in searching.query.examples] == [3, 4]


def test_handles_narrow_at_once(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.searching.take_pictures([3])
    answered(qtbot, frame)
    similarities = [one.result.similarity for one in hits(frame).found]
    handle = named(frame.workspace.searching.view, "Least similarity")
    assert isinstance(handle, QAbstractSlider)
    handle.setValue(handle.maximum() * 9 // 10)
    least = part(frame.workspace.searching.view, SimilarityHistogram).chosen_range()[0]
    assert 0 < hits(frame).count == sum(one >= least for one in similarities) < COUNT


def test_another_index_answers_the_same_question(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.searching.take_pictures([2])
    answered(qtbot, frame)
    frame.workspace.searching.choose_index("Colours")
    answered(qtbot, frame)
    qtbot.waitUntil(lambda: frame.workspace.searching.view.bar.index() == "Colours", timeout=LONG)
    frame.workspace.searching.compare_exactly()
    answered(qtbot, frame)
    assert frame.workspace.searching.index == "Colours"
    frame.workspace.searching.choose_index("Automatic")


def test_why_an_index_cannot_be_is_told_beside_it(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.show_view("new index")
    page = frame.workspace.views.part("new index").view
    choose(chooser(page, "How vectors become bits"), "Bilinear hyperplanes")
    qtbot.waitUntil(lambda: any("vectors are matrices, which" in line for line in words(page)), timeout=LONG)
    choose(chooser(page, "How vectors become bits"), "Random hyperplanes")
    qtbot.waitUntil(lambda: any("needs about" in line for line in words(page)), timeout=LONG)
    assert not any("vectors are matrices, which" in line for line in words(page))


def test_the_name_of_an_index_is_not_proposed_again(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.show_view("new index")
    page = frame.workspace.views.part("new index").view
    choose(chooser(page, "How vectors become bits"), "Random hyperplanes")
    QTest.keyClicks(edit(page, "Name of the index"), "Planes")
    with qtbot.waitSignal(frame.workspace.making.made, timeout=LONG):
        button(page, "Create the index").click()
    frame.workspace.show_view("new index")
    assert edit(page, "Name of the index").text() == ""
    assert button(page, "Create the index").isEnabled()


def test_why_is_told_for_the_current_hit(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.searching.take_pictures([2])
    answered(qtbot, frame)
    frame.workspace.searching.view.show_how(True)
    frame.workspace.searching.view.grid.set_current(hits(frame).found[1].photograph.id)

    def told() -> bool:
        return any("bits" in one.text() for one in frame.workspace.searching.view.why.findChildren(QLabel))

    qtbot.waitUntil(told, timeout=LONG)


def test_typing_filters_and_finds_nothing_or_all(qtbot: QtBot, frame: MainWindow) -> None:
    grid(frame).setFocus()
    QTest.keyClicks(grid(frame), "0")
    assert frame.workspace.browsing.view.words() == "0"
    frame.workspace.browsing.view.set_words("0007")
    frame.workspace.browsing.show(keep=False)
    qtbot.waitUntil(lambda: grid(frame).rows().count == 1, timeout=LONG)
    frame.workspace.browsing.view.clear_filter()
    qtbot.waitUntil(lambda: grid(frame).rows().count == COUNT, timeout=LONG)


def test_space_shows_large_and_steps(qtbot: QtBot, frame: MainWindow) -> None:
    first = int(grid(frame).rows().ids[0])
    grid(frame).set_current(first)
    QTest.keyClick(grid(frame), Qt.Key.Key_Space)
    assert frame.workspace.viewing.is_open()
    frame.workspace.viewing.viewer.step.emit(1)
    qtbot.waitUntil(lambda: grid(frame).current_id() == int(grid(frame).rows().ids[1]), timeout=LONG)
    frame.workspace.leave()
    assert not frame.workspace.viewing.is_open()


def test_a_dropped_picture_is_a_query_and_a_dropped_folder_is_added(
    qtbot: QtBot, tmp_path: Path, photographs: Path
) -> None:
    frame = opened(qtbot, tmp_path / "new.twinlens")
    qtbot.waitUntil(lambda: isinstance(frame.focusWidget(), QPushButton), timeout=LONG)  # of the empty state
    drop(frame, write_scene(tmp_path / "more" / "one.jpg", 70).parent)
    qtbot.waitUntil(lambda: "1 new" in said(frame.status), timeout=60_000)
    qtbot.waitUntil(lambda: grid(frame).rows().count == 1, timeout=LONG)
    drop(frame, photographs / "0004.jpg")
    answered(qtbot, frame)
    assert hits(frame).count == 1
    frame.close()


def test_a_picture_on_the_clipboard_is_asked_with(qtbot: QtBot, frame: MainWindow) -> None:
    image = QImage(64, 48, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    QGuiApplication.clipboard().setImage(image)
    frame.workspace.taking.paste()
    answered(qtbot, frame)
    question = frame.workspace.searching.query
    assert question is not None
    assert isinstance(question.examples[0].picture, bytes)


def test_a_picture_that_another_program_offers_is_not_decoded_here(qtbot: QtBot, frame: MainWindow) -> None:
    content = QMimeData()
    jpeg = encode(scene(64, 48), "JPEG")
    content.setData("image/x-special", b"something else")
    content.setData("image/jpeg", jpeg)
    frame.workspace.taking.take_data(content)
    answered(qtbot, frame)
    assert frame.workspace.searching.query is not None
    assert frame.workspace.searching.query.examples[0].picture == jpeg


def test_every_page_opens_and_everything_on_it_has_a_name(qtbot: QtBot, frame: MainWindow) -> None:
    for view in ("library", "search", "indexes", "problems", "settings"):
        frame.workspace.show_view(view)
        assert nameless(frame) == [], view
    frame.workspace.show_view("new index")
    assert nameless(frame) == []


def test_files_that_are_no_pictures_can_be_listed(qtbot: QtBot, frame: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "film.mp4").write_bytes(b"\0\0\0\x18ftypmp42")
    drop(frame, tmp_path / "more")
    frame.workspace.show_view("problems")
    page = frame.findChild(ProblemsPage)
    assert isinstance(page, ProblemsPage)
    rows = page.findChild(ProblemList)
    assert isinstance(rows, ProblemList)
    qtbot.waitUntil(lambda: not frame.workspace.work.busy(), timeout=LONG)
    button(page, "Also list the files that are no pictures").click()
    qtbot.waitUntil(lambda: [Path(one.path).name for one in rows.rows()] == ["film.mp4"], timeout=LONG)


def test_what_cannot_be_is_said_in_the_status_line(qtbot: QtBot, frame: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "bad.jpg").write_bytes(b"no picture")
    frame.workspace.taking.take_files([tmp_path / "bad.jpg"])
    qtbot.waitUntil(lambda: "bad.jpg" in said(frame.status) or "picture" in said(frame.status), timeout=LONG)
    assert "mistake" not in said(frame.status)


def test_a_library_that_cannot_be_opened_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "foreign.twinlens").write_text("no library")
    frame = MainWindow(tmp_path / "foreign.twinlens")
    qtbot.addWidget(frame)
    frame.show()
    qtbot.waitUntil(frame.failure.isVisible, timeout=LONG)
    assert not frame.is_open()
    button(frame, "Settings, and the log").click()
    assert "The log is empty" in named(frame, "The last lines of the log").property("placeholderText")
    assert not frame.failure.isVisible()
    QTest.keyClick(frame.focusWidget() or frame, Qt.Key.Key_Escape)
    qtbot.waitUntil(frame.failure.isVisible, timeout=LONG)
    frame.close()


def test_a_lost_thumbnail_is_made_again(qtbot: QtBot, frame: MainWindow) -> None:
    held = frame.workspace.opened
    assert held is not None
    hashes = [one.tobytes() for one in grid(frame).rows().hashes]
    held.library.thumbnails.remove(hashes)
    from twinlens.app.library.pictures import thumbnails

    found: dict[bytes, bytes] = {}
    for _ in range(COUNT):
        found |= thumbnails(held.library, hashes)
    assert set(found) == set(hashes)
    assert all(found.values())


def test_an_animated_picture_and_a_wide_one_are_shown(qtbot: QtBot, tmp_path: Path) -> None:
    Image.new("RGB", (900, 20), (9, 120, 200)).save(tmp_path / "wide.png")
    frame = opened(qtbot, tmp_path / "odd.twinlens")
    drop(frame, tmp_path)
    qtbot.waitUntil(lambda: grid(frame).rows().count == 1, timeout=60_000)
    frame.close()


_SLOW = "{'numpy', 'pydantic', 'sqlalchemy', 'cv2', 'PIL', 'numba', 'scipy', 'sklearn', 'alembic'}"


def test_nothing_slow_is_imported_before_the_window_shows(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from PySide6.QtWidgets import QApplication\n"
        "application = QApplication([])\n"
        "from twinlens.app.gui.look.style_sheet import apply_theme\n"
        "from twinlens.app.gui.frame.main_window import MainWindow\n"
        "apply_theme(application)\n"
        f"frame = MainWindow(Path({str(tmp_path / 'x.twinlens')!r}))\n"
        "frame.show()\n"
        f"slow = {_SLOW} & set(sys.modules)\n"
        "assert not slow, slow\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None cannot lose references where it is immortal")
def test_qt_does_not_lose_references(frame: MainWindow) -> None:
    before = sys.getrefcount(None)
    for _ in range(1000):
        QCoreApplication.processEvents()
    assert sys.getrefcount(None) > before - 500


def test_an_empty_library_is_begun_by_keys_alone(
    qtbot: QtBot, tmp_path: Path, photographs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = opened(qtbot, tmp_path / "new.twinlens")
    qtbot.waitUntil(lambda: isinstance(shown.focusWidget(), QPushButton), timeout=LONG)
    # Nothing to choose from yet: one sentence and one button.
    qtbot.waitUntil(shown.workspace.side.isHidden, timeout=LONG)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(photographs))
    QTest.keyClick(shown.focusWidget(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: grid(shown).rows().count == COUNT and not shown.busy(), timeout=LONG)
    assert shown.focusWidget() is grid(shown)
    assert not shown.workspace.side.isHidden()
    shown.close()


def test_f11_fills_the_screen_and_escape_leaves_it_last(qtbot: QtBot, frame: MainWindow) -> None:
    QTest.keyClick(frame, Qt.Key.Key_F11)
    assert frame.isFullScreen()
    frame.workspace.viewing.show(grid(frame), 4)
    QTest.keyClick(frame.workspace.viewing.viewer, Qt.Key.Key_F11)
    assert not frame.isFullScreen()
    QTest.keyClick(frame.workspace.viewing.viewer, Qt.Key.Key_F11)
    frame.workspace.leave()
    assert frame.isFullScreen()
    frame.workspace.leave()
    assert not frame.isFullScreen()


@pytest.mark.usefixtures("look")
def test_a_narrow_window_leaves_the_results_room_and_filters_are_one_key_away(qtbot: QtBot, frame: MainWindow) -> None:
    frame.resize(1024, 700)
    qtbot.waitUntil(
        lambda: not frame.workspace.side.isHidden(), timeout=LONG
    )  # once it is known that there are photographs
    frame.workspace.searching.take_pictures([4])
    answered(qtbot, frame)
    assert frame.workspace.side.isHidden()
    assert frame.workspace.searching.view.focusWidget() is frame.workspace.searching.view.grid
    frame.workspace.toggle_side()
    assert not frame.workspace.side.isHidden()
    assert frame.workspace.side.isAncestorOf(frame.focusWidget())
    qtbot.waitUntil(lambda: not frame.workspace.searching.view.why.isVisible())  # for it there is no room then
    frame.workspace.toggle_side()
    qtbot.waitUntil(frame.workspace.searching.view.why.isVisible)
    assert frame.workspace.side.isHidden()
    assert frame.focusWidget() is frame.workspace.searching.view.grid
    frame.resize(1440, 900)
    assert frame.workspace.side.isHidden()  # as the person wanted it


@pytest.mark.usefixtures("look")
def test_folders_that_are_hidden_and_shown_again_leave_the_focus(qtbot: QtBot, frame: MainWindow) -> None:
    qtbot.waitUntil(lambda: not frame.workspace.side.isHidden(), timeout=LONG)
    side = frame.workspace.side
    for held in (grid(frame), side.focusProxy()):
        assert held is not None
        held.setFocus()
        frame.workspace.toggle_side()
        assert side.isHidden()
        assert frame.focusWidget() is grid(frame)
        frame.workspace.toggle_side()
        assert not side.isHidden()
        assert frame.focusWidget() is held


def test_tab_goes_through_a_search_as_one_reads(qtbot: QtBot, frame: MainWindow) -> None:
    frame.resize(1440, 900)
    frame.workspace.searching.take_pictures([4])
    answered(qtbot, frame)
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    search = frame.workspace.searching.view
    search.show_how(True)
    places = {
        "timing": search.timing,
        "grid": search.grid,
        "why": search.why,
        "bar": search.bar,
        "side": frame.workspace.side,
    }
    met: list[str] = []
    stop = search.grid.nextInFocusChain()
    while stop is not None and stop is not search.grid:
        name = next((name for name, part in places.items() if part is stop or part.isAncestorOf(stop)), "")
        tabbed = stop.focusPolicy() & Qt.FocusPolicy.TabFocus and stop.isVisible()
        if tabbed and name and met[-1:] != [name]:
            met.append(name)
        stop = stop.nextInFocusChain()
    assert met == ["why", "side", "bar", "timing"]


def test_what_can_be_done_with_a_photograph_is_one_key_away(
    qtbot: QtBot, frame: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def offered(one: int, ids: list[int]) -> list[tuple[str, str, object]]:
        asked.append(one)
        return []

    monkeypatch.setattr(
        frame.workspace.findChild(PhotographCommands), "offered", offered
    )  # an empty menu does not show
    grid(frame).set_current(4)
    frame.workspace.browsing.view.grid.ask_for_menu()
    assert asked == [4]


def test_the_cross_that_clears_the_filter_goes_with_the_words(qtbot: QtBot, frame: MainWindow) -> None:
    field = frame.workspace.browsing.view.findChild(QLineEdit)
    assert field is not None
    (cross,) = field.findChildren(QAbstractButton)
    field.setText("scene")
    qtbot.waitUntil(lambda: cross.isVisible() and not frame.busy(), timeout=LONG)
    frame.workspace.leave()
    qtbot.waitUntil(lambda: not cross.isVisible() or cross.property("opacity") == 0, timeout=LONG)


def test_the_last_example_that_is_taken_away_leads_to_what_can_be_asked(qtbot: QtBot, frame: MainWindow) -> None:
    frame.resize(1440, 900)
    frame.workspace.searching.take_pictures([4])
    answered(qtbot, frame)
    assert not frame.workspace.side.isHidden()
    frame.workspace.searching.view.bar.example_removed.emit(0)
    assert frame.workspace.side.isHidden()
    assert isinstance(frame.focusWidget(), QPushButton)


def test_filters_that_leave_nothing_are_told_and_can_be_taken_back(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.searching.take_pictures([4])
    answered(qtbot, frame)
    filters = frame.workspace.side.findChild(FilterPanel)
    assert filters is not None
    filters.set_filters({"since": "2099-01-01"})
    frame.workspace.side.changed.emit()
    qtbot.waitUntil(lambda: isinstance(frame.focusWidget(), QPushButton) and hits(frame).count == 0, timeout=LONG)
    held = frame.focusWidget()
    assert isinstance(held, QPushButton)
    assert held.text() == "Show all"
    QTest.keyClick(held, Qt.Key.Key_Return)
    qtbot.waitUntil(
        lambda: frame.focusWidget() is frame.workspace.searching.view.grid and hits(frame).count > 0, timeout=LONG
    )


def test_a_folder_is_forgotten_by_key_and_not_all_of_them(qtbot: QtBot, frame: MainWindow, photographs: Path) -> None:
    asked: list[str] = []
    frame.workspace.side.forget_wanted.disconnect()
    frame.workspace.side.forget_wanted.connect(asked.append)
    tree = named(frame.workspace.side, "Folders")
    assert isinstance(tree, QTreeView)
    qtbot.waitUntil(lambda: tree.model().rowCount() >= 2, timeout=LONG)
    rows = range(tree.model().rowCount())
    for row in rows:  # all photographs, then the folders
        tree.setCurrentIndex(tree.model().index(row, 0))
        tree.setFocus()
        QTest.keyClick(tree, Qt.Key.Key_Delete)
    assert asked == [tree.model().index(row, 0).data(PATH) for row in rows[1:]]
    assert str(photographs) in asked


LEFT, RIGHT = QRect(0, 0, 1920, 1050), QRect(1920, 0, 2560, 1440)


class _Watched(MainWindow):
    """Notes every size that it is seen in."""

    def resizeEvent(self, event) -> None:  # type: ignore[no-untyped-def]  # noqa: N802
        if self.isVisible():
            self.sizes.append(event.size())
        super().resizeEvent(event)

    sizes: list[QSize]


def opened_watched(qtbot: QtBot, path: Path) -> _Watched:
    frame = _Watched(path)
    frame.sizes = []
    qtbot.addWidget(frame)
    with qtbot.waitSignal(frame.opened, timeout=LONG):
        frame.show()
    return frame


def test_the_window_shows_at_once_as_it_was_left(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        kept_windows, "fitted_to_screens", lambda rect, _: rect
    )  # the screen here is smaller than any window
    first = opened_watched(qtbot, tmp_path / "a.twinlens")
    at = QRect(10, 40, 830, 600)
    first.setGeometry(at)
    first.close()
    second = opened_watched(qtbot, tmp_path / "a.twinlens")
    assert second.geometry() == at
    assert set(map(QSize.toTuple, second.sizes)) <= {at.size().toTuple()}
    second.close()


def test_a_maximised_window_is_so_again_and_knows_its_usual_size(qtbot: QtBot, tmp_path: Path) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setGeometry(10, 20, 640, 480)
    window.showMaximized()
    kept_windows.keep_geometry(window, Address.of(tmp_path))
    other = QMainWindow()
    qtbot.addWidget(other)
    kept_windows.restore_geometry(other, Address.of(tmp_path))
    assert other.windowState() & Qt.WindowState.WindowMaximized
    other.show()
    assert other.size() == window.size()
    other.showNormal()
    assert other.size() == QSize(640, 480)


def test_a_window_comes_back_to_the_screens_that_exist() -> None:
    there = QRect(2000, 100, 1200, 800)
    assert fitted_to_screens(there, [LEFT, RIGHT]) == there
    assert fitted_to_screens(there, [LEFT]) == QRect(720, 100, 1200, 800)  # its screen is gone
    whole = fitted_to_screens(QRect(-3000, 50, 4000, 3000), [LEFT])
    assert LEFT.contains(whole.adjusted(0, -30, 0, 0)), "its title is seen, too"
    assert whole.height() > LEFT.height() - 60
    assert fitted_to_screens(QRect(1900, 10, 500, 500), [LEFT, RIGHT]) == QRect(1920, 10, 500, 500)
    assert fitted_to_screens(there, []) == there


@pytest.mark.parametrize("text", ["", "[]", '{"a": 1}', '{"": {"rect": [1, 2, "x", 4]}}', "[" * 100_000, "\xff"])
def test_a_damaged_file_costs_the_place_only(qtbot: QtBot, tmp_path: Path, text: str) -> None:
    (tmp_path / "data").mkdir(exist_ok=True)
    (tmp_path / "data" / "windows.json").write_text(text, encoding="latin-1")
    window = QMainWindow()
    qtbot.addWidget(window)
    kept_windows.restore_geometry(window, None)
    assert window.size() == QSize(*kept_windows.USUAL_SIZE)
    kept_windows.keep_geometry(window, None)
