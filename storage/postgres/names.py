"""Names of connections, by which an administrator and other programs see who is at work."""

from __future__ import annotations

import os
import socket
import time

_BYTES = 63  # the server cuts off what is longer
_PROGRAM = "twinlens"


def name(purpose: str) -> str:
    """Return the name of a connection: program, process, host, since when and what for.

    Parameters
    ----------
    purpose : str
        In words that complete "process 4711 is ...".

    Examples
    --------
    >>> name("adding photos").startswith(f"twinlens {os.getpid()} ")
    True
    >>> holder("twinlens 4711 archive 14:02:03 adding photos")
    'process 4711 on archive (adding photos since 14:02:03)'
    """
    before, after = f"{_PROGRAM} {os.getpid()} ", f" {time.strftime('%H:%M:%S')} {purpose}"
    host = "".join(socket.gethostname().encode("ascii", "replace").decode().split()) or "?"
    return f"{before}{host[: max(1, _BYTES - len(before) - len(after))]}{after}"[:_BYTES]


def holder(name: str) -> str:
    """Return who has a connection of a name, in the same words as a lock file; other programs by the name alone."""
    parts = name.split(" ", 4)
    if len(parts) < 5 or parts[0] != _PROGRAM:
        return name
    _, process, host, since, purpose = parts
    return f"process {process} on {host} ({purpose} since {since})"
