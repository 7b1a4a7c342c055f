"""A scheduler, machines and programs of their own that are killed; and `twinlens worker`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.cli.main import main
from app.library.cluster.address import ClusterAddress
from app.library.library import Library
from core.errors import TwinlensError
from core.message import Message
from storage.database.schema import PhotographState
from tests.app.library.cluster.family import Family
from tests.app.library.test_workers import members

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc and SIGKILL"),
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),  # Dask leaves sockets to the garbage collector
]

ROOT = Path(__file__).parents[4]
TWINLENS = [sys.executable, "-c", "from app.cli.main import main; main()"]
SCHEDULER = [sys.executable, "-c", "from distributed.cli.dask_scheduler import main; main()", "--no-dashboard"]


def until(what: Callable[[], object]) -> None:
    for _ in range(1800):
        if what():
            return
        time.sleep(0.1)
    raise AssertionError(what)


@contextmanager
def started(command: list[str], path: Path, place: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a program in a session of its own, and leave nothing of it."""
    environment = os.environ | {"PYTHONPATH": str(path)}
    with subprocess.Popen(
        command, cwd=place, env=environment, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture
def without_twinlens(tmp_path: Path) -> Path:
    """Return where a Python looks first that has no Twinlens."""
    for name in ("app", "core", "features", "storage"):
        (tmp_path / "bare" / name).mkdir(parents=True)
        (tmp_path / "bare" / name / "__init__.py").write_text("raise ImportError('there is no Twinlens here')")
    return tmp_path / "bare"


def test_a_lost_scheduler_is_told_and_rescan_goes_on(
    family: Callable[[int], Family], tmp_path: Path, without_twinlens: Path
) -> None:
    made, file = family(70), tmp_path / "scheduler.json"
    command = [*SCHEDULER, "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)]
    with started(command, without_twinlens, tmp_path) as scheduler:
        until(file.exists)
        until(lambda: file.read_text().endswith("}"))
        address = json.loads(file.read_text())["address"]
        with started([*TWINLENS, "worker", address, "--workers", "1", "--json"], ROOT, tmp_path) as worker:

            def progress(_done: float, _total: float, text: Message) -> None:
                if str(text).startswith("3 of "):
                    scheduler.kill()
                    scheduler.wait()

            with pytest.raises(TwinlensError, match=r"scheduler at tcp://127.* is gone.*rescan"):
                made.added(ClusterAddress(address), progress)
            document = json.loads(worker.communicate(timeout=60)[0])
        assert (worker.returncode, document["scheduler_gone"]) == (0, True)
        assert document["photographs"] > 0
        until(lambda: not members(worker.pid))  # multiprocessing has a process that ends after its parent
    with Library.open(made.path) as library, library.store.reading() as r:
        assert r.photographs.counts()[PhotographState.PENDING] > 0
    made.rescanned()
    assert made.same()


def test_a_killed_program_leaves_no_process_and_rescan_goes_on(family: Callable[[int], Family], tmp_path: Path) -> None:
    made = family(70)
    command = [*TWINLENS, "--library", str(made.path), "add", str(made.folder), "--cluster", "local:2", "--quiet"]
    with started(command, ROOT, tmp_path) as program:
        with Library.open(made.path) as library:

            def has_read() -> bool:
                with library.store.reading() as r:
                    return r.photographs.counts()[PhotographState.READY] > 0 or program.poll() is not None

            until(has_read)
        program.kill()
        program.wait()
        until(lambda: not members(program.pid))
    made.rescanned()
    assert made.same()


def test_a_scheduler_that_does_not_answer_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.library.cluster.cluster._CONNECT_S", "1s")
    (tmp_path / "photographs").mkdir()
    with pytest.raises(SystemExit) as ended:
        main(["--library", str(tmp_path / "l"), "add", str(tmp_path / "photographs"), "--cluster", "tcp://127.0.0.1:9"])
    assert ended.value.code == 2
    assert "No scheduler answers at tcp://127.0.0.1:9." in capsys.readouterr().err
