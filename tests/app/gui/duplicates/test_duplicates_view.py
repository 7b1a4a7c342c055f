"""Duplicates in the window, by the keyboard: groups come, are decided, undone, moved away and brought back."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QListWidget, QPushButton
from pytestqt.qtbot import QtBot

from app.duplicates.comparison import compare_pictures
from app.duplicates.decisions import refused_pairs
from app.duplicates.duplicates import known_duplicates
from app.duplicates.groups import DuplicateKind, PhotoGroup
from app.duplicates.keeper_rules import KeeperRules, saved_rules
from app.gui.duplicates.duplicates_page import DuplicatesPage, FolderFilter, SizeFilter
from app.gui.duplicates.group_list import GroupList
from app.gui.frame.workspace import Workspace
from app.library.library import Library
from tests.app.duplicates.test_duplicates import named, write_family
from tests.app.folders import added
from tests.app.gui.looking import LONG, button, nameless, words
from tests.app.gui.working import settle, workspace
from tests.app.private_trash import LINUX, private_trash

__all__ = ["private_trash"]


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
def space(qtbot: QtBot, library: Library, private_trash: Path) -> Iterator[Workspace]:
    """Return a workspace that shows duplicates, all photographs compared."""
    made = workspace(qtbot, library)
    with qtbot.waitActive(made):
        made.activateWindow()
    made.show_view("duplicates")
    qtbot.waitUntil(lambda: not made.comparing_new.running and shown(made).row() >= 0, timeout=LONG)
    settle(qtbot, made)
    yield made
    made.jobs.finish()


def shown(space: Workspace) -> GroupList:
    found = space.findChild(GroupList)
    assert isinstance(found, GroupList)
    return found


def press(qtbot: QtBot, space: Workspace, *keys: Qt.Key) -> None:
    """Press keys, and wait until what follows is shown."""
    for key in keys:
        QTest.keyClick(shown(space), key)
        qtbot.waitUntil(lambda: not space.changes.running and not space.jobs.busy(), timeout=LONG)


def going(space: Workspace) -> set[str]:
    return {named(one.photograph.path) for one in known_duplicates(space.opened.library).going}


COPIES = {"a (1).jpg", "a-small.jpg", "a-web.jpg"}


@pytest.mark.parametrize("library", ["added"], indirect=True)
def test_groups_are_found_and_told(space: Workspace) -> None:
    page = space.views.part("duplicates").view
    assert "2 groups, 3 copies to remove" in words(page)
    assert button(page, "Move the copies to the trash…").text().startswith("Remove 3 copies (")
    assert button(page, "Series: 1").isVisible()
    told = QAccessible.queryAccessibleInterface(shown(space)).child(0).text(QAccessible.Text.Name)
    assert "Kept: largest, most complete camera data" in told
    assert "Only a copy to be removed has the place." in told
    assert "Keep: a.jpg" in shown(space).accessibleDescription()
    assert nameless(page) == []
    assert not page.grab().isNull()


def test_a_group_is_decided_by_keys_and_undone(qtbot: QtBot, space: Workspace) -> None:
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


def test_no_duplicates_leave_the_list_until_it_is_undone(qtbot: QtBot, space: Workspace) -> None:
    press(qtbot, space, Qt.Key.Key_N)
    assert len(refused_pairs(space.opened.library)) == 15
    assert going(space) == {"a (1).jpg"}
    space.undoing.undo()
    qtbot.waitUntil(lambda: going(space) == COPIES, timeout=LONG)
    press(qtbot, space)


def test_tabs_show_one_sort(qtbot: QtBot, space: Workspace) -> None:
    page = space.views.part("duplicates").view
    button(page, "Series: 1").click()
    group = shown(space).current_group()
    assert group is not None
    assert group.kinds == {DuplicateKind.SERIES}
    button(page, "RAW + JPEG: 0").click()
    assert "No group matches these filters." in words(page)
    button(page, "All: 2").click()
    assert shown(space).isVisible()
    press(qtbot, space, Qt.Key.Key_U)


def test_rules_are_ordered_by_the_keyboard(qtbot: QtBot, space: Workspace) -> None:
    def order() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QDialog)
        rules = dialog.findChild(QListWidget)
        assert rules is not None
        rules.setCurrentRow(6)
        for __ in range(6):
            QTest.keyClick(rules, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
        dialog.accept()

    QTimer.singleShot(100, order)
    button(space.views.part("duplicates").view, "Rules that choose which photo to keep").click()
    qtbot.waitUntil(lambda: rules_of(space).order[0] == "named", timeout=LONG)
    space.undoing.undo()
    qtbot.waitUntil(lambda: rules_of(space).order[0] == "largest", timeout=LONG)


def test_groups_of_one_folder_are_seen_alone(space: Workspace, family: Path) -> None:
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


def test_groups_with_large_files_are_seen_alone(space: Workspace) -> None:
    chooser = space.findChild(SizeFilter)
    assert isinstance(chooser, SizeFilter)
    sizes = sorted(max(one.bytes for one in each.photographs) for each in seen(space))
    for least, count in ((sizes[0], 2), (sizes[0] + 1, 1), (sizes[1] + 1, 0), (0, 2)):
        chooser.choose(least)
        assert shown(space).model().rowCount() == count


def test_one_of_a_group_is_kept_side_by_side(qtbot: QtBot, space: Workspace) -> None:
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


def seen(space: Workspace) -> list[PhotoGroup]:
    page = space.views.part("duplicates").view
    assert isinstance(page, DuplicatesPage)
    return page.seen()


def rules_of(space: Workspace) -> KeeperRules:
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
    qtbot: QtBot, space: Workspace, family: Path, private_trash: Path
) -> None:
    before = {path: path.read_bytes() for path in (family / "photographs").rglob("*.jpg")}
    said = agree(yes=False)
    QTest.keyClick(shown(space), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: bool(said), timeout=LONG)
    assert said[0].startswith("3 photos move to the trash (")
    assert all(path.exists() for path in before)
    said = agree(yes=True)
    button(space.views.part("duplicates").view, "Move the copies to the trash…").click()
    qtbot.waitUntil(lambda: bool(said) and not space.adding.busy() and not going(space), timeout=LONG)
    press(qtbot, space)
    gone = {path for path in before if not path.exists()}
    assert {path.name for path in gone} == COPIES
    assert {one.read_bytes() for one in (private_trash / "files").iterdir()} == {before[path] for path in gone}
    clean = "There are no copies to remove."
    qtbot.waitUntil(lambda: clean in words(space.views.part("duplicates").view), timeout=LONG)
    space.undoing.undo()
    qtbot.waitUntil(lambda: not space.adding.busy() and going(space) == COPIES, timeout=LONG)
    assert {path: path.read_bytes() for path in before} == before
    qtbot.waitUntil(lambda: not space.comparing_new.running and not space.jobs.busy(), timeout=LONG)
