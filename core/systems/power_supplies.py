"""Linux's list of power supplies: batteries, and what charges them, a folder each."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path("/sys/class/power_supply")

_CHARGERS = frozenset({"Mains", "USB", "Wireless"})


def say_battery(supplies: Path) -> bool:
    """Return whether the computer runs on its battery.

    A battery of the computer must be there (not that of a mouse), and none of what charges it be connected. Where no
    charger is listed, as on some tablets, the battery must say that it is being discharged.

    Parameters
    ----------
    supplies : Path
        `FOLDER`, or one that is made like it.
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
