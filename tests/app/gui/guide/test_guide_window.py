"""The guide and the notices in the window: pages, keys, parts and licences sought, and links followed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.app.gui.looking import button, edit, nameless, part, said, show, words
from tests.app.gui.working import workspace
from tests.app.made_library import FEW_BITS, histograms, make
from twinlens.app.gui.actions.declared_actions import every_action
from twinlens.app.gui.frame.rail import VIEW
from twinlens.app.gui.guide.guide_window import KEYS, GuideWindow, KeyList, PageText
from twinlens.app.gui.guide.notices_window import NoticesWindow
from twinlens.app.gui.lists.pick_list import PickList
from twinlens.app.gui.process.jobs import Jobs
from twinlens.app.guide import read_pages


@pytest.fixture
def guide(qtbot: QtBot) -> GuideWindow:
    made = GuideWindow(read_pages("en"), every_action())
    show(qtbot, made)
    return made


def test_every_key_that_the_guide_names_is_one() -> None:
    keys = {key for action in every_action() for key in action.keys}
    for page in read_pages("en"):
        prose = re.sub(r"^    .*$", "", page.text, flags=re.MULTILINE)
        named = {word for word in re.findall(r"`([^`\n]+)`", prose) if not re.match("--|[a-z]{2}", word)}  # no code
        assert named <= keys, (page.name, named - keys)


def test_every_view_has_a_page() -> None:
    views = {view for page in read_pages("en") for view in page.views}
    assert views == set(VIEW)


def test_the_first_page_is_shown_and_the_field_has_the_keys(guide: GuideWindow) -> None:
    assert guide.shown() == "first-photos"
    assert guide.listed() == [page.name for page in read_pages("en")] + [KEYS]
    text = part(guide, PageText)
    assert "offers your folder of pictures" in text.toPlainText()
    assert text.verticalScrollBar().value() == 0
    guide.resize(700, 400)
    assert text.verticalScrollBar().value() == 0
    assert nameless(guide) == []


def test_pages_and_keys_are_sought_together(guide: GuideWindow) -> None:
    field, keys = edit(guide, "What do you want to do?"), part(guide, KeyList)
    every = len(keys.shown())
    QTest.keyClicks(field, "column")
    assert guide.listed() == ["comparing", KEYS]
    assert guide.shown() == "comparing"
    assert part(guide, PageText).extraSelections()
    assert 0 < len(keys.shown()) < every
    assert all("column" in one.words.casefold() for one in keys.shown())
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert guide.shown() == KEYS
    assert keys.isVisible()
    assert "Add a column" in words(keys)
    field.setText("xyzzy")
    assert guide.listed() == []
    assert guide.shown() == ""
    assert "No page and no key contains all of these words." in words(guide)


def test_a_link_leads_to_its_page_though_it_is_not_listed(guide: GuideWindow) -> None:
    field, text = edit(guide, "What do you want to do?"), part(guide, PageText)
    field.setText("castle")
    assert guide.shown() == "look-alikes"
    text.anchorClicked.emit(QUrl("teaching.md"))
    assert guide.shown() == "teaching"
    assert field.text() == ""


def test_pictures_are_as_wide_as_the_column(guide: GuideWindow) -> None:
    guide.resize(700, 500)
    text = part(guide, PageText)
    assert text.document().idealWidth() <= text.viewport().width()
    assert text.horizontalScrollBar().maximum() == 0


def test_the_key_that_opens_it_closes_it(guide: GuideWindow) -> None:
    QTest.keyClick(guide, Qt.Key.Key_F1)
    assert not guide.isVisible()


def test_it_opens_from_the_line_at_the_bottom_of_every_view(qtbot: QtBot, tmp_path: Path) -> None:
    work = workspace(qtbot, make(tmp_path / "made.twinlens", histograms(10), [FEW_BITS]))
    work.show_view("map")
    QTest.mouseClick(button(work.status, "Guide"), Qt.MouseButton.LeftButton)
    assert part(work, GuideWindow).shown() == "map"
    part(work, GuideWindow).close()
    work.leave_library()()


def test_it_opens_at_the_page_about_the_view_and_is_one(qtbot: QtBot, tmp_path: Path) -> None:
    work = workspace(qtbot, make(tmp_path / "made.twinlens", histograms(10), [FEW_BITS]))
    work.show_view("map")
    work.show_guide()
    guide = part(work, GuideWindow)
    assert guide.shown() == "map"
    work.show_view("problems")
    work.show_guide()
    assert part(work, GuideWindow) is guide
    assert guide.shown() == "problems"
    work.show_guide(KEYS)
    assert part(guide, PickList).current() == (KEYS, "Keys")
    guide.close()
    work.leave_library()()


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
