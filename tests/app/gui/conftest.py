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


@pytest.fixture(scope="package", autouse=True)
def _nothing_to_compile() -> Iterator[None]:
    """Let plain numpy search: compiling takes longer than all these searches, and loops have tests of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TWINLENS_PLAIN", "1")
        yield


@pytest.fixture(autouse=True)
def _garbage() -> Iterator[None]:
    """Let no thread of a test destroy widgets of another test, and no widget outlive its test.

    Whatever stays is styled again with every window that comes: a run would become slower and slower. What a test made
    is young, so that its garbage is found without looking at everything.
    """
    gc.disable()
    before = set(alone())
    yield
    for widget in alone():
        if widget not in before:
            widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect(0)


@pytest.fixture(autouse=True, scope="module")
def _old_garbage() -> Iterator[None]:
    """Look for what outlived a test, and was let go by a later one, where a file of tests ends."""
    yield
    gc.collect()


@pytest.fixture(autouse=True, scope="module")
def _own_look() -> Iterator[None]:
    """Let no file of tests leave the style sheet of the program to the next: every widget is slower to make with it."""
    yield
    application = QCoreApplication.instance()
    if isinstance(application, QApplication) and application.styleSheet():
        application.setStyleSheet("")


def alone() -> list[QWidget]:
    """Return the widgets that go with no other."""
    if not isinstance(QCoreApplication.instance(), QApplication):
        return []
    return [widget for widget in QApplication.topLevelWidgets() if widget.parent() is None]
