"""Duplicates in the window, by the keyboard: groups are decided, undone, moved away with companions, brought back."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QMenu,
    QPushButton,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.app.duplicates.test_duplicates import named, write_family
from tests.app.duplicates.test_groups import candidate
from tests.app.folders import added, write_scene
from tests.app.gui.looking import LONG, button, do_key, nameless, words
from tests.app.gui.working import settle, workspace
from tests.app.private_trash import LINUX
from twinlens.app.disposal.disposal_results import LogEntry, LoggedFile
from twinlens.app.duplicates import duplicates
from twinlens.app.duplicates.comparing.comparison import compare_pictures
from twinlens.app.duplicates.decisions import keep_choices, refused_pairs
from twinlens.app.duplicates.duplicates import Duplicates, find_duplicates, known_duplicates
from twinlens.app.duplicates.folder_comparison import FolderPair
from twinlens.app.duplicates.groups import DuplicateKind, GroupMember, PhotoGroup
from twinlens.app.duplicates.keeper_rules import Fate, KeeperRules, saved_rules
from twinlens.app.gui.duplicates.arranged_group import ArrangedGroup, GroupOrder
from twinlens.app.gui.duplicates.disposal import LogDialog
from twinlens.app.gui.duplicates.duplicates_control import DuplicatesControl
from twinlens.app.gui.duplicates.duplicates_page import DuplicatesPage
from twinlens.app.gui.duplicates.failed_pairs_dialog import FailedPairsDialog
from twinlens.app.gui.duplicates.folder_pairs_dialog import FolderPairsDialog
from twinlens.app.gui.duplicates.group_filters import (
    ALL,
    FolderFilter,
    FolderPopup,
    PathWordsField,
    groups_by_folder,
)
from twinlens.app.gui.duplicates.group_list import GroupList
from twinlens.app.gui.duplicates.group_painting import GroupDelegate
from twinlens.app.gui.duplicates.plan_dialog import PlanDialog, PlanLine
from twinlens.app.gui.duplicates.rules_dialog import RulesDialog
from twinlens.app.gui.frame.library_workspace import LibraryWorkspace
from twinlens.app.gui.frame.server_dialog import ServerDialog
from twinlens.app.gui.process.jobs import Jobs
from twinlens.app.library.browsing.listing import FolderNode
from twinlens.app.library.library import Library
from twinlens.core.errors import TwinlensError
from twinlens.core.message import NOTHING, Message
from twinlens.storage.disposals import DisposalOutcome


@pytest.fixture(scope="module")
def family(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with photographs, and beside it a library of them, as it was added and when it was compared."""
    folder = tmp_path_factory.mktemp("family")
    write_family(folder / "photographs")
    added(folder / "added.twinlens", folder / "photographs")
    with Library.open(Path(shutil.copy(folder / "added.twinlens", folder / "compared.twinlens"))) as library:
        compare_pictures(library)
    return folder


@pytest.fixture
def library(request: pytest.FixtureRequest, family: Path, tmp_path: Path) -> Iterator[Library]:
    """Return a copy of the library that was compared; the photographs stay where they are.

    With the parameter ``added``, one that was not compared yet.
    """
    made = family / f"{getattr(request, 'param', 'compared')}.twinlens"
    with Library.open(Path(shutil.copy(made, tmp_path))) as opened:
        yield opened


@pytest.fixture
def space(qtbot: QtBot, library: Library, private_trash: Path) -> Iterator[LibraryWorkspace]:
    """Return a workspace that shows duplicates, all photographs compared."""
    made = workspace(qtbot, library)
    with qtbot.waitActive(made):
        made.activateWindow()
    made.show_view("duplicates")
    qtbot.waitUntil(lambda: not made.comparing_new.running and shown(made).row() >= 0, timeout=LONG)
    settle(qtbot, made)
    yield made
    made.jobs.finish()


def shown(space: LibraryWorkspace) -> GroupList:
    found = space.findChild(GroupList)
    assert isinstance(found, GroupList)
    return found


def press(qtbot: QtBot, space: LibraryWorkspace, *keys: Qt.Key) -> None:
    """Press keys, and wait until what follows is shown."""
    for key in keys:
        QTest.keyClick(shown(space), key)
        qtbot.waitUntil(lambda: not space.changes.running and not space.jobs.busy(), timeout=LONG)


def going(space: LibraryWorkspace) -> set[str]:
    return {named(one.photograph.path) for one in known_duplicates(space.opened.library).going}


COPIES = {"a (1).jpg", "a-small.jpg", "a-web.jpg"}


