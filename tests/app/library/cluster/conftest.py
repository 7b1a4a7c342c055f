"""Fixtures of a cluster."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.library.library import Library
from tests.app.library.cluster.family import Family


@pytest.fixture(scope="module", autouse=True)
def _garbage() -> Iterator[None]:
    """Let nothing that these tests leave be collected, and complained of, in others."""
    yield
    gc.collect()


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library without photographs, with one index that is soon made."""
    path = tmp_path_factory.mktemp("empty") / "family.twinlens"
    with Library.open(path, create=True) as library, library.store.writing() as w:
        for index in w.indexes.all():
            if index.automatic:
                w.indexes.delete(index.id)
        w.indexes.add("Automatic", "compact-vlad", "lsh:bits=64", "scan", automatic=True)
    return path


@pytest.fixture
def family(empty: Path, tmp_path: Path) -> Callable[[int], Family]:
    return lambda photographs: Family(empty, tmp_path, photographs)
