"""A listing of a library: photographs in order, chosen by filters, and the folders, cameras and years to choose by."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from twinlens.app.language.text_folding import NO_CAMERA, folded
from twinlens.app.library import volumes
from twinlens.app.library.browsing.overview import (
    NEEDED,
    ListingOrder,
    ListingSection,
    Overview,
    date_sections,
    folder_sections,
    overview,
)
from twinlens.app.library.browsing.shown_concepts import ConceptCount, read_words
from twinlens.app.library.library import Library
from twinlens.core.arrays import BoolMask
from twinlens.core.date_taken import check_dates, is_date
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import plain, shown
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent
from twinlens.features.concepts.concept_words import concept_table
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.albums import AlbumRow
from twinlens.storage.photographs.photograph_listing import Filter, MarkFilter, PictureShape, is_camera

if TYPE_CHECKING:
    pass


_DATES = ("since", "until")


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
        What photographs surely show, in words that
        :func:`twinlens.app.library.browsing.shown_concepts.read_words` reads.
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
        values = {name: kept[name] for name in known if isinstance(kept.get(name), str)}
        return cls(**{name: one for name, one in values.items() if name not in _DATES or is_date(one)})


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


def _check(choice: ListingFilter) -> None:
    check_dates(choice.since, choice.until)
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
        from twinlens.app.library.browsing.places import WITHIN, place_of  # here, since few listings need them

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
