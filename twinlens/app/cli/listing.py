"""``twinlens list``: the photographs of the library that pass filters."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from twinlens.app.cli.main import Command
from twinlens.app.cli.requests import takes
from twinlens.app.cli.session import Session, give, names_photographs, say
from twinlens.app.language.texts import _n
from twinlens.app.search.search_options import Filters
from twinlens.core.files.untrusted_input import expanded

if TYPE_CHECKING:
    from twinlens.app.library.browsing.listing import ListingFilter
    from twinlens.app.library.library import Library


@click.command(
    "list", cls=Command, epilog="Example: twinlens list norway --rating 4\nExample: twinlens list --camera canon -0"
)
@click.argument("words", nargs=-1, metavar="[WORDS]...")
@names_photographs
@takes("filters", Filters)
@click.pass_obj
def list_(session: Session, words: tuple[str, ...], filters: Filters) -> None:
    """List the photos of the library, the newest first, one path a line.

    WORDS narrow down to photos that have all of them in name, folder, camera, date, place or notes.
    """
    from twinlens.app.library.browsing.listing import listing
    from twinlens.app.library.browsing.photographs import not_missing, paths_of
    from twinlens.app.library.library import Library
    from twinlens.app.library.library_results import PathsResult

    with Library.open(session.library) as library:
        _check(library, filters)
        ids = listing(library, choice=listing_filter(" ".join(words), filters)).ids
        there = not_missing(library, ids)
        paths = [os.fsdecode(path) for path in paths_of(library, there.tolist())]
        result = PathsResult(paths=paths, missing=len(ids) - len(there))
    session.path_end = session.path_end or "\n"
    give(session, result, lambda _: None)
    say_missing(session, result.missing)


def say_missing(session: Session, count: int) -> None:
    """Say beside a list of photographs how many are not in it because their files have vanished."""
    if count:
        say(
            session,
            _n(
                "{count} photo is not listed: its file has vanished, what is known of it is kept.",
                "{count} photos are not listed: their files have vanished, what is known of them is kept.",
                count,
            ),
        )


def _check(library: Library, filters: Filters) -> None:
    """Refuse what no photograph can pass, as a search does: a period from its end, a folder without photographs."""
    from twinlens.app.search.search_space import check_period, folder_place

    check_period(filters)
    if filters.folder is not None:
        with library.store.reading() as r:
            folder_place(library, r, filters.folder)


def listing_filter(words: str, filters: Filters) -> ListingFilter:
    """Return the filter of a listing."""
    from twinlens.app.library.browsing.listing import ListingFilter

    values: dict[str, Any] = filters.values()
    if filters.folder is not None:
        values["folder"] = str(expanded(filters.folder).absolute())
    return ListingFilter(words=words, **values)
