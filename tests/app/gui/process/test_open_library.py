"""A library in a window: what is asked for is written in order, and what others do to it is seen."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.app.folders import Libraries, added, write_scene
from tests.app.gui.looking import LONG, button, words
from tests.app.gui.working import opened
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.process.jobs import ChangeQueue, Jobs
from twinlens.app.gui.process.open_library import OpenLibrary, close_library, open_library
from twinlens.app.indexes.indexes import set_default
from twinlens.app.library.library import Library, announced_cluster, look_for_changes
from twinlens.core.errors import TwinlensError
from twinlens.core.progress import Progress

pytestmark = pytest.mark.usefixtures("own_data")

AGAIN = "Try to open the library again"


@pytest.fixture
def path(libraries: Libraries, tmp_path: Path) -> Path:
    return libraries.copy(1, tmp_path / "a.twinlens")


@pytest.fixture
def frame(qtbot: QtBot, path: Path) -> Iterator[MainWindow]:
    frame = opened(qtbot, path)
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
    from twinlens.app.library.saved_state import remember

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


def left_with(path: Path, index: str) -> None:
    close_library(open_library(path), {"search": {"index": index}})


def index_of(opened: OpenLibrary) -> object:
    kept = opened.state.get("search")
    return kept["index"] if isinstance(kept, dict) else "Automatic"


def test_an_index_that_was_chosen_elsewhere_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "library.twinlens"
    left_with(path, "Colours")
    opened = open_library(path)
    assert index_of(opened) == "Colours"
    opened.library.close()
    with Library.open(path) as library:
        set_default(library, "Colours")
    left_with(path, "Automatic")
    opened = open_library(path)
    assert index_of(opened) == "Automatic"  # chosen after that
    opened.library.close()
    with Library.open(path) as library:
        set_default(library, "Automatic")
    opened = open_library(path)
    assert index_of(opened) == "Automatic"
    opened.library.close()


def test_what_answers_is_asked_by_a_window_that_was_never_left(tmp_path: Path) -> None:
    path = tmp_path / "library.twinlens"
    with Library.open(path, create=True) as library:
        set_default(library, "Colours")
    opened = open_library(path)
    assert index_of(opened) == "Colours"
    opened.library.close()


@pytest.fixture
def jobs() -> Jobs:
    return Jobs()


def test_changes_are_written_in_their_order(qtbot: QtBot, jobs: Jobs) -> None:
    changes, written = ChangeQueue(jobs, jobs), []  # type: ignore[var-annotated]
    with qtbot.waitSignal(changes.written):
        for number in range(20):
            changes.do(lambda _, number=number: number, written.append)  # type: ignore[misc]
        assert changes.running
    assert written == list(range(20))
    jobs.finish()


def test_a_refused_change_is_told_and_the_next_one_is_written(qtbot: QtBot, jobs: Jobs) -> None:
    def refuse(_: Progress) -> None:
        raise TwinlensError("No.", "Do something else.")

    changes, told, written = ChangeQueue(jobs, jobs), [], []  # type: ignore[var-annotated]
    changes.failed.connect(lambda failure: told.append(failure.sentence))
    with qtbot.waitSignal(changes.written):
        changes.do(refuse, written.append)
        changes.do(lambda _: 1, written.append)
    assert (told, written) == (["No."], [1])
    jobs.finish()


def test_what_had_not_begun_when_the_library_is_left_is_written(jobs: Jobs) -> None:
    """All threads are taken: the change that was handed to them has not begun, and is not given up with them."""
    goes, written = threading.Event(), []
    for __ in range(8):
        jobs.begin(lambda _: goes.wait(30))
    changes = ChangeQueue(jobs, jobs)
    for number in range(3):
        changes.do(lambda _, number=number: written.append(number), lambda _: None)  # type: ignore[misc]
    jobs.leave()
    goes.set()
    jobs.finish()
    changes.finish()
    assert written == [0, 1, 2]


def test_what_was_written_is_not_written_twice_and_what_cannot_be_is_given_up(jobs: Jobs) -> None:
    begun, goes, written = threading.Event(), threading.Event(), []

    def slow(_: Progress) -> None:
        begun.set()
        goes.wait(30)
        written.append("slow")

    def refuse(_: Progress) -> None:
        raise TwinlensError("No.", "Do something else.")

    changes = ChangeQueue(jobs, jobs)
    changes.do(slow, lambda _: None)
    changes.do(refuse, lambda _: None)
    changes.do(lambda _: written.append("last"), lambda _: None)
    assert begun.wait(30)
    jobs.leave()
    goes.set()
    jobs.finish()
    changes.finish()
    assert written == ["slow", "last"]
