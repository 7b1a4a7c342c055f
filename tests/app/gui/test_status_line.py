"""The line at the bottom: what runs, how long still, and what has happened."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.gui.status_line import StatusLine


@pytest.fixture
def line(qtbot: QtBot) -> StatusLine:
    made = StatusLine()
    qtbot.addWidget(made)
    made.show()
    return made


def said(line: StatusLine) -> str:
    return " ".join(label.text() for label in line.findChildren(QLabel) if label.isVisible())


def button(line: StatusLine, text: str) -> QPushButton:
    return next(one for one in line.findChildren(QPushButton) if one.text() == text)


def test_what_has_happened_gives_way_to_the_state(
    qtbot: QtBot, line: StatusLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    line._expiry.setInterval(10)
    line.show_state("306 photographs")
    line.show_message("24 new photographs")
    assert said(line) == "24 new photographs"
    qtbot.waitUntil(lambda: said(line) == "306 photographs")


def test_an_undo_keeps_its_words_while_work_goes_on(qtbot: QtBot, line: StatusLine) -> None:
    line.begin("Adding photographs…")
    line.show_message("album is being forgotten", "Undo")
    line.show_progress(1, 10, "1 of 10 photographs")
    assert said(line).strip() == "album is being forgotten"
    with qtbot.waitSignal(line.action_wanted):
        button(line, "Undo").click()
    assert said(line).strip() == "1 of 10 photographs"


def test_a_pause_says_how_far_it_is_and_is_no_work(
    qtbot: QtBot, line: StatusLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("app.gui.status_line.time.monotonic", lambda: now[0])
    line.begin("Adding photographs…")
    now[0] += 10
    line.show_progress(1, 100, "1 of 100 photographs")
    assert said(line).strip() == "1 of 100 photographs"  # the first one says nothing of the others
    line.show_progress(50, 100, "50 of 100 photographs")
    assert said(line) == "50 of 100 photographs 10 s left"
    with qtbot.waitSignal(line.pause_wanted):
        line.toggle_pause()
    assert said(line).strip() == "Paused · 50 of 100 photographs"
    now[0] += 1000
    line.toggle_pause()
    line.show_progress(50, 100, "50 of 100 photographs")
    assert said(line) == "50 of 100 photographs 10 s left"


def test_new_work_after_a_pause_begins_at_zero(line: StatusLine, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("app.gui.status_line.time.monotonic", lambda: now[0])
    line.begin("Adding photographs…")
    line.toggle_pause()
    now[0] += 1000
    line.begin("Making the index…")
    now[0] += 10
    line.show_progress(50, 100, "half")
    assert said(line) == "half 10 s left"
