"""How worker processes are started: light, deaf to Ctrl-C, and without the main module of the program.

A spawned process imports the parent's main module again, with everything that hangs on it (the command line, the
window, the database). Workers need none of that: without it they start sooner and take less memory. This module is
imported by each of them before its limits are set, so it imports nothing large.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from multiprocessing import context, resource_tracker, spawn
from multiprocessing.process import BaseProcess
from typing import Any

_prepare = spawn.get_preparation_data


class LightName(str):
    """The name of a process that starts without the main module of its parent."""

    __slots__ = ()


def _without_main(name: str) -> dict[str, Any]:
    """Tell a new process what it needs to know of its parent."""
    data: dict[str, Any] = _prepare(name)
    if isinstance(name, LightName):
        data.pop("init_main_from_name", None)
        data.pop("init_main_from_path", None)
        data["name"] = str(name)
    return data


# The standard library offers no other way; for every other process the answer stays what it was.
spawn.get_preparation_data = _without_main


class LightProcess(context.SpawnProcess):
    """A spawned process that begins without the parent's main module and never hears Ctrl-C."""

    @staticmethod
    def _Popen(process: BaseProcess) -> Any:  # noqa: N802 (the name in the standard library)
        process.name = LightName(process.name)
        if not hasattr(signal, "pthread_sigmask"):
            return context.SpawnProcess._Popen(process)
        resource_tracker.ensure_running()  # starting it, as the first process would, lets SIGINT through again
        # A new process keeps the mask of the thread that starts it: Ctrl-C is the parent's business from the first
        # moment, also while the child still imports.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return context.SpawnProcess._Popen(process)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def interrupted_after() -> Iterator[None]:
    """Let Ctrl-C wait until processes are started and known: left half started, they would complain and stay.

    That the starting thread is deaf to the signal is not enough: another one hears it, and Python interrupts the main
    thread, which is where pools start.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    heard: list[Any] = []
    signal.signal(signal.SIGINT, lambda *told: heard.append(told))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if heard:
        before(*heard[0])


class LightContext(context.SpawnContext):
    """The context of multiprocessing whose processes are light."""

    Process = LightProcess
