"""Albums: photographs under a name, which a person has chosen, or which a kept filter finds anew each time.

The photographs of an album are contents, so that they stay in it when their files move. Every change can be reversed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import numpy as np

from twinlens.app.language.text_folding import folded
from twinlens.app.library.browsing.listing import ListingFilter, album_row, listing
from twinlens.app.library.browsing.overview import overview
from twinlens.app.library.browsing.photographs import not_missing, photographs
from twinlens.app.library.library import Library
from twinlens.app.library.library_results import AlbumStatus
from twinlens.core.arrays import Int64Ids
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import shown
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.albums import AlbumPhotograph, AlbumRow

LONGEST = 200
"""Characters of a name, at most."""


class Album(NamedTuple):
    """An album.

    Attributes
    ----------
    photographs : int
        That a listing of it has.
    search : ListingFilter or None
        What it finds anew each time; None where a person chose its photographs.
    """

    name: str
    photographs: int
    search: ListingFilter | None
    created: str


class AlbumChange(NamedTuple):
    """A change of one album, which :func:`do_again` does, reversed or not.

    Attributes
    ----------
    before, after : AlbumRow or None
        None before it was made, and after it was deleted.
    added, removed : tuple of AlbumPhotograph
        What came into it, and what left it.
    """

    before: AlbumRow | None
    after: AlbumRow | None
    added: tuple[AlbumPhotograph, ...] = ()
    removed: tuple[AlbumPhotograph, ...] = ()

    @property
    def name(self) -> str:
        """The name of the album, the present one where it is there."""
        row = self.after or self.before
        return "" if row is None else row.name

    def reversed(self) -> AlbumChange:
        """Return the change that takes this one back."""
        return AlbumChange(self.after, self.before, self.removed, self.added)


def albums(library: Library) -> list[Album]:
    """List the albums by name."""
    with library.store.reading() as r:
        rows = sorted(r.albums.all(), key=lambda row: (folded(row.name), row.name))
        held = {row.id: [one.content for one in r.albums.photographs(row.id)] for row in rows if row.search is None}
    there = overview(library).basics.rows_of({one for contents in held.values() for one in contents}) if held else {}
    return [
        _album(library, row)
        if row.search
        else Album(row.name, sum(len(there.get(one, ())) for one in held[row.id]), None, row.created)
        for row in rows
    ]


def _album(library: Library, row: AlbumRow) -> Album:
    found = listing(library, choice=ListingFilter(album=row.name))
    return Album(row.name, len(found.ids), ListingFilter.of_text(row.search) if row.search else None, row.created)


def album_named(library: Library, name: str) -> Album:
    """Return one album.

    Raises
    ------
    TwinlensError
        If there is none of that name.
    """
    with library.store.reading() as r:
        row = album_row(r, name)
    return _album(library, row)


def listed_album(library: Library, album: Album, paths: bool = False) -> AlbumStatus:
    """Return an album as commands list it, with the paths of its photographs where they are wanted."""
    search = None if album.search is None else _set(album.search)
    status = AlbumStatus(name=album.name, photographs=album.photographs, search=search, created=album.created)
    if not paths:
        return status
    every = album_photographs(library, album.name)
    there = not_missing(library, every)
    found = [one.path for one in photographs(library, there.tolist())]
    return status.model_copy(update={"paths": found, "missing": len(every) - len(there)})


def _set(search: ListingFilter) -> dict[str, str]:
    return {name: str(value) for name, value in asdict(search).items() if value}


def album_photographs(library: Library, name: str) -> Int64Ids:
    """Return the ids of the photographs in an album, ascending: int64, (n,)."""
    return np.sort(listing(library, choice=ListingFilter(album=name)).ids)


def make_album(
    library: Library, name: str, ids: Sequence[int] = (), search: ListingFilter | None = None
) -> AlbumChange:
    """Make an album of some photographs, or of what a filter finds.

    Raises
    ------
    TwinlensError
        If the name is empty, too long or taken.
    """
    text = None if search is None else json.dumps(_set(search))
    with library.store.writing("making an album") as w:
        row = w.albums.make(_free(w, name), text)
        return AlbumChange(None, row, added=tuple(w.albums.add(row.id, _contents(library, w, ids))))


def add_to_album(library: Library, name: str, ids: Sequence[int]) -> AlbumChange:
    """Add photographs to an album; those that are in it stay.

    Raises
    ------
    TwinlensError
        If there is none of that name, or nobody chose its photographs.
    """
    with library.store.writing("adding to an album") as w:
        row = _by_hand(w, name)
        return AlbumChange(row, row, added=tuple(w.albums.add(row.id, _contents(library, w, ids))))


def remove_from_album(library: Library, name: str, ids: Sequence[int]) -> AlbumChange:
    """Remove photographs from an album, and with each its copies; no file is touched.

    Raises
    ------
    TwinlensError
        If there is none of that name, or nobody chose its photographs.
    """
    with library.store.writing("removing from an album") as w:
        row = _by_hand(w, name)
        return AlbumChange(row, row, removed=tuple(w.albums.take_out(row.id, _contents(library, w, ids))))


def rename_album(library: Library, name: str, to: str) -> AlbumChange:
    """Rename an album.

    Raises
    ------
    TwinlensError
        If there is none of that name, or the other one is empty, too long or taken.
    """
    with library.store.writing("renaming an album") as w:
        row = album_row(w, name)
        other = row.name if to.strip() == row.name else _free(w, to)
        w.albums.change(row.id, other, row.search)
        return AlbumChange(row, AlbumRow(row.id, other, row.search, row.created))


def delete_album(library: Library, name: str) -> AlbumChange:
    """Delete an album; its photographs stay in the library.

    Raises
    ------
    TwinlensError
        If there is none of that name.
    """
    with library.store.writing("deleting an album") as w:
        row = album_row(w, name)
        return AlbumChange(row, None, removed=tuple(w.albums.remove(row.id)))


def do_again(library: Library, change: AlbumChange) -> None:
    """Do a change that was reversed, or reverse one that was done.

    Raises
    ------
    TwinlensError
        If the album's name was given to another one since.
    """
    before, after = change.before, change.after
    with library.store.writing("changing an album") as w:
        if after is None:
            assert before is not None
            w.albums.remove(before.id)
            return
        if before is None:
            _free(w, after.name)
            w.albums.restore(after, change.added)
            return
        if before.name != after.name:
            w.albums.change(after.id, _free(w, after.name), after.search)
        w.albums.take_out(after.id, [one.content for one in change.removed])
        w.albums.put_back(change.added)


def photographs_at(library: Library, pictures: Sequence[Path | int]) -> list[int]:
    """Return the ids of photographs of the library that are named by their paths or ids.

    Raises
    ------
    TwinlensError
        If the library has no such photograph.
    """
    with library.store.reading() as r:
        rows = [library.find(r, picture) for picture in pictures]
    for picture, row in zip(pictures, rows, strict=True):
        if row is None or row.content_hash is None:
            named = f"#{picture}" if isinstance(picture, int) else str(picture)
            raise TwinlensError("The library has no photo {named}.", "Add its folder first.", named=named)
    return [row.id for row in rows if row is not None]


def _contents(library: Library, r: Transaction, ids: Sequence[int]) -> dict[bytes, str]:
    """Return the contents of photographs, each with the path of the first that has it."""
    found: dict[bytes, str] = {}
    for one in library.look_up(r, ids):
        if one.row.content_hash is not None:
            found.setdefault(one.row.content_hash, shown(one.path))
    return found


def _by_hand(r: Transaction, name: str) -> AlbumRow:
    row = album_row(r, name)
    if row.search is not None:
        raise TwinlensError(
            "“{name}” is a kept search: its photos are found anew each time.",
            "Choose an album that you fill yourself, or make one.",
            name=name,
        )
    return row


def _free(r: Transaction, name: str) -> str:
    """Return a name without blanks around it; refuse one that is none, or taken."""
    name = " ".join(name.split())
    if not name:
        raise TwinlensError("An album needs a name.", "Write one.")
    if len(name) > LONGEST:
        raise TwinlensError("The name of an album has at most {most} characters.", "Write a shorter one.", most=LONGEST)
    if any(row.name == name for row in r.albums.all()):
        raise TwinlensError("There is an album “{name}” already.", "Choose another name.", name=name)
    return name
