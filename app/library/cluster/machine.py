"""What a machine of a cluster does, inside its Dask worker: it reads pages of files by a pool of its own processes.

The Dask worker gives its one thread to a page; the pool's processes decode, with the same limits as anywhere, so that
a file which ends its process costs one photograph, and neither the page nor the Dask worker.
"""

from __future__ import annotations

import os
import pickle
import socket
import stat
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from app.library import volumes
from app.library.cluster import agreement
from app.library.cluster.address import imported
from app.library.extraction import FileReadingTask, Outcome, UnreadableFile
from app.library.pace import usual_workers
from app.library.worker import WorkerStartError
from app.library.workers import WorkerLimits, Workers
from core.errors import TwinlensError
from core.message import NOTHING, Message

CORES = "cores"
"""Name of the resource by which a Dask worker says how many processes read; else it is one a core."""

_FORGOTTEN_S = 600.0  # without a page: whoever gave them is gone, or will introduce itself again


class NotPreparedError(Exception):
    """A page for which a machine has no pool: it was never prepared, or has forgotten it. Its Dask address."""


class UnfitError(Exception):
    """A machine whose processes cannot read; its arguments are the machine's Dask address and the reason."""


@dataclass(frozen=True)
class Introduction:
    """A machine as it describes itself.

    Attributes
    ----------
    host : str
    cores : int
        Processes that will read.
    versions : dict of str to str
    """

    host: str
    cores: int
    versions: dict[str, str]


@dataclass
class _Reading:
    """A pool of processes, for one program that adds photographs."""

    pool: Workers
    wanted: bool = True
    used: float = field(default_factory=time.monotonic)


@dataclass
class MachineTally:
    """What this machine has read, for whoever runs it.

    Attributes
    ----------
    photographs : int
    last : bytes
        Path of the last of them.
    """

    photographs: int = 0
    last: bytes = b""


machine_tally = MachineTally()
_readings: dict[str, _Reading] = {}
_one_page = threading.Lock()  # at a time, however many threads the Dask worker has


def introduce() -> Introduction:
    """Describe this machine."""
    return Introduction(socket.gethostname(), _cores(), agreement.package_versions())


def _cores() -> int:
    resources: Mapping[str, float] = imported().get_worker().state.total_resources
    return int(resources.get(CORES, 0)) or usual_workers()


def prepare(key: str, extractors: bytes, limits: WorkerLimits, picture: bytes) -> dict[str, str]:
    """Start the pool that pages under a key are read by, and read the trial picture by it.

    Parameters
    ----------
    key : str
    extractors : bytes
        Pickled: extractors by the keys that tasks want.
    limits : WorkerLimits
        Of the machine that adds, so that a picture is too large everywhere or nowhere.
    picture : bytes

    Returns
    -------
    dict of str to str
        As :func:`app.library.cluster.agreement.read_trial` gives it.

    Raises
    ------
    UnfitError
        If the processes cannot start.
    """
    with _one_page:
        for other, reading in list(_readings.items()):
            if time.monotonic() - reading.used > _FORGOTTEN_S:
                _readings.pop(other).pool.stop()
        made: Mapping[str, object] = pickle.loads(extractors)  # noqa: S301 (whoever reaches a Dask worker runs code there)
        reading = _readings[key] = _Reading(Workers(_cores(), made, limits))  # type: ignore[arg-type]
        with _fit():
            return agreement.read_trial(reading.pool, picture, tuple(made), lambda: None)


@contextmanager
def _fit() -> Iterator[None]:
    """Raise UnfitError where the pool cannot work."""
    try:
        yield
    except (TwinlensError, WorkerStartError) as error:
        why = error.message if isinstance(error, TwinlensError) else Message("Its processes cannot start.")
        raise UnfitError(imported().get_worker().address, why) from error


def read_page(key: str, tasks: Sequence[FileReadingTask]) -> list[Outcome]:
    """Read files, located by their volumes on this machine.

    Parameters
    ----------
    key : str
        As it was prepared.
    tasks : sequence of Task

    Returns
    -------
    list of Outcome
        One for each task, with the task's own path. A file that is not there, or is another one, is *unreached*.

    Raises
    ------
    NotPreparedError
        If nothing is prepared under the key.
    UnfitError
        If the processes cannot start.
    """
    with _one_page:
        reading = _readings.get(key)
        if reading is None:
            raise NotPreparedError(imported().get_worker().address)

        def go_on() -> None:
            if not reading.wanted:
                raise NotPreparedError(imported().get_worker().address)

        def wanted(tasks: Iterable[FileReadingTask]) -> Iterator[FileReadingTask]:
            for task in tasks:
                go_on()
                yield task

        located = [located_here(task) for task in tasks]
        read: dict[int, Outcome] = {}
        with _fit():
            for outcome in reading.pool.run(wanted(one for one in located if one is not None), go_on):
                read[outcome.photograph_id] = outcome
                machine_tally.photographs, machine_tally.last = machine_tally.photographs + 1, outcome.path
        reading.used = time.monotonic()
        return [
            unreached(task) if here is None else replace(read[task.photograph_id], path=task.path)
            for task, here in zip(tasks, located, strict=True)
        ]


def located_here(task: FileReadingTask) -> FileReadingTask | None:
    """Return the task of a file where it lies on this machine; None where it does not, or is another file."""
    path = task.path if task.volume is None else volumes.locate(task.volume, task.relative)
    try:
        status = os.stat(path)
    except OSError:
        return None
    same = stat.S_ISREG(status.st_mode) and (status.st_size, status.st_mtime_ns) == (task.size, task.mtime_ns)
    return replace(task, path=path) if same else None


def unreached(task: FileReadingTask) -> UnreadableFile:
    """Return what becomes of a file that this machine cannot reach: another may."""
    return UnreadableFile(
        task.photograph_id, task.path, Message("No machine of the cluster reaches it."), NOTHING, unreached=True
    )


def stop(key: str) -> None:
    """End what is read under a key, and its processes."""
    reading = _readings.get(key)
    if reading is not None:
        reading.wanted = False  # a page looks at it ten times a second
        with _one_page:
            reading.pool.stop()
            _readings.pop(key, None)


def stop_all() -> None:
    """End all that is read on this machine."""
    for key in list(_readings):
        stop(key)
