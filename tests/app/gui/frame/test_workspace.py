"""A workspace makes its views when they are shown, keeps them up to date, and is remembered."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.compare.columns import offers
from app.gui.frame.commands import CommandPalette, show_palette
from app.gui.frame.workspace import Workspace
from app.library.library import Library
from app.library.saved_state import history
from tests.app.gui.looking import LONG, button, words
from tests.app.gui.working import settle, workspace
from tests.app.made_library import EXACTLY, FEW_BITS, histograms, make


@pytest.fixture
def path(tmp_path: Path) -> Path:
    make(tmp_path / "made.twinlens", histograms(30, seed=5), [FEW_BITS, EXACTLY]).close()
    return tmp_path / "made.twinlens"


@pytest.fixture
def work(qtbot: QtBot, path: Path) -> Workspace:
    return workspace(qtbot, Library.open(path))


def test_views_are_made_when_they_are_first_shown(qtbot: QtBot, work: Workspace) -> None:
    assert work.views.made("learn") is None
    assert work.views.made("compare") is None
    assert not work.searching.view.isVisible()  # nothing lies over the library
    work.show_view("learn")
    assert work.views.made("learn") is not None
    settle(qtbot, work)
    work.leave_library()()


def test_indexes_are_looked_after_in_the_lab_and_lead_back_to_it(qtbot: QtBot, work: Workspace) -> None:
    work.show_view("lab")
    settle(qtbot, work)
    button(work.views.part("lab").view, "Create, rename and delete indexes").click()
    assert work.view() == "indexes"
    settle(qtbot, work)
    button(work.views.part("indexes").view, "Back to the Lab").click()
    assert work.view() == "lab"
    settle(qtbot, work)
    work.leave_library()()


def test_a_deleted_index_is_offered_nowhere(qtbot: QtBot, work: Workspace) -> None:
    def offered() -> set[str]:
        return {one.name for one in offers(work.opened.library, [], "Exactly", work.opened.put_away).bases}

    assert "Few bits" in offered()
    work.indexes.put_away("Few bits")
    settle(qtbot, work)
    assert "Few bits" not in offered()
    assert "Few bits" not in [name for name, __, __ in work.shared.choice.offered]
    work.leave_library()()


def test_the_first_question_after_a_change_elsewhere_is_asked_and_remembered(qtbot: QtBot, work: Workspace) -> None:
    work.answer_by("Exactly")
    work.search_with([3])
    settle(qtbot, work)
    work.show_view("library")
    work.views.refresh()  # photographs have come meanwhile
    work.search_with([5])
    settle(qtbot, work)
    question = work.searching.question
    assert question is not None
    assert [one.picture for one in question.examples] == [5]
    assert [one["examples"][0]["picture"] for one in history(work.opened.library)][:2] == [5, 3]
    work.leave_library()()


def test_what_cannot_be_done_just_now_is_said(qtbot: QtBot, work: Workspace) -> None:
    show_palette(work)
    (palette,) = work.findChildren(CommandPalette)
    field = palette.findChild(QLineEdit)
    assert field is not None
    field.setText("add a column")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "cannot be done just now" in " ".join(words(work.status)), timeout=LONG)
    assert work.view() == "compare"
    settle(qtbot, work)
    work.leave_library()()
