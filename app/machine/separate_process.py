"""Work in a process of its own: it uses all processors, and the window that waits for it stays quick."""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any, Protocol

from app.library.library import Library
from app.machine.worker_spawning import LightContext, Pipe, starting
from core.errors import Cancelled, TwinlensError
from core.message import NOTHING, Message
from core.progress import Progress, silent
from storage.database.address import Address

_TOLD_EVERY_S = 0.05
_LOOK_S = 0.1
_COMPILING_S = 10.0  # at most; numpy measures until the loops are ready
_GO_ON, _STOP = "go on", "stop"


class ProcessTask(Protocol):
    """A task for a separate process; it and its result can be pickled."""

    def __call__(self, library: Library, progress: Progress, tell: Callable[[Any], None], /) -> Any:
        """Run the task; ``tell`` hands over intermediate results."""


def run_in_process(
    library: Address,
    task: ProcessTask,
    progress: Progress = silent,
    told: Callable[[Any], object] = lambda _: None,
    gently: bool = False,
) -> Any:
    """Run a task on a library in a process of its own.

    Parameters
    ----------
    progress : Progress
        The progress of the task. While it does not return, the process waits; when it raises, the process ends.
    told : callable
        Called with the intermediate results of the task.
    gently : bool
        When progress raises Cancelled, the task is cancelled at its next step, and its result is awaited.

    Returns
    -------
    object
        The result of the task.

    Raises
    ------
    TwinlensError
        If it cannot be done, or the process ends by itself.
    """
    context = LightContext()
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, library, task))
    with starting():
        process.start()
    theirs.close()
    last: tuple[float, float, Message] = (0.0, 0.0, NOTHING)
    stopping = False

    def goes_on() -> bool:
        nonlocal stopping
        try:
            if not stopping:
                progress(*last)  # which waits while the work is paused
        except Cancelled:
            if not gently:
                raise
            stopping = True
        return not stopping

    try:
        while True:
            if not ours.poll(_LOOK_S):
                goes_on()
                continue
            try:
                what, *values = ours.recv()
            except (EOFError, ConnectionResetError):
                raise TwinlensError(
                    "The process that measured ended before it was done, perhaps for want of memory.",
                    "Close other programs, then try again: what is kept already is not lost.",
                ) from None
            match what:
                case "progress":
                    last = (values[0], values[1], values[2])
                    reply = _GO_ON if goes_on() else _STOP
                    with suppress(OSError):  # it has ended meanwhile, which is read next
                        ours.send(reply)
                case "told":
                    told(values[0])
                case "done":
                    return values[0]
                case "cancelled":
                    raise Cancelled
                case "error":
                    raise TwinlensError(*values)
                case _:
                    summary, whole = values
                    logging.getLogger("twinlens").error("in the process that measured:\n%s", whole)
                    raise RuntimeError(summary)
    finally:
        process.kill()
        process.join()
        ours.close()


def _work(connection: Pipe[Any, Any], address: Address, task: ProcessTask) -> None:
    """Run the task in the new process."""
    from app.library.workers.worker import end_with_parent
    from app.machine.background_work import be_polite

    # Not a daemon of multiprocessing, which could have no processes that decode.
    Thread(target=end_with_parent, name="end-with-parent", daemon=True).start()
    be_polite()
    last = 0.0

    def progress(done: float, total: float, text: Message = NOTHING) -> None:
        nonlocal last
        if time.monotonic() - last >= _TOLD_EVERY_S:
            connection.send(("progress", float(done), float(total), text))
            if connection.recv() == _STOP:  # it waits here while the caller pauses
                raise Cancelled
            last = time.monotonic()

    try:
        with Library.open(address) as library:
            _compile(progress)
            connection.send(("done", task(library, progress, lambda found: connection.send(("told", found)))))
    except TwinlensError as error:
        connection.send(("error", error.message, error.next_step))
    except Cancelled:
        connection.send(("cancelled",))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return  # the caller has gone
    except BaseException as error:  # noqa: BLE001 (the caller logs it)
        connection.send(("fault", f"{type(error).__name__}: {error}", traceback.format_exc()))


def _compile(progress: Progress) -> None:
    """Wait for the compiled loops, without which measured times are meaningless."""
    from app.machine import app_folders
    from core.compilation import compilation

    compilation.prepare(app_folders.compiled_cache_folder())
    waiting = Thread(target=compilation.ready, args=(True,), daemon=True)
    waiting.start()
    until = time.monotonic() + _COMPILING_S
    while waiting.is_alive() and time.monotonic() < until:
        progress(0.0, 0.0, Message("Compiling loops"))
        waiting.join(_TOLD_EVERY_S)
