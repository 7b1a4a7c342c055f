"""What tests of the program share: libraries, a server, a trash; photographs are read in this process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.app.folders import libraries
from tests.app.in_this_process import Here
from tests.app.private_trash import private_trash, small_disk
from tests.app.server_fixture import postgres, server_address
from twinlens.app.library.workers.worker_pool import Workers

__all__ = ["libraries", "postgres", "private_trash", "server_address", "small_disk"]

READERS = ("twinlens.app.library.workers.readers", "twinlens.app.library.ingest.cost_estimate", "twinlens.app.describe")


@pytest.fixture(scope="session", autouse=True)
def _reads_here() -> Iterator[None]:
    """Read photographs in this process: another takes longer to start than to read a few."""
    with pytest.MonkeyPatch.context() as patch:
        for module in READERS:
            patch.setattr(f"{module}.Workers", Here)
        yield


@pytest.fixture
def worker_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read photographs in worker processes, as the program does."""
    for module in READERS:
        monkeypatch.setattr(f"{module}.Workers", Workers)
