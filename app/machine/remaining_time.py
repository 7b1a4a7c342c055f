"""The remaining time of work, estimated from its recent progress, and spans of time in words."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

_STEPS, _SECONDS = 5, 3.0  # evidence that an estimate needs, at least
_SHORTEST_S, _LONGEST_S = 15.0, 120.0  # how far back it looks: a tenth of the work so far, and some steps at least


class RemainingTime:
    """The time that work still takes: unknown at first, then by an exponentially weighted mean of its speed.

    Time without a step counts as soon as it is longer than usual, so the estimate never stands still: between two
    steps it counts down, and when steps stop coming it grows.

    Parameters
    ----------
    clock : callable
        Returns seconds.

    Examples
    --------
    >>> now = 0.0
    >>> left = RemainingTime(lambda: now)
    >>> for now in range(11):
    ...     left.tell(now / 100)
    >>> round(left.seconds())
    90
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.begin()

    def begin(self) -> None:
        """Forget everything: other work begins."""
        self._share: float | None = None
        self._last = self._worked = 0.0
        self._paused_at: float | None = None
        self._steps = 0
        self._advance = self._took = 0.0  # recent, weighted

    def tell(self, share: float) -> None:
        """Record the share of the work that is done, from 0 to 1; may be called at any rate."""
        now = self._now()
        if not self._share or share < self._share:  # time up to the first step is preparation, not speed
            self._share, self._last = share, now
            self._worked, self._steps = 0.0, 0
            self._advance = self._took = 0.0
        elif share > self._share:
            took = now - self._last
            self._worked, self._steps = self._worked + took, self._steps + 1
            far = max(_SHORTEST_S, min(_LONGEST_S, self._worked / 10), _STEPS * self._worked / self._steps)
            weight = math.exp(-took / far)
            self._advance = weight * self._advance + share - self._share
            self._took = weight * self._took + took
            self._share, self._last = share, now

    def pause(self) -> None:
        """Stop the clock: rest is no work."""
        if self._paused_at is None:
            self._paused_at = self._clock()

    def resume(self) -> None:
        """Let the clock go on."""
        if self._paused_at is not None:
            self._last += self._clock() - self._paused_at
            self._paused_at = None

    def seconds(self) -> float | None:
        """Return the remaining seconds; None while there is too little evidence."""
        if self._share is None or self._worked < _SECONDS or self._steps < _STEPS:
            return None
        usual = self._worked / self._steps
        waited = self._now() - self._last
        late = max(0.0, waited - usual)
        left = (1.0 - self._share) * (self._took + late) / self._advance
        return max(0.0, left - min(waited, usual))

    def _now(self) -> float:
        return self._clock() if self._paused_at is None else self._paused_at


def time_left(seconds: float) -> str:
    """Write the remaining time in its two largest units.

    Examples
    --------
    >>> time_left(7), time_left(67), time_left(7322)
    ('7 s', '1 min 07 s', '2 h 02 min')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


def rounded(seconds: float) -> float:
    """Round an estimate to its precision: at least a second, steps of 5 s from a minute, of a minute from an hour.

    Examples
    --------
    >>> rounded(0.2), rounded(48.6), rounded(161), rounded(3700)
    (1.0, 49.0, 160.0, 3720.0)
    """
    step = 1 if seconds < 60 else 5 if seconds < 3600 else 60
    return max(1.0, float(step * round(seconds / step)))
