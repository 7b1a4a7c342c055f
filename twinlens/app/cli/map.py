"""``twinlens map``: the library in two dimensions, as coordinates and as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twinlens.app.cli.main import Command
from twinlens.app.cli.progress import long_work
from twinlens.app.cli.requests import takes
from twinlens.app.cli.session import OUTPUT, Session, give, names_photographs
from twinlens.app.cli.tables import plain_table
from twinlens.app.language.texts import _, _n, number, text
from twinlens.app.map.map_settings import MapSettings

if TYPE_CHECKING:
    from rich.console import Console

    from twinlens.app.machine.output_file import OutputFile
    from twinlens.app.map.map_results import MapSummary


@click.command(cls=Command, name="map", epilog="Example: twinlens map --png map.png --csv map.csv")
@takes("settings", MapSettings)
@click.option("--anew", is_flag=True, help="Make the map anew, instead of putting new photos beside their nearest.")
@click.option("--csv", "table", type=OUTPUT, metavar="FILE", help="Write id, path, x, y, cluster and date.")
@click.option("--png", "picture", type=OUTPUT, metavar="FILE", help="Draw the map with thumbnails; or .jpg.")
@click.option(
    "--size", type=click.IntRange(200, 20_000), default=3000, show_default=True, help="Of the picture, in pixels."
)
@names_photographs
@click.pass_obj
def map(  # noqa: A001 (the command's name)
    session: Session,
    settings: MapSettings,
    anew: bool,
    table: OutputFile | None,
    picture: OutputFile | None,
    size: int,
) -> None:
    """Lay the library out in two dimensions, so that photos that are alike lie together.

    x goes to the right and y down, both from 0 to 1. A map that was made is kept, and made again only if photos
    have come or gone; few new ones are put beside their nearest.
    """
    from twinlens.app.library.library import Library
    from twinlens.app.map.layout import library_map, map_summary
    from twinlens.app.map.map_export import TABLE, MapPicture, check_map_file, draw_map, write_map_table
    from twinlens.core.progress import part

    if table is not None:
        table.check(TABLE)
    if picture is not None:
        check_map_file(picture)
    with Library.open(session.library) as library, long_work(session) as progress:
        found = library_map(library, settings, anew, part(progress, 0, 0.8))
        result = map_summary(library, found)
        if table is not None:
            write_map_table(table, result)
        if picture is not None:
            draw_map(library, found, picture, MapPicture(side=size), part(progress, 0.8, 1))
    written = {"csv": str(table) if table else None, "png": str(picture) if picture else None}
    result = result.model_copy(update=written)
    give(session, result, lambda out: _print(out, result))


_FEW = 11  # among so few, all others are the 10 nearest of each, wherever they lie


def _print(out: Console, result: MapSummary) -> None:
    rows = [
        (text(one.name), number(one.photographs), number(one.x, ".2f"), number(one.y, ".2f")) for one in result.clusters
    ]
    out.print(plain_table((_("cluster"), _("photos"), "x", "y"), rows, numbers=(1, 2, 3)))
    out.print(_trueness(result))
    if result.placed:
        out.print(
            _n(
                "{count} that has come since it was made lies beside its nearest; --anew makes it anew.",
                "{count} that have come since it was made lie beside their nearest; --anew makes it anew.",
                result.placed,
            )
        )
    if result.silent:
        out.print(
            _n(
                "{count} of which this index has nothing to say lies in the lower left corner.",
                "{count} of which this index has nothing to say lie in the lower left corner.",
                result.silent,
            )
        )
    for file in (result.csv, result.png):
        if file is not None:
            out.print(_("Written: {file}", file=file))


def _trueness(result: MapSummary) -> str:
    """Return how many of the nearest photographs are nearest on the map, too."""
    if result.photographs <= _FEW:
        return _n(
            "{count} photo by {index} ({measure}), {kind}: too few to say how true the map is.",
            "{count} photos by {index} ({measure}), {kind}: too few to say how true the map is.",
            result.photographs,
            index=result.index,
            measure=result.measure,
            kind=result.kind,
        )
    return _n(
        "{count} photo by {index} ({measure}), {kind}: {kept:.0%} of the 10 nearest of each are among its 10 "
        "nearest here.",
        "{count} photos by {index} ({measure}), {kind}: {kept:.0%} of the 10 nearest of each are among its 10 "
        "nearest here.",
        result.photographs,
        index=result.index,
        measure=result.measure,
        kind=result.kind,
        kept=result.kept_neighbours,
    )
