"""Volumes of macOS: each is known by its UUID, which ``diskutil`` tells, so two sticks of one name are two."""

from __future__ import annotations

import os
import plistlib
import time
from collections.abc import Callable
from xml.parsers.expat import ExpatError

from twinlens.core.systems.volume import Volume, text

_FOLDER = b"/Volumes"
_FRESH_S = 2.0
"""Seconds for which a result of diskutil holds, which takes a tenth of a second: a walk needs it for each folder."""

_VIRTUAL = frozenset({b"/dev"})


def identity_and_label(output: bytes, point: bytes) -> tuple[str, str]:
    """Return identity and label of a mounted volume, by the output of ``diskutil info -plist``.

    What has no UUID, as a share of a server, or a folder that macOS shows from another volume, is known by where it is.

    Parameters
    ----------
    output : bytes
        The property list; empty where diskutil does not know the place.
    point : bytes
        Where the volume is mounted.
    """
    label = text(os.path.basename(point)) or text(point)
    try:
        facts = plistlib.loads(output)
    except (ValueError, plistlib.InvalidFileException, ExpatError):
        facts = {}
    uuid = facts.get("VolumeUUID") or facts.get("DiskUUID")
    if not uuid or facts.get("MountPoint") != os.fsdecode(point):
        return f"mount:{text(point)}", label
    return f"uuid:{uuid}", str(facts.get("VolumeName") or label)


class MacosMounts:
    """The mounts; see :class:`twinlens.core.systems.volume.Mounts`.

    Parameters
    ----------
    output_of : callable
        Returns what a program of the system prints.
    folder_path : callable
        Returns the path of a folder without links, in the case in which the disk has it; OSError if it is not there.
    is_mount : callable
        Tells whether a volume is mounted at a folder.
    listed : callable
        Lists a folder.
    clock : callable
        Gives seconds.
    """

    def __init__(
        self,
        output_of: Callable[..., bytes],
        folder_path: Callable[[bytes], bytes],
        is_mount: Callable[[bytes], bool] = os.path.ismount,
        listed: Callable[[bytes], list[bytes]] = os.listdir,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._output_of = output_of
        self._folder_path = folder_path
        self._is_mount = is_mount
        self._listed = listed
        self._clock = clock
        self._known: dict[bytes, tuple[float, tuple[str, str]]] = {}

    def of(self, folder: bytes) -> tuple[Volume, bytes]:
        """Return the volume of a folder and the path on it; OSError if it is not there."""
        path = self._folder_path(folder)
        point = path
        while not self._is_mount(point) and point != b"/":
            point = os.path.dirname(point)
        identity, label = self._facts(point)
        return Volume(identity, label, point), path[len(point) :].lstrip(b"/")

    def points(self, identity: str) -> tuple[bytes, ...]:
        """Return where a volume is mounted now, in a fixed order."""
        if identity.startswith("mount:"):
            candidates = [os.fsencode(identity.removeprefix("mount:"))]
        else:
            candidates = [b"/", *sorted(os.path.join(_FOLDER, name) for name in self._names())]
        return tuple(point for point in candidates if self._is_mount(point) and self._facts(point)[0] == identity)

    def _names(self) -> list[bytes]:
        try:
            return self._listed(_FOLDER)
        except OSError:
            return []

    def _facts(self, point: bytes) -> tuple[str, str]:
        now = self._clock()
        since, facts = self._known.get(point, (now - _FRESH_S, ("", "")))
        if now - since >= _FRESH_S:
            facts = identity_and_label(self._output_of("/usr/sbin/diskutil", "info", "-plist", point), point)
            self._known[point] = now, facts
        return facts

    def is_virtual(self, folder: bytes) -> bool:
        """Return whether a folder is on a file system in which the system shows itself."""
        return not _VIRTUAL.isdisjoint({folder, os.path.dirname(folder)})

    def virtual_points(self) -> frozenset[bytes]:
        """Return where such file systems are mounted."""
        return _VIRTUAL
