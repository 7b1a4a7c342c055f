"""Battery power, and work that rests while the computer runs on it."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from core.message import NOTHING, Message
from core.progress import Progress

SUPPLIES = Path("/sys/class/power_supply")
"""Where Linux lists batteries and what charges them, a folder each."""

PAUSED = Message("Paused: on battery")

_LOOK_EVERY_S = 5.0
_TELL_EVERY_S = 0.2  # while paused: how soon Cancel is heard
_CHARGERS = frozenset({"Mains", "USB", "Wireless"})
_PLUGGED_OUT = 0  # ACLineStatus of Windows


def on_battery() -> bool:
    """Return whether this computer runs on its battery; no, where it has none or the system does not say."""
    system: str = sys.platform
    if system == "win32":
        return _windows_says_battery()
    if system == "darwin":
        return _macos_says_battery()
    return supplies_say_battery(SUPPLIES)


def supplies_say_battery(supplies: Path) -> bool:
    """Read Linux's list of power supplies.

    A battery of the computer must be there (not that of a mouse), and none of what charges it be connected. Where no
    charger is listed, as on some tablets, the battery must say that it is being discharged.

    Parameters
    ----------
    supplies : Path
        The folder ``/sys/class/power_supply``, or one that is made like it.
    """
    batteries: list[str] = []
    chargers: list[bool] = []
    for supply in _folders(supplies):
        kind = _said(supply, "type")
        if _said(supply, "scope") == "Device":
            continue
        if kind in _CHARGERS and (online := _said(supply, "online")):
            chargers.append(online != "0")
        elif kind in {"Battery", "UPS"} and _said(supply, "present") != "0":
            batteries.append(_said(supply, "status"))
    if not batteries or any(chargers):
        return False
    # Drivers say much while nothing charges: "Not charging", "Unknown"; of two batteries one rests meanwhile.
    return "Discharging" in batteries or (bool(chargers) and not any(map(_is_charged, batteries)))


def _is_charged(status: str) -> bool:
    return status in {"Charging", "Full"}


def _folders(supplies: Path) -> list[Path]:
    try:
        return sorted(supplies.iterdir())
    except OSError:
        return []


def _said(supply: Path, name: str) -> str:
    """Read one file of a supply; empty where it is not there, or the driver does not answer."""
    try:
        return (supply / name).read_text("ascii", errors="replace").strip()
    except OSError:
        return ""


class _PowerStatus(ctypes.Structure):
    """SYSTEM_POWER_STATUS of Windows."""

    _fields_ = (
        ("line", ctypes.c_ubyte),
        ("battery", ctypes.c_ubyte),
        ("percent", ctypes.c_ubyte),
        ("saver", ctypes.c_ubyte),
        ("seconds", ctypes.c_ulong),
        ("seconds_full", ctypes.c_ulong),
    )


def _windows_says_battery() -> bool:
    status = _PowerStatus()
    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009 (it is there on Windows only)
    return bool(kernel.GetSystemPowerStatus(ctypes.byref(status))) and status.line == _PLUGGED_OUT


def _macos_says_battery() -> bool:
    try:
        told = subprocess.run(
            ["/usr/bin/pmset", "-g", "batt"], capture_output=True, text=True, errors="replace", timeout=5, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return "'Battery Power'" in told.stdout


class Sparing:
    """Progress that does not return while the computer runs on its battery, and so lets long work rest.

    What it tells meanwhile is told on and on, so that the work can be cancelled while it rests.

    Parameters
    ----------
    progress : Progress
        Who is told; may raise ``Cancelled``.
    is_on_battery : callable
        Asked every few seconds.
    wait : callable
        Waits so many seconds.
    clock : callable
        Gives seconds.
    """

    def __init__(
        self,
        progress: Progress,
        is_on_battery: Callable[[], bool] = on_battery,
        wait: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._progress = progress
        self._is_on_battery = is_on_battery
        self._wait = wait
        self._clock = clock
        self._looked = -_LOOK_EVERY_S + clock()

    def __call__(self, done: float, total: float, text: Message = NOTHING) -> None:
        """Report progress, and return when there is power."""
        self._progress(done, total, text)
        while self._rests():
            self._progress(done, total, PAUSED)
            while self._clock() - self._looked < _LOOK_EVERY_S:
                self._wait(_TELL_EVERY_S)
                self._progress(done, total, PAUSED)

    def _rests(self) -> bool:
        if self._clock() - self._looked < _LOOK_EVERY_S:
            return False
        resting = self._is_on_battery()
        self._looked = self._clock()
        return resting
