"""The plan of what is moved away: each file with its companions, and each that is refused with the reason.

Nothing is written, and no file is opened: :func:`app.duplicates.disposing.dispose` looks into each once more before it
is moved.
"""

from __future__ import annotations

import os
from collections.abc import Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from app.duplicates.companions import companions
from app.duplicates.disposal_checks import FileNumber, check_file, check_kept, check_place, files_of
from app.duplicates.kept_folders import stays
from app.library import volumes
from app.library.library import Library, LookedUp
from app.machine import trash
from app.results import shown
from core.errors import TwinlensError
from core.message import Message
from storage.library.transaction import Transaction
from storage.photographs.photograph_rows import PhotographRow


class Choice(NamedTuple):
    """A photograph that is to go.

    Attributes
    ----------
    photograph : int
        Its id.
    kept : int
        The id of the one that stays in its place.
    kind : str
        What they are to each other: ``identical``, ``same``, ``edited``, ``series`` or ``raw``.
    """

    photograph: int
    kept: int
    kind: str


class Companion(NamedTuple):
    """A file that goes with a photograph, as it is now; ``path`` is its full path."""

    path: bytes
    size: int
    mtime_ns: int


@dataclass(frozen=True)
class PlannedFile:
    """A photograph that can go.

    Attributes
    ----------
    choice : Choice
    row, kept : PhotographRow
    path, kept_path : bytes
        Full paths.
    companions : tuple of Companion
    """

    choice: Choice
    row: PhotographRow
    kept: PhotographRow
    path: bytes
    kept_path: bytes
    companions: tuple[Companion, ...]

    @property
    def bytes(self) -> int:
        """The bytes of the file and its companions."""
        return self.row.size + sum(one.size for one in self.companions)


@dataclass(frozen=True)
class RefusedFile:
    """A photograph that cannot go: its id, its path for people, and why."""

    photograph: int
    path: str
    reason: Message


@dataclass(frozen=True)
class DisposalPlan:
    """The photographs that move away, and those that cannot.

    Attributes
    ----------
    destination : bytes or None
        Full path of the folder that it goes to; None for the trash.
    files : tuple of PlannedFile
        In the order of the choices.
    refused : tuple of RefusedFile
    undoable : bool
        Whether it can be brought back from here.
    """

    destination: bytes | None
    files: tuple[PlannedFile, ...]
    refused: tuple[RefusedFile, ...]
    undoable: bool

    @property
    def bytes(self) -> int:
        """The bytes of all files and their companions."""
        return sum(file.bytes for file in self.files)


def plan(library: Library, choices: Sequence[Choice], destination: Path | None = None) -> DisposalPlan:
    """Plan to move photographs to the trash or to a folder.

    Parameters
    ----------
    library : Library
    choices : sequence of Choice
        One that is named again counts once.
    destination : Path, optional
        A folder, made when the first file goes there; by default the trash.

    Raises
    ------
    TwinlensError
        If the destination is a file, cannot be written, or holds photographs of the library.
    """
    chosen = list({choice.photograph: choice for choice in choices}.values())
    with library.store.reading() as r:
        place = None if destination is None else _destination(library, r, destination)
        known = {
            one.row.id: one
            for one in library.look_up(r, list({photograph for choice in chosen for photograph in choice[:2]}))
        }
        staying = {
            choice.photograph
            for choice, stay in zip(chosen, stays(r, np.array([one[0] for one in chosen], np.int64)), strict=True)
            if stay
        }
    going = files_of(one.path for choice in chosen if (one := known.get(choice.photograph)) is not None)
    leaving = {choice.photograph for choice in chosen}
    passed: list[Choice] = []
    refused: list[RefusedFile] = []
    for choice in chosen:
        found = known.get(choice.photograph)
        try:
            _check(choice, known, leaving, going, choice.photograph in staying)
            if place is None and found is not None:
                trash.refuse(found.path)
            passed.append(choice)
        except TwinlensError as error:
            refused.append(RefusedFile(choice.photograph, "" if found is None else shown(found.path), error.whole))
    files, more = _with_companions(passed, known)
    return DisposalPlan(place, tuple(files), (*refused, *more), undoable=place is not None or trash.can_restore())


def _check(choice: Choice, known: dict[int, LookedUp], leaving: set[int], going: Set[FileNumber], stay: bool) -> None:
    """Refuse a choice that is not to be carried out."""
    one, kept = known.get(choice.photograph), known.get(choice.kept)
    if one is None:
        raise TwinlensError(Message("It is no longer in the library."))
    if stay:
        raise TwinlensError(
            Message("It is in a protected folder."), Message("End the protection of that folder first.")
        )
    if kept is None:
        raise TwinlensError(Message("The photo kept instead is no longer in the library."))
    if choice.kept in leaving:
        raise TwinlensError(
            Message("It is the last one: the photo kept instead is to be removed, too."),
            Message("Keep one of them."),
        )
    check_file(one)
    check_kept(kept, one, choice.kind, going)


def _with_companions(
    choices: Sequence[Choice], known: dict[int, LookedUp]
) -> tuple[list[PlannedFile], list[RefusedFile]]:
    """Add companions to each photograph; those of several photographs go with the last of them."""
    going = {known[choice.photograph].path for choice in choices}
    theirs: dict[int, list[bytes]] = {}
    owned: set[bytes] = set()
    for choice in reversed(choices):
        found = companions(known[choice.photograph].path, going)
        theirs[choice.photograph] = [one for one in found if one not in owned]
        owned.update(found)
    files, refused = [], []
    for choice in choices:
        one, kept = known[choice.photograph], known[choice.kept]
        try:
            beside = tuple(_companion(path) for path in theirs[choice.photograph])
        except TwinlensError as error:
            refused.append(RefusedFile(choice.photograph, shown(one.path), error.whole))
            continue
        files.append(PlannedFile(choice, one.row, kept.row, one.path, kept.path, beside))
    return files, refused


def _companion(path: bytes) -> Companion:
    try:
        check_place(path)
        status = os.lstat(path)
    except (TwinlensError, OSError) as error:
        reason = error.whole if isinstance(error, TwinlensError) else Message("it cannot be looked at")
        raise TwinlensError(
            Message("{name}, which belongs to it, cannot be moved: {reason}", name=_name(path), reason=reason)
        ) from error
    return Companion(path, status.st_size, status.st_mtime_ns)


def _name(path: bytes) -> str:
    return shown(os.path.basename(path))


def _destination(library: Library, r: Transaction, folder: Path) -> bytes:
    """Return the full path of a folder that files can be moved to."""
    path = volumes.full_path(folder)
    if os.path.lexists(path) and not os.path.isdir(path):
        raise TwinlensError(Message("{path} is a file, not a folder.", path=shown(path)), Message("Choose a folder."))
    there = path
    while not os.path.isdir(there):
        there = os.path.dirname(there)
    if not os.access(there, os.W_OK | os.X_OK):
        raise TwinlensError(
            Message("The folder {path} cannot be written.", path=shown(path)), Message("Choose another folder.")
        )
    place = library.place(r, path)
    if place is None:
        return path
    added = any(
        row.volume_id == place[0] and (row.path == place[1] or row.path.startswith(place[1] + b"/") or not place[1])
        for row in r.folders.all()
    )
    if added or r.photographs.count_under(*place):
        raise TwinlensError(
            Message("The folder {path} holds photos of the library.", path=shown(path)),
            Message("Choose a folder that is not in it, or an empty one."),
        )
    return path
