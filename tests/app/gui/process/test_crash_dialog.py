"""Mistakes of the program: logged, told in a dialog once, from any thread, and the program goes on."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.frame import crash_dialog
from app.gui.frame.crash_dialog import CrashDialog, CrashReporter
from app.machine import faults
from tests.app.gui.looking import button, nameless


@pytest.fixture
def reporter(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[CrashReporter]:
    before = sys.excepthook, threading.excepthook
    monkeypatch.setattr(sys, "__excepthook__", lambda *_: None)
    made = crash_dialog.install_crash_dialog(qapp)
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

    monkeypatch.setattr(crash_dialog, "log_fault", broken)
    make("first")
    assert len(calls) == 1
    assert "first" in dialog_of(qtbot, reporter).text()


def test_stopping_by_the_keyboard_is_no_mistake(reporter: CrashReporter) -> None:
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert reporter.dialog() is None
