"""Spawning of worker processes: light, deaf to Ctrl-C, and with the program's own code alone.

A spawned process usually imports the parent's main module again, with everything that it imports (the command line, the
window, the database). Workers need none of that, and without it they start sooner and take less memory. Nor do they
import from the folder in which the program was started: a ``random.py`` there is a person's file. Each of them imports
this module before its limits are set, so it imports nothing large.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import signal
import sys
import threading
import weakref
from collections.abc import Iterator
from multiprocessing import context, spawn, util
from multiprocessing.process import BaseProcess
from typing import Any

from core.errors import TwinlensError
from core.message import Message
from core.systems import system

if sys.platform == "win32":
    from multiprocessing.connection import PipeConnection as Pipe
else:
    from multiprocessing.connection import Connection as Pipe

__all__ = ["LightContext", "LightName", "LightProcess", "Parcel", "Pipe", "starting"]

_prepare = spawn.get_preparation_data
_options = util._args_from_interpreter_flags  # type: ignore[attr-defined]


class LightName(str):
    """The name of a process that starts without the main module of its parent."""

    __slots__ = ()


def _without_main(name: str) -> dict[str, Any]:
    """Return the data of the parent that a new process needs."""
    data: dict[str, Any] = _prepare(name)
    if isinstance(name, LightName):
        data.pop("init_main_from_name", None)
        data.pop("init_main_from_path", None)
        data["name"] = str(name)
    return data


# The standard library offers no other way; for every other process the data stays the same.
spawn.get_preparation_data = _without_main


def _with_safe_path() -> list[str]:
    """Return the options of every Python that multiprocessing starts: it does not import from the current folder."""
    return [*_options(), "-P"]


if not getattr(
    sys, "frozen", False
):  # a bundle imports from no folder, and recognises its own processes by these options
    util._args_from_interpreter_flags = _with_safe_path  # type: ignore[attr-defined]


class LightProcess(context.SpawnProcess):
    """A spawned process without the parent's main module, which ignores Ctrl-C."""

    @staticmethod
    def _Popen(process: BaseProcess) -> Any:  # noqa: N802 (the name in the standard library)
        process.name = LightName(process.name)
        with system.unheard_interrupts():  # Ctrl-C is the parent's business, also while the child still imports
            return context.SpawnProcess._Popen(process)


@contextlib.contextmanager
def _interrupted_after() -> Iterator[None]:
    """Delay Ctrl-C until processes are started and known: half started ones would complain and stay.

    Blocking the signal in the starting thread is not enough: another thread receives it, and Python interrupts the
    main thread, where pools start.
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
    """The context of multiprocessing with light processes, which it counts.

    Attributes
    ----------
    begun : int
        Processes made so far.
    """

    def __init__(self) -> None:
        super().__init__()
        self.begun = 0

    def Process(self, *arguments: Any, **options: Any) -> LightProcess:  # type: ignore[override]  # noqa: N802
        """Make a process."""
        self.begun += 1
        return LightProcess(*arguments, **options)


class Parcel:
    """Bytes that every worker gets as it starts, in a file without a name.

    A new process reads its arguments from a pipe, which holds 64 KB. Where the process ends at once, its parent would
    wait for ever to write more than that; so the pipe carries the file's descriptor only.

    Parameters
    ----------
    contents : bytes
    """

    def __init__(self, contents: bytes) -> None:
        self._take(system.nameless_file())
        with open(self._descriptor, "wb", closefd=False) as file:
            file.write(contents)

    def _take(self, descriptor: int) -> None:
        self._descriptor = descriptor
        weakref.finalize(self, os.close, descriptor)

    def contents(self) -> bytes:
        """Read the bytes."""
        with mmap.mmap(self._descriptor, 0, access=mmap.ACCESS_READ) as view:  # processes share one file position
            return view[:]

    def __reduce__(self) -> tuple[Any, ...]:
        token = system.token_of(self._descriptor)
        return (Parcel, (self.contents(),)) if token is None else (_received, (token,))


def _received(descriptor: Any) -> Parcel:
    parcel = Parcel.__new__(Parcel)
    parcel._take(descriptor.detach())
    return parcel


@contextlib.contextmanager
def starting() -> Iterator[None]:
    """Raise a TwinlensError where the system refuses to start a process; Ctrl-C is delayed meanwhile."""
    try:
        with _interrupted_after():
            yield
    except OSError as error:
        raise TwinlensError(
            "Twinlens could not start another process: {value}.",
            Message("Make sure that /dev/shm can be written to and that more processes may run, then try again.")
            if os.name == "posix"
            else Message("Close other programs, then try again."),
            value=error.strerror or error,
        ) from error
