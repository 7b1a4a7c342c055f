"""What tests of the program share: libraries, a server, a trash; all work is done in this process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.app.folders import libraries
from tests.app.in_this_process import Here, PicturesHere, TasksHere
from tests.app.private_trash import private_trash, small_disk
from tests.app.server_fixture import postgres, server_address
from twinlens.app.library.workers import decoders
from twinlens.app.library.workers.worker import PictureProcess
from twinlens.app.library.workers.worker_pool import Workers
from twinlens.core.worker_process import WorkerProcess

__all__ = ["libraries", "postgres", "private_trash", "server_address", "small_disk"]

READERS = ("twinlens.app.library.workers.readers", "twinlens.app.library.ingest.cost_estimate", "twinlens.app.describe")


DECODER = "twinlens.app.library.workers.worker.PictureProcess"
SEPARATE = "twinlens.app.machine.separate_process.WorkerProcess"


@pytest.fixture(scope="session", autouse=True)
def _in_this_process() -> Iterator[None]:
    """Do what other processes do in this one: another takes longer to start than to work in most tests."""
    with pytest.MonkeyPatch.context() as patch:
        for module in READERS:
            patch.setattr(f"{module}.Workers", Here)
        patch.setattr(DECODER, PicturesHere)
        patch.setattr(SEPARATE, TasksHere)
        patch.setattr("twinlens.app.library.workers.worker.give_back", lambda: None)  # this process rests with more
        yield


@pytest.fixture
def worker_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read photographs in worker processes, as the program does."""
    for module in READERS:
        monkeypatch.setattr(f"{module}.Workers", Workers)


@pytest.fixture(scope="module")
def decoder_processes() -> Iterator[None]:
    """Decode, describe and compare pictures in processes of their own, as the program does; they stay for a module."""
    decoders.end()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DECODER, PictureProcess)
        yield
    decoders.end()


@pytest.fixture
def separate_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do long work in a process of its own, as the program does."""
    monkeypatch.setattr(SEPARATE, WorkerProcess)
