"""Volumes of Linux: the mount table, and the lasting names that udev links to devices.

The kernel knows which mount a folder is on (the open folder's ``mnt_id``); path prefixes are not compared. So links,
bind mounts, btrfs subvolumes and mounts that hide each other all come out right.
"""

from __future__ import annotations

import os
import re
import select
import sys
import threading
from pathlib import Path
from typing import NamedTuple

from core.errors import TwinlensError
from core.systems.volume import Volume, text

assert sys.platform == "linux"


class LinuxMounts:
    """The mounts; see :class:`core.systems.volume.Mounts`."""

    def __init__(self) -> None:
        self._table = MountTable()
        self._names = Names()
        self._points: dict[str, tuple[bytes, ...]] = {}
        self._last: tuple[bytes, tuple[Volume, bytes]] | None = None  # a walk asks for one folder many times

    def _current(self) -> tuple[Mount, ...]:
        mounts, changed = self._table.refresh()
        if changed:
            names = Names()
            visible = {mount.point: names.identity(mount) for mount in mounts}  # the last one hides the others
            points: dict[str, tuple[bytes, ...]] = {}
            for point, identity in sorted(visible.items()):
                points[identity] = (*points.get(identity, ()), point)
            self._names, self._points, self._last = names, points, None
        return mounts

    def of(self, folder: bytes) -> tuple[Volume, bytes]:
        """Return the volume of a folder and the path on it; OSError if it is not there."""
        mounts = self._current()
        last = self._last
        if last is not None and last[0] == folder:
            return last[1]
        found = find_mount(mounts, folder)
        if found is None:
            return Volume("root", "/", b"/"), os.path.relpath(folder, b"/")
        mount, true_folder = found
        volume = Volume(self._names.identity(mount), self._names.label(mount), mount.point)
        answer = volume, true_folder[len(mount.point) :].lstrip(b"/")
        self._last = folder, answer
        return answer

    def points(self, identity: str) -> tuple[bytes, ...]:
        """Return where a volume is mounted now, in a fixed order."""
        self._current()
        return self._points.get(identity, (b"/",) if identity == "root" else ())

    def is_virtual(self, folder: bytes) -> bool:
        """Return whether a folder is on a file system in which the system shows itself."""
        try:
            found = find_mount(self._current(), folder)
        except OSError:
            return False
        return found is not None and is_virtual(found[0])

    def virtual_points(self) -> frozenset[bytes]:
        """Return where such file systems are mounted."""
        points = (mount.point for mount in self._current() if is_virtual(mount))
        return OF_THE_SYSTEM.union(points)


assert sys.platform == "linux"


