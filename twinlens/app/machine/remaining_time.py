"""The remaining time of work, estimated from the pace of the step under way, and spans of time in words."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

_STEPS, _SECONDS = 5, 3.0  # evidence that an estimate needs, at least
_SHORTEST_S, _LONGEST_S = 15.0, 120.0  # how far back it looks: a tenth of the step so far, and some advances at least
_AGREES = 0.15  # two estimates that differ by less are stable, if they are far enough apart:
_APART_S, _APART = 2.0, 0.05  # seconds, and a share of what is left


class RemainingTime:
    """The time that work still takes, by an exponentially weighted mean of the speed of the step under way.

    It is unknown until two estimates agree, and again when another step begins, whose speed is another. Time without
    an advance counts as soon as it is longer than usual: the estimate counts down between two advances, and goes when
    none comes any more. It never grows: a little growth is noise, with which it stands, and with more it is unknown
    again until it is stable.

    Parameters
    ----------
    clock : callable
        Returns seconds.

    Examples
    --------
    >>> now = 0.0
    >>> left = RemainingTime(lambda: now)
    >>> for now in range(31):
    ...     left.tell(now / 100)
    >>> round(left.seconds())
    70
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.begin()

    def begin(self) -> None:
        """Forget everything: other work begins."""
        self._step = ""
        self._share: float | None = None
        self._paused_at: float | None = None
        self._rested = 0.0  # seconds of all pauses
        self._begin_step()

    def _begin_step(self) -> None:
        self._moves = False
        self._last = self._worked = 0.0
        self._advances = 0
        self._advance = self._took = 0.0  # recent, weighted
        self._earlier: tuple[float, float] | None = None  # an estimate before it is stable, and when it was made
        self._shown: float | None = None

    def tell(self, share: float, step: str = "") -> None:
        """Record the share of the work that is done, from 0 to 1; may be called at any rate.

        Parameters
        ----------
        step : str
            What is being done, by any name that stays while it is done; empty for the same as before.
        """
        now = self._now()
        if step and step != self._step:
            if self._step:
                self._begin_step()
            self._step = step
        if self._share is None or share < self._share:
            self._begin_step()
        elif share > self._share and (not self._moves or self._share == 0.0):
            self._begin_step()
            self._moves, self._last = True, now  # time up to the first advance is preparation, not speed
        elif share > self._share:
            took = now - self._last
            self._worked, self._advances = self._worked + took, self._advances + 1
            far = max(_SHORTEST_S, min(_LONGEST_S, self._worked / 10), _STEPS * self._worked / self._advances)
            weight = math.exp(-took / far)
            self._advance = weight * self._advance + share - self._share
            self._took = weight * self._took + took
            self._last = now
        self._share = share
        self.seconds()  # whether they are stable is seen over time, however rarely somebody looks

    def pause(self) -> None:
        """Stop the clock: rest is no work."""
        if self._paused_at is None:
            self._paused_at = self._clock()

    def resume(self) -> None:
        """Let the clock go on."""
        if self._paused_at is not None:
            self._rested += self._clock() - self._paused_at
            self._paused_at = None

    def rate(self) -> float | None:
        """Return the recent speed, as a share of the work per second; None while there is too little evidence."""
        if self._worked < _SECONDS or self._advances < _STEPS:
            return None
        usual = self._worked / self._advances
        return self._advance / (self._took + max(0.0, self._now() - self._last - usual))

    def seconds(self) -> float | None:
        """Return the remaining seconds; None while they are not stable."""
        rate = self.rate()
        if rate is None or self._share is None:
            return None
        now = self._now()
        left = max(0.0, (1.0 - self._share) / rate - min(now - self._last, self._worked / self._advances))
        if self._shown is None and not self._is_stable(now, left):
            return None
        if self._shown is None or left <= self._shown:
            self._shown = left
        elif left > (1 + _AGREES) * self._shown + 1:
            self._shown = self._earlier = None  # it was not stable after all, or nothing comes any more
        return self._shown

    def _is_stable(self, now: float, left: float) -> bool:
        """Return whether an estimate agrees with an earlier one."""
        if self._earlier is None:
            self._earlier = now, left
            return False
        at, before = self._earlier
        if now - at < max(_APART_S, _APART * left):
            return False
        self._earlier = now, left
        return abs(before - (now - at) - left) <= _AGREES * left + 1

    def _now(self) -> float:
        return (self._clock() if self._paused_at is None else self._paused_at) - self._rested


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
