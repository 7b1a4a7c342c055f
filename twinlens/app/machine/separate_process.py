"""Work in a process of its own: it uses all processors, and the window that waits for it stays quick."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Thread
from typing import Any, Protocol

from twinlens.app.library.library import Library
from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent
from twinlens.core.worker_process import LOOK_S, TaskCaller, TaskFaultError, TaskRunner, WorkerEndError, WorkerProcess
from twinlens.storage.database.address import Address

_COMPILING_S = 10.0  # at most; numpy measures until the loops are ready


class ProcessTask(Protocol):
    """A task for a separate process; it and its result can be pickled."""

    def __call__(self, library: Library, progress: Progress, tell: Callable[[Any], None], /) -> Any:
        """Run the task; ``tell`` hands over intermediate results."""


def run_in_process(
    library: Address,
    task: ProcessTask,
    progress: Progress = silent,
    on_result: Callable[[Any], object] = lambda _: None,
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
    process = WorkerProcess(_prepare)
    try:
        return process.run(_LibraryTask(library, task), progress, on_result, gently)
    except WorkerEndError:
        raise TwinlensError(
            "The process that measured ended before it was done, perhaps for want of memory.",
            "Close other programs, then try again: what is kept already is not lost.",
        ) from None
    except TaskFaultError as fault:
        logging.getLogger("twinlens").error("in the process that measured:\n%s", fault.trace)
        raise
    finally:
        process.stop()


def _prepare() -> TaskRunner:
    """Get the new process ready."""
    from twinlens.app.machine.background_work import be_polite

    be_polite()
    return lambda task, caller: task(caller)


@dataclass(frozen=True)
class _LibraryTask:
    library: Address
    task: ProcessTask

    def __call__(self, caller: TaskCaller) -> Any:
        """Run it in the new process."""
        with Library.open(self.library) as library:
            _compile(caller.progress)
            return self.task(library, caller.progress, caller.tell)


def _compile(progress: Progress) -> None:
    """Wait for the compiled loops, without which measured times are meaningless."""
    from twinlens.app.machine import app_folders
    from twinlens.core.compilation import compilation

    compilation.prepare(app_folders.compiled_cache_folder())
    waiting = Thread(target=compilation.ready, args=(True,), daemon=True)
    waiting.start()
    until = time.monotonic() + _COMPILING_S
    while waiting.is_alive() and time.monotonic() < until:
        progress(0.0, 0.0, Message("Compiling loops"))
        waiting.join(LOOK_S)
