"""Sockets on which processes wait for others, as Linux lists them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

_LISTENS = "0A"  # state of a TCP socket
_ACCEPTS = 0x10000  # flag of a Unix socket


def listening(processes: Iterable[int]) -> set[str]:
    """Return what some processes listen on: ports as decimal numbers, and names of Unix sockets."""
    held = {link for process in processes for link in _sockets(process)}
    found = set()
    for name in ("tcp", "tcp6"):
        for fields in _table(name):
            if fields[3] == _LISTENS and fields[9] in held:
                found.add(str(int(fields[1].rpartition(":")[2], 16)))
    for fields in _table("unix"):
        if int(fields[3], 16) & _ACCEPTS and fields[6] in held:
            found.add(fields[7] if len(fields) > 7 else "without a name")
    return found


def descendants(process: int) -> set[int]:
    """Return a process and all that it has started, and they."""
    children: dict[int, set[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
        except OSError:  # it has ended
            continue
        children.setdefault(parent, set()).add(int(status.parent.name))
    found, new = {process}, {process}
    while new := {child for one in new for child in children.get(one, ())} - found:
        found |= new
    return found


def _table(name: str) -> list[list[str]]:
    return [line.split() for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]


def _sockets(process: int) -> Iterator[str]:
    """Return the inodes of a process's sockets."""
    try:
        links = list(Path(f"/proc/{process}/fd").iterdir())
    except OSError:
        return
    for link in links:
        try:
            target = str(link.readlink())
        except OSError:
            continue
        if target.startswith("socket:["):
            yield target[len("socket:[") : -1]
