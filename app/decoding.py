"""The one way by which the program gets a decoded picture: from a worker process, never in its own.

Two kinds of processes decode. One or two serve what a person waits for, of which one stays warm; as many as there are
processors serve long work in the background (`app.waiting.in_background`) and end when it has rested for a while. So
an evaluation never keeps a search waiting. Exempt are the thumbnails that Twinlens has made itself.
"""

from __future__ import annotations

import atexit
import os
import stat
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from pathlib import Path
from typing import cast

from app import desktop_thumbnails, waiting
from app.allowance import preferred_limits
from app.asking import Region
from app.decoder import Decoder
from app.desktop_thumbnails import Original
from app.extraction import Task
from app.looking import Asked, Look, SharedThumbnail, Thumbnail
from app.pace import cores
from app.results import shown
from app.workers import WorkerLimits
from core.errors import Cancelled, TwinlensError
from features.picture import WORKING_SIDE, Picture
from features.unreadable import UnreadableError

_FOR_PEOPLE = 2
_GRACE_S = 0.5  # for an answer that nobody wants any more: most come, and a new process would take as long to start
_REST_S = 20.0  # then a process that need not stay warm ends
_MOST_ANSWERS = 1_000  # then it is replaced: whatever a decoder leaks, it leaks no longer

Source = Path | bytes
"""A file, or the bytes of one: dropped, or from the clipboard."""


def picture(source: Source, name: str = "", side: int = WORKING_SIDE, region: Region | None = None) -> Picture:
    """Decode a picture.

    Parameters
    ----------
    source : Path or bytes
        What a person named, or gave.
    name : str
        As :func:`features.reading.read` wants it; a file has its own.
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
        If the work is stopped meanwhile (`app.waiting`).
    """
    return cast("Picture", _ask(_look(source, name, side, region)))


def thumbnail(source: Source, name: str = "") -> bytes:
    """Decode a picture and make a thumbnail of it, a JPEG; raises as :func:`picture`."""
    return cast("bytes", _ask(Thumbnail(_look(source, name))))


def shared_thumbnail(original: Original) -> bytes:
    """Give the desktop's thumbnail of a photograph as a JPEG; nothing where there is none that serves."""
    folder = desktop_thumbnails.folder()
    if folder is None or not desktop_thumbnails.is_there(original):
        return b""
    try:
        return cast("bytes", _ask(SharedThumbnail(original, folder)))
    except UnreadableError:
        return b""


def unchanged(path: Path, content_hash: bytes, side: int) -> Picture:
    """Decode a file that must have the content with this SHA-256; raises as :func:`picture`."""
    return cast("Picture", _ask(Look(named_file(path), name=os.fspath(path), side=side, content_hash=content_hash)))


def pictures(paths: Iterable[Path]) -> Iterator[Picture]:
    """Decode many files by all processors, in their order; those that cannot be read are left out.

    Raises
    ------
    TwinlensError
        If no process can be started.
    Cancelled
        If the work is stopped meanwhile (`app.waiting`).
    """

    def decoded(path: Path) -> Picture | None:
        try:
            return picture(path)
        except UnreadableError:
            return None

    closed = threading.Event()

    def look() -> None:
        if closed.is_set():
            raise Cancelled

    with waiting.in_background(), waiting.stopped_by(look):
        context = copy_context()
    left = iter(paths)
    given: deque[Future[Picture | None]] = deque()
    with ThreadPoolExecutor(cores(), thread_name_prefix="decoding") as threads:
        try:
            while True:
                while len(given) < 2 * cores() and (path := next(left, None)) is not None:
                    given.append(threads.submit(context.copy().run, decoded, path))
                if not given:
                    return
                if (found := given.popleft().result()) is not None:
                    yield found
        finally:
            closed.set()
            for one in given:
                one.cancel()


def named_file(path: Path) -> Task:
    """Look at a file that a person named, without opening it; TwinlensError where it is none."""
    name = shown(os.fsencode(path))
    try:
        status = path.stat()
    except FileNotFoundError:
        raise UnreadableError(f"There is no picture {name}.", "Check the spelling.") from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UnreadableError(f"{name} cannot be read: {why}.", "Check its permissions.") from None
    if stat.S_ISDIR(status.st_mode):
        raise UnreadableError(f"{name} is a folder.", "Name one picture.")
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableError(f"There is no picture {name}.", "Check the spelling.")
    return Task(0, os.fsencode(path), status.st_size, status.st_mtime_ns)


