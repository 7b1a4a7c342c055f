"""Long work has its turn in the order in which it was asked for; each job is stopped by itself, or all at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from twinlens.app.gui.process.jobs import Job, Jobs
from twinlens.app.gui.services.status_line import StatusLine
from twinlens.app.gui.services.work_queue import QueuedJob, WorkQueue
from twinlens.core.message import NOTHING
from twinlens.core.progress import Progress


@pytest.fixture
def line(qtbot: QtBot) -> StatusLine:
    made = StatusLine()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    made = Jobs()
    yield made
    made.finish()


@pytest.fixture
def queue(line: StatusLine, jobs: Jobs) -> WorkQueue:
    return WorkQueue(line, jobs, jobs)


class Turns(QObject):
    """Jobs that end when they are told, and what was heard of them."""

    def __init__(self, queue: WorkQueue) -> None:
        super().__init__()
        self.queue, self.heard = queue, list[str]()
        self.go = threading.Event()

    def ask(self, name: str) -> QueuedJob:
        def work(progress: Progress) -> str:
            while not self.go.wait(0.01):
                progress(1, 2, NOTHING)
            return name

        job = self.queue.run(f"{name}…", work).then(lambda found: self.heard.append(f"then {found}"))
        job.stopped(lambda: self.heard.append(f"stopped {name}"))
        job.over(lambda found: self.heard.append(f"over {found}"))
        return job.began(lambda: self.heard.append(f"began {name}"))


def test_jobs_have_their_turn_in_order(qtbot: QtBot, queue: WorkQueue) -> None:
    turns = Turns(queue)
    for name in ("a", "b"):
        turns.ask(name)
    assert turns.heard == ["began a"]
    assert queue.last_waiting() == "b"
    with qtbot.waitSignal(queue.changed):
        turns.go.set()
    qtbot.waitUntil(lambda: "then b" in turns.heard)
    assert turns.heard == ["began a", "over a", "began b", "then a", "over b", "then b"]
    assert not queue.busy()


def test_a_job_is_stopped_alone_before_its_turn_and_in_it(qtbot: QtBot, queue: WorkQueue) -> None:
    turns = Turns(queue)
    first, second, _ = (turns.ask(name) for name in "abc")
    second.cancel()
    assert turns.heard == ["began a", "over None", "stopped b"]
    first.cancel()
    qtbot.waitUntil(lambda: "began c" in turns.heard)
    turns.go.set()
    qtbot.waitUntil(lambda: "then c" in turns.heard)
    assert turns.heard[3:] == ["over None", "began c", "stopped a", "over c", "then c"]


def test_cancel_stops_all(qtbot: QtBot, queue: WorkQueue, line: StatusLine) -> None:
    turns = Turns(queue)
    for name in "abc":
        turns.ask(name)
    line.cancel_wanted.emit()
    qtbot.waitUntil(lambda: not queue.busy())
    assert turns.heard == ["began a", "over None", "stopped b", "over None", "stopped c", "over None", "stopped a"]


def test_a_failure_is_told_and_the_next_job_begins(qtbot: QtBot, jobs: Jobs, queue: WorkQueue) -> None:
    def fail(__: Progress) -> None:
        raise OSError("no space left")

    turns = Turns(queue)
    queue.run("Failing…", fail)
    turns.ask("a")
    with qtbot.waitSignal(jobs.failed):
        turns.go.set()
    qtbot.waitUntil(lambda: "then a" in turns.heard)


def test_pause_holds_the_running_job(
    qtbot: QtBot, queue: WorkQueue, line: StatusLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns, waits, wait = Turns(queue), threading.Event(), Job.wait

    def told(job: Job) -> None:
        waits.set()
        wait(job)

    monkeypatch.setattr(Job, "wait", told)
    job = turns.ask("a")
    line.pause_wanted.emit(True)
    waits.clear()
    assert waits.wait(60)
    turns.go.set()
    QApplication.processEvents()
    assert job.running
    line.pause_wanted.emit(False)
    qtbot.waitUntil(lambda: not job.running)
    assert turns.heard[-1] == "then a"


def test_none_begins_when_the_window_closes(jobs: Jobs, queue: WorkQueue) -> None:
    turns = Turns(queue)
    turns.ask("a")
    turns.ask("b")
    jobs.finish()
    assert turns.heard == ["began a"]


def test_what_is_asked_for_while_the_window_closes_does_not_run(jobs: Jobs, queue: WorkQueue) -> None:
    jobs.leave()
    job = Turns(queue).ask("a")
    assert not job.running
