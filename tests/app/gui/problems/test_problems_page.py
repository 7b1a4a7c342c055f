"""The page of problems."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.gui.library.problems_page import ProblemList, ProblemsPage
from app.library.library_results import Problem, ProblemsResult
from tests.app.gui.looking import button, nameless, show, words


def problem(number: int, ignored: bool = False) -> Problem:
    return Problem(
        path=f"/photographs/holiday/{number}.jpg", reason="The file ends too early.", next_step="Copy it again.",
        since="2026-05-14T11:00:00", attempts=1, ignored=ignored,
    )  # fmt: skip


@pytest.fixture
def page(qtbot: QtBot) -> ProblemsPage:
    made = ProblemsPage()
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


def test_keys_do_what_the_buttons_do(qtbot: QtBot, page: ProblemsPage) -> None:
    go_to(page, 1)
    path = "/photographs/holiday/1.jpg"
    with qtbot.waitSignal(page.retry_wanted) as told:
        QTest.keyClick(rows(page), Qt.Key.Key_R)
    assert told.args == [[path]]
    with qtbot.waitSignal(page.ignore_wanted) as told:
        QTest.keyClick(rows(page), Qt.Key.Key_I)
    assert told.args == [[path], True]
    with qtbot.waitSignal(page.reveal_wanted) as told:
        QTest.keyClick(rows(page), Qt.Key.Key_Return)
    assert told.args == [path]
    with qtbot.waitSignal(page.retry_all_wanted):
        QTest.keyClick(rows(page), Qt.Key.Key_R, Qt.KeyboardModifier.ShiftModifier)
    with qtbot.waitSignal(page.closed):
        QTest.keyClick(rows(page), Qt.Key.Key_Escape)


def test_many_at_once(qtbot: QtBot, page: ProblemsPage) -> None:
    rows(page).selectAll()
    assert "3 chosen" in words(page)
    with qtbot.waitSignal(page.retry_wanted) as told:
        button(page, "Read the chosen files again").click()
    assert told.args is not None
    assert len(told.args[0]) == 3


def test_those_set_aside_are_listed_again(qtbot: QtBot, page: ProblemsPage) -> None:
    go_to(page, 2)
    ignore = button(page, "List the chosen files no longer")
    assert ignore.text() == "List again"
    with qtbot.waitSignal(page.ignore_wanted) as told:
        ignore.click()
    assert told.args == [["/photographs/holiday/2.jpg"], False]
    with qtbot.waitSignal(page.show_ignored_wanted) as told:
        button(page, "Also list the files that were set aside").click()
    assert told.args == [True]


def test_files_that_are_no_pictures_are_listed_where_wanted(qtbot: QtBot, page: ProblemsPage) -> None:
    with qtbot.waitSignal(page.show_passed_over_wanted) as told:
        button(page, "Also list the files that are no pictures").click()
    assert told.args == [True]
    page.set_problems(ProblemsResult(problems=[problem(0)], passed_over=["/photographs/film.mp4"]))
    assert [one.path for one in rows(page).rows()] == ["/photographs/holiday/0.jpg", "/photographs/film.mp4"]
    go_to(page, 1)
    assert not button(page, "Read the chosen files again").isEnabled()
    assert not button(page, "List the chosen files no longer").isEnabled()
    assert button(page, "Show the file in the file manager").isEnabled()
    rows(page).selectAll()
    with qtbot.waitSignal(page.retry_wanted) as told:
        QTest.keyClick(rows(page), Qt.Key.Key_R)
    assert told.args == [["/photographs/holiday/0.jpg"]]
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
