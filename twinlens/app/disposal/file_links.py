"""File links: an identical copy becomes one file with the photograph that stays, and takes no more space.

The copy is set aside under a hidden name and read, the other one is read anew, and a link to that one, checked in its
turn, gets the copy's name; only then what was set aside goes. Where the file system can (btrfs, XFS, APFS), the link is
a *clone*: a file of its own with its own times, whose blocks are shared until either is changed. Elsewhere it is a
*hard link*: one file with two names. Undoing copies the content into a file of its own again.

A step has happened if the file under the name of the copy has another number than before it: the log has that number,
so that a kill at any point is settled by looking.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from enum import StrEnum
from typing import Any, NamedTuple

from twinlens.app.disposal.file_checks import IDENTICAL, check_present
from twinlens.app.disposal.safe_moves import SetAsideError
from twinlens.app.library.library import LocatedPhotograph
from twinlens.app.machine.disk import Disk, FileNumber, FileStatus, discard, hidden_name, is_one_file, to_its_place
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.core.systems.volume import Volume
from twinlens.storage.disposals import LINK, DisposalRow

_CANNOT = {errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL, errno.ENOTTY}
_CANNOT_CLONE = {*_CANNOT, errno.EXDEV}


class LinkKind(StrEnum):
    """How two names share what they hold."""

    CLONE = "clone"
    """Two files with the same blocks."""
    HARD = "hard link"
    """One file with two names."""


class FileLink(NamedTuple):
    """A copy that becomes a link, or a file of its own again.

    Attributes
    ----------
    path, kept : bytes
        Full paths of the copy and of the photograph that stays.
    hidden, made : bytes
        The hidden names beside the copy: of what is set aside, and of what is about to get its name.
    size, mtime_ns, mode : int
        Of the copy as a file of its own.
    content : bytes
        Its content hash.
    number : int
        Of the file that has the name before the step.
    """

    path: bytes
    kept: bytes
    hidden: bytes
    made: bytes
    size: int
    mtime_ns: int
    mode: int
    content: bytes
    number: int

    @classmethod
    def of(cls, row: DisposalRow, path: bytes) -> FileLink:
        """Return the link of a row of the log."""
        known: dict[str, Any] = row.known[LINK]
        kept = known["kept"].encode("utf-8", "surrogateescape")
        hidden, made = hidden_name(path, row.mark), hidden_name(path, row.mark + "made")
        what = row.size, row.mtime_ns, known["mode"], row.content_hash
        return cls(path, kept, hidden, made, *what, known["number"])


def planned_link(disk: Disk, path: bytes, kept: bytes) -> dict[str, Any]:
    """Return what the log says of a link before it is made.

    Raises
    ------
    OSError
        If the copy cannot be seen.
    """
    status = disk.status(path)
    return {"kept": os.fsdecode(kept), "mode": status.mode & 0o7777, "number": status.number}


def check_link(disk: Disk, kind: str, one: LocatedPhotograph | None, kept: LocatedPhotograph | None) -> None:
    """Refuse a copy that cannot become a link to the photograph that stays, as far as is known before.

    Raises
    ------
    TwinlensError
        With the reason.
    """
    if kind != IDENTICAL or one is None or kept is None:
        raise TwinlensError(
            "Only a copy that is identical to the last byte can become a link.",
            "Move it to the trash or to a folder instead.",
        )
    name = shown(os.path.basename(kept.path))
    if disk.status(one.path).device != disk.status(kept.path).device:
        raise TwinlensError(
            "{name}, which is kept, is on another disk: a link to it is not possible.",
            "Move the copy to the trash or to a folder instead.",
            name=name,
        )


def link_copy(disk: Disk, link: FileLink, volume: Volume, look: Callable[[], None]) -> LinkKind:
    """Put a link to the photograph that stays in place of a copy.

    Parameters
    ----------
    look : callable
        Reads the photograph that stays while the copy is set aside, and raises if that must not go.

    Raises
    ------
    TwinlensError
        If it cannot be done; then the copy is as it was, or a ``SetAsideError`` is raised.
    """
    made = LinkKind.HARD

    def new() -> None:
        nonlocal made
        look()
        made = _linked(disk, link)

    _exchange(disk, link, volume, new, own=True)
    return made


def unlink_copy(disk: Disk, link: FileLink, volume: Volume) -> None:
    """Put a file of its own, with its own times, in place of a link.

    Raises
    ------
    TwinlensError
        If it cannot be done; then the link is as it was, or a ``SetAsideError`` is raised.
    """

    def new() -> None:
        with disk.making(link.made) as part:  # whose name is never too long
            disk.copy(link.hidden, part)
            disk.dress(part, link.mode, link.mtime_ns)
            disk.rename(part, link.made)

    _exchange(disk, link, volume, new, own=False)


def _exchange(disk: Disk, link: FileLink, volume: Volume, new: Callable[[], None], *, own: bool) -> None:
    """Exchange what has the name of a copy for a new file of the same content."""
    try:
        disk.hide(link.path, link.hidden)
        known, content = disk.look(link.hidden)
        if content != link.content or (own and known.mtime_ns != link.mtime_ns):
            raise TwinlensError(
                "It was changed since it was read.", "Look through the folders again, then decide again."
            )
        new()
        _check_made(disk, link, link.made)
        _check_untouched(disk, link, known)
        check_present(volume, disk)
        disk.rename(link.made, link.path)
        disk.sync(os.path.dirname(link.path))
        _check_made(disk, link, link.path)  # a link changes with the photograph that stays, which others may have open
        check_present(volume, disk)
        disk.unlink_unchanged(link.hidden, known)
    except (OSError, TwinlensError) as error:
        try:
            check_present(volume, disk)
            if settle_link(disk, link):
                return
            check_present(volume, disk)
        except (OSError, TwinlensError) as further:
            raise SetAsideError(
                "{name} may still be set aside as {place}.",
                "It is put back as soon as its disk permits it: do the same again then.",
                name=shown(os.path.basename(link.path)),
                place=shown(link.hidden),
            ) from further
        if isinstance(error, OSError) and error.errno in _CANNOT | {errno.EMLINK}:
            raise TwinlensError(
                "The disk cannot give {name} a second name, or share its blocks.",
                "Move the copy to the trash or to a folder instead.",
                name=shown(os.path.basename(link.kept)),
            ) from error
        raise


def _linked(disk: Disk, link: FileLink) -> LinkKind:
    """Make a clone or a hard link of the photograph that stays under a hidden name."""
    try:
        disk.clone(link.kept, link.made)
    except OSError as error:
        if error.errno not in _CANNOT_CLONE:
            raise
        disk.hard_link(link.kept, link.made)
        return LinkKind.HARD
    disk.dress(link.made, link.mode, link.mtime_ns)
    return LinkKind.CLONE


def _check_made(disk: Disk, link: FileLink, path: bytes) -> None:
    if disk.look(path)[1] != link.content:
        raise TwinlensError(
            "{name}, which is kept instead, was changed since it was read.",
            "Look through the folders again, then decide again.",
            name=shown(os.path.basename(link.kept)),
        )


def _check_untouched(disk: Disk, link: FileLink, known: FileStatus) -> None:
    if disk.status(link.hidden).times != known.times:
        raise OSError(errno.EBUSY, "another program is changing it", link.path)


def settle_link(disk: Disk, link: FileLink) -> bool:
    """Show what was set aside, unless its successor is there, and return whether the step has happened.

    Raises
    ------
    OSError, TwinlensError
        If it cannot be shown now.
    """
    disk.clear(os.path.dirname(link.path))
    if disk.exists(link.hidden) and not _gives_way(disk, link):
        to_its_place(disk, link.hidden, link.path, link.hidden)
    if disk.exists(link.made):
        if _number(disk, link.made) == _number(disk, link.kept):
            disk.unlink(link.made)  # a second name, of whatever that is by now
        elif not all(_is_at(disk, path, link.content) for path in (link.made, link.path)) or not discard(
            disk, link.made, link.path
        ):
            to_its_place(disk, link.made, link.path, link.made)
    return _has_happened(disk, link)


def _gives_way(disk: Disk, link: FileLink) -> bool:
    """Remove what is set aside if another file of its content has its name; return whether it was removed."""
    if is_one_file(disk, link.hidden, link.path):
        return False
    both = all(_is_at(disk, path, link.content) for path in (link.hidden, link.path))
    return both and discard(disk, link.hidden, link.path)


def _number(disk: Disk, path: bytes) -> FileNumber | None:
    try:
        status = disk.status(path)
    except FileNotFoundError:
        return None
    return status.file_number


def _is_at(disk: Disk, path: bytes, content: bytes) -> bool:
    """Return whether a path is a file of a content, and no link or anything else."""
    try:
        return disk.status(path).is_file and disk.look(path)[1] == content
    except FileNotFoundError:
        return False


def _has_happened(disk: Disk, link: FileLink) -> bool:
    """Return whether the name of a copy has another file of its content than before the step.

    Raises
    ------
    OSError
        If nobody can see.
    """
    try:
        return disk.status(link.path).number != link.number and _is_at(disk, link.path, link.content)
    except FileNotFoundError:
        return False
