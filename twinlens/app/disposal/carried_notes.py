"""Carried notes: what only a photograph that goes says is written into a sidecar file beside the one that stays.

An original is never written to. The sidecar of another program takes more up only if all that it holds stays as it is
(:mod:`twinlens.features.reading.xmp_sidecar`). The log has the sidecar as it was and as it gets before it is written,
so that it comes back with the photograph; what another program has changed since then stays. The owner's own notes and
the place in albums pass to the one that stays within the library.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
from collections.abc import Mapping, Set
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from twinlens.app.disposal.file_checks import not_connected
from twinlens.app.disposal.safe_moves import SetAsideError
from twinlens.app.duplicates.groups import COPIES, DuplicateKind, LostNote
from twinlens.app.duplicates.sidecar_files import FolderListings
from twinlens.app.machine.disk import Disk, FileStatus, hidden_name, to_its_place
from twinlens.app.notes.photo_notes import distinct_words
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.features.pictures.picture import Metadata
from twinlens.storage.disposals import NOTES, DisposalRow
from twinlens.storage.photographs.notes import CameraNote
from twinlens.storage.photographs.photographs import PhotographRow

if TYPE_CHECKING:
    from twinlens.app.duplicates.keeper_rules import KeeperCandidate
    from twinlens.features.reading.metadata import Statements
    from twinlens.storage.library.store import Transaction

SAME_PICTURE = COPIES | {DuplicateKind.LIKELY, DuplicateKind.DAMAGED}
"""The kinds whose notes are true of the photograph that stays."""

_FIELDS = {
    LostNote.DATE: "taken",
    **{one: one.value for one in (LostNote.CAMERA, LostNote.PLACE, LostNote.RATING, LostNote.LABEL)},
    **{one: one.value for one in (LostNote.KEYWORDS, LostNote.TITLE, LostNote.CAPTION)},
}
CARRIED = frozenset(_FIELDS)
"""The notes that a sidecar file can say; others are lost with the file that holds them."""

_MOST_BYTES = 1 << 20  # of a sidecar file, which the log keeps
_XMP = b".xmp"
_KNOWN_FILES = 1 << 15


class CarriedNotes(NamedTuple):
    """The statements that only a photograph that goes has, and the full path of the sidecar that takes them up."""

    path: bytes
    statements: Statements

    @property
    def notes(self) -> frozenset[LostNote]:
        """Their kinds."""
        return frozenset(note for note, name in _FIELDS.items() if getattr(self.statements, name))


def notes_only_in(
    one: PhotographRow, kept: PhotographRow, notes: Mapping[bytes, CameraNote], lost: Set[LostNote]
) -> Statements:
    """Return what the file of a photograph says of some notes; keywords that the kept one has are left out."""
    from twinlens.features.reading.metadata import Statements

    own, other = _statements_of(one, notes), _statements_of(kept, notes)
    ends = {word.rpartition("|")[2].casefold() for word in other.keywords}
    words = tuple(word for word in own.keywords if word.rpartition("|")[2].casefold() not in ends)
    found = {name: getattr(own, name) for note, name in _FIELDS.items() if note in lost}
    return Statements(**found | ({"keywords": words} if "keywords" in found else {}))


def _statements_of(one: PhotographRow, notes: Mapping[bytes, CameraNote]) -> Statements:
    from twinlens.features.reading.metadata import Statements

    note = notes.get(one.content_hash or b"")
    more = Metadata() if note is None or note.metadata is None else Metadata.of_text(note.metadata)
    texts = more.rating, more.label, more.keywords, more.title, more.caption
    return Statements(one.noted, one.camera, "" if note is None else note.place, *texts)


def sidecar_for(kept: bytes, surroundings: FolderListings) -> bytes:
    """Return the full path of the XMP sidecar file of a photograph: the one that is there, or a new one."""
    own = [
        each.path
        for each in surroundings.of(kept)
        if each.path.lower().endswith(_XMP) and not each.sharers and _stem(each.path) in (kept, _stem(kept))
    ]
    return max(own, key=len, default=kept + _XMP)


def _stem(path: bytes) -> bytes:
    return os.path.splitext(path)[0]


def check_carried(carried: CarriedNotes) -> None:
    """Refuse to carry notes that the sidecar file which is there cannot take up.

    Raises
    ------
    TwinlensError
    """
    try:
        there = None
        if os.path.lexists(carried.path):
            with open(carried.path, "rb") as file:
                there = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise _cannot_take_up(carried.path) from error
    _with_notes(there, carried)


def _with_notes(there: bytes | None, carried: CarriedNotes) -> bytes:
    from twinlens.features.reading.xmp_sidecar import CannotMergeError, with_statements

    try:
        if there is not None and len(there) > _MOST_BYTES:
            raise CannotMergeError
        return with_statements(there, carried.statements)
    except CannotMergeError as error:
        raise _cannot_take_up(carried.path) from error


def _cannot_take_up(path: bytes) -> TwinlensError:
    return TwinlensError(
        "{name}, which lies beside the photo kept, cannot take up what only this copy says.",
        "Write it into the photo kept with the program that wrote {name}, or keep both photos.",
        name=shown(os.path.basename(path)),
    )


def with_sidecars(one: KeeperCandidate) -> KeeperCandidate:
    """Return a photograph that says what its XMP sidecar files say, too."""
    written = [each for each in one.beside if each.path.lower().endswith(_XMP) and each.size <= _MOST_BYTES]
    if not written or one.metadata is None:
        return one
    from twinlens.features.reading.metadata import Statements

    own = one.metadata
    texts = own.rating, own.label, own.keywords, own.title, own.caption
    statements = Statements(one.taken, one.camera, one.place or "", *texts)
    for each in written:
        statements = statements.or_else(_statements_beside(each.path, each.size, each.mtime_ns))
    metadata = replace(own, **{name: getattr(statements, name) for name in _IN_METADATA})
    return replace(
        one, taken=statements.taken, camera=statements.camera, place=statements.place or one.place, metadata=metadata
    )


_IN_METADATA = ("rating", "label", "keywords", "title", "caption")


@lru_cache(_KNOWN_FILES)
def _statements_beside(path: bytes, size: int, mtime_ns: int) -> Statements:
    from twinlens.features.reading.metadata import Statements, read_xmp

    try:
        with open(path, "rb") as file:
            return read_xmp(file.read(_MOST_BYTES))
    except OSError:
        return Statements()


OWN = "own"
"""Under this name a row of the log has what the photograph kept takes over of the owner's notes and of albums."""


