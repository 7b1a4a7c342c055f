"""Functions that psutil does on every system."""

from __future__ import annotations

import psutil

__all__ = ["installed_memory", "on_battery", "resident_memory"]


def installed_memory() -> int:
    """Return the bytes of memory of this machine."""
    return int(psutil.virtual_memory().total)


def resident_memory() -> int:
    """Return the bytes of memory that this process takes."""
    return int(psutil.Process().memory_info().rss)


def on_battery() -> bool:
    """Return whether this computer runs on its battery; no, where it has none or the system does not say."""
    battery = psutil.sensors_battery()
    return battery is not None and battery.power_plugged is False
