"""A disk in memory on which everything happens that happens to disks, between any two calls, and a log in memory.

Folders are on stores, which are mounted: one store in two places, under different device numbers; some tell case apart,
some do not; those that are unplugged come back. Other programs are at work on the same files. It has the methods of
:class:`twinlens.app.machine.disk.Disk`, as far as the moving of photographs calls them.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from twinlens.app.disposal.disposal_plan import PlannedFile
from twinlens.app.disposal.file_links import LinkKind
from twinlens.app.library.library import LocatedPhotograph
from twinlens.app.machine.disk import ASIDE, FileStatus
from twinlens.core.errors import TwinlensError
from twinlens.core.message import NOTHING, Message
from twinlens.core.systems.volume import Volume
from twinlens.storage.disposals import LINK, NOTES, DisposalOutcome, DisposalRow, MovedCompanion, NewDisposal

PART = b".twinlens-part"
_FILE, _LINK, _FOLDER = stat.S_IFREG | 0o644, stat.S_IFLNK | 0o777, stat.S_IFDIR | 0o755

Choose = Callable[[int], int]
"""Gives a number from 0 to below another one: by chance, or as a test that makes failures small wants it."""


class Killed(BaseException):
    """The program is killed: from then on it does nothing."""


class Inode:
    """A file or a link, whatever names it has.

    Of a file and the copies that the program makes of it, the original counts the names that people have given and not
    taken away, wherever they are and however the program calls them.
    """

    __slots__ = ("content", "ctime", "held", "link", "mtime", "names", "number", "original", "seen", "written")

    def __init__(self, number: int, content: bytes, time: int, link: bytes | None = None) -> None:
        self.number, self.content, self.mtime, self.ctime, self.link = number, content, time, time, link
        self.original, self.names, self.seen = self, 1, True
        self.held, self.written = content, 0  # what it held before another program wrote into it, at which step


class Store:
    """A file system: its folders, each with the files by name."""

    def __init__(self, folders: Sequence[bytes], folds_case: bool = False, renames_in_steps: bool = False) -> None:
        self.folders: dict[bytes, dict[bytes, Inode]] = {one: {} for one in folders}
        self.folds_case, self.renames_in_steps, self.present = folds_case, renames_in_steps, True
        self.clones = False


@dataclass(frozen=True)
class Mount:
    """Where a folder of a store is to be seen, and under which device number."""

    store: Store
    folder: bytes
    device: int


class DiskInMemory:
    """Disks in memory.

    Parameters
    ----------
    mounts : dict of bytes to Mount
        By mount point; one is ``b"/"``.
    volumes : dict of str to bytes
        The mount points of volumes.
    """

    def __init__(self, mounts: dict[bytes, Mount], volumes: dict[str, bytes]) -> None:
        self.mounts = mounts
        self.points = sorted(mounts, key=len, reverse=True)
        self.volumes = volumes
        self.steps = 0
        self.quiet = True  # nothing happens between calls
        self.dead = False
        self.fails_late: OSError | None = None  # what the call says that is made now, though it has done its work
        self.before_step: Callable[[str], None] = lambda _: None
        self.made: Counter[bytes] = Counter()
        self.destroyed: Counter[bytes] = Counter()
        self.links = False
        self.merged: dict[bytes, bytes] = {}  # the contents of copies that became links, by their paths
        self.read_last: dict[bytes, int] = {}
        self.aside: dict[bytes, bytes] = {}
        # Where the program has moved what it had not set aside there, and what that held when it could last look.
        self.brought: dict[bytes, bytes] = {}
        self._found: dict[bytes, tuple[Mount, dict[bytes, Inode] | None]] = {}  # a path is looked for very often
        self._number = 0
        self._time = 1000

    # --- the world outside: what is there, and what other programs do

    def find(self, path: bytes) -> tuple[Mount, dict[bytes, Inode] | None, bytes]:
        """Return where a path leads: the mount, the folder's files if there is such a folder, the name there."""
        parent, _, name = path.rpartition(b"/")
        if parent not in self._found:
            self._found[parent] = self._find_folder(parent or b"/")
        mount, files = self._found[parent]
        if files is not None and mount.store.folds_case and name not in files:
            name = next((one for one in files if one.lower() == name.lower()), name)
        return mount, files, name

    def _find_folder(self, folder: bytes) -> tuple[Mount, dict[bytes, Inode] | None]:
        for point in self.points:
            mount = self.mounts[point]
            if mount.store.present and (folder == point or folder.startswith(point.rstrip(b"/") + b"/")):
                rest = folder[len(point) :].strip(b"/")
                return mount, mount.store.folders.get(b"/".join(filter(None, (mount.folder, rest))))
        raise AssertionError

    def plug(self, store: Store, present: bool) -> None:
        """Plug a disk in, or out."""
        store.present = present
        self._found.clear()

    def at(self, path: bytes) -> Inode | None:
        """Return what a path itself is."""
        _, files, name = self.find(path)
        return None if files is None else files.get(name)

    def put(self, path: bytes, content: bytes) -> None:
        """Write a new file, as another program does: what was there under this name is gone."""
        self.remove(path)
        _, files, name = self.find(path)
        if files is not None:
            files[name] = self._new(content)
            self.made[content] += 1

    def remove(self, path: bytes) -> None:
        """Remove a name, as another program does."""
        _, files, name = self.find(path)
        if files is not None and name in files:
            gone = files.pop(name)
            gone.original.names -= 1
            if gone.link is None and gone.original.names == 0:
                self.destroyed[gone.content] += 1

    def write_into(self, inode: Inode, content: bytes, mtime: int | None = None) -> None:
        """Write into a file, as a program does that had it open; a copy that nobody has seen yet nobody has open."""
        if not inode.seen:
            return
        self.destroyed[inode.content] += 1
        self.made[content] += 1
        inode.held, inode.written = inode.content, self.steps
        inode.content, inode.ctime = content, self.tick()
        inode.mtime = inode.ctime if mtime is None else mtime

    def link(self, path: bytes, target: bytes) -> None:
        """Make a symbolic link, as another program does."""
        self.remove(path)
        _, files, name = self.find(path)
        if files is not None:
            files[name] = self._new(b"", target)

    def rename_by_other(self, path: bytes, target: bytes) -> None:
        """Rename a file over whatever has the other name, as another program does."""
        mount, files, name = self.find(path)
        there, others, other = self.find(target)
        if files is None or others is None or name not in files or mount is not there:
            return
        if files[name] is not others.get(other):
            self.remove(target)
            others[other] = files.pop(name)

    def second_name(self, path: bytes, target: bytes) -> None:
        """Make a hard link, as another program does."""
        mount, files, name = self.find(path)
        there, others, other = self.find(target)
        if files is None or others is None or mount.store is not there.store or name not in files or other in others:
            return
        others[other] = files[name]
        files[name].original.names += 1

    def stores(self) -> list[Store]:
        """Return the stores."""
        return list({id(mount.store): mount.store for mount in self.mounts.values()}.values())

    def reachable(self) -> Counter[bytes]:
        """Count the whole files that a person can see, by content."""
        seen: dict[int, Inode] = {}
        for path, inode in self.everything():
            if inode.link is None and not is_hidden(path):
                seen[id(inode)] = inode
        return Counter(one.content for one in seen.values())

    def visible_names(self) -> Counter[Inode]:
        """Count the names that a person can see of each file and the copies that the program has made of it."""
        folders = (files for store in self.stores() for files in store.folders.values())
        return Counter(one.original for files in folders for name, one in files.items() if not is_hidden(name))

    def everything(self) -> Iterator[tuple[bytes, Inode]]:
        """Yield all paths that lead somewhere, and where."""
        for point, mount in self.mounts.items():
            for folder, files in mount.store.folders.items():
                if mount.folder and folder != mount.folder and not folder.startswith(mount.folder + b"/"):
                    continue
                inside = folder[len(mount.folder) :].strip(b"/")
                above = point.rstrip(b"/") + (b"/" + inside if inside else b"")
                for name in list(files):
                    path = above + b"/" + name
                    if files.get(name) is not None and self.at(path) is files[name]:  # else it is below a mount
                        yield path, files[name]

    def tick(self) -> int:
        """Return the time, which goes on."""
        self._time += 1
        return self._time

    def _new(self, content: bytes, link: bytes | None = None) -> Inode:
        self._number += 1
        return Inode(self._number, content, self.tick(), link)

    # --- the calls of the program

    def _step(self, call: str) -> None:
        if self.dead:
            raise Killed
        self.steps += 1
        self.fails_late = None
        if not self.quiet:
            self.before_step(call)

    def _reply(self) -> None:
        if self.fails_late is not None:
            raise self.fails_late

    def _files(self, path: bytes) -> tuple[Mount, dict[bytes, Inode], bytes]:
        mount, files, name = self.find(path)
        if files is None:
            raise FileNotFoundError(errno.ENOENT, "no such folder", path)
        return mount, files, name

    def _there(self, path: bytes) -> tuple[Mount, Inode]:
        mount, files, name = self._files(path)
        if name not in files:
            raise FileNotFoundError(errno.ENOENT, "no such file", path)
        return mount, files[name]

    def status(self, path: bytes) -> FileStatus:
        self._step("status")
        _, files, name = self.find(path)
        if (files is None or name not in files) and self._folder(path) is not None:
            return FileStatus(self._mount_of(path).device, 0, 0, 0, 0, _FOLDER)
        return _status(*self._there(path))

    def _mount_of(self, folder: bytes) -> Mount:
        return self.find(folder.rstrip(b"/") + b"/x")[0]

    def _folder(self, folder: bytes) -> dict[bytes, Inode] | None:
        return self.find(folder.rstrip(b"/") + b"/x")[1]

    def exists(self, path: bytes) -> bool:
        self._step("exists")
        return self.at(path) is not None or self._folder(path) is not None

    def look(self, path: bytes) -> tuple[FileStatus, bytes]:
        self._step("look")
        mount, inode = self._there(path)
        if inode.link is not None:
            raise OSError(errno.ELOOP, "a link", path)
        before, half = _status(mount, inode), len(inode.content) // 2
        first = inode.content[:half]
        self._step("look")
        if not mount.store.present:
            raise OSError(errno.EIO, "the disk is gone", path)
        content = first + inode.content[half:]
        if _status(mount, inode).times != before.times or _status(*self._there(path)).times != before.times:
            raise OSError(errno.EBUSY, "another program is changing it", path)
        self.read_last[path] = self.steps
        return before, content

    def names(self, folder: bytes) -> list[bytes]:
        self._step("names")
        return list(self._folder(folder) or ())

    def may(self, path: bytes, how: int) -> bool:
        return True

    def is_read_only(self, folder: bytes) -> bool:
        return False

    def is_present(self, volume: Volume) -> bool:
        self._step("is_present")
        return self.mounts[self.volumes[volume.identity]].store.present

    def locate(self, volume: Volume, relative: bytes) -> bytes:
        return self.volumes[volume.identity] + b"/" + relative

    def volume_of(self, folder: bytes) -> str:
        self._step("is_present")
        return self.top(folder).decode()

    def top(self, folder: bytes) -> bytes:
        mount = self._mount_of(folder)
        return next(point for point in self.points if self.mounts[point] is mount)

    def home(self) -> bytes:
        return b"/home"

    def data(self) -> bytes:
        return b"/home/data"

    def read(self, path: bytes, most: int) -> bytes:
        self._step("read")
        return self._there(path)[1].content[:most]

    def free_space(self, folder: bytes) -> int:
        return 1 << 30

    def hide(self, path: bytes, hidden: bytes) -> None:
        self._step("hide")
        self._rename(path, hidden)
        self.aside[path] = hidden
        self.read_last.pop(hidden, None)
        self._reply()

    def rename(self, source: bytes, target: bytes) -> None:
        self._step("rename")
        mount = self.find(source)[0]
        if not mount.store.renames_in_steps:
            self._rename(source, target)
            self._reply()
            return
        _, files, name = self._files(target)
        inode = self._there(source)[1]
        self._check_rename(source, target)
        known = {one: (one.original, one.names) for each in mount.store.folders.values() for one in each.values()}
        merged = dict(self.merged)
        self._give(target, inode)  # its old name is about to go
        try:
            self._step("unlink")
        except OSError:
            files.pop(name, None)
            if self.links:  # it has passed no name on after all
                self.merged = merged
                for one, (original, names) in known.items():
                    one.original, one.names = original, names
            raise
        self._files(source)[1].pop(self.find(source)[2], None)

    def _check_rename(self, source: bytes, target: bytes) -> None:
        if self.find(source)[0] is not self.find(target)[0]:
            raise OSError(errno.EXDEV, "another file system", source)
        if self.at(target) is not None:
            raise FileExistsError(errno.EEXIST, "taken", target)

    def _rename(self, source: bytes, target: bytes) -> None:
        _, files, name = self._files(source)
        self._files(target)
        self._there(source)
        self._check_rename(source, target)
        self._give(target, files.pop(name))

    def _give(self, target: bytes, inode: Inode) -> None:
        _, files, name = self._files(target)
        files[name] = inode
        inode.ctime = self.tick()
        if self.links and target in self.aside:
            self._pass_name(target, self.at(self.aside[target]), inode)
        inode.seen |= not is_hidden(target)
        if target not in self.aside:
            self.brought[target] = inode.held if inode.written == self.steps else inode.content

    def _pass_name(self, target: bytes, old: Inode | None, new: Inode) -> None:
        """Have a file that people gave a name pass it on: to another one as a link, or to a file of its own again."""
        if old is None or old is new:
            return
        old.original.names -= 1
        if new.seen:
            new.original.names += 1
            if new.content == old.content:
                self.merged[target] = old.content
            return
        new.original, new.names = new, 1
        if old.original.names > 0:
            self.merged.pop(target, None)

    def unlink(self, path: bytes) -> None:
        self._step("unlink")
        _, files, name = self._files(path)
        if files.pop(name, None) is None:
            raise FileNotFoundError(errno.ENOENT, "no such file", path)
        self._reply()

    def unlink_unchanged(self, path: bytes, known: FileStatus) -> None:
        self._step("unlink")
        if _status(*self._there(path)).times != known.times:
            raise OSError(errno.EBUSY, "another program is changing it", path)
        _, files, name = self._files(path)
        del files[name]
        self._reply()

    def make_folder(self, folder: bytes, mode: int = 0o777) -> None:
        self._step("make_folder")
        parts = folder.strip(b"/").split(b"/")
        for count in range(1, len(parts) + 1):
            one = b"/" + b"/".join(parts[:count])
            if self._folder(one) is None:
                mount, _, _ = self.find(one + b"/x")
                point = next(point for point in self.points if self.mounts[point] is mount)
                inside = one[len(point) :].strip(b"/")
                mount.store.folders[b"/".join(filter(None, (mount.folder, inside)))] = {}
                self._found.clear()

    def copy(self, source: bytes, target: bytes) -> None:
        self._step("copy")
        _, inode = self._there(source)
        mount, files, name = self._files(target)
        half = len(inode.content) // 2
        new = files[name] = self._new(inode.content[:half])
        self._step("copy")
        if not mount.store.present or not self.find(source)[0].store.present:
            raise OSError(errno.EIO, "the disk is gone", target)
        new.content += inode.content[half:]
        new.mtime, new.original, new.seen = inode.mtime, inode.original, False

    def write(self, path: bytes, content: bytes, mode: int = 0o600) -> None:
        self._step("write")
        _, files, name = self._files(path)
        if name in files:
            raise FileExistsError(errno.EEXIST, "taken", path)
        new = files[name] = self._new(b"")
        self._step("write")
        new.content = content

    def sync(self, path: bytes) -> None:
        self._step("sync")

    def hard_link(self, source: bytes, target: bytes) -> None:
        self._step("link")
        inode = self._there(source)[1]
        if self.find(source)[0] is not self.find(target)[0]:
            raise OSError(errno.EXDEV, "another file system", source)
        _, files, name = self._files(target)
        if name in files:
            raise FileExistsError(errno.EEXIST, "taken", target)
        files[name] = inode
        inode.ctime = self.tick()
        self._reply()

    def clone(self, source: bytes, target: bytes) -> None:
        self._step("clone")
        mount, inode = self._there(source)
        if not mount.store.clones or inode.link is not None:
            raise OSError(errno.ENOTSUP, "no clones here", target)
        if mount is not self.find(target)[0]:
            raise OSError(errno.EXDEV, "another file system", source)
        _, files, name = self._files(target)
        files[name] = self._new(inode.content)
        files[name].seen = False

    def dress(self, path: bytes, mode: int, mtime_ns: int) -> None:
        self._step("dress")
        self._there(path)[1].mtime = mtime_ns

    @contextmanager
    def making(self, target: bytes) -> Iterator[bytes]:
        folder, name = os.path.split(target)
        part = folder.rstrip(b"/") + b"/." + name + PART
        try:
            yield part
        finally:
            files = self.find(part)[1]
            if not self.dead and files is not None:
                files.pop(self.find(part)[2], None)

    def clear(self, folder: bytes) -> None:
        self._step("clear")
        files = self._folder(folder) or {}
        for name in [one for one in files if one.endswith(PART)]:
            del files[name]


