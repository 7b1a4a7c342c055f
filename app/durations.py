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
