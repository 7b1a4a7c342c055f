"""What moves arrives, takes a new course on its way, and pictures fold while points travel."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.map import camera as module
from app.gui.map.camera import Camera, Motion


def test_a_glide_arrives(qtbot: QtBot) -> None:
    parent = QObject()
    motion = Motion(parent)
    motion.look(Camera.fitting(800, 600))
    goal = motion.camera.zoomed(5, (100, 100))
    with qtbot.waitSignal(motion.rested, timeout=5000):
        motion.glide(goal)
    assert motion.camera is goal
    assert not motion.moves


def test_points_travel_and_take_a_new_course(qtbot: QtBot) -> None:
    parent = QObject()
    motion = Motion(parent)
    start = np.zeros((5, 2), np.float32)
    motion.place(start)
    motion.travel(np.ones((5, 2), np.float32))
    qtbot.waitUntil(lambda: 0.1 < float(motion.xy[0, 0]) < 1, timeout=5000)
    assert motion.travels
    assert motion.fold < 1, "pictures fold"
    assert (start == 0).all(), "what was given is not changed"
    last = np.full((5, 2), 0.5, np.float32)
    with qtbot.waitSignal(motion.rested, timeout=5000):
        motion.travel(last)
    assert motion.xy is last
    assert motion.fold == 1


def test_pictures_stay_folded_until_the_layout_is_settled(monkeypatch: pytest.MonkeyPatch, qapp: QApplication) -> None:
    ticks = count()
    monkeypatch.setattr(module, "perf_counter", lambda: 0.016 * next(ticks))
    parent = QObject()
    motion = Motion(parent)

    def arrive() -> None:
        for _ in range(1000):
            motion.step()
            if not motion.moves:
                return
        pytest.fail("it never arrives")

    motion.place(np.zeros((5, 2), np.float32))
    motion.unsettled = True
    motion.travel(np.ones((5, 2), np.float32))
    arrive()
    assert motion.fold == 0
    motion.unsettled = False
    motion.travel(np.zeros((5, 2), np.float32))
    arrive()
    assert motion.fold == 1
