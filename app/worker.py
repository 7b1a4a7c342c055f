"""The life of a worker process: what is set up before its first file, and what it does with each.

Nothing large is imported at the top: the limits on threads must stand before numpy is loaded.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
import traceback
from collections.abc import Mapping
from multiprocessing import connection, parent_process
from typing import TYPE_CHECKING

from app.politeness import be_polite

if TYPE_CHECKING:
    from app.extraction import Outcome, Task
    from app.spawning import Parcel
    from features.descriptor import Extractor
    from features.limits import Limits

_THREAD_LIMITS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
)

_extractors: Mapping[str, Extractor] = {}
_limits: Limits
_why_not_started = ""


class WorkerStartError(Exception):
    """A worker could not get ready: a fault of the program or of its installation, with the traceback as message."""


def start(belongings: Parcel, memory_bytes: int) -> None:
    """Get ready for files; called once in each worker process.

    Parameters
    ----------
    belongings : Parcel
        The extractors and limits, pickled.
    memory_bytes : int
        What the process may take in all.
    """
    global _extractors, _limits, _why_not_started  # noqa: PLW0603 (a worker process is one worker)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # at once, also out of native code
    threading.Thread(target=_end_with_parent, name="end-with-parent", daemon=True).start()
    try:
        _be_quiet()
        be_polite()
        os.environ.update(dict.fromkeys(_THREAD_LIMITS, "1"))
        import cv2

        from app import extraction  # noqa: F401 (here, so that the first file does not pay for it)
        from app.memory_limit import hold_to
        from features import processor_time

        cv2.setNumThreads(1)
        _extractors, _limits = pickle.loads(belongings.contents())  # noqa: S301 (from the parent's own memory)
        hold_to(memory_bytes)
        processor_time.enforce()
    except Exception:  # noqa: BLE001 (told with the first file; printed it would be lost, and the pool would start others)
        _why_not_started = traceback.format_exc()


def work(task: Task) -> Outcome:
    """Read one file."""
    if _why_not_started:
        raise WorkerStartError(_why_not_started)
    from app.extraction import extract
    from app.memory_limit import give_back
    from features import processor_time

    processor_time.begin(task.size)
    try:
        return extract(task, _extractors, _limits)
    finally:
        processor_time.end()
        give_back()


def _end_with_parent() -> None:
    """End as soon as the parent has, however it did: nobody waits for the result any more."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _be_quiet() -> None:
    """Let go of the program's outputs: decoders write there what is told as a problem anyway."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for output in (1, 2):
        os.dup2(nowhere, output)
    os.close(nowhere)
