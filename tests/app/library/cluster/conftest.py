"""Fixtures of a cluster."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.app.folders import empty_library
from tests.app.library.cluster.family import Family


@pytest.fixture(scope="module", autouse=True)
def _garbage() -> Iterator[None]:
    """Let nothing that these tests leave be collected, and complained of, in others."""
    yield
    gc.collect()


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library without photographs, with one index that is soon made."""
    return empty_library(tmp_path_factory.mktemp("empty") / "family.twinlens", "compact-vlad")


@pytest.fixture
def family(empty: Path, tmp_path: Path) -> Callable[[int], Family]:
    return lambda photographs: Family(empty, tmp_path, photographs)
