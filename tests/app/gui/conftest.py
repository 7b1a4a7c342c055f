"""What holds for tests of the window: garbage is looked for between them, and in no other thread."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _garbage() -> Iterator[None]:
    """Let no thread of a test destroy widgets of another test."""
    gc.disable()
    yield
    gc.collect(1)
