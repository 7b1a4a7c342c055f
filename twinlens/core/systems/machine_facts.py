"""Functions that psutil does on every system; it is imported when it is needed, since few commands need it."""

from __future__ import annotations

__all__ = ["installed_memory", "on_battery", "resident_memory"]


def installed_memory() -> int:
    """Return the bytes of memory of this machine."""
    import psutil

    return int(psutil.virtual_memory().total)


def resident_memory() -> int:
    """Return the bytes of memory that this process takes."""
    import psutil

    return int(psutil.Process().memory_info().rss)


def on_battery() -> bool:
    """Return whether this computer runs on its battery; no, where it has none or the system does not say."""
    import psutil

    battery = psutil.sensors_battery()
    return battery is not None and battery.power_plugged is False