@pytest.mark.parametrize("library", ["added"], indirect=True)
def test_groups_are_found_and_told(space: LibraryWorkspace) -> None:
    page = space.views.part("duplicates").view
    assert "2 groups, 3 copies to remove" in words(page)
    assert button(page, "Move the copies to the trash…").text().startswith("Remove 3 copies (")
    assert button(page, "Series: 1").isVisible()
    told = QAccessible.queryAccessibleInterface(shown(space)).child(0).text(QAccessible.Text.Name)
    assert "Kept: the file that others were made from, has most of date, camera, place, stars and keywords." in told
    assert "Keep: a.jpg" in shown(space).accessibleDescription()
    assert nameless(page) == []
    assert not page.grab().isNull()


def test_a_group_is_decided_by_keys_and_undone(qtbot: QtBot, space: LibraryWorkspace) -> None:
    key = Qt.Key
    press(qtbot, space, key.Key_Right, key.Key_X)
    assert going(space) == COPIES - {"a (1).jpg"}
    press(qtbot, space, key.Key_Delete)
    assert going(space) == COPIES
    press(qtbot, space, key.Key_Delete)
    assert going(space) == set()
    space.undoing.undo()
    space.undoing.undo()
    space.undoing.undo()
    qtbot.waitUntil(lambda: going(space) == COPIES, timeout=LONG)
    press(qtbot, space)
    press(qtbot, space, key.Key_3)
    assert "a.jpg" in going(space)
    assert "your choice" in str(
        shown(space).model().data(shown(space).currentIndex(), Qt.ItemDataRole.AccessibleTextRole)
    )
    press(qtbot, space, key.Key_R)
    assert going(space) == COPIES


def test_what_another_program_decides_is_shown(qtbot: QtBot, space: LibraryWorkspace) -> None:
    page = space.views.part("duplicates").view
    assert isinstance(page, DuplicatesPage)
    before = page.going()
    with Library.open(space.opened.library.address) as other:
        keep_choices(other, {before[0].photograph: Fate.STAYS})
    space.watch.look()
    qtbot.waitUntil(lambda: page.going() == before[1:], timeout=LONG)
    settle(qtbot, space)


@pytest.mark.parametrize("told", ["by a comparison", "by another program"])
def test_what_changes_while_groups_are_read_is_shown_after_them(
    told: str, qtbot: QtBot, space: LibraryWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, control = space.views.part("duplicates").view, space.views.part("duplicates")
    assert isinstance(page, DuplicatesPage)
    read, go_on = threading.Event(), threading.Event()

    def slow(*given: Any, **named: Any) -> Duplicates:
        found = known_duplicates(*given, **named)
        read.set()
        assert go_on.wait(LONG / 1_000)
        return found

    before = page.going()
    monkeypatch.setattr(duplicates, "known_duplicates", slow)
    space.watch.stop()
    control.refresh()
    assert read.wait(LONG / 1_000)
    with Library.open(space.opened.library.address) as other:
        keep_choices(other, {before[0].photograph: Fate.STAYS})
    (space.comparing_new.found if told == "by a comparison" else space.watch.written).emit()
    go_on.set()
    qtbot.waitUntil(lambda: page.going() == before[1:], timeout=LONG)
    settle(qtbot, space)


def test_no_duplicates_leave_the_list_until_it_is_undone(qtbot: QtBot, space: LibraryWorkspace) -> None:
    press(qtbot, space, Qt.Key.Key_N)
    assert len(refused_pairs(space.opened.library)) == 15
    assert going(space) == {"a (1).jpg"}
    space.undoing.undo()
    qtbot.waitUntil(lambda: going(space) == COPIES, timeout=LONG)
    press(qtbot, space)


def test_tabs_show_one_sort(qtbot: QtBot, space: LibraryWorkspace) -> None:
    page = space.views.part("duplicates").view
    button(page, "Series: 1").click()
    group = shown(space).current_group()
    assert group is not None
    assert group.group.kinds == {DuplicateKind.SERIES}
    assert not button(page, "RAW + JPEG: 0").isVisible()
    button(page, "Undecided: 0").click()
    assert "No group matches these filters." in words(page)
    button(page, "Show all").click()
    assert shown(space).isVisible()
    assert isinstance(page, DuplicatesPage)
    assert page.kind() == ALL
    press(qtbot, space, Qt.Key.Key_U)


def test_a_library_whose_files_are_all_gone_does_not_say_that_it_is_empty(
    qtbot: QtBot, family: Path, tmp_path: Path
) -> None:
    with Library.open(Path(shutil.copy(family / "compared.twinlens", tmp_path / "gone.twinlens"))) as library:
        with library.store.writing() as w:
            w.photographs.mark_missing(w.dialect.ids("SELECT id FROM photograph"))
        with pytest.raises(TwinlensError, match="None of the photos can be read now"):
            find_duplicates(library)
        made = workspace(qtbot, library)
        made.show_view("duplicates")
        page = made.views.part("duplicates").view
        qtbot.waitUntil(lambda: "None of the photos can be read now" in " ".join(words(page)), timeout=LONG)
        made.jobs.finish()


def test_pairs_that_could_not_be_compared_are_a_count_and_a_list(qtbot: QtBot, space: LibraryWorkspace) -> None:
    page = space.views.part("duplicates").view
    assert isinstance(page, DuplicatesPage)
    found, groups = page.arrangement
    assert found is not None
    assert not button(page, "Photos that could not be compared").isVisible()
    pairs = ((b"/photos/a/one.jpg", b"/photos/b/one.jpg"), (b"/photos/a/two.jpg", b"/photos/b/two.jpg"))
    control = space.views.part("duplicates")
    assert isinstance(control, DuplicatesControl)
    control._found = replace(found, failed=pairs)
    page.show_duplicates(replace(found, failed=pairs), 0, comparing=False, groups=groups)
    assert "/photos" not in " ".join(words(page))
    opening = button(page, "Photos that could not be compared")
    assert opening.isVisible()
    assert opening.text() == "2 pairs not compared"
    listed: list[object] = []

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, FailedPairsDialog)
        listed.extend(dialog.list.model().index(row, 0).data() for row in range(dialog.list.model().rowCount()))
        button(dialog, "Close").click()

    QTimer.singleShot(0, look)
    opening.click()
    assert listed == ["one.jpg", "two.jpg"]


