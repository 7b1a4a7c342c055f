"""``twinlens note``: your own stars, favourites, labels, keywords, titles and captions of photos."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from twinlens.app.cli.main import Command
from twinlens.app.cli.progress import long_work
from twinlens.app.cli.requests import takes
from twinlens.app.cli.session import PICTURE, Session, give, names_photographs
from twinlens.app.cli.tables import plain_table
from twinlens.app.language.texts import _, _n, text
from twinlens.app.notes.note_changes import NoteChanges

if TYPE_CHECKING:
    from rich.console import Console

    from twinlens.app.notes.own_notes_results import NotesResult


@click.command(cls=Command, epilog="Example: twinlens note cat.jpg '#12' --rating 4 --keyword Garden --favourite")
@click.argument("pictures", nargs=-1, type=PICTURE, metavar="[PICTURE]...")
@takes("changes", NoteChanges)
@click.option("--forget", is_flag=True, help="Forget your notes: what the files say counts again.")
@click.option("--write-sidecars", is_flag=True, help="Write your notes into XMP files beside the photos.")
@names_photographs
@click.pass_obj
def note(
    session: Session, pictures: tuple[Path | int, ...], changes: NoteChanges, forget: bool, write_sidecars: bool
) -> int:
    """Note something of each PICTURE, the path of a photo of the library or its id, as #12; or show what is noted.

    Your notes lie in the library, count before what files say, and stay with a photo that is moved. A photo is never
    written to. With --write-sidecars your notes, but for favourites, are written into XMP files beside the photos,
    of all photos where no PICTURE is named; what other programs have written there stays.
    """
    from twinlens.app.library.browsing.albums import photographs_at
    from twinlens.app.library.library import Library
    from twinlens.app.notes.own_notes import change_notes, forget_notes
    from twinlens.app.notes.own_notes_results import noted
    from twinlens.app.notes.written_notes import write_sidecars as write

    if not pictures and not write_sidecars:
        raise click.UsageError(_("Name a PICTURE, or say --write-sidecars."))
    with Library.open(session.library) as library, long_work(session) as progress:
        ids = photographs_at(library, pictures)
        if forget:
            forget_notes(library, ids)
        if changes != NoteChanges():
            change_notes(library, ids, changes)
        result = noted(library, ids)
        if write_sidecars:
            written = write(library, ids or None, progress)
            result = result.model_copy(update={"files": written.files, "refused": written.refused})
    give(session, result, lambda out: _print_change(out, result))
    return 2 if result.refused else 0


def _print_change(out: Console, result: NotesResult) -> None:
    rows = [
        (
            one.path,
            "★" * one.rating,
            ", ".join(
                word
                for word, holds in (
                    (_("favourite"), one.favourite),
                    (_("picked"), one.pick > 0),
                    (_("rejected"), one.pick < 0 or one.rating < 0),
                )
                if holds
            ),
            one.label,
            ", ".join(one.keywords),
            one.title or one.caption,
        )
        for one in result.photographs
    ]
    if rows:
        out.print(plain_table((_("photo"), _("stars"), "", _("label"), _("keywords"), _("title or caption")), rows))
    for sentence in result.refused:
        out.print(text(sentence))
    if result.files:
        out.print(_n("{count} XMP file written.", "{count} XMP files written.", len(result.files)))
