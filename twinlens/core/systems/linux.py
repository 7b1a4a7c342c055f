"""Linux: its calls for memory, processors, files, power and screens; and its volumes.

Volumes are known by the mount table, and by the lasting names that udev links to devices. The kernel knows which mount
a folder is on (the open folder's ``mnt_id``); path prefixes are not compared. So links, bind mounts, btrfs subvolumes
and mounts that hide each other all come out right.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import functools
import mmap
import os
import platform
import re
import resource
import select
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

assert sys.platform == "linux"


from twinlens.core.errors import TwinlensError
from twinlens.core.systems.machine_facts import *  # noqa: F403
from twinlens.core.systems.machine_facts import installed_memory
from twinlens.core.systems.posix import *  # noqa: F403
from twinlens.core.systems.volume import Mounts, Volume, text

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from twinlens.core.systems.folder_events import FolderEvents
    from twinlens.core.systems.programs import Program


CONTROL_GROUPS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
"""Files with the memory limit of a container, in the newer and the older way."""

_HERE, _NO_REPLACE = -100, 1  # AT_FDCWD, RENAME_NOREPLACE
_CLONE = 0x40049409  # FICLONE


def processors() -> int:
    """Count the processors that this program may use."""
    return len(os.sched_getaffinity(0))


def processor_name() -> str:
    """Return the name of the processor; nothing that tells one machine from another of its kind."""
    with contextlib.suppress(OSError), Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as lines:
        named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
        return next(named, "") or platform.processor()
    return platform.processor()


def memory_bytes() -> int:
    """Return the bytes of memory that this machine has, or that a container lets the program have."""
    found = installed_memory()
    for path in CONTROL_GROUPS:
        with contextlib.suppress(OSError, ValueError):  # “max” is no number
            found = min(found, int(path.read_text(encoding="ascii")))
    return found


def counted_memory() -> int | None:
    """Return the bytes of this process that :func:`limit_memory` counts; None where there is no such limit."""
    import psutil  # few commands need it

    return int(psutil.Process().memory_info().data)


def memory_limit() -> int | None:
    """Return the bytes that this process may take by :func:`limit_memory`; None where it has no limit of its own."""
    soft, _ = resource.getrlimit(resource.RLIMIT_DATA)
    return None if soft == resource.RLIM_INFINITY else soft


def limit_memory(count: int) -> None:
    """Limit the memory that this process can write to, within the limit that it was started with.

    Address space is not limited: libraries reserve much of it that they never use.
    """
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (count if most == resource.RLIM_INFINITY else min(count, most), most))


def give_back_memory() -> None:
    """Return freed memory to the system, where the C library keeps it."""
    if (trim := _trimming()) is not None:
        trim(0)


@functools.cache
def _trimming() -> Callable[[int], int] | None:
    """Return the function of the GNU C library; None where another one is used."""
    trim: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim


def yield_disk() -> None:
    """Have the disk only when nobody else asks for it."""
    import psutil

    with contextlib.suppress(psutil.Error):
        psutil.Process().ionice(psutil.IOPRIO_CLASS_IDLE)


def rename_new(source: bytes, target: bytes) -> None:
    """Rename a file in one step, unless the name is taken; ENOSYS or EINVAL where the file system cannot."""
    call = _renaming()
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), source, None, target)
    if call(_HERE, source, _HERE, target, _NO_REPLACE):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), source, None, target)


def clone(source: bytes, target: bytes) -> None:
    """Make a file under a free name that shares the blocks of another; OSError where the file system cannot."""
    opened = os.open(source, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        with open(target, "xb") as made:
            try:
                fcntl.ioctl(made.fileno(), _CLONE, opened)
            except OSError:
                os.unlink(target)
                raise
    finally:
        os.close(opened)


@functools.cache
def _renaming() -> Callable[..., int] | None:
    """Return the function of the C library; None where it has none."""
    call: Callable[..., int] | None = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    return call


def mounts() -> Mounts:
    """Return the mounts."""
    return LinuxMounts()


def folder_events() -> FolderEvents | None:
    """Return events of folders; None where the kernel gives none."""
    from twinlens.core.systems.folder_events import InotifyEvents

    try:
        return InotifyEvents()
    except OSError:  # too many are in use
        return None


def is_remote(folder: bytes) -> bool:
    """Return whether a folder is on another machine, whose changes the kernel does not see."""
    try:
        found = find_mount(MountTable().refresh()[0], folder)
    except (OSError, TwinlensError):
        return False
    return found is not None and found[0].kind in _REMOTE


def programs_for(kinds: Sequence[str], __: str) -> list[Program]:
    """Return the programs that open files of MIME types, the narrowest type first, or of an ending."""
    from twinlens.core.systems.programs import desktop_entries

    return desktop_entries().programs(kinds)


def file_managers() -> list[Program]:
    """Return the programs that show a folder."""
    from twinlens.core.systems.programs import desktop_entries

    return desktop_entries().programs(["inode/directory"], "FileManager")


def true_path(path: bytes) -> bytes:
    """Return a full path without links, as its names are written on the disk; it need not be there."""
    return os.path.realpath(path)


def nameless_file() -> int:
    """Open a new file without a name; in memory, since a full disk is no reason not to start a process."""
    return os.memfd_create("twinlens")


def send_memory(pipe: Connection[Any, Any], data: memoryview) -> None:
    """Send bytes to another process, in memory that both can see."""
    from multiprocessing import reduction

    descriptor = nameless_file()
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        reduction.send_handle(pipe, descriptor, None)


def receive_memory(pipe: Connection[Any, Any]) -> mmap.mmap:
    """Receive the bytes; each time they cost an open file for as long as they are used."""
    from multiprocessing import reduction

    descriptor = reduction.recv_handle(pipe)
    try:
        return mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
    finally:
        os.close(descriptor)


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
    return bool(display) and _listens(socket.AF_UNIX, os.path.join(folder, display))


def _x(display: str) -> bool:
    """Return whether an X server answers at ``host:number.screen``; without a host, or with ``unix``, here."""
    parts = re.fullmatch(r"(.*):(\d+)(\.\d+)?", display)
    if parts is None:
        return bool(display) and _listens(socket.AF_UNIX, display)
    host, number = parts[1], int(parts[2])
    if host in ("", "unix"):
        path = f"/tmp/.X11-unix/X{number}"  # noqa: S108 (where X servers listen)
        return _listens(socket.AF_UNIX, f"\0{path}") or _listens(socket.AF_UNIX, path)
    return _listens(socket.AF_INET, (host, _X_PORT + number))


def _listens(family: socket.AddressFamily, address: str | tuple[str, int]) -> bool:
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


class LinuxMounts:
    """The mounts; see :class:`twinlens.core.systems.volume.Mounts`."""

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
            return Volume("root", "/", b"/"), os.path.realpath(folder, strict=True)[1:]
        mount, true_folder = found
        volume = Volume(self._names.identity(mount), self._names.label(mount), mount.point)
        volume_and_path = volume, true_folder[len(mount.point) :].lstrip(b"/")
        self._last = folder, volume_and_path
        return volume_and_path

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
_REMOTE = _NAMED_BY_SOURCE - {"zfs"} | {
    "9p",
    "fuse.rclone",
    "fuse.davfs",
    "davfs",
    "fuse.glusterfs",
    "virtiofs",
    "vboxsf",
}
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
