"""A process that measures one peer: it runs on command, and writes its figures as one line of JSON."""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from science.benchmarks.comparison import Peer, PeerFailure, Run, Unmeasurable

ROOT = Path(__file__).resolve().parents[2]

SHORTEST_TURN_S = 0.05
"""A turn calls as often as it takes to last so long; shorter times are not worth measuring."""

_GRACE_S = 20.0  # for a process to clear away what it has made

_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Measured:
    """A peer in its own process, to be used in a ``with`` statement.

    Parameters
    ----------
    until : float
        When, by ``time.monotonic``, its process is ended, whatever it does.

    Raises
    ------
    Unmeasurable
        On entering or at a turn, if the peer cannot run here; `PeerFailure` if it should.
    """

    def __init__(self, peer: Peer, until: float = math.inf) -> None:
        self._peer = peer
        self._until = until
        self._late = False

    def __enter__(self) -> Self:
        environment = dict(os.environ)
        if self._peer.threads:
            environment.update(dict.fromkeys(_THREAD_VARIABLES, str(self._peer.threads)))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "science.benchmarks.peer"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            cwd=ROOT,
            env=environment,
            start_new_session=True,  # so that what it has started ends with it
        )
        self._clock = threading.Timer(min(self._until - time.monotonic(), threading.TIMEOUT_MAX), self._end_late)
        self._clock.daemon = True
        self._clock.start()
        make = self._peer.make
        try:
            wanted = {"module": make.__module__, "name": make.__name__, "arguments": dict(self._peer.arguments)}
            self._ask({**wanted, "warm_up": self._peer.warm_up})
        except BaseException as error:
            self._end(error)
            raise
        return self

    def turn(self) -> dict[str, float]:
        """Run it, and return its figures."""
        return self._ask({})

    def _ask(self, question: dict[str, Any]) -> dict[str, float]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(question).encode() + b"\n")
        answer = self._process.stdout.readline()
        silent = "it took too long" if self._late else "its process ended without an answer"
        figures: dict[str, Any] = json.loads(answer) if answer else {"why": silent}
        if "why" in figures:
            raise (PeerFailure if figures.get("failed", not answer) else Unmeasurable)(figures["why"])
        return figures

    def _end_late(self) -> None:
        self._late = True
        self._signal(signal.SIGTERM)

    def _signal(self, number: int) -> None:
        """Tell the process, and all that it has started where the system can."""
        with contextlib.suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, number)
            else:
                self._process.send_signal(number)

    def _end(self, error: BaseException | None) -> None:
        """Let the process end by itself where it waits for a turn; else make it."""
        self._clock.cancel()
        if error is not None and (self._late or not isinstance(error, Unmeasurable)):
            self._signal(signal.SIGTERM)
        try:
            self._process.communicate(timeout=_GRACE_S)
        except subprocess.TimeoutExpired:
            self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))
            self._process.communicate()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end(error)


def _turn(run: Run, calls: int) -> dict[str, float]:
    gc.collect()
    gc.disable()
    cpu, wall = time.process_time(), time.perf_counter()
    own: object = None
    for _ in range(calls):
        own = run()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    gc.enable()
    return {"wall": wall / calls, "cpu": cpu / calls, **(own if isinstance(own, dict) else {})}


def _answer_turns() -> None:
    # Libraries may print; only answers go to the standard output that is read.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)

    def answer(figures: Mapping[str, object]) -> None:
        answers.write(json.dumps(figures) + "\n")

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # clearing away what was made
    question = json.loads(sys.stdin.readline())
    try:
        run = getattr(importlib.import_module(question["module"]), question["name"])(**question["arguments"])
        calls = 1
        if question["warm_up"]:
            _turn(run, 1)
            calls = max(1, math.ceil(SHORTEST_TURN_S / _turn(run, 1)["wall"]))
        answer({})
        for _ in sys.stdin:
            answer(_turn(run, calls))
    except (ImportError, Unmeasurable) as error:
        answer({"why": str(error)})
    except Exception as error:  # noqa: BLE001 (one line fails; the others are measured all the same)
        traceback.print_exc()
        answer({"why": f"{type(error).__name__}: {error}", "failed": True})


if __name__ == "__main__":
    _answer_turns()