def test_a_library_without_photographs_offers_to_add_a_folder(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen: list[object] = []

    def choose(*given: object) -> str:
        chosen.append(given)
        return ""

    monkeypatch.setattr(QFileDialog, "getExistingDirectory", choose)
    with Library.open(tmp_path / "empty.twinlens", create=True) as library:
        made = workspace(qtbot, library)
        with qtbot.waitActive(made):
            made.activateWindow()
        made.show_view("duplicates")
        page = made.views.part("duplicates").view
        qtbot.waitUntil(lambda: "There are no photos yet" in " ".join(words(page)), timeout=LONG)
        adding = button(page, "Add a folder…")
        assert QApplication.focusWidget() is adding
        QTest.keyClick(adding, Qt.Key.Key_Space)
        assert len(chosen) == 1
        made.jobs.finish()


def test_rules_are_ordered_by_the_keyboard(qtbot: QtBot, space: LibraryWorkspace) -> None:
    def order() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, RulesDialog)
        dialog.criteria.setCurrentRow(5)
        for __ in range(5):
            do_key(dialog.criteria, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
        dialog.accept()

    QTimer.singleShot(100, order)
    button(space.views.part("duplicates").view, "Rules that choose which photo to keep").click()
    qtbot.waitUntil(lambda: rules_of(space).order[0] == "named", timeout=LONG)
    space.undoing.undo()
    qtbot.waitUntil(lambda: rules_of(space).order[0] == "first", timeout=LONG)


def test_groups_of_one_folder_are_seen_alone(space: LibraryWorkspace, family: Path) -> None:
    chooser = space.findChild(FolderFilter)
    assert isinstance(chooser, FolderFilter)
    chooser.choose(bytes(family / "photographs" / "sub"))
    assert shown(space).model().rowCount() == 1
    assert chooser.text() == "sub"
    button(space.views.part("duplicates").view, "Series: 1").click()
    assert not button(space.views.part("duplicates").view, "Move the copies to the trash…").isVisible()
    button(space.views.part("duplicates").view, "All: 2").click()
    chooser.choose(b"")
    assert shown(space).model().rowCount() == 2


def test_groups_with_large_files_are_seen_alone(space: LibraryWorkspace) -> None:
    page: Any = space.views.part("duplicates").view
    sizes = sorted(max(one.bytes for one in each.photographs) for each in seen(space))
    for least, count in ((sizes[0], 2), (sizes[0] + 1, 1), (sizes[1] + 1, 0), (0, 2)):
        page._size.choose(str(least))
        assert shown(space).model().rowCount() == count


def test_one_of_a_group_is_kept_side_by_side(qtbot: QtBot, space: LibraryWorkspace) -> None:
    QTest.keyClick(shown(space), Qt.Key.Key_Return)
    view = space.beside.view
    qtbot.waitUntil(lambda: any("a.jpg" in one and "Keep" in one for one in words(view)), timeout=LONG)
    settle(qtbot, space)
    QTest.keyClick(view, Qt.Key.Key_2)
    qtbot.waitUntil(lambda: any("a.jpg" in one and "Remove" in one for one in words(view)), timeout=LONG)
    assert "a.jpg" in going(space)
    settle(qtbot, space)
    space.undoing.undo()
    qtbot.waitUntil(lambda: any("a.jpg" in one and "Keep" in one for one in words(view)), timeout=LONG)
    assert going(space) == COPIES
    settle(qtbot, space)


def seen(space: LibraryWorkspace) -> list[ArrangedGroup]:
    page = space.views.part("duplicates").view
    assert isinstance(page, DuplicatesPage)
    return page.seen()


def rules_of(space: LibraryWorkspace) -> KeeperRules:
    with space.opened.library.store.reading() as r:
        return saved_rules(r)


def agree(yes: bool) -> list[str]:
    """Answer the list of what goes when it comes; return what it said."""
    said: list[str] = []

    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QDialog):
            QTimer.singleShot(20, answer)
            return
        said.extend(words(dialog))
        name = "Move to the trash" if yes else "Cancel"
        next(one for one in dialog.findChildren(QPushButton) if one.text() == name).click()

    QTimer.singleShot(20, answer)
    return said


