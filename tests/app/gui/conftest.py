"""What holds for tests of the window: what a test leaves goes with it, and garbage is looked for in no other thread."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent


@pytest.fixture(scope="session", autouse=True)
def _imported() -> None:
    """Look for no garbage among what was there before the first test: it would take as long as some tests."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _garbage() -> Iterator[None]:
    """Let no thread of a test destroy widgets of another test, and no window outlive its test.

    Whatever stays is styled again with every window that comes: a run would become slower and slower.
    """
    gc.disable()
    yield
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
