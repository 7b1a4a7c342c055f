"""The collector may empty a widget before Qt destroys it; what it filters is still asked of it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

import app.gui


def _filters() -> Iterator[type[QObject]]:
    for module in pkgutil.walk_packages(app.gui.__path__, "app.gui."):
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