@LINUX
def test_what_goes_is_seen_moved_and_brought_back(
    qtbot: QtBot, space: LibraryWorkspace, family: Path, private_trash: Path
) -> None:
    before = {path: path.read_bytes() for path in (family / "photographs").rglob("*.jpg")}
    said = agree(yes=False)
    QTest.keyClick(shown(space), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: bool(said), timeout=LONG)
    assert said[0].startswith("3 photos move to the trash (")
    assert all(path.exists() for path in before)
    said = agree(yes=True)
    button(space.views.part("duplicates").view, "Move the copies to the trash…").click()
    qtbot.waitUntil(lambda: bool(said) and not space.work.busy() and not going(space), timeout=LONG)
    press(qtbot, space)
    gone = {path for path in before if not path.exists()}
    assert {path.name for path in gone} == COPIES
    assert {one.read_bytes() for one in (private_trash / "files").iterdir()} == {before[path] for path in gone}
    clean = "There are no copies to remove."
    qtbot.waitUntil(lambda: clean in words(space.views.part("duplicates").view), timeout=LONG)
    space.undoing.undo()
    qtbot.waitUntil(lambda: not space.work.busy() and going(space) == COPIES, timeout=LONG)
    assert {path: path.read_bytes() for path in before} == before
    qtbot.waitUntil(lambda: not space.comparing_new.running and not space.jobs.busy(), timeout=LONG)


COUNT = 1_000


def made(number: int) -> ArrangedGroup:
    kept, *others = (candidate(10 * number + at, number % 250, name=f"{number}-{at}") for at in range(2 + number % 5))
    members = tuple(GroupMember(one, DuplicateKind.IDENTICAL, kept, None, True) for one in others)
    return ArrangedGroup(PhotoGroup(kept, (Message("largest"),), members, False))


@pytest.fixture
def groups() -> list[ArrangedGroup]:
    return [made(number) for number in range(COUNT)]


@pytest.fixture
def shown_list(qtbot: QtBot, groups: list[ArrangedGroup]) -> GroupList:
    made = GroupList()
    qtbot.addWidget(made)
    made.resize(900, 600)
    made.show()
    made.show_groups(groups)
    return made


def top(shown: GroupList) -> int:
    rect = shown.visualRect(shown.currentIndex())
    assert rect.intersects(shown.viewport().rect()), "the current group is in sight"
    return rect.top()


def decided(one: ArrangedGroup) -> ArrangedGroup:
    """Nothing of it goes: what is said of it may take other room."""
    members = tuple(replace(each, goes=False) for each in one.group.members)
    return ArrangedGroup(one.arranged, (replace(one.group, members=members, undecided=True),))


def test_every_key_goes_to_the_next_group(shown_list: GroupList) -> None:
    for row in range(1, COUNT):
        QTest.keyClick(shown_list, Qt.Key.Key_Down)
        assert shown_list.row() == row
    assert top(shown_list) >= 0


