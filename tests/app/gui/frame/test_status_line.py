"""The line at the bottom: what runs, how long still, and what has happened."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.gui.services.status_line import StatusLine
from app.machine.remaining_time import RemainingTime
from core.message import Message, verbatim
from tests.app.gui.looking import button, said
from tests.app.machine.test_remaining_time import Clock


@pytest.fixture
def line(qtbot: QtBot) -> StatusLine:
    made = StatusLine()
    qtbot.addWidget(made)
    made.show()
    return made


def test_what_has_happened_gives_way_to_the_state(
    qtbot: QtBot, line: StatusLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.gui.services.status_line.MESSAGE_MS", 10)
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
    monkeypatch.setattr("app.gui.services.status_line.RemainingTime", lambda: RemainingTime(made))
    return made


def work(line: StatusLine, clock: Clock, upto: int) -> None:
    """Read photographs of 100, five a second."""
    for done in range(upto + 1):
        line.show_progress(done, 100, verbatim(f"{done} of 100 photos"))
        clock.now += 0.2 if done < upto else 0


def test_a_pause_says_how_far_it_is_and_is_no_work(qtbot: QtBot, clock: Clock, line: StatusLine) -> None:
    line.begin("Adding photos…")
    clock.now += 10
    work(line, clock, 1)
    assert said(line) == "1 of 100 photos"  # the first one says nothing of the others
    work(line, clock, 50)
    assert said(line) == "50 of 100 photos 10 s left"
    with qtbot.waitSignal(line.pause_wanted):
        line.toggle_pause()
    assert said(line) == "Paused · 50 of 100 photos"
    clock.now += 1000
    line.toggle_pause()
    line.show_progress(50, 100, Message("50 of 100 photos"))
    assert said(line) == "50 of 100 photos 10 s left"


def test_new_work_after_a_pause_begins_at_zero(clock: Clock, line: StatusLine) -> None:
    line.begin("Adding photos…")
    work(line, clock, 50)
    line.toggle_pause()
    clock.now += 1000
    line.begin("Making the index…")
    assert said(line) == "Making the index…"
    work(line, clock, 50)
    assert said(line) == "50 of 100 photos 10 s left"


def test_the_time_that_is_left_goes_on_while_nothing_is_told(
    qtbot: QtBot, clock: Clock, line: StatusLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.gui.services.status_line.LEFT_EVERY_MS", 5)
    line.begin("Adding photos…")
    work(line, clock, 50)
    clock.now += 60
    qtbot.waitUntil(lambda: "min" in said(line))
