"""A photograph as the library lists it, with what is known of it, and its file."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from twinlens.app.library import volumes
from twinlens.app.library.browsing.overview import (
    overview,
)
from twinlens.app.library.library import Library, LocatedPhotograph
from twinlens.core.arrays import Int64Ids
from twinlens.core.date_taken import DateSource
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import plain, shown
from twinlens.features.pictures.picture import Metadata
from twinlens.storage.database.values import PhotographState
from twinlens.storage.photographs.photograph_listing import Filter
from twinlens.storage.photographs.photographs import PhotographRow

if TYPE_CHECKING:
    from twinlens.app.notes.photo_notes import SidecarFields
    from twinlens.storage.photographs.notes import CameraNote, SidecarNote


@dataclass(frozen=True)
class Photograph:
    """A photograph as the library lists it.

    Attributes
    ----------
    path, name, folder : str
        For people.
    content_hash : bytes
        Under which its thumbnail lies.
    taken : str or None
        ``2023-05-14T11:08:00``, by the camera's clock; shorter where less is known.
    dated_by : DateSource
        Where that is said.
    place : str
        Latitude and longitude in degrees; empty where they are not known.
    subsecond : str
        Digits of the fraction of the second at which it was taken; empty where not said.
    notes_text : str
        The JSON of what its file says and holds; empty where that was not looked up.
    beside_text, own_text : str
        The JSON of what files beside it say, and of the owner's notes; empty without any.
    width, height : int
        As shown, in pixels.
    size : int
        Of the file, in bytes.
    away : bool
        The disk is not connected, or the file has vanished.
    """

    id: int
    path: str
    name: str
    folder: str
    content_hash: bytes
    taken: str | None
    camera: str | None
    width: int
    height: int
    size: int
    format: str
    away: bool
    dated_by: DateSource = DateSource.EXIF
    place: str = ""
    subsecond: str = ""
    notes_text: str = ""
    beside_text: str = ""
    own_text: str = ""

    @property
    def notes(self) -> Metadata:
        """The notes that count, with those of its file as far as they were looked up."""
        file = Metadata.of_text(self.notes_text) if self.notes_text else Metadata()
        if not (self.beside_text or self.own_text):
            return file
        from twinlens.app.notes.photo_notes import counted_notes

        return counted_notes(file, self.beside, json.loads(self.own_text or "{}"))

    @property
    def beside(self) -> SidecarFields | None:
        """The statements of files beside it; None where there are none."""
        if not self.beside_text:
            return None
        from twinlens.app.notes.photo_notes import SidecarFields

        return SidecarFields.of_text(self.beside_text)


def photographs(library: Library, ids: Sequence[int] | None = None) -> list[Photograph]:
    """Return photographs that were read, in the order of the ids; by default all, by id."""
    with library.store.reading() as r:
        wanted = r.photographs.matching(Filter(states=(PhotographState.READY,))) if ids is None else ids
        found = library.look_up(r, wanted)
        contents = {one.row.content_hash for one in found if one.row.content_hash is not None}
        notes, own = r.camera_notes.of(contents), r.own_notes.of(contents)
        beside = r.sidecar_notes.of([one.row.id for one in found])
    return [
        _with_notes(one, notes.get(one.content_hash), beside.get(one.id), own.get(one.content_hash, ""))
        for one in listed(found)
    ]


def _with_notes(one: Photograph, note: CameraNote | None, beside: SidecarNote | None, own: str) -> Photograph:
    if note is not None:
        one = replace(one, place=note.place, subsecond=note.subsecond, notes_text=note.metadata or "")
    if beside is not None:
        from twinlens.app.notes.photo_notes import SidecarFields, counted_place

        place = counted_place(one.place, SidecarFields.of_text(beside.fields))
        one = replace(one, place=place, beside_text=beside.fields)
    return replace(one, own_text=own) if own else one


def listed(found: Collection[LocatedPhotograph]) -> list[Photograph]:
    """Return located photographs as they are listed, in their order; without those never read."""
    present = {one.volume: volumes.is_present(one.volume) for one in found}
    return [
        _photograph(one.row, one.path, one.row.state is PhotographState.MISSING or not present[one.volume])
        for one in found
        if one.row.content_hash is not None
    ]


def _photograph(row: PhotographRow, path: bytes, away: bool) -> Photograph:
    folder, name = os.path.split(path)
    return Photograph(
        id=row.id,
        path=shown(path),
        name=plain(shown(name)),
        folder=plain(shown(folder)),
        content_hash=row.content_hash or b"",
        taken=None if row.date is None else row.date.written,
        camera=None if row.camera is None else plain(row.camera),
        width=row.width or 0,
        height=row.height or 0,
        size=row.size,
        format=row.format or "",
        away=away,
        dated_by=DateSource.EXIF if row.date is None else row.date.source,
    )


def paths_of(library: Library, ids: Sequence[int], away: bool = True) -> list[bytes]:
    """Return the paths of photographs in the order of the ids; without those that the library does not have.

    Half a million take half a second.

    Parameters
    ----------
    away : bool
        Whether those are wanted whose disk is not connected, or whose file has vanished.
    """
    seen = overview(library, needed=["places"])
    assert seen.places is not None
    wanted = np.asarray(ids, np.int64)
    if not len(seen.basics.ids):
        return []
    rows = np.minimum(np.searchsorted(seen.basics.ids, wanted), len(seen.basics.ids) - 1)
    rows = rows[(seen.basics.ids[rows] == wanted) & (away | ~seen.away[rows])]
    return seen.places.files(rows)


def not_missing(library: Library, ids: Int64Ids) -> Int64Ids:
    """Return the ids, in their order, without those of photographs whose files have vanished."""
    known = overview(library).basics
    return ids[~np.isin(ids, known.ids[known.missing])]


def total_bytes(library: Library, ids: Int64Ids) -> int:
    """Return the bytes of the files of photographs; those that the library does not have count nothing."""
    seen = overview(library, needed=["sizes"])
    assert seen.sizes is not None
    return int(seen.sizes[0][np.isin(seen.basics.ids, ids)].sum())


def original(library: Library, photograph_id: int) -> Path:
    """Return the file of a photograph.

    Raises
    ------
    TwinlensError
        If its disk is not connected, or the file is not there any more.
    """
    with library.store.reading() as r:
        rows = r.photographs.by_id([photograph_id])
        if not rows:
            raise TwinlensError("The library does not have this photo any more.", "Its folder was forgotten.")
        volume = library.volumes(r)[rows[0].volume_id]
    path = volumes.locate(volume, rows[0].path)
    if not volumes.is_present(volume):
        raise TwinlensError(
            "{path} is on {label}, which is not connected.", "Connect the disk.", path=shown(path), label=volume.label
        )
    if not os.path.isfile(path):
        raise TwinlensError(
            "The file {path} is not there any more.", "Rescan: a moved file is found again.", path=shown(path)
        )
    return Path(os.fsdecode(path))
