"""A library on a server in the window: asked for, tried, opened and remembered, and no word of its password."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.gui.frame import main_window
from app.gui.frame.main_window import MainWindow
from app.gui.frame.server_dialog import ServerDialog
from app.library.library import Library
from app.library.maintenance import copy_library
from app.library.saved_state import history, remember
from app.machine.preferences import Preferences, keep
from storage.database.address import Address
from tests.app.gui.looking import LONG, button, chooser, nameless, part, said
from tests.app.library_fixture import Libraries
from tests.app.server_fixture import SECRET, postgres, server_address

__all__ = ["postgres", "server_address"]

COUNT = 6


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep(Preferences(rescan_on_start=False))


@pytest.fixture
def shared(server_address: Address, libraries: Libraries) -> Address:
    """Give the address of a library of some photographs."""
    copy_library(Address.of(libraries.of(COUNT)), server_address)
    return server_address


@pytest.fixture
def frame(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    made = MainWindow(tmp_path / "a.twinlens")
    made.other_chosen.connect(made.open)
    qtbot.addWidget(made)
    with qtbot.waitSignal(made.opened, timeout=LONG):
        made.show()
    yield made
    made.close()


def asked(frame: MainWindow) -> ServerDialog:
    frame.workspace.choose_server()
    return part(frame, ServerDialog)


def write(dialog: ServerDialog, text: str) -> None:
    chooser(dialog, "Address").setEditText(text)


def answer(qtbot: QtBot, dialog: ServerDialog, words: str) -> str:
    button(dialog, "Try whether the library can be opened").click()
    qtbot.waitUntil(lambda: words in said(dialog), timeout=LONG)
    return said(dialog)


def shown(widget: QWidget) -> str:
    """Return every word that a widget and those in it show, say or tell, what a person writes into a line left out."""
    words = [widget.windowTitle()]
    for one in [widget, *widget.findChildren(QWidget)]:
        words += [one.toolTip(), one.accessibleName(), one.accessibleDescription(), one.windowTitle()]
        if isinstance(one, QLabel) or (isinstance(one, QLineEdit) and not isinstance(one.parent(), QComboBox)):
            words.append(one.text())
        elif isinstance(one, QComboBox):
            words += [one.itemText(place) for place in range(one.count())]
    return "\n".join(words)


def test_a_library_on_a_server_is_tried_and_opened(
    qtbot: QtBot, frame: MainWindow, shared: Address, tmp_path: Path
) -> None:
    dialog = asked(frame)
    assert nameless(dialog) == []
    assert not button(dialog, "Open the library in this window").isEnabled()
    write(dialog, shared.text)
    assert f"{COUNT} photos" in answer(qtbot, dialog, "photos.")
    assert SECRET not in shown(dialog)
    with qtbot.waitSignal(frame.opened, timeout=LONG):
        button(dialog, "Open the library in this window").click()
    assert SECRET not in shown(frame)
    qtbot.waitUntil(lambda: frame.workspace.browsing.view.grid.rows().count == COUNT, timeout=LONG)
    assert shared.title in frame.windowTitle()
    qtbot.waitUntil(lambda: shared.title in said(frame.status), timeout=LONG)
    frame.workspace.show_view("settings")
    qtbot.waitUntil(lambda: f"The server {shared.title} stores your photos" in said(frame), timeout=LONG)
    assert SECRET not in shown(frame)
    frame.close()
    assert main_window.known_servers() == [shared.shown]
    kept = [file for file in (tmp_path / "data").rglob("*") if file.is_file()]
    assert kept
    assert not any(SECRET.encode() in file.read_bytes() for file in kept)


def test_what_is_wrong_is_said_in_the_dialog(qtbot: QtBot, frame: MainWindow, server_address: Address) -> None:
    dialog = asked(frame)
    for text, words in (
        ("library.twinlens", "not the address of a server"),
        ("mysql://archive/photos", "mysql"),
        (f"postgresql://anna:{SECRET}/x@archive/photos", "not understood"),
        (f"postgresql://anna:{SECRET}@localhost:1/photos", "no connection"),
        (server_address.text, "new library"),
    ):
        write(dialog, text)
        answer(qtbot, dialog, words)
        assert SECRET not in shown(dialog)
    write(dialog, "library.twinlens")
    button(dialog, "Open the library in this window").click()
    assert dialog.isVisible()
    assert "not the address of a server" in said(dialog)
    write(dialog, "p")
    assert "not the address" not in said(dialog)


def test_an_answer_that_nobody_waits_for_any_more_is_not_told(qtbot: QtBot, frame: MainWindow, shared: Address) -> None:
    dialog = asked(frame)
    write(dialog, shared.text)
    button(dialog, "Try whether the library can be opened").click()
    write(dialog, "postgresql://elsewhere/photos")
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    QApplication.processEvents()
    assert "photos." not in said(dialog)
    dialog.reject()
    assert frame.workspace.opened.address.is_file


def test_window_and_history_are_those_of_the_login(shared: Address) -> None:
    import psycopg

    with psycopg.connect(shared.text, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS anna")
        connection.execute("CREATE ROLE anna LOGIN IN ROLE pg_read_all_data, pg_write_all_data")
    anna = Address.of(shared.text.replace("//postgres:", "//anna:"))
    with Library.open(shared) as mine, Library.open(anna) as hers:
        remember(mine, {"asked": 1})
        remember(hers, {"asked": 2})
        assert (history(mine), history(hers)) == ([{"asked": 1}], [{"asked": 2}])
    with psycopg.connect(shared.text, autocommit=True) as connection:
        connection.execute("DROP ROLE anna")
