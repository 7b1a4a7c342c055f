"""What was asked for is written in its order, and nothing of it is lost when the library is left."""

from __future__ import annotations

import threading

import pytest
from pytestqt.qtbot import QtBot

from app.gui.process.jobs import ChangeQueue, Jobs
from core.errors import TwinlensError
from core.progress import Progress


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
