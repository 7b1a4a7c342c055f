"""What is declared can be done: no two actions share a name, and no key means two things where it is pressed."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.gui.actions.declared_actions import every_action
from app.gui.frame.commands import CommandPalette, show_palette
from app.gui.frame.workspace import Workspace
from tests.app.gui.looking import LONG
from tests.app.gui.working import settle, workspace
from tests.app.made_library import EXACTLY, FEW_BITS, histograms, make

VIEWS = (
    "library", "search", "map", "learn", "lab", "compare", "indexes",
    "new index", "problems", "settings",
)  # fmt: skip


@pytest.fixture
def work(qtbot: QtBot, tmp_path: Path) -> Workspace:
    return workspace(qtbot, make(tmp_path / "made.twinlens", histograms(30, seed=5), [FEW_BITS, EXACTLY]))


def test_no_two_actions_have_one_name() -> None:
    names = [one.name for one in every_action()]
    assert len(names) == len(set(names))


def test_no_key_means_two_things_in_any_view(qtbot: QtBot, work: Workspace) -> None:
    found = []
    for view in VIEWS:
        work.show_view(view)
        settle(qtbot, work)
        seen = [one for one in work.findChildren(QAction) if one.objectName() and one.isEnabled() and _seen(one)]
        everywhere = [one for one in seen if one.shortcutContext() is Qt.ShortcutContext.WindowShortcut]
        for one in everywhere:
            keys = {key.toString() for key in one.shortcuts()}
            for other in seen:
                shared = keys & {key.toString() for key in other.shortcuts()}
                if other is not one and shared:
                    found.append(f"{view}: {one.objectName()} and {other.objectName()}: {shared}")
    assert found == []
    work.leave_library()()


def _seen(action: QAction) -> bool:
    owner = action.parent()
    return isinstance(owner, QWidget) and owner.isVisible()


def test_what_is_typed_into_the_palette_is_done_in_its_view(qtbot: QtBot, work: Workspace) -> None:
    show_palette(work)
    (palette,) = work.findChildren(CommandPalette)
    field = palette.findChild(QLineEdit)
    assert field is not None
    QTest.keyClicks(field, "by fold")
    assert palette.offered()[0].name == "library.by folder"
    QTest.keyClick(field, Qt.Key.Key_Down)
    QTest.keyClick(field, Qt.Key.Key_Up)
    field.setText("new ind")
    assert palette.offered()[0].words == "New index"
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: work.view() == "new index", timeout=LONG)
    work.leave_library()()


def test_back_and_forward_lead_through_views_and_questions(qtbot: QtBot, work: Workspace) -> None:
    work.search_with([3])
    settle(qtbot, work)
    work.show_view("map")
    work.search_with([5])
    settle(qtbot, work)
    seen = []
    for __ in range(3):
        work.history.go_back()
        settle(qtbot, work)
        seen.append(work.view())
    assert seen == ["map", "search", "library"]
    work.history.go_forward()
    settle(qtbot, work)
    question = work.searching.question
    assert work.view() == "search"
    assert question is not None
    assert [one.picture for one in question.examples] == [3]
    work.leave_library()()
