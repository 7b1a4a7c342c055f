"""Dialogs of the window: servers, files to save, mistakes of the program, and failures."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QLabel, QLineEdit, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from tests.app.folders import Libraries, added, write_scene
from tests.app.gui.looking import LONG, button, chooser, nameless, part, said
from tests.app.server_fixture import SECRET
from twinlens.app.cli.terminal_text import COMMANDS
from twinlens.app.gui.frame import failures, kept_windows
from twinlens.app.gui.frame.failures import CrashDialog, CrashReporter
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.frame.server_dialog import ServerDialog
from twinlens.app.gui.process.outside_files import ask_for_output
from twinlens.app.gui.services.status_line import StatusLine
from twinlens.app.gui.services.undo_history import UndoHistory
from twinlens.app.library.library import Library
from twinlens.app.library.maintenance import copy_library
from twinlens.app.library.saved_state import history, remember
from twinlens.app.machine import faults
from twinlens.app.machine.output_file import ONLY_COPY, OutputFile
from twinlens.core.errors import Remedy
from twinlens.storage.database.address import Address

pytestmark = pytest.mark.usefixtures("own_data")

COUNT = 6


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
    frame.workspace.server_wanted.emit()
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
    assert kept_windows.known_servers() == [shared.shown]
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


KINDS = "Table (*.csv);;JSON (*.json)"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    added(tmp_path / "library.twinlens", write_scene(tmp_path / "photographs" / "a.jpg", 1).parent)
    with Library.open(tmp_path / "library.twinlens") as opened:
        yield opened


@pytest.mark.parametrize("typed", ["host=archive password=secret", '{"host": "archive", "password": "secret"}'])
def test_the_address_of_a_server_typed_as_a_file_makes_no_file(
    frame: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, typed: str
) -> None:
    chosen, asked_for = list[object](), list[bool]()
    frame.other_chosen.connect(chosen.append)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(tmp_path / typed), ""))
    frame.workspace.server_wanted.disconnect()
    frame.workspace.server_wanted.connect(lambda: asked_for.append(True))
    frame.workspace.show_view("libraries")
    button(frame, "Begin a new library").click()
    assert (chosen, asked_for) == ([], [True])


def asked_for_file(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, library: Library, *answers: Path | str
) -> tuple[OutputFile | None, list[str], list[str]]:
    """Answer one question after another; give the file, what was proposed, and what was told."""
    left, proposed, told = list(answers), list[str](), list[str]()

    def answer(_parent: QWidget, _heading: str, name: str, _kinds: str) -> tuple[str, str]:
        proposed.append(name)
        return str(left.pop(0)), ""

    parent = QWidget()
    qtbot.addWidget(parent)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    monkeypatch.setattr(QMessageBox, "warning", lambda _parent, _heading, words: told.append(words))
    return ask_for_output(parent, "Save as", "list.csv", KINDS, library), proposed, told


def test_what_belongs_to_photographs_is_never_replaced(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, library: Library, tmp_path: Path
) -> None:
    photograph = tmp_path / "photographs" / "a.jpg"
    (tmp_path / "link.csv").symlink_to(photograph)
    (tmp_path / "other.csv").hardlink_to(photograph)
    beside = photograph.with_name("a.jpg.json")
    beside.write_text("{}")
    before = photograph.read_bytes()
    names = (tmp_path / "link.csv", tmp_path / "other.csv", beside, tmp_path / "new.csv")
    file, proposed, told = asked_for_file(qtbot, monkeypatch, library, *names)
    assert file is not None
    assert (file.path, proposed) == (tmp_path / "new.csv", ["list.csv", *map(str, names[:3])])
    assert ["never replaced" in one for one in told] == [True] * 3
    assert (photograph.read_bytes(), beside.read_text()) == (before, "{}")


def test_what_the_dialog_asked_for_is_replaced_and_another_name_is_asked_for(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, library: Library, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.csv"
    mine.write_text("mine")
    file, proposed, told = asked_for_file(qtbot, monkeypatch, library, tmp_path / "mine", mine)
    assert (proposed, told) == (["list.csv", str(mine)], [])
    assert file is not None
    file.write("new", ONLY_COPY)
    assert mine.read_text() == "new"
    file, _, _ = asked_for_file(qtbot, monkeypatch, library, tmp_path / "v1.2")
    assert file is not None
    assert file.path == tmp_path / "v1.2.csv"
    assert asked_for_file(qtbot, monkeypatch, library, "")[0] is None


def test_the_window_offers_what_the_command_line_does() -> None:
    assert set(failures.REMEDY_ACTIONS) == set(COMMANDS)


@pytest.mark.parametrize("name", sorted(failures.REMEDY_ACTIONS))
def test_every_button_has_words(name: str) -> None:
    assert failures.remedy_label(Remedy(name))
    assert failures.remedy_label(Remedy(name)) in failures.remedy_advice(Remedy(name))


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


@pytest.fixture
def reporter(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[CrashReporter]:
    before = sys.excepthook, threading.excepthook
    monkeypatch.setattr(sys, "__excepthook__", lambda *_: None)
    made = failures.install_crash_dialog(qapp)
    yield made
    sys.excepthook, threading.excepthook = before
    if (dialog := made.dialog()) is not None:
        dialog.close()
        dialog.deleteLater()
    made.setParent(None)


def fault(text: str) -> ValueError:
    try:
        raise ValueError(text)
    except ValueError as error:
        return error


def make(text: str) -> None:
    error = fault(text)
    sys.excepthook(type(error), error, error.__traceback__)


def dialog_of(qtbot: QtBot, reporter: CrashReporter) -> CrashDialog:
    qtbot.waitUntil(lambda: reporter.dialog() is not None and reporter.dialog().isVisible())  # type: ignore[union-attr]
    dialog = reporter.dialog()
    assert dialog is not None
    return dialog


def test_a_mistake_is_logged_and_told(qtbot: QtBot, reporter: CrashReporter) -> None:
    make("one is missing")
    dialog = dialog_of(qtbot, reporter)
    assert "ValueError: one is missing" in dialog.text()
    assert "Python 3" in dialog.text()
    assert "ValueError: one is missing" in faults.last_lines()
    assert not dialog.isModal()
    assert nameless(dialog) == []
    button(dialog, "Copy the text").click()
    assert QGuiApplication.clipboard().text() == dialog.text()
    button(dialog, "Close this and go on").click()
    assert not dialog.isVisible()


def test_a_mistake_in_a_thread_is_told_too(qtbot: QtBot, reporter: CrashReporter) -> None:
    def work() -> None:
        raise ValueError("in a thread")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert "ValueError: in a thread" in dialog_of(qtbot, reporter).text()


def test_the_same_mistake_is_told_once_and_many_do_not_fill_the_memory(qtbot: QtBot, reporter: CrashReporter) -> None:
    for number in range(200):
        make(f"number {number}")
        make(f"number {number}")
    text = dialog_of(qtbot, reporter).text()
    qtbot.waitUntil(lambda: "number 19" in dialog_of(qtbot, reporter).text())
    assert text.count("number 3\n") <= 1
    assert "number 20" not in dialog_of(qtbot, reporter).text()


def test_a_mistake_while_a_mistake_is_told_does_not_loop(
    qtbot: QtBot, reporter: CrashReporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def broken(error: BaseException) -> None:
        calls.append(error)
        make("while logging")

    monkeypatch.setattr(failures, "log_fault", broken)
    make("first")
    assert len(calls) == 1
    assert "first" in dialog_of(qtbot, reporter).text()


def test_stopping_by_the_keyboard_is_no_mistake(reporter: CrashReporter) -> None:
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert reporter.dialog() is None
