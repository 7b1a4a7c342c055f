"""Progress of long work on standard error, and its interruption by signals, which stop the work at its next step.

Ctrl-C, or SIGTERM when the system shuts down, is obeyed whatever a command is doing.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from twinlens.app.cli.session import Session, console
from twinlens.app.cli.terminal_text import tell
from twinlens.app.language.texts import _, text
from twinlens.app.machine.remaining_time import RemainingTime, rounded, time_left
from twinlens.core.errors import Cancelled
from twinlens.core.files.untrusted_input import plain
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, stopped_by

_LINE_EVERY_S = 10.0
_SHOW_EVERY_S = 0.1


@contextmanager
def long_work(session: Session) -> Iterator[Progress]:
    """Show the progress of the work inside the block."""
    with INTERRUPTION.patient(), stopped_by(INTERRUPTION.look):
        if session.quiet:
            yield _unseen
        elif sys.stderr.isatty():
            with _bar() as progress:
                yield progress
        else:
            yield _Lines()


@contextmanager
def starting(session: Session) -> Iterator[None]:
    """Show a bar at once, while the block imports what the work needs, which takes a second."""
    with long_work(session) as progress:
        progress(0, 0, Message("Starting"))
        yield


def _unseen(done: float, total: float, text: Message = NOTHING) -> None:
    INTERRUPTION.look()


@contextmanager
def _bar() -> Iterator[Progress]:
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn
    from rich.progress import Progress as RichProgress

    columns = (
        BarColumn(24),
        TaskProgressColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[left]}{task.description}", markup=False),
    )
    with RichProgress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, left="")
        remaining, shown = RemainingTime(), 0.0

        def progress(done: float, total: float, doing: Message = NOTHING) -> None:
            nonlocal shown
            INTERRUPTION.look()
            if total > 0:
                remaining.tell(done / total, doing.template)
            if time.monotonic() - shown >= _SHOW_EVERY_S:
                shown = time.monotonic()
                bar.update(
                    task, completed=done, total=total or None, description=plain(text(doing)), left=_left(remaining)
                )

        yield progress


class _Lines:
    """Progress where standard error is a file or a pipe: a line at intervals."""

    def __init__(self) -> None:
        self._remaining, self._last = RemainingTime(), time.monotonic()

    def __call__(self, done: float, total: float, text: Message = NOTHING) -> None:
        INTERRUPTION.look()
        if total > 0:
            self._remaining.tell(done / total, text.template)
        now = time.monotonic()
        if now - self._last < _LINE_EVERY_S:
            return
        self._last = now
        share = f"{done / total:.0%}, " if total > 0 else ""
        tell(f"{share}{_left(self._remaining)}{text}")


def _left(remaining: RemainingTime) -> str:
    seconds = remaining.seconds()
    return "" if seconds is None else f"{time_left(rounded(seconds))} left: "


INTERRUPTED = 130
"""The exit code."""

_GRACE_S = 1.5
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_SHOW_CURSOR = b"\x1b[?25h\n"  # which a bar of progress hides


class Interruption:
    """A request to stop, made by signals."""

    def __init__(self) -> None:
        self.wished = False
        self._heard = False
        self._patient = 0

    @contextmanager
    def hear(self) -> Iterator[None]:
        """Handle signals inside the block, and after it once there was one, since a process may take long to end."""
        if self._heard or threading.current_thread() is not threading.main_thread():
            yield  # it is heard already; or nobody presses Ctrl-C here
            return
        self._heard, self.wished = True, False
        reader, writer = os.pipe()
        if sys.platform != "win32":
            os.set_blocking(writer, False)
        threading.Thread(target=self._watch, args=(reader,), name="interruption", daemon=True).start()
        waked = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        before = {number: signal.signal(number, self._on_signal) for number in _SIGNALS}
        try:
            yield
        finally:
            if not self.wished:
                for number, handler in before.items():
                    signal.signal(number, handler)
                signal.set_wakeup_fd(waked)
                os.close(writer)  # which ends the thread
                self._heard = False

    @contextmanager
    def patient(self) -> Iterator[None]:
        """Let a signal inside the block only record the request to stop, which :meth:`look` obeys."""
        with self.hear():
            self._patient += 1
            try:
                yield
            finally:
                self._patient -= 1

    def look(self) -> None:
        """Raise ``Cancelled`` if there is a request to stop."""
        if self.wished:
            raise Cancelled

    def finish(self) -> None:
        """Ignore signals from now on: near its end Python restores the system's handlers, and with them exit codes."""
        if self.wished:
            for number in _SIGNALS:
                signal.signal(number, signal.SIG_IGN)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self.wished:
            return  # the second one is the thread's
        self.wished = True
        if not self._patient:
            raise KeyboardInterrupt
        tell("")
        tell(_("Stopping. What is done is kept. Press Ctrl-C again to leave at once."))

    def _watch(self, reader: int) -> None:
        heard = 0
        while numbers := os.read(reader, 64):
            heard += sum(number in _SIGNALS for number in numbers)
            if heard > 1:
                _leave()
            elif heard:
                late = threading.Timer(_GRACE_S, _leave)
                late.daemon = True
                late.start()
        os.close(reader)


def _leave() -> None:
    """End this process and the processes that it started, whatever they are doing."""
    started = sys.modules.get("multiprocessing.process")
    with suppress(OSError, ValueError):
        for child in started.active_children() if started else ():
            child.kill()
    with suppress(OSError, ValueError):
        said = f"\n{_('Stopped.')}\n".encode()  # not printed: whoever waits may be printing
        os.write(sys.stderr.fileno(), (_SHOW_CURSOR if sys.stderr.isatty() else b"") + said)
    os._exit(INTERRUPTED)


INTERRUPTION = Interruption()
"""Of this process."""


atexit.register(INTERRUPTION.finish)
