"""Amounts as messages: sizes in bytes and spans of time, in units that a person can read."""

from __future__ import annotations

from core.message import Message, counted

_UNITS = ("kB", "MB", "GB", "TB")


def size(count: float) -> Message:
    """Return a number of bytes as a message.

    Examples
    --------
    >>> [str(size(count)) for count in (999, 1_500, 2_400_000, 14_000_000_000)]
    ['999 B', '1.5 kB', '2.4 MB', '14 GB']
    """
    if count < 1000:
        return Message("{amount:,.0f} {unit}", amount=count, unit="B")
    power = 1
    while power < len(_UNITS) and count >= 1000 ** (power + 1):
        power += 1
    value, unit = count / 1000**power, _UNITS[power - 1]
    if value >= 10:
        return Message("{amount:,.0f} {unit}", amount=value, unit=unit)
    return Message("{amount:,.1f} {unit}", amount=value, unit=unit)


def duration(seconds: float) -> Message:
    """Return a span of time as a message.

    Examples
    --------
    >>> [str(duration(seconds)) for seconds in (0.2, 100, 3600, 36_000)]
    ['1 second', '100 seconds', '60 minutes', '10 hours']
    """
    if seconds >= 7200:
        return counted("{count} hour", "{count} hours", round(seconds / 3600))
    if seconds >= 120:
        return counted("{count} minute", "{count} minutes", round(seconds / 60))
    return counted("{count} second", "{count} seconds", max(1, round(seconds)))
