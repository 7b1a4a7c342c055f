"""``twinlens demo``: a show of what the program does, on real photographs, in one command."""

from __future__ import annotations

import webbrowser
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import click

from twinlens.app.cli.main import Command
from twinlens.app.cli.progress import long_work
from twinlens.app.cli.session import Session, give, names_photographs
from twinlens.app.cli.tables import plain_table
from twinlens.app.cli.terminal_text import typed_command
from twinlens.app.language.texts import _, _n, number, text
from twinlens.app.search.search_results import stacked
from twinlens.core.systems import system
from twinlens.storage.database.address import Address

if TYPE_CHECKING:
    from rich.console import Console

    from twinlens.app.demo.demo import DemoResult
    from twinlens.app.search.search_results import SearchResult


_NAMED = 6


@click.command(cls=Command, epilog="Example: twinlens demo --no-window")
@click.option(
    "--window/--no-window", default=True, help="Open the pictures and the window afterwards, where there is a screen."
)
@click.option("--workers", type=click.IntRange(1, 256), help="Processes that read; by default one a core.")
@names_photographs
@click.pass_obj
def demo(session: Session, window: bool, workers: int | None) -> None:
    """Fetch demo photos, and find spoiled copies, things of the same kind, and things by words in about a minute."""
    from twinlens.app.demo.demo import demo as run_demo

    with long_work(session) as progress:
        result = run_demo(progress, workers, text)
    give(session, result, lambda out: _tell(out, result))
    if window and not session.as_json:
        from twinlens.app.cli.window import open_where_there_is_a_screen

        if system.has_screen():
            webbrowser.open(Path(result.sheet).as_uri())
        open_where_there_is_a_screen(session, Address.of(result.library))


def _tell(out: Console, result: DemoResult) -> None:
    """Print the results, and how to go on."""
    out.print(
        _n(
            "Twinlens read {count} demo photo in {seconds} s.",
            "Twinlens read {count} demo photos in {seconds} s.",
            result.photographs,
            seconds=number(result.seconds, ".0f"),
        )
        if result.seconds >= 1
        else _n("{count} demo photo.", "{count} demo photos.", result.photographs)
    )
    for note in result.notes:
        out.print(text(note))
    out.print()
    out.print(_("Spoiled copies: which photo were they made from?"), style="bold")
    rows = [(text(one.name), _of(one.found, one.of), _of(one.found_by_hash, one.of)) for one in result.copies]
    out.print(plain_table(("", "Twinlens", _("perceptual hash")), rows, numbers=(1, 2)))
    out.print(
        _(
            "Twinlens found {found} of {of}, a perceptual hash {by_hash}.",
            found=sum(one.found for one in result.copies),
            of=sum(one.of for one in result.copies),
            by_hash=sum(one.found_by_hash for one in result.copies),
        )
    )
    out.print()
    out.print(_("More like this:"), style="bold")
    for one in result.results:
        out.print(f"  {_name(text(one.query))}: {_first(one)}")
    if result.words:
        out.print()
        out.print(_("Found by words:"), style="bold")
    for one in result.words:
        out.print(f"  {text(one.query)}: {_first(one)}")
    out.print()
    out.print(_("All of it in pictures: {file}", file=result.sheet))
    out.print(_("Your own photos: {command}", command=typed_command("add", "~/Pictures")))
    out.print(_("Authors and licences of the demo photos: {file}", file=result.licences), style="dim")


def _of(found: int, of: int) -> str:
    return _("{found} of {of}", found=found, of=of)


def _name(path: str) -> str:
    return PurePath(path).stem


def _first(result: SearchResult) -> str:
    """Name the first results, with a tick where they show the same."""
    ticks = {True: "✓ ", False: ""}
    others = [stack.first for stack in stacked([one for one in result.hits if not one.query])][:_NAMED]
    return ", ".join(ticks[one.is_match] + _name(one.path) for one in others)
