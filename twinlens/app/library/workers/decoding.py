"""Decoding of pictures for the rest of the program: always in a worker process, never in its own.

The processes are those of `twinlens.app.library.workers.decoders`. Only thumbnails that Twinlens has made itself are
decoded elsewhere.
"""

from __future__ import annotations

import os
import stat
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path

import numpy as np
import numpy.typing as npt

from twinlens.app.library import desktop_thumbnails
from twinlens.app.library.desktop_thumbnails import OriginalFile
from twinlens.app.library.workers import decoders
from twinlens.app.library.workers.decoding_tasks import (
    DecodingTask,
    DesktopThumbnailTask,
    EmbeddingTask,
    ThumbnailTask,
    WithLocalFeatures,
)
from twinlens.app.library.workers.file_contents import FileReadingTask
from twinlens.app.machine import background_work
from twinlens.core.errors import Cancelled
from twinlens.core.files.untrusted_input import shown
from twinlens.core.progress import stopped_by
from twinlens.core.systems import system
from twinlens.features.keypoints.sift import Cap
from twinlens.features.network.text_network import TextNetwork
from twinlens.features.pictures.picture import WORKING_SIDE, Picture, Region
from twinlens.features.reading.reading_limits import UnreadableError

Source = Path | bytes
"""A file, or the bytes of one: dropped, or from the clipboard."""


def picture(source: Source, name: str = "", side: int = WORKING_SIDE, region: Region | None = None) -> Picture:
    """Decode a picture.

    Parameters
    ----------
    source : Path or bytes
        The picture that a person named or gave.
    name : str
        As :func:`twinlens.features.reading.reading.read` wants it; a file has its own.
    side : int
        Pixels of its longer side at most; of a part always the working size.
    region : tuple of float, optional
        The part that is wanted.

    Raises
    ------
    UnreadableError
        If it cannot be decoded, also because its decoder crashed or took too long.
    TwinlensError
        If there is no such file, or no process can be started.
    Cancelled
        If the work is stopped meanwhile (:func:`twinlens.core.progress.look_for_stop`).
    """
    return decoders.ask(decoding_task(source, name, side, region))


def thumbnail(source: Source, name: str = "") -> bytes:
    """Decode a picture and make a thumbnail of it, a JPEG; raises as :func:`picture`."""
    return decoders.ask(ThumbnailTask(decoding_task(source, name)))


def shared_thumbnail(original: OriginalFile) -> bytes:
    """Return the desktop's thumbnail of a photograph as a JPEG; nothing where there is none that serves."""
    folder = desktop_thumbnails.folder()
    if folder is None or not desktop_thumbnails.is_there(original):
        return b""
    try:
        return decoders.ask(DesktopThumbnailTask(original, folder))
    except UnreadableError:
        return b""


def decoding_task(
    source: Source, name: str = "", side: int = WORKING_SIDE, region: Region | None = None
) -> DecodingTask:
    """Return the task of decoding a picture, as :func:`picture`; TwinlensError if there is no such file."""
    if isinstance(source, bytes):
        return DecodingTask(None, source, name, side, region)
    return DecodingTask(named_file(source), b"", name or os.fspath(source), side, region)


def unchanged(path: Path, content_hash: bytes, side: int) -> Picture:
    """Decode a file that must have the content with this SHA-256; raises as :func:`picture`."""
    return decoders.ask(unchanged_file(path, content_hash, side))


def unchanged_file(path: Path, content_hash: bytes, side: int = WORKING_SIDE) -> DecodingTask:
    """Return the task of decoding a file that must have this content; UnreadableError if there is no file."""
    return DecodingTask(named_file(path), name=os.fspath(path), side=side, content_hash=content_hash)


def embedded(network: TextNetwork, words: str, length: int) -> npt.NDArray[np.float32]:
    """Embed words by a text network, (length,).

    Raises
    ------
    UnreadableError
        If it cannot be, also because the network crashed or took too long.
    TwinlensError
        If no process can be started.
    Cancelled
        If the work is stopped meanwhile (:func:`twinlens.core.progress.look_for_stop`).
    """
    return np.frombuffer(decoders.ask(EmbeddingTask(network, words, length)), np.float32)


def pictures(paths: Iterable[Path], caps: tuple[Cap, ...] = ()) -> Iterator[Picture]:
    """Decode many files by all processors, in their order; those that cannot be read are left out.

    Parameters
    ----------
    caps : tuple of Cap
        The local features that the pictures shall keep, found where they are decoded.

    Raises
    ------
    TwinlensError
        If no process can be started.
    Cancelled
        If the work is stopped meanwhile (:func:`twinlens.core.progress.look_for_stop`).
    """

    def decoded(path: Path) -> Picture | None:
        try:
            (found,) = decoders.ask(WithLocalFeatures(decoding_task(path), caps))
        except UnreadableError:
            return None
        found.rgb.flags.writeable = False
        return found

    closed = threading.Event()

    def stop() -> None:
        if closed.is_set():
            raise Cancelled

    with background_work.in_background(), stopped_by(stop):
        context = copy_context()
    left = iter(paths)
    given: deque[Future[Picture | None]] = deque()
    with ThreadPoolExecutor(system.processors(), thread_name_prefix="decoding") as threads:
        try:
            while True:
                while len(given) < 2 * system.processors() and (path := next(left, None)) is not None:
                    given.append(threads.submit(context.copy().run, decoded, path))
                if not given:
                    return
                if (found := given.popleft().result()) is not None:
                    yield found
        finally:
            closed.set()
            for one in given:
                one.cancel()


def named_file(path: Path) -> FileReadingTask:
    """Check a file that a person named, without opening it; TwinlensError if there is none."""
    name = shown(os.fsencode(path))
    try:
        status = path.stat()
    except FileNotFoundError:
        raise UnreadableError("There is no picture {name}.", "Check the spelling.", name=name) from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UnreadableError("{name} cannot be read: {why}.", "Check its permissions.", name=name, why=why) from None
    if stat.S_ISDIR(status.st_mode):
        raise UnreadableError("{name} is a folder.", "Name one picture.", name=name)
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableError("There is no picture {name}.", "Check the spelling.", name=name)
    return FileReadingTask(0, os.fsencode(path), status.st_size, status.st_mtime_ns)
