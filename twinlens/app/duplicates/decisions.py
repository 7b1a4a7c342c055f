"""Decisions of a person: photographs to keep, groups that are no duplicates, and folders that stay.

What lies in a folder that stays is never moved away, at any depth.
"""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from twinlens.app.duplicates.groups import CopySort, DuplicateKind, GroupMember, PhotoGroup
from twinlens.app.duplicates.keeper_rules import Fate, Fates
from twinlens.app.library import volumes
from twinlens.app.library.ingest.folder_walk import resolved_folder
from twinlens.app.library.library import Library
from twinlens.core.arrays import BoolMask, Int64Ids
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.storage.library.store import Transaction
from twinlens.storage.marks import RefusedRow
from twinlens.storage.photographs.photograph_listing import Filter

Choices = Mapping[int, Fate | None]
"""Decisions by the ids of photographs; None leaves one to the rules."""

Refused = Sequence[RefusedRow]


def keeping(one: PhotoGroup, photograph: int, decided: Fates) -> dict[int, Fate | None]:
    """Return the choice that a photograph stays and leads its group, whatever it is, in place of one chosen before."""
    before = [each.id for each in one.photographs if decided.get(each.id) is Fate.BEST]
    return {**dict.fromkeys(before), photograph: Fate.BEST}


def of_sort(groups: Iterable[PhotoGroup], sort: CopySort) -> list[int]:
    """List the photographs of a sort that are probably the same picture as the file kept in their place."""
    return [each.photograph.id for each in likely_copies(groups) if each.sort == sort]


def likely_copies(groups: Iterable[PhotoGroup]) -> list[GroupMember]:
    """List the photographs that are probably the same picture as the file kept in their place."""
    return [each for one in groups for each in one.members if each.kind is DuplicateKind.LIKELY]


def leaving_folder(groups: Iterable[PhotoGroup], folder: bytes) -> dict[int, Fate | None]:
    """Return the choice that copies in a folder go where another copy of the picture stays outside."""
    made: dict[int, Fate | None] = {}
    for one in groups:
        refused = {each.photograph.id for each in one.members if each.chosen and each.goes}
        for files in one.pictures:
            inside = [each for each in files if volumes.is_in(each.path, folder) and not each.stays]
            if any(not volumes.is_in(each.path, folder) and each.id not in refused for each in files):
                made |= dict.fromkeys([each.id for each in inside], Fate.GOES)
    return made


def best_of_series(one: PhotoGroup, sharpness: Mapping[int, float]) -> dict[int, Fate | None]:
    """Return the choice that the sharpest shot of a series stays; the others that were measured go with their copies.

    Empty where fewer than two shots were measured.
    """
    shots = [each for each in shots_of(one) if each in sharpness]
    return {} if len(shots) < 2 else _keeping_shot(one, shots, max(shots, key=sharpness.__getitem__))


def only_shot(one: PhotoGroup, photograph: int) -> dict[int, Fate | None]:
    """Return the choice that a shot of a series stays; the others go with their copies.

    Empty where the photograph is no shot of a series.
    """
    shots = shots_of(one)
    return _keeping_shot(one, shots, photograph) if photograph in shots else {}


def _keeping_shot(one: PhotoGroup, shots: Collection[int], best: int) -> dict[int, Fate | None]:
    gone = {each.id for files in one.pictures if files[0].id in shots for each in files if not each.stays}
    kept = {each.id for files in one.pictures if files[0].id == best for each in files}
    return {**dict.fromkeys(gone - kept, Fate.GOES), best: Fate.BEST}


def shots_of(one: PhotoGroup) -> list[int]:
    """List the shots of a series: the file that stands for each, the leading one first; empty without a series."""
    again = [each.photograph.id for each in one.members if each.kind is DuplicateKind.SERIES]
    return [one.keeper.id, *again] if again else []


def keep_choices(library: Library, choices: Choices) -> dict[int, Fate | None]:
    """Keep decisions about photographs, and return the earlier ones.

    A photograph that was moved away and is back may be named by its earlier id; one that is away is passed over.
    """
    with library.store.writing("choosing what to keep") as w:
        before, now = fates(w), _present(w, choices)
        for fate in (*Fate, None):
            w.comparisons.choose([now[one] for one, chosen in choices.items() if chosen is fate and one in now], fate)
    return {one: before.get(now.get(one, one)) for one in choices}


