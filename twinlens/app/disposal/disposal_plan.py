"""The plan of a disposal: the files to be moved with their companions, and the refused ones with the reason.

A companion of a copy moves only where the kept photograph has an equal one, byte for byte. Where it has none, the copy
stays, unless the person has its companions taken along: these then move beside the kept photograph, under its name. So
companions of equal size are read. In the same way a copy stays that alone says something, unless the person has this
written beside the kept photograph (:mod:`twinlens.app.disposal.carried_notes`). Planning writes nothing, and it opens
a photograph only to learn whether a film belongs to it: :func:`twinlens.app.disposal.disposal.dispose` checks each
once more before it moves.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from twinlens.app.disposal.carried_notes import (
    CARRIED,
    SAME_PICTURE,
    CarriedNotes,
    check_carried,
    notes_only_in,
    sidecar_for,
)
from twinlens.app.disposal.file_checks import check_file, check_kept, check_place, files_of
from twinlens.app.disposal.file_links import check_link
from twinlens.app.duplicates.decisions import fates, stays
from twinlens.app.duplicates.groups import COPIES, LostNote, lost_with, names_of
from twinlens.app.duplicates.keeper_rules import Fate
from twinlens.app.duplicates.sidecar_files import FileContents, FolderListings, SidecarFile, name_beside, without_equal
from twinlens.app.library import volumes
from twinlens.app.library.library import Library, LocatedPhotograph
from twinlens.app.machine import trash
from twinlens.app.machine.disk import DISK, FileNumber
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent
from twinlens.core.systems import system
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.notes import CameraNote
from twinlens.storage.photographs.photographs import PhotographRow

_COMPARING = Message("Comparing what lies beside the photos")


class DisposalChoice(NamedTuple):
    """A photograph that is to go.

    Attributes
    ----------
    photograph : int
        Its id.
    kept : int or None
        The id of the one that stays in its place; None where none does, as a person may wish.
    kind : str
        The relation of the two: ``identical``, ``same``, ``edited``, ``series`` or ``raw``; empty without another.
    only_here : frozenset of LostNote
        Notes that its file has and that of the other lacks.
    by_hand : bool
        Whether a person lets it go, and not only the rules.
    listed : bool
        Whether it comes from a list of duplicates: what a person has decided since then counts more.
    """

    photograph: int
    kept: int | None
    kind: str
    only_here: frozenset[LostNote] = frozenset()
    by_hand: bool = False
    listed: bool = False


class PlannedSidecar(NamedTuple):
    """A file that goes with a photograph.

    Attributes
    ----------
    path : bytes
        In full.
    size, mtime_ns : int
        As it is now.
    digest : bytes
        The hash of its content.
    moves_to : bytes or None
        The full path that it gets beside the kept photograph; None where it goes along with its own.
    equal : bytes or None
        Full path of the equal file beside the kept photograph; None where there is none and it moves there.
    """

    path: bytes
    size: int
    mtime_ns: int
    digest: bytes = b""
    moves_to: bytes | None = None
    equal: bytes | None = None


@dataclass(frozen=True)
class PlannedFile:
    """A photograph that can go.

    Attributes
    ----------
    kept : PhotographRow or None
        What stays in its place; None where nothing does.
    path, kept_path : bytes
        Full paths; empty of nothing.
    carried : CarriedNotes or None
        What only it says, to be written beside the kept photograph; None where nothing is.
    """

    choice: DisposalChoice
    row: PhotographRow
    kept: PhotographRow | None
    path: bytes
    kept_path: bytes
    companions: tuple[PlannedSidecar, ...]
    carried: CarriedNotes | None = None

    @property
    def bytes(self) -> int:
        """The bytes of the file and of the companions that go where it goes."""
        return self.row.size + sum(one.size for one in self.companions if one.moves_to is None)


@dataclass(frozen=True)
class RefusedFile:
    """A photograph that cannot go.

    Attributes
    ----------
    path : str
        For people.
    held : bool
        It can go if what only it has comes along: its companions, and what its file says.
    """

    photograph: int
    path: str
    reason: Message
    held: bool = False


@dataclass(frozen=True)
class DisposalPlan:
    """The photographs that move away, and those that cannot.

    Attributes
    ----------
    destination : bytes or None
        Full path of the folder that it goes to; None for the trash.
    files : tuple of PlannedFile
        In the order of the choices.
    undoable : bool
        Whether this program can bring it back.
    takes_along : bool
        Whether what only a photograph has comes along to the one that stays.
    links : bool
        Whether each becomes a link to the one that stays, instead of going anywhere.
    """

    destination: bytes | None
    files: tuple[PlannedFile, ...]
    refused: tuple[RefusedFile, ...]
    undoable: bool
    takes_along: bool = False
    links: bool = False

    @property
    def held(self) -> int:
        """Count the photographs that can go if what only they have comes along."""
        return sum(one.held for one in self.refused)

    @property
    def bytes(self) -> int:
        """The bytes of all files and of the companions that go where they go."""
        return sum(file.bytes for file in self.files)


def plan_disposal(
    library: Library,
    choices: Sequence[DisposalChoice],
    destination: Path | None = None,
    take_along: bool = False,
    progress: Progress = silent,
    links: bool = False,
) -> DisposalPlan:
    """Plan to move photographs to the trash or to a folder, or to put links in their place.

    Parameters
    ----------
    choices : sequence of DisposalChoice
        A photograph that occurs twice counts once.
    destination : Path, optional
        A folder, made when the first file goes there; by default the trash.
    take_along : bool
        Whether companions without an equal move beside the kept photograph, and what only a copy says is written
        there; else their photograph is refused.
    links : bool
        Whether identical copies become links to the kept photographs; nothing moves, and what lies beside them stays.

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
            for one in library.look_up(r, list({one for choice in chosen for one in choice[:2] if one is not None}))
        }
        staying = {
            choice.photograph
            for choice, stay in zip(chosen, stays(r, np.array([one[0] for one in chosen], np.int64)), strict=True)
            if stay
        }
        decided, refused_pairs = fates(r), {(row.first, row.second) for row in r.comparisons.refused()}
        carries = take_along and any(choice.only_here & CARRIED for choice in chosen)
        notes = r.camera_notes.all() if carries else {}
    going = files_of(one.path for choice in chosen if (one := known.get(choice.photograph)) is not None)
    leaving = {choice.photograph for choice in chosen}
    passed: list[DisposalChoice] = []
    refused: list[RefusedFile] = []
    for choice in chosen:
        found = known.get(choice.photograph)
        try:
            _check(choice, known, leaving, going, choice.photograph in staying)
            if choice.listed and choice.kept is not None:
                pair = sorted(known[one].row.content_hash or b"" for one in (choice.photograph, choice.kept))
                _check_decisions(decided.get(choice.photograph), tuple(pair) in refused_pairs)
            if links:
                check_link(DISK, choice.kind, found, None if choice.kept is None else known.get(choice.kept))
            elif not choice.by_hand and not take_along and choice.only_here:
                raise _LostNotesError(choice.only_here)
            elif place is None and found is not None:
                trash.refuse_trash(found.path)
            passed.append(choice)
        except TwinlensError as error:
            path = "" if found is None else shown(found.path)
            held = isinstance(error, _LostNotesError)
            refused.append(RefusedFile(choice.photograph, path, error.whole, held))
    if links:
        pairs = [(choice, known[choice.photograph], known[choice.kept or 0]) for choice in passed]
        files = [PlannedFile(choice, one.row, kept.row, one.path, kept.path, ()) for choice, one, kept in pairs]
        return DisposalPlan(None, tuple(files), tuple(refused), undoable=True, links=True)
    files, more = _Companions(known, notes, take_along, progress).of_all(passed)
    undoable = place is not None or trash.can_restore()
    return DisposalPlan(place, tuple(files), (*refused, *more), undoable, take_along)


