"""Adding from the window: nothing that was given is lost, and a pause holds whatever runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData
from pytestqt.qtbot import QtBot

from app.gui.frame.main_window import MainWindow
from app.gui.search.query_examples import MOST_EXAMPLES
from app.gui.services.dropped_files import path_in_text
from app.library.library import Library
from app.machine.preferences import Preferences, keep
from core.message import NOTHING
from core.progress import Progress, silent
from tests.app.folders import write_scene
from tests.app.gui.looking import LONG, button, words


@pytest.fixture
def frame(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep(Preferences(rescan_on_start=False))
    frame = MainWindow(tmp_path / "a.twinlens")
    qtbot.addWidget(frame)
    with qtbot.waitSignal(frame.opened, timeout=LONG):
        frame.show()
    yield frame
    frame.close()


def said(frame: MainWindow) -> str:
    return " ".join(words(frame.status))


def test_folders_given_one_after_another_are_all_added(qtbot: QtBot, frame: MainWindow, tmp_path: Path) -> None:
    for name in "ab":
        write_scene(tmp_path / name / "one.jpg", ord(name))
        frame.workspace.taking.take_files([tmp_path / name])
    qtbot.waitUntil(lambda: frame.workspace.browsing.view.grid.rows().count == 2, timeout=LONG)


def test_a_folder_given_while_one_is_asked_about_comes_to_it(
    qtbot: QtBot, frame: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.gui.services.long_work.LARGE_SECONDS", -1)
    for name in "ab":
        write_scene(tmp_path / name / "one.jpg", ord(name))
        with qtbot.waitSignal(frame.workspace.adding.asks, timeout=LONG):
            frame.workspace.taking.take_files([tmp_path / name])
    frame.workspace.adding.agree()
    qtbot.waitUntil(lambda: frame.workspace.browsing.view.grid.rows().count == 2, timeout=LONG)


def test_what_is_cancelled_cannot_be_paused(qtbot: QtBot, frame: MainWindow) -> None:
    def endless(progress: Progress) -> None:
        while True:
            progress(0, 1, NOTHING)

    stopped: list[bool] = []
    job = frame.workspace.jobs.begin(endless).stopped(lambda: stopped.append(True))
    job.cancel()
    job.pause(True)
    qtbot.waitUntil(lambda: bool(stopped), timeout=LONG)


def test_what_is_no_longer_there_is_told(frame: MainWindow, tmp_path: Path) -> None:
    frame.workspace.taking.take_files([tmp_path / "gone.jpg"])
    assert "gone.jpg is not there any more" in said(frame)
    assert frame.workspace.view() == "library"


def test_thousands_of_pictures_are_too_many_to_ask_with(frame: MainWindow, tmp_path: Path) -> None:
    frame.workspace.searching.ask_pictures(list(range(1, MOST_EXAMPLES + 2)))
    assert "too many" in said(frame)
    assert frame.workspace.searching.question is None


def test_nonsense_on_the_clipboard_is_no_mistake(frame: MainWindow) -> None:
    for text in ("~nobody-of-this-name/x", "x" * 5000, "/" + "x" * 5000, "a\0b", ".", "file:///gone.jpg", "\n"):
        data = QMimeData()
        data.setText(text)
        frame.workspace.taking.take_data(data)
        assert "There is no picture on the clipboard" in said(frame), text
    data = QMimeData()
    data.setImageData(b"nonsense")
    frame.workspace.taking.take_data(data)
    assert "cannot be read" in said(frame)
    frame.workspace.taking.take_data(QMimeData())
    assert frame.workspace.view() == "library"


def test_a_path_on_the_clipboard_is_taken_as_it_iswritten(tmp_path: Path) -> None:
    (tmp_path / "a b.jpg").touch()
    assert path_in_text(f" {tmp_path}/a b.jpg\n") == [tmp_path / "a b.jpg"]
    assert path_in_text((tmp_path / "a b.jpg").as_uri()) == [tmp_path / "a b.jpg"]


def test_what_was_cancelled_says_how_much_is_left_and_goes_on(qtbot: QtBot, frame: MainWindow, tmp_path: Path) -> None:
    for seed in range(500, 520):  # which no other test has read before: they take their time
        write_scene(tmp_path / "photos" / f"{seed}.jpg", seed)

    def cancel(done: float, total: float, text: object) -> None:
        if " of 20" in str(text):  # whichever is told first: not every step is
            frame.status.cancel()

    frame.workspace.adding.progressed.connect(cancel)
    frame.workspace.taking.take_files([tmp_path / "photos"])
    goes_on = button(frame.status, "Continue")
    qtbot.waitUntil(goes_on.isVisible, timeout=LONG)
    assert "still to be added" in said(frame)
    goes_on.click()
    qtbot.waitUntil(
        lambda: frame.workspace.browsing.view.grid.rows().count == 20 and not frame.workspace.adding.busy(),
        timeout=LONG,
    )
    qtbot.waitUntil(lambda: not goes_on.isVisible(), timeout=LONG)


def test_a_start_with_photographs_that_were_never_read_offers_to_go_on(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.library.ingest.folder_scan import EXCLUDES, resolved_folder, survey_folder

    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep(Preferences(rescan_on_start=False))
    for seed in range(3):
        write_scene(tmp_path / "photos" / f"{seed:02}.jpg", seed)
    with Library.open(tmp_path / "b.twinlens", create=True) as library:
        survey_folder(library, resolved_folder(tmp_path / "photos"), EXCLUDES, silent)
    frame = MainWindow(tmp_path / "b.twinlens")
    qtbot.addWidget(frame)
    frame.show()
    qtbot.waitUntil(lambda: "3 still to be added" in said(frame), timeout=LONG)
    button(frame.workspace.browsing.view, "Continue").click()  # in the place of the photographs
    qtbot.waitUntil(lambda: frame.workspace.browsing.view.grid.rows().count == 3, timeout=LONG)
    frame.close()
