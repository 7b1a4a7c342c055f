"""``twinlens album``: albums listed, filled, emptied, kept as searches and deleted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from twinlens.app.cli.main import Command, TranslatedGroup
from twinlens.app.cli.requests import takes
from twinlens.app.cli.session import PICTURE, Session, give, names_photographs
from twinlens.app.cli.tables import plain_table
from twinlens.app.language.texts import _, _n
from twinlens.app.search.search_options import Filters

if TYPE_CHECKING:
    from rich.console import Console

    from twinlens.app.library.browsing.albums import AlbumChange
    from twinlens.app.library.library import Library
    from twinlens.app.library.library_results import AlbumResult, AlbumsResult


@click.group(cls=TranslatedGroup, epilog="Example: twinlens album add 'Norway 2015' fjord.jpg '#12'")
def album() -> None:
    """List, fill and delete albums: photos under a name, or a search that is kept."""


_pictures = click.argument("pictures", nargs=-1, required=True, type=PICTURE, metavar="PICTURE...")
_name = click.argument("name", metavar="NAME")


@album.command("list", cls=Command, epilog="Example: twinlens album list 'Norway 2015'")
@click.argument("name", metavar="[NAME]", required=False)
@names_photographs
@click.pass_obj
def list_(session: Session, name: str | None) -> None:
    """List the albums, or the photos of the one with this NAME."""
    from twinlens.app.cli.listing import say_missing
    from twinlens.app.library.browsing.albums import album_named, albums, listed_album
    from twinlens.app.library.library import Library
    from twinlens.app.library.library_results import AlbumsResult

    with Library.open(session.library) as library:
        found = albums(library) if name is None else [album_named(library, name)]
        result = AlbumsResult(albums=[listed_album(library, one, paths=name is not None) for one in found])
    give(session, result, lambda out: _listed(out, result))
    say_missing(session, sum(one.missing or 0 for one in result.albums))


def _listed(out: Console, result: AlbumsResult) -> None:
    for one in result.albums:
        for path in one.paths or ():
            out.print(path, markup=False)
    if not result.albums:
        out.print(_("The library has no albums."))
    elif result.albums[0].paths is None:
        rows = [
            (one.name, str(one.photographs), ", ".join(f"{key} {value}" for key, value in (one.search or {}).items()))
            for one in result.albums
        ]
        out.print(plain_table((_("album"), _("photos"), _("kept search")), rows, numbers=(1,)))


@album.command("add", cls=Command, epilog="Example: twinlens album add 'Norway 2015' fjord.jpg '#12'")
@_name
@_pictures
@click.pass_obj
def add(session: Session, name: str, pictures: tuple[Path | int, ...]) -> None:
    """Add each PICTURE to the album NAME, which is made if there is none.

    A PICTURE is the path of a photo of the library, or its id, as #12.
    """
    from twinlens.app.library.browsing.albums import add_to_album, albums, make_album, photographs_at
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        ids = photographs_at(library, pictures)
        is_there = any(one.name == name for one in albums(library))
        _give_change(session, library, (add_to_album if is_there else make_album)(library, name, ids))


@album.command("remove", cls=Command, epilog="Example: twinlens album remove 'Norway 2015' '#12'")
@_name
@_pictures
@click.pass_obj
def remove(session: Session, name: str, pictures: tuple[Path | int, ...]) -> None:
    """Remove each PICTURE from the album NAME; no file is touched."""
    from twinlens.app.library.browsing.albums import photographs_at, remove_from_album
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        _give_change(session, library, remove_from_album(library, name, photographs_at(library, pictures)))


@album.command(
    "keep", cls=Command, epilog="Example: twinlens album keep 'Canon in Norway' --words norway --camera canon"
)
@_name
@click.option("--words", default="", metavar="TEXT", help="Words in name, folder, camera, date or notes of a photo.")
@takes("filters", Filters)
@click.pass_obj
def keep(session: Session, name: str, words: str, filters: Filters) -> None:
    """Make the album NAME of all photos that pass these filters now and later."""
    from twinlens.app.cli.listing import listing_filter
    from twinlens.app.library.browsing.albums import make_album
    from twinlens.app.library.browsing.listing import listing
    from twinlens.app.library.library import Library

    if not words and not filters.values():
        raise click.UsageError(_("Say what the album finds: --words, or a filter."))
    with Library.open(session.library) as library:
        search = listing_filter(words, filters)
        listing(library, choice=search)  # refuses what no filter can be
        _give_change(session, library, make_album(library, name, search=search))


@album.command("rename", cls=Command, epilog="Example: twinlens album rename Norway 'Norway 2015'")
@_name
@click.argument("to", metavar="NEWNAME")
@click.pass_obj
def rename(session: Session, name: str, to: str) -> None:
    """Rename the album NAME."""
    from twinlens.app.library.browsing.albums import rename_album
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        _give_change(session, library, rename_album(library, name, to))


@album.command("delete", cls=Command, epilog="Example: twinlens album delete 'Norway 2015'")
@_name
@click.pass_obj
def delete(session: Session, name: str) -> None:
    """Delete the album NAME; its photos stay where they are, and in the library."""
    from twinlens.app.library.browsing.albums import delete_album
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        _give_change(session, library, delete_album(library, name))


def _give_change(session: Session, library: Library, change: AlbumChange) -> None:
    from twinlens.app.library.browsing.albums import album_named
    from twinlens.app.library.library_results import AlbumResult

    now = None if change.after is None else album_named(library, change.name).photographs
    result = AlbumResult(name=change.name, photographs=now, changed=len(change.added) + len(change.removed))
    give(session, result, lambda out: _print_change(out, result))


def _print_change(out: Console, result: AlbumResult) -> None:
    if result.photographs is None:
        out.print(_("The album “{name}” is deleted; its photos stay.", name=result.name), markup=False)
        return
    words = _n("“{name}” has {count} photo.", "“{name}” has {count} photos.", result.photographs, name=result.name)
    out.print(words, markup=False)