_TABLE = "/proc/self/mountinfo"
_NAMED_BY_SOURCE = frozenset({"zfs", "nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "afs", "fuse.sshfs"})
_VIRTUAL = frozenset(
    {
        "binder",
        "binfmt_misc",
        "bpf",
        "cgroup",
        "cgroup2",
        "configfs",
        "debugfs",
        "devpts",
        "devtmpfs",
        "efivarfs",
        "fusectl",
        "fuse.lxcfs",
        "hugetlbfs",
        "mqueue",
        "nsfs",
        "proc",
        "pstore",
        "rpc_pipefs",
        "securityfs",
        "selinuxfs",
        "smackfs",
        "sysfs",
        "tracefs",
    }
)
"""File systems in which the kernel shows itself: their files have no end, or do something when they are read."""

OF_THE_SYSTEM = frozenset({b"/dev", b"/proc", b"/run", b"/sys"})
_NUMBER = re.compile(rb"mnt_id:\s*(\d+)")
_PATH_ONLY = getattr(os, "O_PATH", 0)


class MountTable:
    """The mounts of now; the table is read again only when the kernel says that it changed.

    Raises
    ------
    TwinlensError
        If the kernel shows none, as where /proc is not mounted.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        try:
            self._file = os.open(_TABLE, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            raise TwinlensError(
                "The system does not show which drives there are: {file} cannot be read.",
                "Mount it with `mount -t proc proc /proc`.",
                file=_TABLE,
            ) from error
        self._changes = select.poll()
        self._changes.register(self._file, select.POLLPRI)
        self._mounts: tuple[Mount, ...] | None = None

    def refresh(self) -> tuple[tuple[Mount, ...], bool]:
        """Return the mounts, and whether they differ from those of the last call."""
        with self._lock:
            if self._mounts is not None and not self._changes.poll(0):
                return self._mounts, False
            self._mounts = parse_mounts(Path(_TABLE).read_bytes())
            return self._mounts, True


class Mount(NamedTuple):
    """One line of the mount table.

    Attributes
    ----------
    number : int
        The kernel's id of the mount.
    device : int
        Of the file system; 0 major where it has no block device.
    root : bytes
        The folder of the file system that is mounted; not ``/`` for bind mounts and subvolumes.
    point : bytes
        Where it is mounted.
    kind : str
        ``ext4``, ``nfs4``, ...
    source : bytes
        Block device, server or any word.
    """

    number: int
    device: int
    root: bytes
    point: bytes
    kind: str
    source: bytes


def parse_mounts(table: bytes) -> tuple[Mount, ...]:
    r"""Read the text of the mount table.

    Examples
    --------
    >>> parse_mounts(b"36 35 8:1 /photos /mnt/my\\040disk rw shared:1 - ext4 /dev/sda1 rw")[0].point
    b'/mnt/my disk'
    """
    mounts = []
    for line in table.splitlines():
        before, _, after = line.partition(b" - ")
        fields, described = before.split(b" "), after.split(b" ")
        if len(fields) < 6 or len(described) < 2:
            continue
        major, _, minor = fields[2].partition(b":")
        mounts.append(
            Mount(
                int(fields[0]),
                os.makedev(int(major), int(minor)),
                _unescape(fields[3]),
                _unescape(fields[4]),
                described[0].decode("ascii", "replace"),
                _unescape(described[1]),
            )
        )
    return tuple(mounts)


def _unescape(field: bytes) -> bytes:
    return re.sub(rb"\\([0-7]{3})", lambda match: bytes([int(match[1], 8)]), field)


def is_virtual(mount: Mount) -> bool:
    """Return whether the system shows itself in a file system, so that no photograph is in it.

    Examples
    --------
    >>> is_virtual(Mount(1, 0, b"/", b"/proc", "proc", b"proc")), is_virtual(Mount(1, 0, b"/", b"/tmp", "tmpfs", b"x"))
    (True, False)
    """
    return mount.kind in _VIRTUAL or mount.point in OF_THE_SYSTEM


class Names:
    """UUIDs and labels of the block devices that are there.

    Parameters
    ----------
    folder : Path
        Where udev keeps links from names to devices; it may be missing, as in containers.
    """

    def __init__(self, folder: Path = Path("/dev/disk")) -> None:
        self._uuids = _names_by_device(folder / "by-uuid")
        self._labels = _names_by_device(folder / "by-label")

    def identity(self, mount: Mount) -> str:
        """Name a file system so that it is known again wherever, and on whatever day, it is mounted.

        A UUID where there is one; for servers and pools their own name; otherwise kind, source and mount point, which
        at least stay the same from run to run.
        """
        root = "" if mount.root == b"/" else f":{text(mount.root)}"
        for device in _devices(mount):
            if device in self._uuids:
                return f"uuid:{self._uuids[device]}{root}"
        if mount.kind in _NAMED_BY_SOURCE:
            return f"{mount.kind}:{text(mount.source)}{root}"
        return f"{mount.kind}:{text(mount.source)}{root}:{text(mount.point)}"

    def label(self, mount: Mount) -> str:
        """Name a file system for a person: its label, else the name of the folder where it is mounted."""
        for device in _devices(mount):
            if mount.root == b"/" and device in self._labels:
                return self._labels[device]
        return text(os.path.basename(mount.point)) or "/"


def _names_by_device(folder: Path) -> dict[int, str]:
    names: dict[int, str] = {}
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return names
    for entry in entries:
        try:
            device = entry.stat().st_rdev
        except OSError:  # unplugged meanwhile
            continue
        spelt = re.sub(r"\\x([0-9a-fA-F]{2})", lambda match: chr(int(match[1], 16)), entry.name)
        names.setdefault(device, spelt.encode("latin-1", "replace").decode("utf-8", "replace"))
    return names


def _devices(mount: Mount) -> tuple[int, ...]:
    """Return the numbers under which the device may be known: btrfs mounts show a made-up one."""
    if not mount.source.startswith(b"/dev/"):
        return (mount.device,)
    try:
        return (mount.device, os.stat(mount.source).st_rdev)
    except OSError:
        return (mount.device,)


def find_mount(mounts: tuple[Mount, ...], folder: bytes) -> tuple[Mount, bytes] | None:
    """Find the mount that a folder is on.

    Parameters
    ----------
    folder : bytes
        A folder that is there; links in it are followed.

    Returns
    -------
    (Mount, bytes) or None
        The mount and the folder's path without links; None where the table does not show the mount (a changed root).

    Raises
    ------
    OSError
        If the folder is not there or may not be passed through.
    """
    opened = os.open(folder, _PATH_ONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        true_path = os.readlink(b"/proc/self/fd/%d" % opened)
        number = _NUMBER.search(Path(f"/proc/self/fdinfo/{opened}").read_bytes())
    finally:
        os.close(opened)
    if number is not None:
        for mount in mounts:
            if mount.number == int(number[1]) and is_below(true_path, mount.point):
                return mount, true_path
    above = [mount for mount in mounts if is_below(true_path, mount.point)]
    if not above:
        return None
    # Of several at one point the last one hides the others.
    return max(reversed(above), key=lambda mount: len(mount.point)), true_path


def is_below(path: bytes, folder: bytes) -> bool:
    """Return whether a path is a folder or below it.

    Examples
    --------
    >>> is_below(b"/mnt/disk", b"/mnt"), is_below(b"/mnt2", b"/mnt"), is_below(b"/mnt", b"/")
    (True, False, True)
    """
    return path == folder or path.startswith(os.path.join(folder, b""))