def _present(r: Transaction, photographs: Collection[int]) -> dict[int, int]:
    """Return the ids that photographs have now, by those that they had."""
    found = {row.id: row.id for row in r.photographs.by_id(list(photographs))}
    gone = [one for one in photographs if one not in found]
    for row in r.disposals.came_back(gone) if gone else ():
        there = r.photographs.by_path(row.volume_id, row.path)
        if there is not None:
            found[row.known["photograph"]] = there.id
    return found


def fates(r: Transaction) -> dict[int, Fate]:
    """Return the decisions about photographs, by id."""
    return {one: Fate(choice) for one, choice in r.comparisons.choices().items()}


def refuse_groups(library: Library, group: PhotoGroup) -> list[RefusedRow]:
    """Record that the photographs of a group are no duplicates of each other; identical files stay duplicates."""
    names: dict[bytes, str] = {}
    for one in (group.keeper, *(member.photograph for member in group.members)):
        names.setdefault(one.content, shown(one.path))
    rows = [RefusedRow(*pair, names[pair[0]], names[pair[1]]) for pair in combinations(names, 2)]
    with library.store.writing("keeping what are no duplicates") as w:
        w.comparisons.refuse(rows)
    return rows


def take_back_refusals(library: Library, rows: Refused) -> None:
    """Allow pairs to be duplicates again."""
    with library.store.writing("taking back what were no duplicates") as w:
        w.comparisons.take_back([(row.first, row.second) for row in rows])


def refuse_again(library: Library, rows: Refused) -> None:
    """Record again that pairs are no duplicates."""
    with library.store.writing("keeping what are no duplicates") as w:
        w.comparisons.refuse(rows)


def refused_pairs(library: Library) -> list[RefusedRow]:
    """List the pairs that are no duplicates, the latest first."""
    with library.store.reading() as r:
        return r.comparisons.refused()


_FOLDERS_SETTING = "folders that stay"  # a list of [volume, path in base64]
Place = tuple[int, bytes]
"""A folder: its volume, and its path there."""


@dataclass(frozen=True)
class KeptFolder:
    """A folder that stays; ``folder`` is its full path, for people."""

    volume_id: int
    path: bytes
    folder: str


def kept_folders(library: Library) -> list[KeptFolder]:
    """List the folders that stay, in the order of their paths."""
    with library.store.reading() as r:
        known = library.volumes(r)
        return [
            KeptFolder(volume_id, path, shown(volumes.locate(known[volume_id], path)))
            for volume_id, path in folder_places(r)
            if volume_id in known
        ]


def keep_folder(library: Library, folder: Path) -> None:
    """Protect a folder: its photographs stay.

    Raises
    ------
    TwinlensError
        If it is not there, or the library has no photographs on its disk.
    """
    path = resolved_folder(folder)
    with library.store.writing("keeping a folder") as w:
        place = library.place(w, path)
        if place is None:
            raise TwinlensError("The library has nothing of {path}.", Remedy("show folders"), path=shown(path))
        _put(w, {*folder_places(w), place})


def release_folder(library: Library, folder: Path) -> None:
    """End the protection of a folder; it need not be there.

    Raises
    ------
    TwinlensError
        If it is not protected.
    """
    path = volumes.full_path(folder)
    with library.store.writing("releasing a folder") as w:
        place, known = library.place(w, path), folder_places(w)
        if place not in known:
            raise TwinlensError(
                "{path} is none of the folders that stay.", "Name one of those, as they are listed.", path=shown(path)
            )
        _put(w, {*known} - {place})


def folder_places(r: Transaction) -> list[Place]:
    """Return volume and path of the folders that stay."""
    return sorted((volume_id, base64.b64decode(path)) for volume_id, path in r.settings.get(_FOLDERS_SETTING, []))


def _put(w: Transaction, wanted: set[Place]) -> None:
    w.settings.put(_FOLDERS_SETTING, [[one, base64.b64encode(path).decode()] for one, path in sorted(wanted)])


def stays(r: Transaction, ids: Int64Ids) -> BoolMask:
    """Return which photographs lie in folders that stay.

    Parameters
    ----------
    ids : Ids, (n,)
        In any order.

    Returns
    -------
    ndarray of bool, (n,)
    """
    folders = tuple(folder_places(r))
    if not folders:
        return np.zeros(len(ids), np.bool_)
    return np.isin(ids, r.photographs.matching(Filter(folders=folders)))
