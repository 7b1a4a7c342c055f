"""The compiled loops are made ready once for these tests, and kept beside the repository's other caches."""

from __future__ import annotations

import pytest

from twinlens.core.compilation import compilation


@pytest.fixture(scope="session", autouse=True)
def _compiled_loops() -> None:
    assert compilation.ready(wait=True), "numba is installed, but its loops cannot be had: see the log"
