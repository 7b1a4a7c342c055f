"""The page of settings, and the check and repair of the library."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from tests.app.folders import write_scenes
from tests.app.gui.looking import button, edit, named, nameless, show, words
from tests.app.library.test_maintenance import damage
from twinlens.app.gui.look.page_parts import EmptyState
from twinlens.app.gui.process.jobs import Jobs
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.services.status_line import StatusLine
from twinlens.app.gui.services.work_queue import WorkQueue
from twinlens.app.gui.settings import settings_page
from twinlens.app.gui.settings.settings_page import CheckCard, DataLocation, SettingsPage
from twinlens.app.library.ingest.adding import add
from twinlens.app.library.library import Library
from twinlens.app.library.maintenance import check_library
from twinlens.app.machine.preferences import Preferences, keep, load
from twinlens.storage.database.address import Address


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> SettingsPage:
    keep(Preferences(workers=3))
    made = SettingsPage(Address.of(tmp_path / "library.twinlens"), Jobs())
    made.resize(964, 700)
    show(qtbot, made)
    return made


def test_every_setting_stands_there_and_a_change_holds_at_once(page: SettingsPage) -> None:
    line = edit(page, "Workers, processes")
    assert line.text() == "3"
    QTest.keyClicks(line, "2")
    assert load() == Preferences(workers=32)
    assert nameless(page) == []


def test_a_value_that_cannot_be_is_not_kept(page: SettingsPage) -> None:
    QTest.keyClicks(edit(page, "Workers, processes"), "x")
    assert load() == Preferences(workers=3)


def test_back_to_the_standard(page: SettingsPage) -> None:
    standard = button(page, "Set everything to its standard")
    standard.click()
    assert load() == Preferences()
    assert not standard.isEnabled()


def test_where_the_data_is_and_what_leaves_the_machine(
    qtbot: QtBot, page: SettingsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(settings_page, "reveal_path", lambda path, tell: opened.append(path))
    page.set_places([DataLocation("Thumbnails", "/caches/old", "old")])
    page.set_places(
        [DataLocation("The library", "/data/library.twinlens", "Back it up."), DataLocation("The log", "/data/log", "")]
    )
    qtbot.waitUntil(lambda: "/data/library.twinlens" in words(page))
    said = words(page)
    assert {"Nothing leaves this machine.", "/data/library.twinlens", "Back it up."} <= set(said)
    assert "/caches/old" not in said
    button(page, "Open The library").click()
    assert opened == ["/data/library.twinlens"]
    button(page, "Copy the path of The log").click()
    assert QGuiApplication.clipboard().text() == "/data/log"


def test_version_and_log_are_copied_together(page: SettingsPage) -> None:
    page.set_version("Twinlens 1")
    page.set_log("one\ntwo")
    button(page, "Copy version and log, to report a mistake").click()
    assert QGuiApplication.clipboard().text() == "Twinlens 1\n\none\ntwo"
    log = named(page, "The last lines of the log")
    assert isinstance(log, QPlainTextEdit)
    assert log.isReadOnly()


def test_an_empty_page_has_one_sentence_and_one_button(qtbot: QtBot) -> None:
    empty = EmptyState("Nothing is here yet.", "Add a folder…", "Ctrl+O")
    show(qtbot, empty)
    empty.setFocus()
    assert words(empty) == ["Nothing is here yet."]
    with qtbot.waitSignal(empty.wanted):
        button(empty, "Add a folder…").click()
    empty.set_sentence("Nothing at all.")
    assert empty.accessibleName() == "Nothing at all."


def test_damage_is_found_and_repaired(qtbot: QtBot, tmp_path: Path) -> None:
    write_scenes(tmp_path / "photographs", 2)
    path = tmp_path / "library.twinlens"
    with Library.open(path, create=True) as library:
        add(library, [tmp_path / "photographs"])
        jobs = Jobs()
        card = CheckCard(OpenLibrary(library, {}), jobs, WorkQueue(StatusLine(), jobs, jobs))
        show(qtbot, card)
        try:
            card.check_button.click()
            assert not card.check_button.isEnabled()
            qtbot.waitUntil(lambda: "whole" in card.said(), timeout=20_000)
            assert not card.repair_button.isVisible()
            damage(path, "UPDATE keypoints SET data = spoilt(data)")
            card.check_button.click()
            qtbot.waitUntil(lambda: "Damaged or incomplete: 1" in card.said(), timeout=20_000)
            assert "twinlens check" not in card.said()
            card.repair_button.click()
            qtbot.waitUntil(lambda: "Repaired" in card.said(), timeout=60_000)
            assert check_library(library).findings == []
        finally:
            jobs.finish()
