"""Garbage is looked for in everything only while nothing runs."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.gui.process import garbage
from app.gui.process.garbage import Collecting
from app.gui.process.jobs import Jobs
from core.progress import Progress


class _Ring:
    """Holds itself."""

    def __init__(self) -> None:
        self.me = self


def _old_ring() -> weakref.ref[_Ring]:
    """Make garbage that only a look through everything finds."""
    ring = _Ring()
    gc.collect(1)  # it grows old while it is still held
    return weakref.ref(ring)


def _made_much() -> None:
    keeps = [[] for _ in range(200_000)]  # type: ignore[var-annotated]
    del keeps


def test_it_collects_when_no_job_runs_and_leaves_python_as_it_was(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gc, "freeze", lambda: None)  # objects of other tests stay collectable
    parent = QObject()
    jobs = Jobs(parent)
    before = gc.get_threshold()
    made = Collecting(jobs.busy, parent)
    try:
        assert gc.get_threshold()[:2] == before[:2]
        gc.collect()
        ring = _old_ring()
        _made_much()
        assert gc.get_count()[2] >= garbage._ENOUGH
        made.look()
        assert ring() is not None  # the window does not stand yet
        made.settle()
        goes = threading.Event()

        def work(_: Progress) -> None:
            goes.wait(30)

        jobs.begin(work)
        made.look()
        assert ring() is not None  # somebody waits for something
        goes.set()
        qtbot.waitUntil(lambda: not jobs.busy())
        made.look()
        assert ring() is None
        assert gc.get_count()[2] == 0
    finally:
        jobs.finish()
        made.finish()
    assert gc.get_threshold() == before


def test_it_collects_in_any_case_where_there_may_be_much(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    del qtbot
    parent = QObject()
    jobs = Jobs(parent)
    made = Collecting(jobs.busy, parent)
    monkeypatch.setattr(garbage, "_MOST", 20)
    try:
        gc.collect()
        ring = _old_ring()
        _made_much()
        made.look()
        assert ring() is None
    finally:
        jobs.finish()
        made.finish()


def test_a_window_that_closes_after_another_is_made_takes_nothing_from_it(qtbot: QtBot) -> None:
    del qtbot
    parent = QObject()
    jobs = Jobs(parent)
    before = gc.get_threshold()
    first, second = Collecting(jobs.busy, parent), Collecting(jobs.busy, parent)
    try:
        first.finish()
        second.look()
        assert gc.get_threshold()[2] > before[2]
    finally:
        second.finish()
        jobs.finish()
    assert gc.get_threshold() == before
