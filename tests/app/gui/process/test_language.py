"""Another language, another text size, other colours: the window has them at once, and stands as it stood."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication, QComboBox
from pytestqt.qtbot import QtBot

from app.gui.frame.main_window import MainWindow
from app.gui.frame.single_instance import SingleInstance
from app.gui.frame.start import LibraryWindow, install_language
from app.gui.look.buttons import Switch
from app.gui.look.sentences import Link
from app.gui.look.theme import DARK, LIGHT, theme
from app.machine.preferences import Preferences
from app.machine.preferences import keep as keep_preferences
from app.search.search_query import Example, SearchQuery
from storage.database.address import Address
from tests.app.gui.looking import LONG, button, chooser, said
from tests.app.library_fixture import Libraries

COUNT = 6


@pytest.fixture
def window(
    qtbot: QtBot, qapp: QApplication, libraries: Libraries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LibraryWindow]:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep_preferences(Preferences(language="en", rescan_on_start=False))
    library = libraries.copy(COUNT, tmp_path / "family.twinlens")
    before = QLocale()
    install_language(qapp, "en")
    address = Address.of(library)
    made = LibraryWindow(qapp, address, SingleInstance(address))
    with qtbot.waitSignal(made.frame.opened, timeout=LONG):
        made.frame.show()
    yield made
    made.frame.close()
    made.frame.deleteLater()
    made.single.close()
    install_language(qapp, "en")
    QLocale.setDefault(before)


def settled(qtbot: QtBot, window: LibraryWindow) -> None:
    qtbot.waitUntil(lambda: not window.frame.busy(), timeout=LONG)


def switches(frame: MainWindow) -> list[tuple[bool, bool]]:
    """Return which switches of the check are shown, and which are on."""
    return [
        (one.isVisibleTo(frame.workspace.searching.view), one.isChecked())
        for one in frame.workspace.searching.view.checking.findChildren(Switch)
    ]


def choose_german(qtbot: QtBot, window: LibraryWindow) -> None:
    window.frame.workspace.show_view("settings")
    settled(qtbot, window)
    boxes = window.frame.findChildren(QComboBox)
    box, place = next((one, one.findText("Deutsch")) for one in boxes if one.findText("Deutsch") >= 0)
    box.setCurrentIndex(place)
    box.activated.emit(place)


def test_the_language_changes_at_once_and_nothing_else(
    qtbot: QtBot, window: LibraryWindow, libraries: Libraries
) -> None:
    frame = window.frame
    frame.resize(820, 700)
    frame.workspace.searching.ask(SearchQuery((Example(1),)))
    frame.workspace.searching.ask(SearchQuery((Example(2),)))
    settled(qtbot, window)
    frame.workspace.side.choose({"orientation": "landscape"}, str(libraries.photographs(COUNT)))
    settled(qtbot, window)
    checked, before = switches(frame), frame.workspace.searching.view.grid.rows().ids.tolist()
    assert any(shown for shown, _ in checked)
    choose_german(qtbot, window)
    qtbot.waitUntil(lambda: window.frame is not frame, timeout=LONG)
    renewed = window.frame
    qtbot.waitUntil(lambda: renewed.is_open() and renewed.workspace.searching.question is not None, timeout=LONG)
    settled(qtbot, window)
    assert renewed.isVisible()
    assert renewed.workspace.view() == "settings"
    assert renewed.workspace.views.part("settings").view.accessibleName() == "Einstellungen"
    assert "nach verpassten Fotos sehen" in [
        one.text() for one in renewed.workspace.searching.view.timing.findChildren(Link)
    ]
    assert (renewed.width(), renewed.height()) == (820, 700)
    assert renewed.workspace.searching.question == SearchQuery((Example(2),))
    assert [one.view for one in renewed.workspace.history.places()[0]][:3] == ["library", "search", "search"]
    assert renewed.workspace.side.filters() == {"orientation": "landscape"}
    assert renewed.workspace.side.folder() == str(libraries.photographs(COUNT))
    assert switches(renewed) == checked
    assert renewed.workspace.searching.view.grid.rows().ids.tolist() == before
    renewed.close()
    window.frame.finish()


def test_work_under_way_comes_to_its_end_first(qtbot: QtBot, window: LibraryWindow) -> None:
    frame, done = window.frame, threading.Event()
    settled(qtbot, window)
    frame.workspace.adding.run("Working", lambda _: done.wait(LONG / 1000), lambda _: None)
    keep_preferences(Preferences(language="de", rescan_on_start=False))
    window.renew()
    qtbot.waitUntil(lambda: "window changes" in said(frame.status), timeout=LONG)
    assert window.frame is frame
    done.set()
    qtbot.waitUntil(lambda: window.frame is not frame, timeout=LONG)
    qtbot.waitUntil(window.frame.is_open, timeout=LONG)


def choose_setting(qtbot: QtBot, window: LibraryWindow, name: str, word: str) -> None:
    window.frame.workspace.show_view("settings")
    settled(qtbot, window)
    box = chooser(window.frame, name)
    box.setCurrentText(word)
    box.activated.emit(box.currentIndex())


def test_the_text_becomes_larger_and_smaller_again(qtbot: QtBot, qapp: QApplication, window: LibraryWindow) -> None:
    usual = QFontInfo(qapp.font()).pixelSize()
    for word, size in (("Very large", 1.3 * usual), ("Normal", usual)):
        frame = window.frame
        choose_setting(qtbot, window, "Text size", word)
        qtbot.waitUntil(lambda frame=frame: window.frame is not frame, timeout=LONG)  # type: ignore[misc]
        qtbot.waitUntil(window.frame.is_open, timeout=LONG)
        assert abs(QFontInfo(qapp.font()).pixelSize() - size) <= 1
        settled(qtbot, window)


def test_the_colours_change_at_once(qtbot: QtBot, window: LibraryWindow) -> None:
    frame = window.frame
    for word, colours in (("Dark", DARK), ("Light", LIGHT)):
        choose_setting(qtbot, window, "Theme", word)
        qtbot.waitUntil(lambda colours=colours: theme() is colours, timeout=LONG)  # type: ignore[misc]
        assert frame.palette().window().color().name() == colours.paper
    choose_setting(qtbot, window, "Theme", "System")
    assert window.frame is frame


def test_a_window_without_its_library_changes_its_language_and_makes_no_other(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, window: LibraryWindow
) -> None:
    settled(qtbot, window)
    library = tmp_path / "family.twinlens"
    library.rename(tmp_path / "elsewhere.twinlens")
    qtbot.waitUntil(window.frame.failure.isVisible, timeout=LONG)
    frame = window.frame
    frame.failure.settings_wanted.emit()
    box = chooser(frame, "Language")
    box.setCurrentText("Deutsch")
    box.activated.emit(box.currentIndex())
    qtbot.waitUntil(lambda: window.frame is not frame, timeout=LONG)
    qtbot.waitUntil(window.frame.failure.isVisible, timeout=LONG)
    assert button(window.frame, "Einstellungen und Protokoll").isVisible()
    assert not library.exists()
