"""What others do to the library while a window shows it: seen, shown, and told where the library is gone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.gui.frame.main_window import MainWindow
from app.library.library import Library, announced_cluster
from app.library.overview import look_for_changes
from app.machine.preferences import Preferences, keep
from tests.app.folders import added, write_scene
from tests.app.gui.looking import LONG, button, words
from tests.app.library_fixture import Libraries

AGAIN = "Try to open the library again"


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep(Preferences(rescan_on_start=False))


@pytest.fixture
def path(libraries: Libraries, tmp_path: Path) -> Path:
    return libraries.copy(1, tmp_path / "a.twinlens")


@pytest.fixture
def frame(qtbot: QtBot, path: Path) -> Iterator[MainWindow]:
    frame = MainWindow(path)
    qtbot.addWidget(frame)
    with qtbot.waitSignal(frame.opened, timeout=LONG):
        frame.show()
    qtbot.waitUntil(lambda: frame.workspace.browsing.view.grid.rows().count == 1, timeout=LONG)
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)  # it has looked once
    yield frame
    frame.close()


def said(frame: MainWindow) -> str:
    assert frame.failure.isVisible()
    return " ".join(words(frame.failure)).replace("\u200b", "")


def lose(qtbot: QtBot, frame: MainWindow) -> None:
    frame.workspace.watch.look()
    qtbot.waitUntil(frame.failure.isVisible, timeout=LONG)


def test_what_another_program_adds_appears(qtbot: QtBot, frame: MainWindow, path: Path) -> None:
    write_scene(path.parent / "photographs" / "2.jpg", 2)
    added(path, path.parent / "photographs")
    with qtbot.waitSignal(frame.workspace.watch.changed, timeout=LONG):
        frame.workspace.watch.look()
    qtbot.waitUntil(lambda: frame.workspace.browsing.view.grid.rows().count == 2, timeout=LONG)


def test_a_cluster_that_reads_for_another_program_is_named(qtbot: QtBot, frame: MainWindow, path: Path) -> None:
    def named() -> bool:
        return any("the cluster tcp://archive:8786 reads photos" in one for one in words(frame.status))

    with Library.open(path) as other:
        with other.store.adding(), announced_cluster(other, "tcp://archive:8786"):
            frame.workspace.watch.look()
            qtbot.waitUntil(named, timeout=LONG)
        qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
        frame.workspace.watch.look()
        qtbot.waitUntil(lambda: not named(), timeout=LONG)


def test_what_nobody_sees_is_no_change(frame: MainWindow, path: Path) -> None:
    held = frame.workspace.opened
    assert held is not None
    before = look_for_changes(held.library)
    from app.library.saved_state import remember

    remember(held.library, {"asked": 1})
    after = look_for_changes(held.library, before)
    assert after.version != before.version
    assert after.facts == before.facts


def test_a_library_that_is_taken_away_is_told_and_found_again(qtbot: QtBot, frame: MainWindow, path: Path) -> None:
    aside = path.with_name("aside")
    path.rename(aside)
    lose(qtbot, frame)
    assert "no longer there" in said(frame)
    button(frame, AGAIN).click()
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    assert not path.exists()  # no empty one is made in its place
    aside.rename(path)
    with qtbot.waitSignal(frame.opened, timeout=LONG):
        button(frame, AGAIN).click()
    assert frame.workspace.browsing.view.isVisible()


def test_a_library_that_is_replaced_is_told_and_nothing_is_written_to_it(
    qtbot: QtBot, frame: MainWindow, path: Path
) -> None:
    with Library.open(path.with_name("new.twinlens"), create=True):
        pass
    shutil.move(path.with_name("new.twinlens"), path)
    before = path.read_bytes()
    lose(qtbot, frame)
    assert "replaced" in said(frame)
    frame.close()
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"no library", b"SQLite format 3\0" + bytes(5000)])
def test_where_a_library_cannot_be_opened_another_can(
    qtbot: QtBot, libraries: Libraries, tmp_path: Path, path: Path, content: bytes
) -> None:
    (tmp_path / "bad.twinlens").write_bytes(content)
    frame = MainWindow(tmp_path / "bad.twinlens")
    qtbot.addWidget(frame)
    frame.show()
    qtbot.waitUntil(frame.failure.isVisible, timeout=LONG)
    assert "bad.twinlens" in said(frame)
    frame.take_files([libraries.photographs(1) / "0000.jpg"])  # waits for a library
    with qtbot.waitSignal(frame.opened, timeout=LONG):
        frame.open(path)
    qtbot.waitUntil(lambda: frame.workspace.view() == "search", timeout=LONG)
    assert not frame.failure.isVisible()
    frame.close()


def test_closing_while_the_library_is_opened_closes_the_library(qtbot: QtBot, path: Path) -> None:
    frame = MainWindow(path)
    qtbot.addWidget(frame)
    frame.show()
    qtbot.wait(1)  # it has begun
    frame.close()
    assert not [one for one in path.parent.iterdir() if one.name.startswith("a.twinlens-")]
