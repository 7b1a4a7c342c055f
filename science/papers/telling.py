"""Reports on standard error, now and then, of how far the work is and how long it will still take."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence

from twinlens.app.machine.remaining_time import time_left
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress

TELL_S = 10.0
"""Seconds between two words of what is being done."""

_SOONEST = 0.03
"""Of the work on one thing, from which on it tells how long the whole of it takes."""


class ProgressTelling:
    """Reports of the progress of consecutive steps.

    Parameters
    ----------
    known : mapping of str to float, optional
        Seconds that some of them took before: so long the others of these will.
    clock : callable
        Gives seconds.
    say : callable
        Is given a line.
    """

    def __init__(
        self,
        names: Sequence[str],
        known: Mapping[str, float] | None = None,
        clock: Callable[[], float] = time.monotonic,
        say: Callable[[str], None] = lambda line: print(line, file=sys.stderr, flush=True),
    ) -> None:
        self._names, self._known = list(names), dict(known or {})
        self._clock, self._say = clock, say
        self._told = self._began = clock()

    def of(self, name: str) -> Progress:
        """Return the progress of one of them."""
        self._began = self._clock()

        def told(done: float, total: float, text: object = "") -> None:
            if self._clock() - self._told < TELL_S:
                return
            self._told = self._clock()
            share = min(done / total, 1.0) if total > 0 else 0.0
            left = self.left(name, share)
            words = f", about {time_left(left)} left of all" if left is not None else ""
            number = f"[{self._names.index(name) + 1}/{len(self._names)}{words}]"
            self._say(f"{number} {name} {f'{100 * share:.0f} % ' if total > 0 else ''}{text}")

        return told

    def done(self, name: str, seconds: float) -> None:
        """Take note that one is done, and what measuring it takes in all."""
        self._known[name] = seconds

    def left(self, name: str, share: float) -> float | None:
        """Say how many seconds are left of all; None where nothing tells it yet."""
        spent = self._clock() - self._began
        this = spent / share if share >= _SOONEST else self._known.get(name)
        known = [*self._known.values(), *([this] if this is not None else [])]
        if not known:
            return None
        usual = sum(known) / len(known)
        rest = sum(self._known.get(one, usual) for one in self._names[self._names.index(name) + 1 :])
        return max((usual if this is None else this) - spent, 0.0) + rest


class Pausing:
    """Stops the process at the next word of progress after Ctrl-Z, so that no measurement holds the pause."""

    def __init__(self) -> None:
        self._asked = False

    def listen(self) -> None:
        """Take Ctrl-Z from now on, where the system has it."""
        if hasattr(signal, "SIGTSTP"):
            signal.signal(signal.SIGTSTP, self._ask)

    def _ask(self, *_: object) -> None:
        self._asked = True
        print("  pauses at the end of what is measured now; Ctrl-C stops", file=sys.stderr, flush=True)

    def within(self, progress: Progress) -> Progress:
        """Return a progress that pauses when that is asked."""

        def told(done: float, total: float, text: Message = NOTHING) -> None:
            progress(done, total, text)
            if self._asked:
                self._asked = False
                print("  paused; fg goes on", file=sys.stderr, flush=True)
                os.kill(os.getpid(), signal.SIGSTOP)

        return told