def _check(
    choice: DisposalChoice, known: dict[int, LocatedPhotograph], leaving: set[int], going: Set[FileNumber], stay: bool
) -> None:
    """Refuse a choice that must not be carried out."""
    one, kept = known.get(choice.photograph), None if choice.kept is None else known.get(choice.kept)
    if one is None:
        raise TwinlensError("It is no longer in the library.")
    if stay:
        raise TwinlensError("It is in a protected folder.", "End the protection of that folder first.")
    if choice.kept is None:
        check_file(one)
        return
    if kept is None:
        raise TwinlensError("The photo kept instead is no longer in the library.")
    if choice.kept in leaving:
        raise TwinlensError("It is the last one: the photo kept instead is to be removed, too.", "Keep one of them.")
    if not choice.by_hand and choice.kind in COPIES and choice.only_here - CARRIED:
        raise TwinlensError(lost_with(choice.only_here), "Choose this photo to be removed yourself, or keep both.")
    check_file(one)
    check_kept(kept, one, choice.kind, going)


def _check_decisions(fate: Fate | None, refused: bool) -> None:
    """Refuse what a person has decided otherwise, in another program perhaps, since the duplicates were listed."""
    if fate in {Fate.STAYS, Fate.BEST}:
        raise TwinlensError("You decided meanwhile that it stays.", "List the duplicates again.")
    if refused and fate is not Fate.GOES:
        raise TwinlensError("You decided meanwhile that the two are no duplicates.", "List the duplicates again.")


