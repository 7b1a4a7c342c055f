"""``twinlens demo``: what the program does, on real photographs, in one command."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.main import Command
from app.cli.progress import long_work
from app.cli.search.search import print_result
from app.cli.session import Session, give
from app.language.spoken import _, _n, text

if TYPE_CHECKING:
    from rich.console import Console


@click.command(cls=Command, epilog="Example: twinlens demo --no-window")
@click.option("--window/--no-window", default=True, help="Open the window afterwards, where there is a screen.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes that read; by default one a core.")
@click.pass_obj
def demo(session: Session, window: bool, workers: int | None) -> None:
    """Fetch demo photographs, index them, and print ranked look-alikes of a few. A second run takes seconds."""
    from app.demo.demo import demo as run_demo

    with long_work(session) as progress:
        result = run_demo(progress, workers)

    def people(out: Console) -> None:
        for one in result.results:
            print_result(out, one)
        out.print(
            _n(
                "{count} photo from {folder}:",
                "{count} photos from {folder}:",
                result.photographs,
                folder=result.folder,
            )
        )
        for source in result.sources:
            out.print(f"  {source}")
        out.print(_("Author and licence of each: {file}", file=result.licences))
        for note in result.notes:
            out.print(text(note))
        out.print(_("The ranked results as one picture: {file}", file=result.picture))
        command = f"{sys.argv[0]} search PICTURE --library '{result.library}'"
        out.print(_("Search with another picture: {command}", command=command))

    give(session, result, people)
    if window and not session.as_json:
        from app.cli.window import open_where_there_is_a_screen

        open_where_there_is_a_screen(session, Path(result.library))