def test_a_decision_moves_nothing(qtbot: QtBot, shown_list: GroupList, groups: list[ArrangedGroup]) -> None:
    for row in (0, 99, 100, 101, 700, COUNT - 1):
        shown_list.go_to_group(row)
        QTest.keyClick(shown_list, Qt.Key.Key_Right)
        before, current = top(shown_list), shown_list.current_id()
        for number in (row, row // 2):  # its height and that of another above may change
            groups[number] = decided(groups[number])
            shown_list.show_groups(groups)
            qtbot.wait(1)
            assert (shown_list.row(), shown_list.current_id(), top(shown_list)) == (row, current, before)


def test_groups_that_go_above_move_nothing(qtbot: QtBot, shown_list: GroupList, groups: list[ArrangedGroup]) -> None:
    shown_list.go_to_group(700)
    before, current = top(shown_list), shown_list.current_id()
    shown_list.show_groups(groups[:100] + groups[200:])
    qtbot.wait(1)
    assert (shown_list.row(), shown_list.current_id(), top(shown_list)) == (600, current, before)


def test_where_the_current_group_goes_the_next_one_takes_its_place(
    shown_list: GroupList, groups: list[ArrangedGroup]
) -> None:
    shown_list.go_to_group(700)
    before = top(shown_list)
    shown_list.show_groups(groups[:700] + groups[701:])
    assert shown_list.row() == 700
    assert shown_list.current_id() == groups[701].ids[0]
    assert top(shown_list) <= before


def test_the_current_group_stays_in_sight_in_another_width(qtbot: QtBot, shown_list: GroupList) -> None:
    shown_list.go_to_group(700)
    shown_list.resize(500, 600)
    qtbot.wait(1)
    assert shown_list.row() == 700
    assert top(shown_list) >= 0


MOVE, ALSO, CLEAN = "Move to the trash", "Also move 1 photo and its files…", "Move the copies to the trash…"


@pytest.fixture
def space_with_companions(qtbot: QtBot, tmp_path: Path, private_trash: Path) -> Iterator[LibraryWorkspace]:
    """Return a workspace that shows two equal pairs: of one, each photograph has edits of its own beside it."""
    photos = tmp_path / "photographs"
    for name, seed in (("a/1.jpg", 1), ("b/1.jpg", 1), ("a/2.jpg", 2), ("b/2.jpg", 2)):
        write_scene(photos / name, seed)
    (photos / "a" / "1.jpg.dop").write_bytes(b"Sidecar = {}")
    (photos / "b" / "1.xmp").write_bytes(b"<other/>")
    (photos / "b" / "1.jpg.pp3").write_bytes(b"[Exposure]")
    added(tmp_path / "family.twinlens", photos)
    with Library.open(tmp_path / "family.twinlens") as library:
        compare_pictures(library)
        made = workspace(qtbot, library)
        made.show_view("duplicates")
        settle(qtbot, made)
        yield made
        made.jobs.finish()


def answer(*choices: str, look: Callable[[QDialog], None] = lambda _: None) -> list[list[str]]:
    """Press a button in each list as it comes; return what each said."""
    said: list[list[str]] = []

    def act() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, PlanDialog):
            said.append(words(dialog))
            look(dialog)
            name = choices[len(said) - 1]
            next(one for one in dialog.findChildren(QPushButton) if one.text() == name).click()
        if len(said) < len(choices):
            QTimer.singleShot(20, act)

    QTimer.singleShot(20, act)
    return said


def page_words(space: LibraryWorkspace) -> list[str]:
    return words(space.views.part("duplicates").view)


def test_a_copy_is_held_and_the_list_says_why(
    qtbot: QtBot, space_with_companions: LibraryWorkspace, tmp_path: Path
) -> None:
    assert "2 groups, 1 copy to remove" in page_words(space_with_companions)
    said = answer("Cancel")
    button(space_with_companions.views.part("duplicates").view, CLEAN).click()
    qtbot.waitUntil(lambda: bool(said), timeout=LONG)
    (told,) = said
    assert told[0].startswith("1 photo moves to the trash (")
    assert any("1.jpg.dop, which has edits, has no equal beside the photo that is kept." in one for one in told)
    settle(qtbot, space_with_companions)


@LINUX
def test_what_lies_beside_it_is_taken_along_and_comes_back(
    qtbot: QtBot, space_with_companions: LibraryWorkspace, tmp_path: Path, private_trash: Path
) -> None:
    photos = tmp_path / "photographs"
    before = {path: path.read_bytes() for path in photos.rglob("*.*")}
    said = answer(ALSO, MOVE)
    button(space_with_companions.views.part("duplicates").view, CLEAN).click()
    qtbot.waitUntil(lambda: len(said) == 2 and not space_with_companions.work.busy(), timeout=LONG)
    assert said[1][0].startswith("2 photos move to the trash (")
    assert "1 file beside them moves to the photo that is kept: 1.jpg.dop" in " ".join(said[1])
    assert {path for path in before if not path.exists()} == {
        photos / name for name in ("a/1.jpg", "a/1.jpg.dop", "b/2.jpg")
    }
    assert (photos / "b" / "1.jpg.dop").read_bytes() == b"Sidecar = {}"
    space_with_companions.undoing.undo()
    qtbot.waitUntil(
        lambda: not space_with_companions.work.busy() and all(path.exists() for path in before), timeout=LONG
    )
    assert {path: path.read_bytes() for path in photos.rglob("*.*")} == before
    settle(qtbot, space_with_companions)