class _LostNotesError(TwinlensError):
    """Only the file of a photograph says something."""

    def __init__(self, notes: Set[LostNote]) -> None:
        super().__init__(lost_with(notes), Message("Take along what it says, choose it yourself, or keep both photos."))


class _Companions:
    """The companions of photographs that go, and where each of them goes.

    Parameters
    ----------
    known : dict of int to LocatedPhotograph
        The photographs, and those kept in their place.
    notes : mapping of bytes to CameraNote
        What their files say, by content; needed only to take it along.
    """

    def __init__(
        self,
        known: dict[int, LocatedPhotograph],
        notes: Mapping[bytes, CameraNote],
        take_along: bool,
        progress: Progress,
    ) -> None:
        self._known, self._notes, self._take_along, self._progress = known, notes, take_along, progress
        self._contents, self._surroundings = FileContents(), FolderListings()

    def of_all(self, choices: Sequence[DisposalChoice]) -> tuple[list[PlannedFile], list[RefusedFile]]:
        """Add companions to each photograph; shared companions go with the last of its photographs."""
        refused: dict[int, RefusedFile] = {}
        while True:
            left = [choice for choice in choices if choice.photograph not in refused]
            theirs = self._shared_out(left)
            targets: dict[bytes, bytes] = {}
            files, held = [], len(refused)
            for at, choice in enumerate(left):
                one, kept = self._known[choice.photograph], None if choice.kept is None else self._known[choice.kept]
                self._progress(at, len(left), _COMPARING)
                try:
                    if kept is not None and choice.kind in COPIES:
                        beside = self._planned(one, kept, theirs[choice.photograph], targets)
                    else:
                        beside = tuple(map(self._whole, theirs[choice.photograph]))
                    carried = self._carried(choice, one, kept, targets)
                except _HeldError as error:
                    for each in left:
                        path = self._known[each.photograph].path
                        if each is choice or path in error.sharers:
                            refused[each.photograph] = RefusedFile(each.photograph, shown(path), error.whole, held=True)
                except TwinlensError as error:
                    refused[choice.photograph] = RefusedFile(choice.photograph, shown(one.path), error.whole)
                else:
                    stays = (None, b"") if kept is None else (kept.row, kept.path)
                    files.append(PlannedFile(choice, one.row, stays[0], one.path, stays[1], beside, carried))
            if len(refused) == held:
                return files, list(refused.values())
            # A photograph that stays after all keeps the companions that it shares with others.

    def _shared_out(self, choices: Sequence[DisposalChoice]) -> dict[int, list[SidecarFile]]:
        """Return the companions that go, each with the last of its photographs."""
        going = {self._known[choice.photograph].path for choice in choices}
        photographs = {one.path for one in self._known.values()}  # whatever the names of their files
        theirs: dict[int, list[SidecarFile]] = {}
        owned: set[bytes] = set()
        for choice in reversed(choices):
            one = self._known[choice.photograph]
            found = [
                each
                for each in self._surroundings.of(one.path, one.row.noted)
                if each.sharers <= going and each.path not in owned | photographs
            ]
            theirs[choice.photograph] = found
            owned.update(each.path for each in found)
        return theirs

    def _planned(
        self,
        one: LocatedPhotograph,
        kept: LocatedPhotograph,
        beside: Sequence[SidecarFile],
        targets: dict[bytes, bytes],
    ) -> tuple[PlannedSidecar, ...]:
        """Return where the companions of a photograph go.

        Parameters
        ----------
        targets : dict of bytes to bytes
            Places that companions get beside photographs that are kept, with their contents; more are added.
        """
        planned, alone = [], []
        for each in beside:
            self._check(each)
            equal = self._equal(each, kept)
            if equal is not None:
                planned.append(PlannedSidecar(*each[:3], self._content(each.path), equal=equal))
            else:
                alone.append(each)
        if alone and not self._take_along:
            raise _HeldError(alone)
        taken: dict[bytes, bytes] = {}
        for each in alone:
            planned.append(self._taken_along(each, one, kept, targets | taken))
            if (place := planned[-1].moves_to) is not None:
                taken[place] = planned[-1].digest
        targets.update(taken)
        return tuple(sorted(planned, key=lambda companion: companion.path))

    def _carried(
        self,
        choice: DisposalChoice,
        one: LocatedPhotograph,
        kept: LocatedPhotograph | None,
        targets: dict[bytes, bytes],
    ) -> CarriedNotes | None:
        """Return what only the file of a photograph says, with its place beside the photograph that is kept."""
        if not self._take_along or kept is None or choice.kind not in SAME_PICTURE or not choice.only_here & CARRIED:
            return None
        found = CarriedNotes(
            sidecar_for(kept.path, self._surroundings),
            notes_only_in(one.row, kept.row, self._notes, choice.only_here),
        )
        if not found.notes:
            return None  # a sidecar file of its own says it, and comes along
        if found.path in targets:
            raise TwinlensError(
                "Only this copy has: {notes}. Another sidecar file comes to the photo kept.",
                "Move the others first, then this one.",
                notes=names_of(found.notes),
            )
        _check_folder(found.path, os.path.basename(found.path))
        check_carried(found)
        return found

    def _whole(self, one: SidecarFile) -> PlannedSidecar:
        """Return a companion of a photograph that is no copy: the person removes it with all its companions."""
        self._check(one)
        return PlannedSidecar(*one[:3], self._content(one.path))

    def _check(self, one: SidecarFile) -> None:
        try:
            check_place(one.path)
        except (TwinlensError, OSError) as error:
            reason = error.whole if isinstance(error, TwinlensError) else Message("it cannot be read")
            raise TwinlensError(
                "{name}, which belongs to it, cannot be moved: {reason}", name=_name(one.path), reason=reason
            ) from error

    def _equal(self, one: SidecarFile, kept: LocatedPhotograph) -> bytes | None:
        """Return the companion of the kept photograph that has the same content as another file."""
        like = [
            each.path
            for each in self._surroundings.of(kept.path, kept.row.noted, any_film=True)
            if each.size == one.size and each.path != one.path
        ]
        return next((path for path in like if self._contents.is_at(path, self._content(one.path))), None)

    def _taken_along(
        self, each: SidecarFile, one: LocatedPhotograph, kept: LocatedPhotograph, targets: dict[bytes, bytes]
    ) -> PlannedSidecar:
        """Return a companion with its place beside the photograph that is kept."""
        place, content = name_beside(kept.path, each.path, one.path), self._content(each.path)
        if place in targets or os.path.lexists(place):
            there = not os.path.islink(place) and self._contents.is_at(place, content)
            if targets[place] == content if place in targets else there:
                return PlannedSidecar(*each[:3], content, equal=place)
            raise TwinlensError(
                "{name} cannot be taken along: another file beside the photo that is kept has the name {other}.",
                "Rename one of the two files.",
                name=_name(each.path),
                other=_name(place),
            )
        _check_folder(place, each.path)
        return PlannedSidecar(*each[:3], content, moves_to=place)

    def _content(self, path: bytes) -> bytes:
        try:
            return self._contents.of(path)
        except OSError as error:
            raise TwinlensError(
                "{name}, which belongs to it, cannot be read.",
                "Look through the folders again, then decide again.",
                name=_name(path),
            ) from error