def pass_own_notes(w: Transaction, row: DisposalRow) -> dict[str, Any] | None:
    """Pass the owner's notes that the staying photograph lacks, and its place in albums; for the log."""
    same = row.kept and row.kept != row.content_hash and row.known.get("kind") in SAME_PICTURE
    if not same:
        return None
    own = w.own_notes.of([row.content_hash, row.kept])
    before, after = own.get(row.kept), own.get(row.kept)
    if row.content_hash in own:
        gone, kept = json.loads(own[row.content_hash]), json.loads(before or "{}")
        words = distinct_words((*kept.get("keywords", ()), *gone.get("keywords", ())))
        after = json.dumps(gone | kept | ({"keywords": words} if words else {}))
        w.own_notes.put({row.kept: after})
    albums = [
        one.album_id
        for one in w.albums.holding([row.content_hash])
        if w.albums.add(one.album_id, {row.kept: row.kept_name})
    ]
    return {"before": before, "after": after, "albums": albums} if albums or before != after else None


def take_back_own_notes(w: Transaction, row: DisposalRow) -> None:
    """Take from the photograph that stayed what it was given, as far as its owner has not changed it since then."""
    passed = row.known.get(OWN)
    if passed is None:
        return
    if w.own_notes.of([row.kept]).get(row.kept) == passed["after"]:
        w.own_notes.put({row.kept: passed["before"]})
    for album_id in passed["albums"]:
        w.albums.take_out(album_id, [row.kept])


class SidecarChange(NamedTuple):
    """A change of a sidecar file, as the log has it.

    Attributes
    ----------
    path, hidden : bytes
        Full paths: its name, and the one under which it is set aside.
    before : bytes or None
        Its content before; None where there was none.
    after : bytes
    """

    path: bytes
    hidden: bytes
    before: bytes | None
    after: bytes

    @classmethod
    def of(cls, row: DisposalRow) -> SidecarChange | None:
        """Return the change that belongs to a photograph that goes; None where nothing is carried."""
        if NOTES not in row.known:
            return None
        path, before, after = (None if one is None else base64.b64decode(one) for one in row.known[NOTES])
        assert path is not None
        assert after is not None
        return cls(path, hidden_name(path, row.mark), before, after)


