"""A worker process for pictures: it decodes, describes and compares them within limits of memory, threads and time.

Nothing large is imported at the top: the limits on threads must stand before numpy is loaded in the process, and the
command line starts one first, and imports what it needs itself meanwhile.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from twinlens.app.machine import background_work
from twinlens.core.errors import TwinlensError
from twinlens.core.message import Message
from twinlens.core.progress import look_for_stop
from twinlens.core.systems import system
from twinlens.core.worker_process import TaskFaultError, WorkerEndError, WorkerProcess, be_quiet

if TYPE_CHECKING:
    from twinlens.app.library.workers.decoding_tasks import TaskResult, WorkerTask
    from twinlens.app.library.workers.extraction import Outcome
    from twinlens.app.library.workers.file_contents import FileReadingTask
    from twinlens.core.worker_process import TaskCaller, TaskRunner
    from twinlens.features.descriptor import Extractor
    from twinlens.features.reading.reading_limits import Limits


_MOST_RESULTS = 5_000  # then the process is replaced, in case a decoder leaks memory


class PictureProcess(WorkerProcess):
    """A worker process for pictures.

    Parameters
    ----------
    memory_bytes : int
        Of the process in all.
    polite : bool
        Whether every other process goes first.
    extractors : bytes
        By the keys that tasks want, pickled; empty for none.
    """

    def __init__(self, memory_bytes: int, polite: bool = True, extractors: bytes = b"") -> None:
        super().__init__(_PictureSetup(polite), _Belongings(memory_bytes, extractors))
        self.memory_bytes = memory_bytes

    def ask(self, task: WorkerTask[TaskResult], seconds: float | None = None) -> TaskResult:
        """Run a task.

        Parameters
        ----------
        seconds : float, optional
            Within which the result must come; by default as
            :class:`twinlens.app.library.workers.decoding_tasks.WorkerLimits` says.

        Raises
        ------
        UnreadableError
            If it cannot be, also because its process crashed (`PictureCrashError`) or took too long.
        TwinlensError
            If no process can be started.
        Cancelled
            If the caller wants it no longer (:func:`twinlens.core.progress.look_for_stop`). The process may still be
            busy.
        """
        from twinlens.app.library.workers.decoding_tasks import WorkerLimits
        from twinlens.app.library.workers.extraction import explain_fault
        from twinlens.features.reading.reading_limits import UnreadableError

        most = seconds or WorkerLimits.seconds
        try:
            result = self.run(task, lambda *_: look_for_stop(), seconds=most)
        except TimeoutError:
            raise UnreadableError(
                Message("Reading it took longer than the {seconds:g} seconds that Twinlens allows.", seconds=most),
                Message("If the disk is slow, rescan; if not, open the file in another program and save it again."),
            ) from None
        except WorkerEndError as error:
            if error.taken:
                raise UnreadableError(*_explain_end(error.code)) from error
            raise TwinlensError(
                "The processes that read pictures end as soon as they start.",
                "Close other programs, since memory may be short, and try again.",
            ) from None
        except TaskFaultError as fault:
            logging.getLogger("twinlens").error("in the process that decodes:\n%s", fault.trace)
            raise UnreadableError(*explain_fault(fault.kind, fault.words)) from None
        if self.results >= _MOST_RESULTS:
            self.stop()
        if isinstance(result, _Problem):
            raise UnreadableError(result.reason, result.next_step)
        return cast("TaskResult", result)


def was_killed(error: BaseException) -> bool:
    """Return whether a picture could not be read because the system ended the process, perhaps for want of memory."""
    return isinstance(error.__cause__, WorkerEndError) and error.__cause__.code == -getattr(signal, "SIGKILL", 9)


def _explain_end(code: int) -> tuple[Message, Message]:
    """Return the problem of a picture during which the process ended."""
    if code == -getattr(signal, "SIGPROF", 27):
        return (
            Message("Decoding this picture took more processor time than Twinlens allows for its size."),
            Message("Open it in another program and save it again, as JPEG for example; then rescan."),
        )
    if code == -getattr(signal, "SIGKILL", 9):
        return (
            Message("The system ended the process that read this picture, probably because memory ran out."),
            Message("Close other programs, or allow less memory or fewer processes in the settings; then rescan."),
        )
    try:
        how = signal.Signals(-code).name
    except ValueError:
        how = f"exit code {code}"
    return (
        Message(
            "This picture could not be read or described: the process that did it ended unexpectedly ({how}).", how=how
        ),
        Message("The file may be damaged: open it in another program and save it again, then rescan."),
    )


# ---- in the process --------------------------------------------------------------------------------------------------
_THREAD_LIMITS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
)


@dataclass(frozen=True)
class _PictureSetup:
    polite: bool

    def __call__(self) -> TaskRunner:
        """Get the process ready for what it needs."""
        be_quiet()
        if self.polite:
            background_work.be_polite()
        os.environ.update(dict.fromkeys(_THREAD_LIMITS, "1"))
        os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"  # a search for some takes a tenth of the start
        import cv2

        from twinlens.app.library.workers import decoding_tasks  # noqa: F401 (here, so that the first file does not pay for it)

        cv2.setNumThreads(1)
        return _run


_extractors: Mapping[str, Extractor] = {}
_limits: Limits


@dataclass(frozen=True)
class _Belongings:
    memory_bytes: int
    extractors: bytes

    def take(self) -> None:
        """Take them, and hold this process to its limits."""
        global _extractors, _limits  # noqa: PLW0603 (a worker process is one worker)
        from twinlens.features.reading import reading_limits

        if self.extractors:
            _extractors = pickle.loads(self.extractors)  # noqa: S301 (from the parent's own memory)
        _limits = reading_limits.Limits(self.memory_bytes)
        hold_to(self.memory_bytes)
        reading_limits.enforce_processor_time()


@dataclass(frozen=True)
class ExtractionTask:
    """A file to read and describe."""

    file: FileReadingTask

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self.file.size

    def __call__(self, limits: Limits) -> Outcome:
        """Describe it by the extractors that the process has."""
        from twinlens.app.library.workers.extraction import extract

        return extract(self.file, _extractors, limits)


@dataclass(frozen=True)
class _Problem:
    """Why a picture cannot be read."""

    reason: Message
    next_step: Message


def _run(task: Any, caller: TaskCaller) -> Any:
    """Run one task."""
    del caller
    if isinstance(task, _Belongings):
        return task.take()
    from twinlens.features.pictures.picture import Picture
    from twinlens.features.reading import reading_limits

    reading_limits.begin_file(task.size)
    try:
        found = task(_limits)
        # What else was computed of a picture stays here.
        return Picture(found.rgb, found.mask, found.facts) if isinstance(found, Picture) else found
    except TwinlensError as error:
        return _Problem(error.message, error.advice)
    except MemoryError:
        exceeded = _limits.exceeded()
        return _Problem(exceeded.message, exceeded.advice)
    finally:
        reading_limits.end_processor_time()
        give_back()


def hold_to(allowance_bytes: int) -> None:
    """Limit the memory of this process, where the system can (Linux, Windows).

    Memory that the process has now beyond the usual, as for a large network, does not count against a picture.

    Parameters
    ----------
    allowance_bytes : int
        Of the process in all.
    """
    from twinlens.features.reading.reading_limits import RESTING_BYTES

    counted = system.counted_memory()
    if counted is not None:
        more = allowance_bytes - min(system.resident_memory() or RESTING_BYTES, RESTING_BYTES)
        system.limit_memory(counted + max(more, 0))


def give_back() -> None:
    """Return freed memory to the system if this process has more than one at rest should have."""
    from twinlens.features.reading.reading_limits import RESTING_BYTES

    if (system.resident_memory() or 0) > RESTING_BYTES:
        system.give_back_memory()