def is_hidden(path: bytes) -> bool:
    """Return whether a file has one of the names that the program alone uses."""
    return path.endswith((ASIDE, PART))


def _status(mount: Mount, inode: Inode) -> FileStatus:
    mode = _FILE if inode.link is None else _LINK
    return FileStatus(mount.device, inode.number, len(inode.content), inode.mtime, inode.ctime, mode)


@dataclass
class LogInMemory:
    """A log in memory, with the methods of :class:`twinlens.app.disposal.move_log.MoveLog`."""

    volumes: dict[int, Volume]
    known: dict[int, LocatedPhotograph] = field(default_factory=dict)
    rows: dict[int, DisposalRow] = field(default_factory=dict)
    step: Callable[[str], None] = lambda _: None

    def plan(self, files: Sequence[NewDisposal]) -> list[DisposalRow]:
        """Write a plan down."""
        self.step("log")
        rows = []
        for one in files:
            values: dict[str, Any] = {name: getattr(one, name) for name in NewDisposal.__dataclass_fields__}
            row = DisposalRow(
                **values, id=len(self.rows) + 1, run=1, state=DisposalOutcome.PLANNED, reason=NOTHING,
                created="2026-01-01T00:00:00", changed="2026-01-01T00:00:00",
            )  # fmt: skip
            self.rows[row.id] = row
            rows.append(row)
        return rows

    def _change(self, row: DisposalRow, **values: Any) -> DisposalRow:
        self.step("log")
        self.rows[row.id] = replace(self.rows[row.id], **values)
        return self.rows[row.id]

    def look_up(self, file: PlannedFile) -> tuple[LocatedPhotograph, LocatedPhotograph | None]:
        ids = [file.row.id, *(() if file.kept is None else (file.kept.id,))]
        if not self.known.keys() >= set(ids):
            raise TwinlensError("The library was changed since this was planned.", "Decide anew.")
        return self.known[file.row.id], None if file.kept is None else self.known[file.kept.id]

    def unfinished(self) -> tuple[list[DisposalRow], dict[int, Volume]]:
        return [row for row in self.rows.values() if row.state is DisposalOutcome.PLANNED], self.volumes

    def replan(self, row: DisposalRow, lies_at: bytes, beside: Sequence[MovedCompanion]) -> DisposalRow:
        return self._change(row, lies_at=lies_at, beside=tuple(beside))

    def carries(self, row: DisposalRow, change: Sequence[str | None]) -> DisposalRow:
        return self._change(row, known={**row.known, NOTES: change})

    def done(self, row: DisposalRow, lies_at: bytes | None, beside: Sequence[MovedCompanion]) -> None:
        self._change(row, state=DisposalOutcome.DONE, lies_at=lies_at, beside=tuple(beside))
        self.known.pop(row.known["photograph"], None)

    def linked(self, row: DisposalRow, status: FileStatus, kind: LinkKind) -> None:
        known = {**row.known[LINK], "number": status.number, "kind": kind.value}
        self._change(row, state=DisposalOutcome.DONE, known={**row.known, LINK: known})

    def unlinked(self, row: DisposalRow, status: FileStatus) -> None:
        self.undone(row, b"")

    def left(self, rows: Sequence[DisposalRow], reason: Message) -> None:
        for row in rows:
            self._change(row, state=DisposalOutcome.LEFT, reason=reason)

    def returns(self, row: DisposalRow) -> None:
        self._change(row, state=DisposalOutcome.PLANNED, known={**row.known, "returning": True})

    def stays(self, row: DisposalRow) -> None:
        known = {name: value for name, value in row.known.items() if name != "returning"}
        self._change(row, state=DisposalOutcome.DONE, known=known)

    def undone(self, row: DisposalRow, path: bytes) -> None:
        known = {name: value for name, value in row.known.items() if name != "returning"}
        self._change(row, state=DisposalOutcome.UNDONE, known=known)