def planned_change(disk: Disk, carried: CarriedNotes) -> list[str | None]:
    """Return the change of a sidecar file that carries notes, for the log.

    Raises
    ------
    OSError, TwinlensError
        If the sidecar file that is there cannot be read, or cannot take them up.
    """
    before = disk.read(carried.path, _MOST_BYTES + 1) if disk.exists(carried.path) else None
    values = carried.path, before, _with_notes(before, carried)
    return [None if one is None else base64.b64encode(one).decode() for one in values]


def write_notes(disk: Disk, row: DisposalRow) -> None:
    """Write the sidecar file of which the log says that it carries notes, unless it was changed since then.

    Raises
    ------
    OSError, TwinlensError
        If it cannot be written.
    """
    change = SidecarChange.of(row)
    if change is not None:
        _check_there(disk, row, change)
        if not _exchange(disk, change, change.before, change.after):
            raise TwinlensError(
                "{name}, which lies beside the photo kept, was just changed.",
                "Decide anew.",
                name=shown(os.path.basename(change.path)),
            )
        _check_there(disk, row, change)


def take_back_notes(disk: Disk, row: DisposalRow) -> None:
    """Bring a sidecar file that carries notes to what it was before, unless it was changed since then.

    Raises
    ------
    SetAsideError
        If that cannot be done now.
    """
    change = SidecarChange.of(row)
    if change is None:
        return
    try:
        settle_notes(disk, row)
        _check_there(disk, row, change)
        _exchange(disk, change, change.after, change.before)
        _check_there(disk, row, change)
    except (OSError, TwinlensError) as error:
        raise SetAsideError(
            "{name} cannot be put back now as it was.",
            "It is put back as soon as its disk permits it: do the same again then.",
            name=shown(os.path.basename(change.path)),
        ) from error


def settle_notes(disk: Disk, row: DisposalRow) -> None:
    """Show a sidecar file again that was set aside when the program was killed, unless its successor is there.

    Raises
    ------
    OSError, TwinlensError
        If it cannot be shown.
    """
    change = SidecarChange.of(row)
    if change is None:
        return
    _check_there(disk, row, change)
    disk.clear(os.path.dirname(change.path))
    if disk.exists(change.hidden):
        hidden = _content_at(disk, change.hidden)
        written = {_digest(one) for one in (change.before, change.after) if one is not None}
        # The log has both, so that nothing is lost with the one that is set aside.
        there = _content_at(disk, change.path)
        if hidden is not None and there is not None and {hidden[1], there[1]} <= written:
            disk.unlink_unchanged(change.hidden, hidden[0])
        else:
            to_its_place(disk, change.hidden, change.path, change.hidden)
    _check_there(disk, row, change)


def _check_there(disk: Disk, row: DisposalRow, change: SidecarChange) -> None:
    """Refuse a folder whose disk is gone: what is written there is hidden once the disk is back."""
    folder = os.path.dirname(change.path)
    if disk.volume_of(folder) != row.volumes.get(folder):
        raise not_connected()


def _content_at(disk: Disk, path: bytes) -> tuple[FileStatus, bytes] | None:
    """Return status and digest of a file; None where there is none, but perhaps a link."""
    try:
        return disk.look(path) if disk.status(path).is_file else None
    except FileNotFoundError:
        return None


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def _exchange(disk: Disk, change: SidecarChange, old: bytes | None, new: bytes | None) -> bool:
    """Put one content in place of another under the name of a sidecar file; return whether that one was there."""
    path, hidden = change.path, change.hidden
    with contextlib.ExitStack() as stack:
        part, mode = b"", 0o666
        if old is not None:
            there = _content_at(disk, path)
            if there is None or there[1] != _digest(old):
                return False
            mode = there[0].mode & 0o777
        elif disk.exists(path):
            return False
        if new is not None:
            part = stack.enter_context(disk.making(path))
            disk.write(part, new, mode)
            disk.sync(part)
            if disk.look(part)[1] != _digest(new):
                raise OSError("what was written is not what was to be written")
        if old is not None:
            disk.hide(path, hidden)
            try:
                known, content = disk.look(hidden)
                was = content == _digest(old)
                if was and new is not None:
                    disk.rename(part, path)
            except BaseException:
                to_its_place(disk, hidden, path, hidden)
                raise
            if not was:
                to_its_place(disk, hidden, path, hidden)
                return False
            disk.sync(os.path.dirname(path))
            disk.unlink_unchanged(hidden, known)
        elif new is not None:
            disk.rename(part, path)
            disk.sync(os.path.dirname(path))
    return True
