"""Browsing a library: its photographs in order, chosen by filters, its folders, cameras and years, and its counts."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from twinlens.app.language.text_folding import NO_CAMERA, folded
from twinlens.app.library import volumes
from twinlens.app.library.library import Library, LocatedPhotograph, cluster_in_use
from twinlens.app.library.library_results import ClusterStatus
from twinlens.app.library.overview import (
    NEEDED,
    ListingOrder,
    ListingSection,
    Overview,
    date_sections,
    folder_sections,
    overview,
)
from twinlens.app.library.shown_concepts import ConceptCount, read_words
from twinlens.core.arrays import BoolMask, Int64Ids
from twinlens.core.date_taken import DateSource
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import plain, shown
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent
from twinlens.features.concepts.concept_words import concept_table
from twinlens.features.pictures.picture import Metadata
from twinlens.storage.database.values import PhotographState
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.albums import AlbumRow
from twinlens.storage.photographs.photograph_listing import Filter, MarkFilter, PictureShape, is_camera
from twinlens.storage.photographs.photographs import PhotographRow

if TYPE_CHECKING:
    from twinlens.app.notes.photo_notes import SidecarFields
    from twinlens.storage.photographs.notes import CameraNote, SidecarNote


@dataclass(frozen=True)
class ListingFilter:
    """A filter of photographs; all of its conditions must hold.

    Attributes
    ----------
    words : str
        Each must occur in the file's name, its folder, the camera, the date, or a keyword, title, caption, label
        or town; case and accents do not matter.
    folder : str or None
        A folder as :class:`FolderNode` names it; a photograph lies in it at any depth.
    since, until : str or None
        Dates of taking, both included, as far as they are written: ``2023``, ``2023-05``, ``2023-05-14``.
    camera : str or None
        Part of the camera's name, without regard to case; or `NO_CAMERA`.
    orientation : str or None
        ``landscape``, ``portrait`` or ``square``.
    marked : str or None
        ``any``, ``similar`` or ``different``: it has such a mark with some other photograph.
    rating : int or str or None
        At least so many stars, 1 to 5.
    label : str or None
        Of this colour or name.
    pick : str or None
        ``favourite``, ``picked`` or ``rejected``.
    near : str or None
        Taken near this place, coordinates in degrees, or a photograph by path or id (#12).
    within : str or None
        How near, as ``500m`` or ``2km``; by default a kilometre.
    shows : str or None
        What photographs surely show, in words that :func:`twinlens.app.library.shown_concepts.read_words` reads.
    album : str or None
        The name of an album.
    ids : tuple of int, or None
        Only these photographs, such as those chosen on the map.
    """

    words: str = ""
    folder: str | None = None
    since: str | None = None
    until: str | None = None
    camera: str | None = None
    orientation: str | None = None
    marked: str | None = None
    rating: int | str | None = None
    label: str | None = None
    pick: str | None = None
    near: str | None = None
    within: str | None = None
    shows: str | None = None
    album: str | None = None
    ids: tuple[int, ...] | None = None

    @classmethod
    def of_text(cls, text: str) -> Self:
        """Read what an album finds, from the JSON that a library keeps; what is not known does not count."""
        kept = json.loads(text)
        known = [field.name for field in fields(cls) if field.name != "ids"]
        return cls(**{name: kept[name] for name in known if isinstance(kept.get(name), str)})


@dataclass(frozen=True, eq=False)
class PhotoListing:
    """Photographs in the order in which they are shown.

    Attributes
    ----------
    ids : int64 (n,)
    hashes : uint8 (n, 32)
        Content hashes, under which the thumbnails lie.
    away : bool (n,)
        The disk is not connected, or the file has vanished.
    shelves : tuple of ListingSection
        One after another, without gaps; none in an order that has no headings.
    """

    ids: npt.NDArray[np.int64]
    hashes: npt.NDArray[np.uint8]
    away: npt.NDArray[np.bool_]
    shelves: tuple[ListingSection, ...]


@dataclass(frozen=True)
class FolderNode:
    """A folder in which photographs lie, at any depth.

    Attributes
    ----------
    name, path : str
        For people; the path is what :attr:`ListingFilter.folder` takes.
    depth : int
        0 for a folder that was added.
    photographs : int
        In it and below it.
    present : bool
        Whether its disk is connected.
    root : bool
        Whether it was added, and not only found below one that was.
    """

    name: str
    path: str
    depth: int
    photographs: int
    present: bool
    root: bool


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


def listing(
    library: Library,
    order: ListingOrder = ListingOrder.DATE,
    choice: ListingFilter = ListingFilter(),
    progress: Progress = silent,
) -> PhotoListing:
    """List photographs: all that were ever read, even if their disk or file is away.

    Half a million take about half a second the first time, and some tens of milliseconds as long as nothing changes.

    Parameters
    ----------
    progress : Progress
        Called every few milliseconds while the library is read; may raise ``Cancelled``.

    Raises
    ------
    TwinlensError
        If a date, an orientation or a mark of the choice is none.
    """
    _check(choice)
    words = folded(choice.words.replace("\0", " ")).split()
    needed = {
        "places": bool(words) or choice.folder is not None,
        "cameras": bool(words) or choice.camera is not None,
        "concepts": choice.shows is not None,
        "notes": bool(words) or any((choice.rating, choice.label, choice.pick)),
        "spots": bool(words) or choice.near is not None,
    }
    columns = {name for name, is_needed in needed.items() if is_needed} | (
        {NEEDED[order]} if order in NEEDED else set()
    )
    seen = overview(library, progress, columns)
    rows = seen.ordered(order)
    chosen = _chosen(library, seen, choice, words)
    if chosen is not None:
        rows = rows[chosen[rows]]
    shelves: tuple[ListingSection, ...] = ()
    if order is ListingOrder.FOLDER:
        shelves = folder_sections(seen, rows)
    elif order in (ListingOrder.DATE, ListingOrder.OLDEST):
        shelves = date_sections(seen.basics.taken[rows])
    return PhotoListing(seen.basics.ids[rows], seen.basics.hashes[rows], seen.away[rows], shelves)


_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?", re.ASCII)


def _check(choice: ListingFilter) -> None:
    for date in (choice.since, choice.until):
        if date is not None and not _DATE.fullmatch(date):
            raise TwinlensError(
                "“{date}” is no date.", "Write a year, a month or a day: 2023, 2023-05 or 2023-05-14.", date=date
            )
    if choice.orientation is not None and choice.orientation not in tuple(PictureShape):
        raise TwinlensError(
            "There is no orientation “{orientation}”.",
            "There are {shape}.",
            orientation=choice.orientation,
            shape=", ".join(PictureShape),
        )
    if choice.marked is not None and choice.marked not in tuple(MarkFilter):
        raise TwinlensError(
            Message("There is no mark “{marked}”.", marked=choice.marked),
            Message("There are {marked}.", marked=", ".join(MarkFilter)),
        )


def _chosen(library: Library, seen: Overview, choice: ListingFilter, words: Sequence[str]) -> BoolMask | None:
    """Return which rows are chosen; None for all."""
    masks = [seen.containing(word) for word in words]
    taken = seen.basics.taken
    if choice.since is not None:
        masks.append(taken >= int(choice.since.replace("-", "").ljust(14, "0")))
    if choice.until is not None:
        masks.append((taken > 0) & (taken <= int(choice.until.replace("-", "").ljust(14, "9"))))
    if choice.camera is not None:
        masks.append(seen.taken_with(folded(choice.camera)))
    if choice.folder is not None:
        masks.append(seen.lying_in(choice.folder))
    if choice.orientation is not None:
        with library.store.reading() as r:
            shaped = r.photographs.matching(Filter(shape=PictureShape(choice.orientation)))
        masks.append(np.isin(seen.basics.ids, shaped, assume_unique=True))
    if choice.marked is not None:
        with library.store.reading() as r:
            marked = r.photographs.matching(Filter(marked=MarkFilter(choice.marked)))
        masks.append(np.isin(seen.basics.ids, marked, assume_unique=True))
    if any(noted := (choice.rating, choice.label, choice.pick)):
        assert seen.notes is not None
        masks.append(seen.notes.passing(*noted))
    if choice.near is not None:
        from twinlens.app.library.places import WITHIN, place_of  # here, since few listings need them

        assert seen.spots is not None
        with library.store.reading() as r:
            place = place_of(library, r, choice.near)
        masks.append(seen.spots.near(place, choice.within or WITHIN))
    if choice.shows is not None:
        assert seen.concepts is not None
        masks.append(seen.concepts.surely(read_words(choice.shows, "en"), seen.basics.ids))
    if choice.album is not None:
        masks.append(_in_album(library, seen, choice.album))
    if choice.ids is not None:
        masks.append(np.isin(seen.basics.ids, np.array(choice.ids, np.int64)))
    return np.logical_and.reduce(masks) if masks else None


def _in_album(library: Library, seen: Overview, name: str) -> BoolMask:
    with library.store.reading() as r:
        row = album_row(r, name)
        contents = {one.content for one in r.albums.photographs(row.id)} if row.search is None else set()
    if row.search is None:
        return seen.holding(contents)
    # What it finds may be in another album, never in a later one: a circle would find nothing more.
    found = listing(library, choice=ListingFilter.of_text(row.search))
    return np.isin(seen.basics.ids, found.ids, assume_unique=True)


def album_row(r: Transaction, name: str) -> AlbumRow:
    """Return the album of a name.

    Raises
    ------
    TwinlensError
        If there is none.
    """
    rows = r.albums.all()
    found = next((row for row in rows if row.name == name), None)
    if found is None:
        names = sorted((row.name for row in rows), key=folded)
        there = Message("There are {albums}.", albums=", ".join(names)) if names else Message("There is none yet.")
        raise TwinlensError(Message("There is no album “{name}”.", name=name), there)
    return found


def cameras(library: Library) -> list[tuple[str, int]]:
    """List cameras with the number of photographs that choosing each gives, most first; `NO_CAMERA` comes last.

    A camera is chosen by part of its name, so "EOS 5D" includes "EOS 5D Mark II".
    """
    seen = overview(library, needed=["cameras"]).cameras
    assert seen is not None
    counts = np.bincount(seen.numbers, minlength=len(seen.texts)).tolist()
    known = {folded(name): name for name in reversed(seen.texts) if is_camera(name)}
    each = [(folded(name), count) for name, count in zip(seen.texts, counts, strict=True)]
    found = [(name, sum(count for other, count in each if own in other)) for own, name in known.items()]
    found.sort(key=lambda one: (-one[1], folded(one[0])))
    unknown = sum(count for name, count in zip(seen.texts, counts, strict=True) if not is_camera(name))
    return [*found, *([(NO_CAMERA, unknown)] if unknown else [])]


def concept_counts(library: Library) -> list[ConceptCount]:
    """List what photographs surely show, with their numbers: broader words by theme, then narrower ones, most first."""
    shown = overview(library, needed=["concepts"]).concepts
    assert shown is not None
    broader = len(concept_table().facets)
    each = [one for one in shown.counts[:broader] if one.photographs]
    return each + sorted((one for one in shown.counts[broader:] if one.photographs), key=lambda one: -one.photographs)


def years(library: Library) -> list[str]:
    """List the years in which photographs were taken, newest first."""
    found = np.unique(overview(library).basics.taken // 10**10)
    return [f"{year:04}" for year in found[found > 0][::-1].tolist()]


def folder_tree(library: Library, progress: Progress = silent) -> list[FolderNode]:
    """List the folders in which photographs lie: added folders by path, each followed by its subfolders."""
    seen = overview(library, progress, ["places"])
    assert seen.places is not None
    counts = np.bincount(seen.places.paths.folder, minlength=len(seen.places.located)).tolist()
    nodes = []
    for volume_id, root in sorted(seen.roots, key=lambda place: seen.located(*place).split(b"/")):
        below: dict[tuple[bytes, ...], int] = {(): 0}
        for (own, folder), count in zip(seen.places.paths.folders, counts, strict=True):
            if own == volume_id and volumes.is_in(folder, root):
                parts = tuple(part for part in folder[len(root) :].split(b"/") if part)
                for depth in range(len(parts) + 1):
                    below[parts[:depth]] = below.get(parts[:depth], 0) + count
        place = seen.located(volume_id, root)
        present = seen.mounted[volume_id][1]
        for parts in sorted(below):
            name = parts[-1] if parts else os.path.basename(place) or place
            path = volumes.joined(place, *parts)
            nodes.append(FolderNode(plain(shown(name)), shown(path), len(parts), below[parts], present, not parts))
    return nodes


class LibraryCounts(NamedTuple):
    """Counts of a library.

    Attributes
    ----------
    listed : int
        Photographs that a listing of all has.
    problems : int
        Those that are not set aside.
    pending : int
        Photographs that are still to be read.
    to_prepare : int
        Photographs that can be searched, but not compared point by point yet.
    cluster : ClusterStatus or None
        The cluster that reads photographs now.
    """

    listed: int
    problems: int
    pending: int
    to_prepare: int
    cluster: ClusterStatus | None = None


def counts(library: Library) -> LibraryCounts:
    """Count the photographs and problems of a library, and the photographs still to be read or prepared."""
    from twinlens.features.keypoints.keypoints import (
        KEYPOINTS_VERSION,  # here, since photographs are shown before OpenCV is loaded
    )

    with library.store.reading() as r:
        pending, to_prepare = (
            r.photographs.counts()[PhotographState.PENDING],
            len(r.keypoints.lacking(KEYPOINTS_VERSION)),
        )
        return LibraryCounts(r.listing.count(), r.problems.count(), pending, to_prepare, cluster_in_use(library, r))


def has_folders(library: Library) -> bool:
    """Return whether any folder was added."""
    with library.store.reading() as r:
        return bool(r.folders.all())
