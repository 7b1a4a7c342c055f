"""Libraries are opened, begun, backed up and restored in the window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from tests.app.folders import Libraries
from tests.app.gui.looking import LONG, button, part, said
from tests.app.gui.working import settled_window
from twinlens.app.gui.frame.libraries_page import LibrariesPage
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.frame.start import LibraryWindow, SingleInstance
from twinlens.app.library.library import Library
from twinlens.storage.database.address import Address

pytestmark = pytest.mark.usefixtures("own_data")


@pytest.fixture
def window(
    qtbot: QtBot, qapp: QApplication, libraries: Libraries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LibraryWindow]:
    """Open a window over a library of three photographs, after one over a library of two."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    for name, count in (("Norway", 2), ("Family", 3)):
        settled_window(qtbot, libraries.copy(count, tmp_path / f"{name}.twinlens")).close()
    family = Address.of(tmp_path / "Family.twinlens")
    made = LibraryWindow(qapp, family, SingleInstance(family))
    made.frame.show()
    counted(qtbot, made, 3)
    yield made
    made.frame.close()
    made.single.close()


def counted(qtbot: QtBot, window: LibraryWindow, photographs: int) -> None:
    """Wait until a library with so many photographs is open."""
    qtbot.waitUntil(
        lambda: (
            window.frame.is_open()
            and window.frame.workspace.shared.photographs == photographs
            and not window.frame.busy()
        ),
        timeout=LONG,
    )


def page(frame: MainWindow) -> LibrariesPage:
    frame.workspace.show_view("libraries")
    return part(frame.workspace, LibrariesPage)


def cards(shown: LibrariesPage) -> list[str]:
    return [shown._recent.cards.card(row).spoken for row in range(shown._recent.cards.rowCount())]


def test_recent_ones_have_name_place_and_count_and_open_by_enter(
    qtbot: QtBot, window: LibraryWindow, tmp_path: Path
) -> None:
    shown = page(window.frame)
    assert cards(shown) == [f"Family, {tmp_path}, 3 photos · open", f"Norway, {tmp_path}, 2 photos"]
    QTest.keyClick(shown._recent, Qt.Key.Key_Down)
    QTest.keyClick(shown._recent, Qt.Key.Key_Return)
    counted(qtbot, window, 2)
    assert window.frame.windowTitle() == "Twinlens · Norway"


def test_one_that_is_gone_is_told(window: LibraryWindow, tmp_path: Path) -> None:
    (tmp_path / "Norway.twinlens").unlink()
    assert cards(page(window.frame))[1].endswith("not there")


def test_a_library_is_opened_by_a_dialog_that_opens_and_a_new_one_is_named(
    qtbot: QtBot, window: LibraryWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "Norway.twinlens"), ""))
    button(page(window.frame), "Open a library from its file").click()
    counted(qtbot, window, 2)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(tmp_path / "Garden"), ""))
    button(page(window.frame), "Begin a new library").click()
    counted(qtbot, window, 0)
    assert (tmp_path / "Garden.twinlens").is_file()


def test_a_backup_comes_back_and_that_can_be_undone(
    qtbot: QtBot, window: LibraryWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup = tmp_path / "backup.twinlens"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(backup), ""))
    button(page(window.frame), "Back up the library").click()
    qtbot.waitUntil(lambda: "3 photos kept in" in said(window.frame.status), timeout=LONG)
    with Library.open(backup) as library, library.store.writing("a test") as w:
        w.photographs.mark_missing([1])
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(backup), ""))
    shown = page(window.frame)
    button(shown, "Restore the library from a backup").click()
    assert "Put the backup “backup.twinlens” in the place of “Family”?" in said(shown)
    before = window.frame.workspace
    button(shown, "Restore").click()
    qtbot.waitUntil(lambda: window.frame.is_open() and window.frame.workspace is not before, timeout=LONG)
    qtbot.waitUntil(lambda: "What was there before is kept" in said(window.frame.status), timeout=LONG)
    with window.frame.workspace.opened.library.store.reading() as r:
        assert r.photographs.by_id([1])[0].state.name == "MISSING"
    restored = window.frame.workspace
    button(window.frame.status, "Undo").click()
    qtbot.waitUntil(lambda: window.frame.is_open() and window.frame.workspace is not restored, timeout=LONG)
    counted(qtbot, window, 3)


def test_a_backup_that_is_none_leaves_the_library_as_it_is(qtbot: QtBot, window: LibraryWindow, tmp_path: Path) -> None:
    (tmp_path / "no.twinlens").write_text("nothing")
    before = window.frame.workspace
    window.frame.restore(tmp_path / "no.twinlens")
    qtbot.waitUntil(lambda: window.frame.is_open() and window.frame.workspace is not before, timeout=LONG)
    counted(qtbot, window, 3)
