"""What holds for tests of the window: what a test leaves goes with it, and garbage is looked for in no other thread."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QWidget


@pytest.fixture(scope="session", autouse=True)
def _imported() -> None:
    """Look for no garbage among what was there before the first test: it would take as long as some tests."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _garbage() -> Iterator[None]:
    """Let no thread of a test destroy widgets of another test, and no widget outlive its test.

    Whatever stays is styled again with every window that comes: a run would become slower and slower.
    """
    gc.disable()
    before = set(alone())
    yield
    for widget in alone():
        if widget not in before:
            widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()


def alone() -> list[QWidget]:
    """Return the widgets that go with no other."""
    if not isinstance(QCoreApplication.instance(), QApplication):
        return []
    return [widget for widget in QApplication.topLevelWidgets() if widget.parent() is None]
