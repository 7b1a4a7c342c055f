"""A mounted file system, and the mounts of a system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Volume:
    """A file system, or the part of one that is mounted.

    Attributes
    ----------
    identity : str
        The same from run to run, and where the file system has a name of its own the same wherever it is mounted.
    label : str
        Its name for a person.
    mount : bytes
        Where it is mounted, or was when it was last seen.
    """

    identity: str
    label: str
    mount: bytes


class Mounts(Protocol):
    """The mounts of a system, as they are at each moment; all paths have ``/`` between their folders."""

    def of(self, folder: bytes) -> tuple[Volume, bytes]:
        """Return the volume of a folder and the path on it; OSError if it is not there."""

    def points(self, identity: str) -> tuple[bytes, ...]:
        """Return where a volume is mounted now, in a fixed order."""

    def is_virtual(self, folder: bytes) -> bool:
        """Return whether a folder is on a file system in which the system shows itself, such as /proc."""

    def virtual_points(self) -> frozenset[bytes]:
        """Return where such file systems are mounted."""


def text(path: bytes) -> str:
    """Write bytes as text that any store takes, always the same for the same bytes."""
    return path.decode("utf-8", "backslashreplace")
