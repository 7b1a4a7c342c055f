"""The compiled loops are made ready once for all tests here, and kept beside the repository's other caches."""

from __future__ import annotations

import pytest

from core.search import compiled
from tests.conftest import ROOT


@pytest.fixture(scope="session", autouse=True)
def _compiled_loops() -> None:
    compiled.prepare(ROOT / ".cache" / "compiled")
    assert compiled.ready(wait=True), "numba is installed, but its loops cannot be had: see the log"
