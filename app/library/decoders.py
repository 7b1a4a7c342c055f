"""The processes that decode, describe and compare pictures: some for what a person waits for, others for long work.

Of the former, two at most, one stays warm; the latter, as many as there are processors, serve what is done in the
background (`app.machine.waiting.in_background`), and end when it has rested for a while. So an evaluation never keeps a
search waiting.
Nothing large is imported here: the command line starts a process first and imports what it needs itself meanwhile.
"""

from __future__ import annotations

import atexit
import threading
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from app.library.allowance import preferred_allowance
from app.library.decoder import Decoder
from app.machine import waiting
from core.errors import Cancelled, TwinlensError
from core.systems import system

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.library.decoding_tasks import TaskResult, WorkerTask

_FOR_PEOPLE = 2
_GRACE_S = 0.5  # for an answer that nobody wants any more: most come, and a new process would take as long to start
_REST_S = 20.0  # then a process that need not stay warm ends
_MOST_ANSWERS = 5_000  # then it is replaced: whatever a decoder leaks, it leaks no longer


def warm() -> None:
    """Have a process ready for the first picture of what is done just now; does not wait itself."""
    _lane().warm()


def is_warm() -> bool:
    """Return whether there is a process for what a person waits for."""
    return _people.is_warm()


def ask(asked: WorkerTask[TaskResult]) -> TaskResult:
    """Ask one of the processes for what is done just now; as :meth:`app.library.decoder.Decoder.ask`."""
    return _lane().ask(asked)


def each_asked(
    task: Callable[[tuple[bytes, ...]], WorkerTask[list[TaskResult | None]]], pictures: tuple[bytes, ...]
) -> list[TaskResult | None]:
    """Ask about many small pictures at once; one that ends its process, or takes too long, gives None alone."""
    from features.reading.unreadable import UnreadableError

    try:
        return ask(task(pictures))
    except UnreadableError:
        half = len(pictures) // 2
        return [*each_asked(task, pictures[:half]), *each_asked(task, pictures[half:])] if half else [None]


def follow_preferences() -> None:
    """Look up anew what one picture may take, since the preferences have changed."""
    _memory_bytes.cache_clear()


def end() -> None:
    """End all processes."""
    _people.end()
    _background.end()


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

    def ask(self, asked: WorkerTask[TaskResult]) -> TaskResult:
        """Ask one of them."""
        decoder = self._take()
        try:
            found = decoder.ask(asked)
        except Cancelled:
            # The answer may come in a moment; whoever has stopped does not wait for it.
            threading.Thread(target=self._recover, args=(decoder,), name="recovering", daemon=True).start()
            raise
        except TwinlensError:
            self._give_back(decoder)
            raise
        except BaseException:
            decoder.stop()
            self._give_back(decoder)
            raise
        self._give_back(decoder)
        return found

    def is_warm(self) -> bool:
        """Return whether there is one."""
        return bool(self._resting or self._busy)

    def warm(self) -> None:
        """Start one that is ready for the first picture."""
        with self._changed:
            if not self.is_warm():
                self._resting.append(Decoder(_memory_bytes(), self._polite))
                with suppress(TwinlensError):  # which the first picture meets again, and tells
                    self._resting[0].begin()

    def end(self) -> None:
        """End all of them."""
        with self._changed:
            for decoder in self._busy:
                decoder.kill()
        self._stop_resting(0)

    def _take(self) -> Decoder:
        memory_bytes = _memory_bytes()
        with self._changed:
            while not self._resting and len(self._busy) >= self._most:
                self._changed.wait(waiting.LOOK_S)
                waiting.look_for_stop()
            decoder = self._resting.pop() if self._resting else None  # the one that was used last
            if decoder is not None and decoder.memory_bytes != memory_bytes:  # the person has chosen others
                decoder.stop()
                decoder = None
            decoder = decoder or Decoder(memory_bytes, self._polite)
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


def _lane() -> _Lane:
    return _background if waiting.is_background() else _people


@cache  # a question must not read the file of the preferences
def _memory_bytes() -> int:
    """Return what one picture may take: as much as one that is added."""
    return preferred_allowance(system.processors())


_people = _Lane(_FOR_PEOPLE, warm=1, polite=False)
_background = _Lane(system.processors(), warm=0, polite=True)
# Registered later than the wait of multiprocessing for its processes, so done before it.
atexit.register(end)