def one_group(space: LibraryWorkspace) -> ArrangedGroup:
    group = shown(space).current_group()
    assert group is not None
    return group


def click_badge(space: LibraryWorkspace, place: int) -> None:
    """Click the badge of a photograph of the current group."""
    listed, group = shown(space), one_group(space)
    delegate = listed.itemDelegate()
    assert isinstance(delegate, GroupDelegate)
    rect = listed.visualRect(listed.currentIndex())
    layout = delegate.layout_of(group, rect.width(), listed.font())
    at = rect.topLeft() + delegate.badge_at(group, layout, place).center().toPoint()
    QTest.mouseMove(listed.viewport(), at)
    QTest.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=at)


def turn_badge(qtbot: QtBot, space: LibraryWorkspace, place: int) -> None:
    """Click the badge of a photograph, and wait until it is turned."""
    before = one_group(space).goes(place)
    click_badge(space, place)
    qtbot.waitUntil(lambda: one_group(space).goes(place) is not before, timeout=LONG)
    press(qtbot, space)
    settle(qtbot, space)


def staying(space: LibraryWorkspace) -> list[int]:
    """Return the places of the photographs of the current group that stay."""
    return [place for place in range(len(one_group(space).ids)) if not one_group(space).goes(place)]


def test_badges_are_buttons_and_the_last_one_stays(qtbot: QtBot, space: LibraryWorkspace) -> None:
    ids = one_group(space).ids
    for __ in range(2 * len(ids)):
        if len(staying(space)) > 1:
            turn_badge(qtbot, space, staying(space)[0])
    assert one_group(space).ids == ids
    (last,) = staying(space)
    click_badge(space, last)
    settle(qtbot, space)
    assert staying(space) == [last]
    turn_badge(qtbot, space, 0 if last else 1)
    assert len(staying(space)) == 2


def test_a_tab_limits_what_is_removed(space: LibraryWorkspace) -> None:
    page = space.views.part("duplicates").view
    assert isinstance(page, DuplicatesPage)
    button(page, "Byte for byte: 1").click()
    assert button(page, "Move the copies to the trash…").text().startswith("Remove 1 byte-for-byte copy (")
    assert [one.kind for one in page.going()] == ["identical"]
    button(page, "All: 2").click()
    assert len(page.going()) == 3


def test_groups_are_found_by_words_and_in_an_order(qtbot: QtBot, space: LibraryWorkspace) -> None:
    page: Any = space.views.part("duplicates").view
    QTest.keyClick(shown(space), Qt.Key.Key_Slash)
    field = page.findChild(PathWordsField)
    assert isinstance(field, PathWordsField)
    QTest.keyClicks(field, "a-web")
    assert shown(space).model().rowCount() == 1
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert shown(space).model().rowCount() == 2
    page._order.choose(GroupOrder.NAME)
    names = [named(one.photographs[0].path) for one in seen(space)]
    assert names == sorted(names)


def test_the_menu_offers_what_the_page_does(qtbot: QtBot, space: LibraryWorkspace) -> None:
    offered: list[list[str]] = []

    def look() -> None:
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        offered.append([one.text() for one in menu.actions() if not one.isSeparator()])
        menu.close()

    QTimer.singleShot(50, look)
    shown(space).menu_wanted.emit(shown(space).current_id(), QPoint(9, 9))
    QTimer.singleShot(50, look)
    button(space.views.part("duplicates").view, "More about duplicates").click()
    photograph, page = offered
    assert photograph[:6] == [
        "Keep this photo instead",
        "Remove this photo, or keep it",
        "Remove all copies of this photo, or none",
        "Remove all copies of the group, or none",
        "These are not duplicates",
        "Let the rules decide this group again",
    ]
    assert "Show in the file manager" in photograph
    assert page[0] == "Move the copies to a folder…"
    assert "Photos moved so far…" in page


def test_the_folder_of_one_is_kept_everywhere_and_undone(qtbot: QtBot, space: LibraryWorkspace) -> None:
    part = space.views.part("duplicates")
    assert isinstance(part, DuplicatesControl)
    part._on_like_this()
    qtbot.waitUntil(lambda: len(rules_of(space).preferred) == 1, timeout=LONG)
    press(qtbot, space)
    assert one_group(space).photographs[0].path.decode().startswith(rules_of(space).preferred[0])
    space.undoing.undo()
    qtbot.waitUntil(lambda: rules_of(space).preferred == (), timeout=LONG)
    press(qtbot, space)


