"""Spans of time in words."""

from __future__ import annotations


def time_left(seconds: float) -> str:
    """Write how long work takes still, in the two largest units.

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
    """Round an estimate to what it can tell: a second at least, steps of 5 s from a minute, of a minute from an hour.

    Examples
    --------
    >>> rounded(0.2), rounded(48.6), rounded(161), rounded(3700)
    (1.0, 49.0, 160.0, 3720.0)
    """
    step = 1 if seconds < 60 else 5 if seconds < 3600 else 60
    return max(1.0, float(step * round(seconds / step)))
