"""Volumes of Windows: a disk is known by its serial number whichever letter it has, a share by server and name."""

from __future__ import annotations

import os
from typing import Protocol

from core.systems.volume import Volume
from core.systems.windows_paths import share_of, slashed


class VolumeCalls(Protocol):
    """The calls of Windows for volumes, which raise OSError."""

    def true_path(self, path: str) -> str:
        """Return the path of a folder without links and substituted drives, in the case in which the disk has it."""

    def volume_root(self, path: str) -> str:
        r"""Return where the volume of a folder is mounted, such as ``C:\``."""

    def volume_label(self, root: str) -> tuple[str, int]:
        """Return label and serial number of a mounted volume."""

    def drives(self) -> list[str]:
        """Return the roots of all drives."""


class WindowsMounts:
    """The mounts; see :class:`core.systems.volume.Mounts`."""

    def __init__(self, calls: VolumeCalls) -> None:
        self._calls = calls

    def of(self, folder: bytes) -> tuple[Volume, bytes]:
        """Return the volume of a folder and the path on it; OSError if it is not there."""
        path = self._calls.true_path(os.fsdecode(folder))
        root = self._calls.volume_root(path)
        point = slashed(os.fsencode(root))
        identity, label = self._facts(root)
        return Volume(identity, label, point), slashed(os.fsencode(path))[len(point) :].strip(b"/")

    def points(self, identity: str) -> tuple[bytes, ...]:
        """Return where a volume is mounted now, in a fixed order."""
        share = identity.removeprefix("share:")
        candidates = self._calls.drives() if share == identity else [share.replace("/", "\\") + "\\"]
        return tuple(slashed(os.fsencode(root)) for root in candidates if self._is(root, identity))

    def _is(self, root: str, identity: str) -> bool:
        try:
            return self._facts(root)[0] == identity
        except OSError:  # a drive without a disk
            return False

    def _facts(self, root: str) -> tuple[str, str]:
        """Return identity and label of a mounted volume."""
        label, serial = self._calls.volume_label(root)
        share, name = share_of(root), root.rstrip("\\")
        return f"share:{share}" if share else f"serial:{serial:08x}", f"{label} ({name})" if label else name

    def is_virtual(self, folder: bytes) -> bool:
        """Return False: no file system of Windows shows the system itself."""
        return False

    def virtual_points(self) -> frozenset[bytes]:
        """Return none."""
        return frozenset()