def test_the_sharpest_of_a_series_is_kept_by_a_key(qtbot: QtBot, space: LibraryWorkspace) -> None:
    button(space.views.part("duplicates").view, "Series: 1").click()
    press(qtbot, space, Qt.Key.Key_B)
    qtbot.waitUntil(lambda: one_group(space).staying == 1, timeout=LONG)
    press(qtbot, space)
    space.undoing.undo()
    qtbot.waitUntil(lambda: one_group(space).staying == len(one_group(space).ids), timeout=LONG)
    press(qtbot, space)


def test_single_keys_decide_side_by_side(qtbot: QtBot, space: LibraryWorkspace) -> None:
    QTest.keyClick(shown(space), Qt.Key.Key_Return)
    view = space.beside.view
    qtbot.waitUntil(lambda: any("Group 1 of 2" in one for one in words(view)), timeout=LONG)
    settle(qtbot, space)
    before = one_group(space).goes(1)
    QTest.keyClick(view, Qt.Key.Key_X)
    qtbot.waitUntil(lambda: one_group(space).goes(1) is not before, timeout=LONG)
    settle(qtbot, space)
    QTest.keyClick(view, Qt.Key.Key_Tab)
    QTest.keyClick(view, Qt.Key.Key_K)
    qtbot.waitUntil(lambda: any(one_group(space).keeps(place) for place in (0, 2)), timeout=LONG)
    settle(qtbot, space)
    for __ in range(4):
        QTest.keyClick(view, Qt.Key.Key_Return)
        settle(qtbot, space)
    assert any("Group 2 of 2" in one for one in words(view))
    QTest.keyClick(view, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: len(refused_pairs(space.opened.library)) > 0, timeout=LONG)
    settle(qtbot, space)
    qtbot.waitUntil(lambda: any("Group 1 of 1" in one for one in words(view)), timeout=LONG)
    settle(qtbot, space)
    space.beside.close()


