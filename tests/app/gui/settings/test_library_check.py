"""The window checks the library, and repairs it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.gui.process.jobs import Jobs
from app.gui.process.open_library import OpenLibrary
from app.gui.settings.settings_page import CheckCard, LibraryCheck
from app.library.ingest.adding import add
from app.library.library import Library
from app.library.maintenance import check_library
from tests.app.folders import write_scenes
from tests.app.gui.looking import show
from tests.app.library.test_repair import damage


def test_damage_is_found_and_repaired(qtbot: QtBot, tmp_path: Path) -> None:
    write_scenes(tmp_path / "photographs", 2)
    path = tmp_path / "library.twinlens"
    with Library.open(path, create=True) as library:
        add(library, [tmp_path / "photographs"])
        card, jobs, parent = CheckCard(), Jobs(), QObject()
        show(qtbot, card)
        control = LibraryCheck(card, OpenLibrary(library, {}), jobs, parent)
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
            del control