def _check_folder(place: bytes, companion: bytes) -> None:
    """Refuse a place beside a kept photograph whose folder may not be changed."""
    folder = os.path.dirname(place)
    if system.is_read_only(folder) or not os.access(folder, os.W_OK | os.X_OK):
        raise TwinlensError(
            "{name} cannot be taken along to {folder}.",
            "Give yourself the right to change the folder.",
            name=_name(companion),
            folder=shown(folder),
        )


class _HeldError(TwinlensError):
    """Companions of a photograph, perhaps shared with others, have no equal beside the kept one."""

    def __init__(self, alone: Sequence[SidecarFile]) -> None:
        super().__init__(without_equal(alone), Message("Take along what lies beside it, or keep both photos."))
        self.sharers = frozenset(path for one in alone for path in one.sharers)


def _name(path: bytes) -> str:
    return shown(os.path.basename(path))


def _destination(library: Library, r: Transaction, folder: Path) -> bytes:
    """Return the full path of a folder that files can be moved to."""
    path = volumes.full_path(folder)
    if os.path.lexists(path) and not os.path.isdir(path):
        raise TwinlensError("{path} is a file, not a folder.", "Choose a folder.", path=shown(path))
    there = path
    while not os.path.isdir(there):
        there = os.path.dirname(there)
    if not os.access(there, os.W_OK | os.X_OK):
        raise TwinlensError("The folder {path} cannot be written.", "Choose another folder.", path=shown(path))
    place = library.place(r, path)
    if place is None:
        return path
    added = any(row.volume_id == place[0] and volumes.is_in(row.path, place[1]) for row in r.folders.all())
    if added or r.photographs.count_under(*place):
        raise TwinlensError(
            "The folder {path} holds photos of the library.",
            "Choose a folder that is not in it, or an empty one.",
            path=shown(path),
        )
    return path
