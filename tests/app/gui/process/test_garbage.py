"""Garbage is looked for on the window's thread alone, and in everything only while nothing runs."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.gui.process import object_lifetime
from app.gui.process.jobs import Jobs
from app.gui.process.object_lifetime import GarbageCollector
from core.progress import Progress


class _Ring:
    """Holds itself."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Jobs]:
    monkeypatch.setattr(gc, "freeze", lambda: None)  # objects of other tests stay collectable
    parent = QObject()
    made = Jobs(parent)
    enabled = gc.isenabled()
    gc.enable()
    yield made
    made.finish()
    (gc.enable if enabled else gc.disable)()


def _rings(count: int) -> list[weakref.ref[_Ring]]:
    return [weakref.ref(_Ring()) for _ in range(count)]


def test_no_other_thread_collects_and_the_window_does(qtbot: QtBot, jobs: Jobs) -> None:
    made = GarbageCollector(jobs.busy, jobs)
    found: list[list[weakref.ref[_Ring]]] = []
    jobs.begin(lambda _: _rings(2_000)).then(found.append)
    qtbot.waitUntil(lambda: bool(found))
    assert all(ring() is not None for ring in found[0])
    made.look()
    assert all(ring() is None for ring in found[0])
    made.finish()
    assert gc.isenabled()


def test_all_is_looked_through_when_no_job_runs(qtbot: QtBot, jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    made = GarbageCollector(jobs.busy, jobs)
    monkeypatch.setattr(object_lifetime, "_ENOUGH", 1)
    ring = _Ring()
    gc.collect(1)  # it grows old while it is still held
    old = weakref.ref(ring)
    del ring
    made.look()
    assert old() is not None  # the window does not stand yet
    made.settle()
    goes = threading.Event()

    def work(_: Progress) -> None:
        goes.wait(30)

    jobs.begin(work)
    made.look()
    assert old() is not None  # somebody waits for something
    goes.set()
    qtbot.waitUntil(lambda: not jobs.busy())
    made.look()
    assert old() is None
    made.finish()


def test_all_is_looked_through_in_any_case_where_there_may_be_much(
    qtbot: QtBot, jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    del qtbot
    made = GarbageCollector(jobs.busy, jobs)
    monkeypatch.setattr(object_lifetime, "_MOST", 1)
    ring = _Ring()
    gc.collect(1)
    old = weakref.ref(ring)
    del ring
    made.look()
    assert old() is None
    made.finish()


def test_a_window_that_closes_after_another_is_made_takes_nothing_from_it(qtbot: QtBot, jobs: Jobs) -> None:
    del qtbot
    first, second = GarbageCollector(jobs.busy, jobs), GarbageCollector(jobs.busy, jobs)
    first.finish()
    second.look()
    assert not gc.isenabled()
