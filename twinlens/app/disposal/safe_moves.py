"""Safe moves: a photograph and its sidecar files move together, and never the last copy of anything.

Each file is set aside under a hidden name, read and checked before it moves, and so is the photograph that stays in its
place. If anything fails, every file is put back.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from twinlens.app.disposal.file_checks import check_present
from twinlens.app.machine import trash
from twinlens.app.machine.disk import (
    Disk,
    FileStatus,
    discard,
    hidden_name,
    is_one_file,
    move,
    to_its_place,
    why_not,
)
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.core.systems.volume import Volume

Volumes = Mapping[bytes, str]
"""The identities of the volumes that folders are on."""


class FileMove(NamedTuple):
    """A file that is to be moved.

    Attributes
    ----------
    source : bytes
        Full path of where it lies.
    target : bytes or None
        Full path of where it goes, in a folder that is there; None for a trash that only people can open.
    hidden, hidden_target : bytes
        The names under which it is set aside in both places.
    original : bytes or None
        The path of origin in the note of the trash; None if it does not go to the trash.
    content : bytes
        Its content hash; empty where that is not known.
    """

    source: bytes
    target: bytes | None
    hidden: bytes
    hidden_target: bytes
    original: bytes | None
    size: int
    mtime_ns: int
    content: bytes

    @classmethod
    def of(
        cls, source: bytes, target: bytes | None, mark: str, original: bytes | None, what: tuple[int, int, bytes]
    ) -> FileMove:
        """Return a move from its source and target, the mark of the log, and size, time and content."""
        hidden = hidden_name(source, mark)
        return cls(source, target, hidden, hidden if target is None else hidden_name(target, mark), original, *what)

    def seems_at(self, disk: Disk, path: bytes) -> bool:
        """Return whether this file is at a path, by size and time alone; OSError if nobody can see."""
        try:
            status = disk.status(path)
        except (FileNotFoundError, NotADirectoryError):
            return False
        return status.is_file and (status.size, status.mtime_ns) == (self.size, self.mtime_ns)

    def is_at(self, disk: Disk, path: bytes) -> bool:
        """Return whether this file is at a path: by its content, else by size and time.

        Raises
        ------
        OSError
            If something is there that cannot be read now.
        """
        try:
            status = disk.status(path)
            if not status.is_file or status.size != self.size:
                return False
            return disk.look(path)[1] == self.content if self.content else status.mtime_ns == self.mtime_ns
        except (FileNotFoundError, NotADirectoryError):
            return False

    def has_left(self, disk: Disk, volumes: Volumes) -> bool:
        """Return whether this file is not at its source; its disk is there before and after the look.

        Raises
        ------
        OSError
            If it is not, or something is there that cannot be read now.
        """
        with _connected(disk, self.source, volumes):
            return not self.is_at(disk, self.source)

    def show(self, disk: Disk, volumes: Volumes) -> None:
        """Show this file, set aside at its source, there or beside what is there, unless it is at its target, too.

        Raises
        ------
        OSError, TwinlensError
            If it cannot be there, or nobody can see.
        """
        with _connected(disk, self.source, volumes):
            if not disk.exists(self.hidden):
                return
        target = self.target
        if target is not None and not disk.exists(target):  # or a share that keeps it does not respond
            target = None
        if target is None or not self.seems_at(disk, target) or not discard(disk, self.hidden, target):
            to_its_place(disk, self.hidden, self.source, self.hidden, self.target)

    def show_target(self, disk: Disk, volumes: Volumes) -> None:
        """Show this file, set aside at its target, there, unless it is at its source, too.

        Where another file has the name of the target by now, it comes home instead, as when the move itself finds that:
        beside its target nobody would look for it.

        Raises
        ------
        OSError, TwinlensError
            If it cannot be there, or nobody can see.
        """
        target = self.target
        if target is None or self.hidden_target == self.hidden:
            return
        with _connected(disk, target, volumes):
            if not disk.exists(self.hidden_target):
                return
        if not self.has_left(disk, volumes) and discard(disk, self.hidden_target, self.source):
            return
        if disk.exists(target) and not is_one_file(disk, self.hidden_target, target):
            bring_home(disk, self, self.hidden_target, volumes)
        else:
            to_its_place(disk, self.hidden_target, target, self.hidden_target)


class SetAsideError(TwinlensError):
    """A file or a copy may still be set aside, say on a disk that has gone; the next settling of the log sees to it."""


def move_together(disk: Disk, files: Sequence[FileMove], look: Callable[[], None], volumes: Volumes) -> None:
    """Move files: all of them, or none.

    Parameters
    ----------
    files : sequence of FileMove
        The photograph is the last: where it has gone, so have its companions.
    look : callable
        Called while they are set aside; checks the files that stay, and raises if the others must not go.
    volumes : Volumes
        Of :func:`volumes_of`, from when they were there.

    Raises
    ------
    FileExistsError
        If something has the name of a target by now.
    TwinlensError
        If they cannot be moved; a ``SetAsideError`` if they are not back either.
    """
    aside: list[FileMove] = []
    moved: list[FileMove] = []
    try:
        for file in files:
            disk.hide(file.source, file.hidden)
            aside.append(file)
        seen = [_look_at(disk, file, files[-1]) for file in files]
        look()
        for file, known in zip(files, seen, strict=True):
            _move(disk, file, known, files[-1], volumes)
            moved.append(file)
    except BaseException as error:
        places = _put_back(disk, files, aside, moved, volumes)
        if not isinstance(error, TwinlensError | OSError):
            raise
        tidied = _tidied(disk, files, volumes)
        if isinstance(error, FileExistsError) and tidied and not places:
            raise
        failure = _why(error, files, places)
        raise (failure if tidied else SetAsideError(failure.message, failure.next_step)) from error


def _look_at(disk: Disk, file: FileMove, photograph: FileMove) -> tuple[FileStatus, bytes]:
    """Read a file that is set aside; refuse one that is not what it must be."""
    known, content = disk.look(file.hidden)
    if (known.size, known.mtime_ns) != (file.size, file.mtime_ns) or (file.content and content != file.content):
        raise _changed_since(file, photograph)
    return known, content


def _check_unchanged(disk: Disk, file: FileMove, known: FileStatus, photograph: FileMove) -> None:
    """Refuse a file that a program has changed since it was read, which had it open when it was set aside."""
    if disk.status(file.hidden).times != known.times:
        raise _changed_since(file, photograph)


def _changed_since(file: FileMove, photograph: FileMove) -> TwinlensError:
    if file is photograph:
        return TwinlensError("It was changed since it was read.", "Look through the folders again, then decide again.")
    return TwinlensError(
        "{name}, which belongs to it, was just changed.", "Decide anew.", name=shown(os.path.basename(file.source))
    )


def _move(disk: Disk, file: FileMove, known: tuple[FileStatus, bytes], photograph: FileMove, volumes: Volumes) -> None:
    """Move a file that is set aside."""
    if file.target is None:  # the trash of the system notes name and folder of the file itself
        _check_unchanged(disk, file, known[0], photograph)
        disk.rename(file.hidden, file.source)
        trash.put_by_system(disk, file.source)
        return
    try:
        if file.original is not None:
            trash.write_note(disk, file.target, file.original)
        _check_unchanged(disk, file, known[0], photograph)
        arrived = partial(_check_volume, disk, file.target, volumes)
        move(disk, file.hidden, file.target, file.hidden_target, known, arrived)
    except BaseException:
        if file.original is not None:
            trash.remove_note(disk, file.target, file.original)
        raise


def _check_volume(disk: Disk, path: bytes, volumes: Volumes) -> None:
    """Refuse a folder below a mount point whose disk is gone: files put there are hidden once the disk is back."""
    folder = os.path.dirname(path)
    if disk.volume_of(folder) != volumes[folder]:
        raise OSError(errno.ENODEV, os.strerror(errno.ENODEV), folder)


@contextlib.contextmanager
def _connected(disk: Disk, path: bytes, volumes: Volumes) -> Iterator[None]:
    """Refuse a look at a path unless its disk is there before and after: on one that goes nothing is to be seen."""
    _check_volume(disk, path, volumes)
    yield
    _check_volume(disk, path, volumes)


def _put_back(
    disk: Disk, files: Sequence[FileMove], aside: Sequence[FileMove], moved: Sequence[FileMove], volumes: Volumes
) -> list[tuple[FileMove, bytes]]:
    """Put files back; return the ones whose place another program has taken, with their places."""
    places = []
    for file in reversed(files):
        lies_at = file.target if file in moved else file.hidden
        if file in aside and file not in moved and not disk.exists(file.hidden) and disk.exists(file.hidden_target):
            lies_at = file.hidden_target  # its copy had arrived when its new name was taken
        if lies_at is None or (file not in aside and not disk.exists(lies_at)):
            continue
        try:
            place = bring_home(disk, file, lies_at, volumes)
        except (OSError, TwinlensError) as error:
            raise SetAsideError(
                "{name} cannot be put back now: it is set aside as {place}.",
                "It is put back as soon as its disk permits it: do the same again then.",
                name=shown(os.path.basename(file.source)),
                place=shown(lies_at),
            ) from error
        if place != file.source:
            places.append((file, place))
    return places


def _why(
    error: TwinlensError | OSError, files: Sequence[FileMove], places: Sequence[tuple[FileMove, bytes]]
) -> TwinlensError:
    """Return why files were not moved, and where the ones are whose places were taken."""
    folder = os.path.dirname(files[-1].target) if files[-1].target and files[-1].original is None else b""
    failure = error if isinstance(error, TwinlensError) else why_not(error, folder)
    if not places:
        return failure
    file, place = places[0]
    return TwinlensError(
        "{reason} Another program has saved {name} anew meanwhile, so the one that was there is now {place}.",
        failure.next_step,
        reason=failure.message,
        name=shown(os.path.basename(file.source)),
        place=shown(place),
    )


def _tidied(disk: Disk, files: Sequence[FileMove], volumes: Volumes) -> bool:
    """Return whether no copy is left of files that are back, not even on a disk that has gone."""
    were_there = volumes_of(disk, files) == volumes
    try:
        for file in files:
            file.show_target(disk, volumes)
        clear_copies(disk, files)
    except (OSError, TwinlensError):
        return False
    return were_there and volumes_of(disk, files) == volumes


def volumes_of(disk: Disk, files: Sequence[FileMove]) -> Volumes:
    """Return the present identities of the volumes of the source and target folders."""
    return {folder: disk.volume_of(folder) for folder in _folders(files)}


def connected_volumes(disk: Disk, files: Sequence[FileMove], volume: Volume) -> Volumes:
    """Return what :func:`volumes_of` does, while the disk is there that files come from, or come back to.

    Raises
    ------
    TwinlensError
        If it is not there before and after: what is seen then is the disk that its mount point is on.
    """
    check_present(volume, disk)
    found = volumes_of(disk, files)
    check_present(volume, disk)
    return found


def _folders(files: Sequence[FileMove]) -> list[bytes]:
    """Return the source and target folders of files, sorted."""
    return sorted({os.path.dirname(path) for file in files for path in (file.source, file.target) if path is not None})


def clear_copies(disk: Disk, files: Sequence[FileMove]) -> None:
    """Remove incomplete copies."""
    for folder in _folders(files):
        disk.clear(folder)


def bring_home(disk: Disk, file: FileMove, lies_at: bytes, volumes: Volumes) -> bytes:
    """Bring a file to its place, or beside it where another program has taken that, and return where it is.

    Parameters
    ----------
    lies_at : bytes
    volumes : Volumes
        Of :func:`volumes_of`, from when they were there.

    Raises
    ------
    OSError, TwinlensError
        If it cannot come, or is not where it lay.
    """
    if not disk.exists(lies_at) and disk.exists(file.source):  # a trash of the system has not taken it
        return file.source
    arrived = partial(_check_volume, disk, file.source, volumes)
    if lies_at == file.target:
        arrived()  # or its disk has just gone, with the file on it, and what lies here is another program's
        disk.hide(lies_at, file.hidden_target)
        lies_at = file.hidden_target
    place = to_its_place(disk, lies_at, file.source, file.hidden, file.target, arrived)
    if file.target is not None and file.original is not None:
        trash.remove_note(disk, file.target)
    return place
