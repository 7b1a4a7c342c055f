"""Garbage is looked for on the window's thread alone, and a widget may be emptied before Qt destroys it."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from twinlens.app import gui
from twinlens.app.gui.process import jobs as jobs_module
from twinlens.app.gui.process.jobs import GarbageCollector, Jobs
from twinlens.core.progress import Progress


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
    monkeypatch.setattr(jobs_module, "_ENOUGH", 1)
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
    monkeypatch.setattr(jobs_module, "_MOST", 1)
    ring = _Ring()
    gc.collect(1)
    old = weakref.ref(ring)
    del ring
    made.look()
    assert old() is None
    made.finish()


def test_many_new_objects_are_exempt_until_the_person_turns_away(
    qtbot: QtBot, jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(jobs_module, "_MUCH", 5_000)
    monkeypatch.setattr(jobs_module, "_AWAY_MS", 1)
    made = GarbageCollector(jobs.busy, jobs)
    try:
        made.settle()
        made.look()
        rings = [_Ring() for _ in range(jobs_module._MUCH + 1)]
        made.look()
        assert not any(isinstance(one, _Ring) for one in gc.get_objects())  # they are exempt
        old = weakref.ref(rings[0])
        rings.clear()
        gc.collect()
        assert old() is not None
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        application.applicationStateChanged.emit(Qt.ApplicationState.ApplicationInactive)
        qtbot.waitUntil(lambda: old() is None)
    finally:
        made.finish()
        gc.unfreeze()  # objects of other tests stay collectable


@pytest.mark.parametrize("long_s", [1e9, -1.0])
def test_what_comes_and_goes_exempts_nothing_and_what_takes_long_is_exempt(
    qtbot: QtBot, jobs: Jobs, monkeypatch: pytest.MonkeyPatch, long_s: float
) -> None:
    del qtbot
    frozen: list[bool] = []
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(True))
    monkeypatch.setattr(jobs_module, "_MUCH", 5_000)
    monkeypatch.setattr(jobs_module, "_LONG_S", long_s)
    made = GarbageCollector(jobs.busy, jobs)
    made.settle()
    frozen.clear()
    for _ in range(8):
        lists: list[list[int]] = [[] for _ in range(2_000)]
        made.look()
        lists.clear()
        made.look()
    assert not frozen
    monkeypatch.setattr(jobs_module, "_ENOUGH", 0)
    made.look()
    assert bool(frozen) is (long_s < 0)
    made.finish()


def test_a_window_that_closes_after_another_is_made_takes_nothing_from_it(qtbot: QtBot, jobs: Jobs) -> None:
    del qtbot
    first, second = GarbageCollector(jobs.busy, jobs), GarbageCollector(jobs.busy, jobs)
    first.finish()
    second.look()
    assert not gc.isenabled()


def _filters() -> Iterator[type[QObject]]:
    for module in pkgutil.walk_packages(gui.__path__, "twinlens.app.gui."):
        if module.name.endswith("__main__"):
            continue
        for found in vars(importlib.import_module(module.name)).values():
            mine = isinstance(found, type) and issubclass(found, QObject) and found.__module__ == module.name
            if mine and "eventFilter" in vars(found):
                yield found


FILTERS = sorted(_filters(), key=lambda one: one.__name__)


def test_filters_are_found() -> None:
    assert {"MatchOverlay", "CropOverlay", "OverWindow"} <= {one.__name__ for one in FILTERS}


@pytest.mark.parametrize("kind", FILTERS, ids=lambda one: one.__name__)
def test_an_emptied_object_takes_no_event(qtbot: QtBot, kind: type[QObject]) -> None:
    watched = QWidget()
    qtbot.addWidget(watched)
    made: Any = kind.__new__(kind)
    base: Any = next(one for one in kind.__mro__ if one.__module__.startswith("PySide6"))
    base.__init__(made)
    vars(made).clear()
    for event in (
        QEvent(QEvent.Type.Resize),
        QEvent(QEvent.Type.Leave),
        QFocusEvent(QEvent.Type.FocusOut),
        QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier),
    ):
        assert made.eventFilter(watched, event) is False