@LINUX
def test_the_list_is_shortened(
    qtbot: QtBot, space: LibraryWorkspace, family: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = set((family / "photographs").rglob("*.jpg"))
    moved = {path: path.read_bytes() for path in before}
    spoken: list[str] = []
    cut: list[int] = []

    def shorten(dialog: QDialog) -> None:
        assert isinstance(dialog, PlanDialog)
        dialog.words.setText("a-web")
        spoken.append(dialog.list.cards.card(0).spoken)
        button(dialog, "Untick all shown").click()
        dialog.words.clear()
        assert len(dialog.unticked()) == 1
        for points in range(7, 14):
            dialog.list.setStyleSheet(f"font-size: {points}pt")
            if drawn(dialog, "Ü") == drawn(dialog, "U"):
                cut.append(points)

    def drawn(dialog: PlanDialog, folder: str) -> QImage:
        with monkeypatch.context() as patch:
            patch.setattr(PlanLine, "goes", property(lambda _: ("a.jpg", folder)))
            return dialog.list.grab().toImage()

    said = answer("Move to the trash", look=shorten)
    button(space.views.part("duplicates").view, CLEAN).click()
    qtbot.waitUntil(lambda: bool(said) and not space.work.busy() and len(going(space)) == 1, timeout=LONG)
    assert cut == []
    assert spoken[0].startswith("a-web.jpg: ticked. Same picture · ")
    assert "Kept: " in spoken[0]
    assert {path.name for path in before if not path.exists()} == COPIES - {"a-web.jpg"}
    space.undoing.undo()
    qtbot.waitUntil(lambda: not space.work.busy() and all(path.exists() for path in before), timeout=LONG)
    assert {path: path.read_bytes() for path in before} == moved
    settle(qtbot, space)


def test_the_log_says_at_what_time_of_day(qtbot: QtBot) -> None:
    moment = datetime(2026, 5, 14, 11, 7, tzinfo=UTC)
    entry = LogEntry(
        1, 1, moment.isoformat(), "/photos/a.jpg", "/photos/b.jpg", "same", b"", 5000, (), None, None,
        DisposalOutcome.DONE, NOTHING, True,
    )  # fmt: skip
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = LogDialog([LoggedFile.of(entry)], parent)
    table = dialog.findChild(QTableView)
    assert table is not None
    cells = [str(table.model().index(0, column).data()) for column in range(table.model().columnCount())]
    assert any(f"{moment.astimezone():%H:%M} · moved" in one for one in cells), cells


def test_buttons_of_dialogs_stand_in_one_order(qtbot: QtBot, library: Library) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    orders = []
    for made in (
        RulesDialog(KeeperRules(), nodes("/photos"), parent),
        FolderPairsDialog([], parent),
        ServerDialog([], Jobs(), parent),
    ):
        made.show()
        (box,) = made.findChildren(QDialogButtonBox)
        role = QDialogButtonBox.ButtonRole
        agree, leave = (
            next(one.x() for one in box.buttons() if box.buttonRole(one) is each)
            for each in (role.AcceptRole, role.RejectRole)
        )
        orders.append(agree < leave)
        made.close()
    assert len(set(orders)) == 1


def test_any_photograph_is_removed_by_del_and_comes_back(qtbot: QtBot, space: LibraryWorkspace, family: Path) -> None:
    stranger = family / "photographs" / "s20.jpg"
    space.show_view("library")
    settle(qtbot, space)
    grid = space.browsing.view.grid
    with space.opened.library.store.reading() as r:
        rows = r.photographs.by_id(grid.ids())
    grid.set_current(next(row.id for row in rows if named(row.path) == "s20.jpg"))
    spoken: list[str] = []

    def look(dialog: QDialog) -> None:
        assert isinstance(dialog, PlanDialog)
        spoken.append(dialog.list.cards.card(0).spoken)
        assert not dialog.grab().isNull()

    said = answer("Move to the trash", look=look)
    QTest.keyClick(grid, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: bool(said) and not space.work.busy() and not stranger.exists(), timeout=LONG)
    assert spoken[0].startswith("s20.jpg: ticked. ")
    assert "No copy of it stays." in spoken[0]
    space.undoing.undo()
    qtbot.waitUntil(lambda: not space.work.busy() and stranger.exists(), timeout=LONG)
    settle(qtbot, space)


def test_a_pair_of_folders_filters_the_groups(qtbot: QtBot, space: LibraryWorkspace, family: Path) -> None:
    page = space.views.part("duplicates").view
    assert isinstance(page, DuplicatesPage)
    both = str(family / "photographs"), str(family / "photographs" / "sub")
    pair = FolderPair(first=both[0], second=both[1], in_both=1, only_first=17, only_second=0, bytes=1000)
    dialog = FolderPairsDialog([pair], page)
    qtbot.addWidget(dialog)
    with qtbot.waitSignal(dialog.chosen) as chosen:
        button(dialog, "Show what is in both folders").click()
    assert tuple(chosen.args or ()) == both
    with qtbot.waitSignal(dialog.rest_wanted) as rest:
        next(one for one in dialog.findChildren(QPushButton) if one.text() == "Only in the other").click()
    assert tuple(rest.args or ()) == both[::-1]
    before = len(page.seen())
    page.show_pair(*map(os.fsencode, both))
    assert 1 == len(page.seen()) < before


def test_a_photograph_leads_to_its_group(qtbot: QtBot, space: LibraryWorkspace) -> None:
    field = space.views.part("duplicates").view.findChild(PathWordsField)
    assert isinstance(field, PathWordsField)
    field.setText("no such name")
    member = next(one.photograph.id for one in known_duplicates(space.opened.library).going)
    space.show_view("library")
    space.show_photographs("duplicates", [member])
    settle(qtbot, space)
    assert space.view() == "duplicates"
    assert shown(space).current_id() == member


def nodes(*paths: str) -> list[FolderNode]:
    return [
        FolderNode(path.rpartition("/")[2], path, path.count("/") - 1, 3, True, path.count("/") == 1) for path in paths
    ]


def test_rules_name_folders_of_the_library_alone(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = RulesDialog(
        KeeperRules(preferred=("/photos/a",), last=("b",)), nodes("/photos", "/photos/a", "/b"), parent
    )
    dialog.preferred.add("/photos/2019")
    dialog.accept()
    assert dialog.result() != QDialog.DialogCode.Accepted
    assert any("No photo of the library lies in a folder “/photos/2019”." in one for one in words(dialog))
    do_key(dialog.preferred.list, Qt.Key.Key_Delete)
    popup_of = button(dialog, "Add a folder: Folders whose copies stay, the first counts most")
    popup_of.click()
    popup = dialog.findChild(FolderPopup)
    assert isinstance(popup, FolderPopup)
    popup.chosen.emit("/photos")
    popup.close()
    do_key(dialog.preferred.list, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    dialog.accept()
    assert dialog.result() == QDialog.DialogCode.Accepted
    assert dialog.rules() == KeeperRules(preferred=("/photos", "/photos/a"), last=("b",))


def test_folders_have_their_parents_and_count_groups(groups: list[ArrangedGroup]) -> None:
    counts, paths = groups_by_folder(groups)
    assert counts["/p"] == counts["/"] == COUNT
    assert paths["/p"] == b"/p"


def test_selected_groups_are_acted_on(shown_list: GroupList, groups: list[ArrangedGroup]) -> None:
    shown_list.go_to_group(3)
    for __ in range(2):
        QTest.keyClick(shown_list, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert shown_list.selected_groups() == groups[3:6]
