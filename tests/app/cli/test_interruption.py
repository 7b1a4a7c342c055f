"""A command is ended by Ctrl-C, and by SIGTERM, wherever it is: in Python, in a query of minutes, or while it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals to another process")

_GUARD_S = 120  # against a hang alone

_COMMAND = """
import os, sys, time
from app.cli import main
from app.cli.progress import long_work
from app.cli.session import Session


def query():
    import sqlite3

    endless = "WITH RECURSIVE numbers(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM numbers) SELECT max(x) FROM numbers"
    sqlite3.connect(":memory:").execute(endless).fetchone()


def steps(progress):
    while True:
        progress(0, 0)
        time.sleep(0.01)


def deaf(progress):
    while True:
        try:
            steps(progress)
        except BaseException:
            pass


def begun():
    if "child" in sys.argv:
        from app.machine.worker_spawning import LightContext

        LightContext().Process(target=time.sleep, args=(600,)).start()
    os.write(1, b"begun")


def command(arguments):
    if "before" in arguments:
        begun()
        query()
    with long_work(Session(quiet=True)) as progress:
        begun()
        if "query" in arguments:
            query()
        if "steps" in arguments:
            steps(progress)
        if "deaf" in arguments:
            deaf(progress)
        if "partly" in arguments:
            try:
                steps(progress)
            except main.Cancelled:
                os.write(1, b" told")
    if "ending" in arguments:
        import atexit
        atexit.register(query)
        query()
    return 0


main.twinlens.main = lambda arguments, **_: command(arguments)
main.main()
"""


def _begin(*words: str) -> subprocess.Popen[bytes]:
    """Start a command, and wait until its work has begun."""
    process = subprocess.Popen(
        [sys.executable, "-c", _COMMAND, *words],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert os.read(process.stdout.fileno(), 5) == b"begun"
    return process


def _end(process: subprocess.Popen[bytes]) -> bytes:
    try:
        out, err = process.communicate(timeout=_GUARD_S)
    finally:
        process.kill()
    assert b"Traceback" not in err
    return out


@pytest.mark.parametrize(
    ("where", "number"),
    [("before", signal.SIGINT), ("query", signal.SIGINT), ("query", signal.SIGTERM), ("steps", signal.SIGINT)],
)
def test_one_signal_ends_a_command(where: str, number: signal.Signals) -> None:
    process = _begin(where)
    process.send_signal(number)
    _end(process)
    assert process.returncode == 130


def test_a_second_signal_ends_what_does_not_listen() -> None:
    process = _begin("deaf")
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    _end(process)
    assert process.returncode == 130


def test_what_is_long_in_ending_is_ended() -> None:
    process = _begin("partly", "ending")
    process.send_signal(signal.SIGINT)
    assert _end(process) == b" told"
    assert process.returncode == 130


def test_a_command_that_tells_what_it_did_so_far_was_interrupted_all_the_same() -> None:
    process = _begin("partly")
    process.send_signal(signal.SIGINT)
    assert _end(process) == b" told"
    assert process.returncode == 130


def test_processes_that_a_command_started_end_with_it() -> None:
    process = _begin("child", "query")
    process.send_signal(signal.SIGINT)
    _end(process)  # which waits until no process holds the outputs open
    assert process.returncode == 130
