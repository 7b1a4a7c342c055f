"""About Twinlens: parts sought by name and licence, the texts of the chosen one, opened from Settings and by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.gui.guide.notices_window import NoticesWindow
from app.gui.process.jobs import Jobs
from tests.app.gui.looking import button, edit, nameless, part, said, show
from tests.app.gui.working import workspace
from tests.app.made_library import FEW_BITS, histograms, make


@pytest.fixture
def around(qtbot: QtBot) -> QWidget:
    made = QWidget()
    made.resize(1200, 800)
    show(qtbot, made)
    return made


@pytest.fixture
def about(qtbot: QtBot, around: QWidget) -> NoticesWindow:
    made = NoticesWindow(Jobs(around), around)
    made.show()
    qtbot.waitUntil(lambda: len(made.listed()) > 0)
    return made


def test_the_program_comes_first_and_any_part_is_found_by_its_licence(about: NoticesWindow) -> None:
    assert about.listed()[0].name == "twinlens"
    text = part(about, QPlainTextEdit)
    assert "MIT License" in text.toPlainText()
    field = edit(about, "Name or licence of a part")
    QTest.keyClicks(field, "lgpl qt")
    names = [one.name for one in about.listed()]
    assert {"Qt", "Qt for Python"} <= set(names)
    QTest.keyClick(field, Qt.Key.Key_Down)
    field.setText("FFmpeg opencv")
    assert "Source code: https://ffmpeg.org" in said(about)
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in text.toPlainText()
    field.setText("xyzzy")
    assert about.listed() == []
    assert "No part has all of these words." in said(about)
    assert nameless(about) == []


def test_settings_lead_to_it(qtbot: QtBot, tmp_path: Path) -> None:
    work = workspace(qtbot, make(tmp_path / "made.twinlens", histograms(10), [FEW_BITS]))
    work.show_view("settings")
    button(work, "About Twinlens").click()
    about = part(work, NoticesWindow)
    assert about.isVisible()
    qtbot.waitUntil(lambda: len(about.listed()) > 0)
    about.close()
    work.leave_library()()
