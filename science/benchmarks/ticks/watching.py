"""A timer of 16 ms, and the gaps between its ticks."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QEventLoop, Qt, QTimer

EVERY_MS = 16
LATE_S = 0.05
PATIENCE_S = 240.0


@dataclass(frozen=True)
class Ticks:
    """What the gaps were.

    Attributes
    ----------
    worst, hundredth : float
        The longest, and that which one in a hundred is longer than, in ms.
    late : int
        Of more than 50 ms.
    busy : float
        The longest that the window's own thread worked between two, in ms of processor time: other work of the machine
        does not count.
    count : int
    seconds : float
    ended : bool
        What was waited for came to its end.
    """

    worst: float
    hundredth: float
    late: int
    busy: float
    count: int
    seconds: float
    ended: bool = True

    def values(self) -> dict[str, float]:
        """Return them for a file."""
        return asdict(self)


def watch(
    begin: Callable[[], object], done: Callable[[], bool], least_s: float = 0.0, ticked: Callable[[], object] = int
) -> Ticks:
    """Begin something with the timer running, and watch it until it is done, and at least so long; tell each tick."""
    loop, clock, looking = QEventLoop(), QTimer(), QTimer()
    times: list[float] = []
    worked: list[float] = []
    clock.setTimerType(Qt.TimerType.PreciseTimer)
    clock.timeout.connect(lambda: times.append(time.perf_counter()))
    clock.timeout.connect(lambda: worked.append(time.thread_time()))
    clock.timeout.connect(ticked)
    started = time.perf_counter()
    ended: list[bool] = []

    def look() -> None:
        now = time.perf_counter() - started
        if now > PATIENCE_S or (now > least_s and done()):
            ended.append(now <= PATIENCE_S)
            loop.quit()

    looking.timeout.connect(look)
    looking.setInterval(100)
    clock.start(EVERY_MS)
    looking.start()
    QTimer.singleShot(5 * EVERY_MS, begin)
    loop.exec()
    clock.stop()
    looking.stop()
    gaps = np.array([after - before for before, after in pairwise(times)])
    return Ticks(
        worst=round(1e3 * float(gaps.max()), 1),
        hundredth=round(1e3 * float(np.quantile(gaps, 0.99)), 1),
        late=int((gaps > LATE_S).sum()),
        busy=round(1e3 * max(after - before for before, after in pairwise(worked)), 1),
        count=len(gaps),
        seconds=round(times[-1] - times[0], 1),
        ended=ended == [True],
    )


def settle(done: Callable[[], bool], quiet_s: float = 0.6) -> None:
    """Let the window do what it has to, until nothing is under way for a while."""
    since: list[float] = []

    def look() -> bool:
        if not done():
            since.clear()
        elif not since:
            since.append(time.perf_counter())
        return bool(since) and time.perf_counter() - since[0] > quiet_s

    watch(lambda: None, look)