def warm() -> None:
    """Have a process ready for the first picture that a person waits for; does not wait itself."""
    _people.warm()


def is_warm() -> bool:
    """Tell whether there is a process for what a person waits for."""
    return _people.is_warm()


def end() -> None:
    """End all processes."""
    _people.end()
    _background.end()


def _look(source: Source, name: str, side: int = WORKING_SIDE, region: Region | None = None) -> Look:
    if isinstance(source, bytes):
        return Look(None, source, name, side, region)
    return Look(named_file(source), b"", name or os.fspath(source), side, region)


def _ask(asked: Asked) -> Picture | bytes:
    return (_background if waiting.is_background() else _people).ask(asked)


class _Lane:
    """Some processes that are asked in turn.

    Parameters
    ----------
    most : int
        How many there are at most; each is started when all others are busy.
    warm : int
        How many do not end by themselves.
    polite : bool
        Whether they let every other process go first.
    """

    def __init__(self, most: int, warm: int, polite: bool) -> None:
        self._most, self._warm, self._polite = most, warm, polite
        self._changed = threading.Condition()
        self._resting: list[Decoder] = []
        self._busy: list[Decoder] = []
        self._rest: threading.Timer | None = None

    def ask(self, asked: Asked) -> Picture | bytes:
        """Have one of them decode a picture."""
        decoder = self._take()
        try:
            found = decoder.ask(asked)
        except Cancelled:
            # The answer may come in a moment; whoever has stopped does not wait for it.
            threading.Thread(target=self._recover, args=(decoder,), name="recovering", daemon=True).start()
            raise
        except UnreadableError:
            self._give_back(decoder)
            raise
        except BaseException:
            decoder.stop()
            self._give_back(decoder)
            raise
        self._give_back(decoder)
        return found

    def is_warm(self) -> bool:
        """Tell whether there is one."""
        return bool(self._resting or self._busy)

    def warm(self) -> None:
        """Start one that is ready for the first picture."""
        with self._changed:
            if not self.is_warm():
                self._resting.append(Decoder(_limits(), self._polite))
                with suppress(TwinlensError):  # which the first picture meets again, and tells
                    self._resting[0].begin()

    def end(self) -> None:
        """End all of them."""
        with self._changed:
            for decoder in self._busy:
                decoder.kill()
        self._stop_resting(0)

    def _take(self) -> Decoder:
        limits = _limits()
        with self._changed:
            while not self._resting and len(self._busy) >= self._most:
                self._changed.wait(waiting.LOOK_S)
                waiting.look()
            decoder = self._resting.pop() if self._resting else None  # the one that was used last
            if decoder is not None and decoder.limits != limits:  # the person has chosen others
                decoder.stop()
                decoder = None
            decoder = decoder or Decoder(limits, self._polite)
            self._busy.append(decoder)
        return decoder

    def _give_back(self, decoder: Decoder) -> None:
        if decoder.answers >= _MOST_ANSWERS:
            decoder.stop()
        with self._changed:
            self._busy.remove(decoder)
            self._resting.append(decoder)
            self._changed.notify()
            if self._rest is not None:
                self._rest.cancel()
                self._rest = None
            if len(self._resting) > self._warm:
                self._rest = threading.Timer(_REST_S, self._stop_resting, (self._warm,))
                self._rest.daemon = True
                self._rest.start()

    def _recover(self, decoder: Decoder) -> None:
        """Make one usable again whose answer nobody wants."""
        if not decoder.finish(_GRACE_S):
            decoder.stop()
            if self._warm:
                with suppress(TwinlensError):
                    decoder.begin()
        self._give_back(decoder)

    def _stop_resting(self, left: int) -> None:
        with self._changed:
            while len(self._resting) > left:
                self._resting.pop(0).stop()


def _limits() -> WorkerLimits:
    """Give what one picture may cost: as much as one that is added."""
    return preferred_limits(cores())


_people = _Lane(_FOR_PEOPLE, warm=1, polite=False)
_background = _Lane(cores(), warm=0, polite=True)
# Registered later than the wait of multiprocessing for its processes, so done before it.
atexit.register(end)
