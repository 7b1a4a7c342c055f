"""The life of a worker process: its set-up before the first file, and its work on each.

Processes of a pool get files from it (:func:`work`); a process that decodes for a caller gets tasks over a pipe
(:func:`serve`). Nothing large is imported at the top, since the limits on threads must stand before numpy is loaded.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
import traceback
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing import connection, parent_process
from typing import TYPE_CHECKING, Any

from app.machine.background_work import be_polite

if TYPE_CHECKING:
    from app.library.workers.decoding_tasks import WorkerTask
    from app.library.workers.extraction import FileReadingTask, Outcome
    from app.machine.worker_spawning import Parcel, Pipe
    from features.descriptor import Extractor
    from features.reading.reading_limits import Limits


_THREAD_LIMITS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
)
TAKEN = "taken"
"""The first reply to a task: from here on, the picture is to blame if the process ends."""

_extractors: Mapping[str, Extractor] = {}
_limits: Limits
_why_not_started = ""


class WorkerStartError(Exception):
    """A worker could not get ready: a fault of the program or of its installation, with the traceback as message."""


def start(belongings: Parcel | None, memory_bytes: int, polite: bool = True) -> None:
    """Get ready for files; called once in each worker process.

    Parameters
    ----------
    belongings : Parcel or None
        The extractors and limits, pickled; None for no extractors, and limits by the memory.
    memory_bytes : int
        Memory of the process in all.
    polite : bool
        Whether every other process goes first.
    """
    global _extractors, _limits, _why_not_started  # noqa: PLW0603 (a worker process is one worker)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # at once, also out of native code
    threading.Thread(target=end_with_parent, name="end-with-parent", daemon=True).start()
    try:
        _be_quiet()
        if polite:
            be_polite()
        os.environ.update(dict.fromkeys(_THREAD_LIMITS, "1"))
        os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"  # a search for some takes a tenth of the start
        import cv2

        from app.library.workers import extraction  # noqa: F401 (here, so that the first file does not pay for it)
        from app.library.workers.process_memory import hold_to
        from features.reading import reading_limits

        cv2.setNumThreads(1)
        if belongings is not None:
            _extractors, _limits = pickle.loads(belongings.contents())  # noqa: S301 (from the parent's own memory)
        else:
            from app.library.workers import decoding_tasks  # noqa: F401 (as above)
            from features.reading.reading_limits import Limits

            _limits = Limits(memory_bytes)
        hold_to(memory_bytes)
        reading_limits.enforce_processor_time()
    except Exception:  # noqa: BLE001 (reported with the first file; raised here it would be lost, and the pool would start others)
        _why_not_started = traceback.format_exc()


def _be_quiet() -> None:
    """Detach the standard outputs: decoders write messages there that are reported as problems anyway."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for output in (1, 2):
        os.dup2(nowhere, output)
    os.close(nowhere)


def work(task: FileReadingTask) -> Outcome:
    """Read one file."""
    if _why_not_started:
        raise WorkerStartError(_why_not_started)
    from app.library.workers.extraction import extract
    from app.library.workers.process_memory import give_back
    from features.reading import reading_limits

    reading_limits.begin_file(task.size)
    try:
        return extract(task, _extractors, _limits)
    finally:
        reading_limits.end_processor_time()
        give_back()


def serve(caller: Pipe[Any, Any], memory_bytes: int, polite: bool) -> None:
    """Run tasks one after the other until the caller has gone.

    Parameters
    ----------
    caller : Pipe
        Receives why this process is not ready, empty where it is; then sends tasks and receives results.
    memory_bytes, polite
        As :func:`start` takes them.
    """
    start(None, memory_bytes, polite)
    caller.send(_why_not_started)
    with suppress(EOFError, OSError):  # the caller has gone
        while not _why_not_started:
            _run(caller, caller.recv())


def _run(caller: Pipe[Any, Any], task: WorkerTask[Any]) -> None:
    """Run one task and send its result; the pixels of a picture follow it."""
    from app.library.workers import process_memory
    from app.library.workers.extraction import FileReadingTask, failure
    from app.library.workers.process_memory import give_back
    from core.errors import TwinlensError
    from features.pictures.picture import Picture
    from features.reading import reading_limits

    caller.send(TAKEN)
    reading_limits.begin_file(task.size)
    try:
        found = task(_limits)
    except TwinlensError as error:
        caller.send(("problem", error.message, error.advice, ""))
    except MemoryError:
        exceeded = _limits.exceeded()
        caller.send(("problem", exceeded.message, exceeded.advice, ""))
    except Exception as error:  # noqa: BLE001 (the job runner's catch: the caller gets it)
        problem = failure(FileReadingTask(0, b"", 0, 0), error)
        caller.send(("problem", problem.reason, problem.next_step, problem.fault))
    else:
        if not isinstance(found, Picture):
            caller.send(("made", found))
            return
        arrays = [found.rgb] if found.mask is None else [found.rgb, found.mask]
        caller.send(("picture", found.facts, found.rgb.shape[:2], found.mask is not None))
        for array in arrays:
            process_memory.send(caller, array)
    finally:
        reading_limits.end_processor_time()
        give_back()


def end_with_parent() -> None:
    """End this process as soon as its parent has ended, in whatever way."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
