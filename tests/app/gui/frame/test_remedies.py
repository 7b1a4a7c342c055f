"""Remedies in the window: a button for each, in the status line, that does it."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.cli.terminal_text import COMMANDS
from app.gui.frame import remedies
from app.gui.services.status_line import StatusLine
from app.gui.services.undo import UndoHistory
from core.errors import Remedy


def test_the_window_offers_what_the_command_line_does() -> None:
    assert set(remedies.REMEDY_ACTIONS) == set(COMMANDS)


@pytest.mark.parametrize("name", sorted(remedies.REMEDY_ACTIONS))
def test_every_button_has_words(name: str) -> None:
    assert remedies.remedy_label(Remedy(name))
    assert remedies.remedy_label(Remedy(name)) in remedies.remedy_advice(Remedy(name))


def test_the_link_in_the_status_line_acts_once(qtbot: QtBot) -> None:
    owner = QWidget()
    qtbot.addWidget(owner)
    status = StatusLine()
    qtbot.addWidget(status)
    undoing = UndoHistory(status, owner)
    done: list[str] = []
    undoing.offer("done", lambda: done.append("undone"))
    undoing.offer_action("There are no photos.", "Add a folder…", lambda: done.append("added"))
    status.action_wanted.emit()
    status.action_wanted.emit()
    assert done == ["added", "undone"]
