"""Detection of a screen, before Qt is imported, which ends the process without one."""

from __future__ import annotations

import os
import re
import socket
import sys

assert sys.platform == "linux"

_WAIT_S = 3.0
_X_PORT = 6000


def has_screen() -> bool:
    """Return whether there is a screen that answers, or Qt was told what to do without one."""
    if os.environ.get("QT_QPA_PLATFORM"):
        return True
    return _wayland(os.environ.get("WAYLAND_DISPLAY", "")) or _x(os.environ.get("DISPLAY", ""))


def _wayland(display: str) -> bool:
    folder = os.environ.get("XDG_RUNTIME_DIR", "")
    return bool(display) and _answers(socket.AF_UNIX, os.path.join(folder, display))


def _x(display: str) -> bool:
    """Get whether an X server answers at ``host:number.screen``; without a host, or with ``unix``, on this machine."""
    parts = re.fullmatch(r"(.*):(\d+)(\.\d+)?", display)
    if parts is None:
        return bool(display) and _answers(socket.AF_UNIX, display)
    host, number = parts[1], int(parts[2])
    if host in ("", "unix"):
        path = f"/tmp/.X11-unix/X{number}"  # noqa: S108 (where X servers listen)
        return _answers(socket.AF_UNIX, f"\0{path}") or _answers(socket.AF_UNIX, path)
    return _answers(socket.AF_INET, (host, _X_PORT + number))


def _answers(family: socket.AddressFamily, address: str | tuple[str, int]) -> bool:
    try:
        if family is not socket.AF_UNIX:
            socket.create_connection(address, _WAIT_S).close()  # type: ignore[arg-type]
            return True
        with socket.socket(family) as one:
            one.settimeout(_WAIT_S)
            one.connect(address)
    except OSError:
        return False
    return True
