"""``twinlens mark`` and ``twinlens marks``: photographs marked as similar or different, and the marks managed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from twinlens.app.cli.main import Command, TranslatedGroup
from twinlens.app.cli.requests import takes
from twinlens.app.cli.session import OUTPUT, PICTURE, Session, give, names_photographs
from twinlens.app.cli.tables import plain_table
from twinlens.app.language.texts import _, _n, text
from twinlens.app.machine.output_file import OutputFile
from twinlens.app.marks.mark_filters import EVERY_MARK, MarkFilters
from twinlens.app.marks.mark_results import MarkResult, MarksResult, MarkStatus, RemovedMarks
from twinlens.core.files.untrusted_input import expanded
from twinlens.core.message import NOTHING, Message, counted, joined

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


@click.command(cls=Command, epilog="Example: twinlens mark cat.jpg kitten.jpg '#12' --similar")
@click.argument("pictures", nargs=-1, required=True, type=PICTURE, metavar="PICTURE...")
@click.option("--similar/--different", "similar", default=None, help="What they are to each other.")
@click.option("--group", is_flag=True, help="All are alike, each with each; a PICTURE may be a folder, then.")
@names_photographs
@click.pass_obj
def mark(session: Session, pictures: tuple[Path | int, ...], similar: bool | None, group: bool) -> int:
    """Mark the first PICTURE and each of the others as similar, or as different.

    A PICTURE is the path of a photo of the library, or its id, as #12. With --group all are similar to each other,
    and so are all photos of a folder that is named alone; of a large group some pairs are marked, by chance.
    `twinlens learn` learns from marks. The exit code is 2 where a pair could not be marked; the others are.
    """
    from twinlens.app.library.library import Library
    from twinlens.app.marks.marks import mark_folder, mark_group, mark_pairs

    if similar is None and not group:
        raise click.UsageError(_("Say --similar or --different."))
    if group and similar is False:
        raise click.UsageError(_("Photos of a --group are similar; name two pictures to mark them as different."))
    named = list(pictures)
    folders = [one for one in named if isinstance(one, Path) and expanded(one).is_dir()]
    if folders and (not group or len(named) > 1):
        raise click.UsageError(_("A folder is marked with --group, and alone."))
    if not folders and len(named) < 2:
        raise click.UsageError(_("Name two pictures or more, or a folder with --group."))
    with Library.open(session.library) as library:
        if folders:
            result = mark_folder(library, folders[0])
        elif group:
            result = mark_group(library, named)
        else:
            result = mark_pairs(library, [(named[0], other) for other in named[1:]], bool(similar))
    give(session, result, lambda out: _print_change(out, result))
    return 2 if result.refused else 0


def _print_change(out: Console, result: MarkResult) -> None:
    for sentence in (*result.refused, *result.notes):
        out.print(text(sentence))
    if result.contradicting:
        out.print(_("These say the opposite:"))
        out.print(_table(result.contradicting))
    new = len(result.added)
    if result.repeated:
        out.print(
            _n(
                "{count} mark new, {repeated} said before; {total} in all.",
                "{count} marks new, {repeated} said before; {total} in all.",
                new,
                repeated=result.repeated,
                total=result.total,
            )
        )
    else:
        out.print(
            _n("{count} mark new; {total} in all.", "{count} marks new; {total} in all.", new, total=result.total)
        )


def _table(listed: Iterable[MarkStatus]) -> Table:
    rows = [
        (
            str(one.id),
            _("similar") if one.similar else _("different"),
            one.first,
            one.second,
            one.origin,
            one.created,
            ", ".join(
                word
                for word, applies in ((_("contradicted"), one.contradicted), (_("missing"), one.missing))
                if applies
            ),
        )
        for one in listed
    ]
    heading = (_("id"), _("are"), _("first"), _("second"), _("from"), _("since"), "")
    return plain_table(heading, rows, numbers=(0,))


@click.group(cls=TranslatedGroup, epilog="Example: twinlens marks list --contradicted")
def marks() -> None:
    """List, remove, export and import marks: what you said is similar or different."""


_filtered = takes(
    "filters",
    MarkFilters,
    *("similar", "contradicted", "missing", "origin"),
    click.option(
        "--photograph", type=PICTURE, metavar="PICTURE", help="Only of this photo: a path, or its id, as #12."
    ),
)


@marks.command("list", cls=Command, epilog="Example: twinlens marks list --different --photograph cat.jpg")
@_filtered
@names_photographs
@click.pass_obj
def list_(session: Session, filters: MarkFilters) -> None:
    """List marks, in the order in which they were made."""
    from twinlens.app.library.library import Library
    from twinlens.app.marks.marks import list_marks

    with Library.open(session.library) as library:
        result = list_marks(library, filters)
    give(session, result, lambda out: _listed(out, result))


def _listed(out: Console, result: MarksResult) -> None:
    if result.marks:
        out.print(_table(result.marks))
    if not result.total:
        out.print(_("The library has no marks."))
        return
    parts = [
        Message("{similar} similar, {different} different", similar=result.similar, different=result.different),
        counted(
            "{count} pair is marked both ways and not used",
            "{count} pairs are marked both ways and not used",
            result.contradicted,
        )
        if result.contradicted
        else NOTHING,
        counted("{count} waits for photos", "{count} wait for photos", result.missing) if result.missing else NOTHING,
    ]
    out.print(
        _n(
            "{listed} of {count} mark: {parts}.",
            "{listed} of {count} marks: {parts}.",
            result.total,
            listed=len(result.marks),
            parts=joined(parts, "; "),
        )
    )


@marks.command(cls=Command, epilog="Example: twinlens marks remove 12 13 --keep removed.csv")
@click.argument("ids", nargs=-1, type=click.IntRange(1, 2**63 - 1), metavar="[ID]...")
@_filtered
@click.option("--all", "every", is_flag=True, help="Remove every mark.")
@click.option("--keep", type=OUTPUT, metavar="FILE", help="First write them into a .csv or .json.")
@names_photographs
@click.pass_obj
def remove(session: Session, ids: tuple[int, ...], filters: MarkFilters, every: bool, keep: OutputFile | None) -> int:
    """Remove marks: those with an ID of `marks list`, or those that the options choose.

    `marks import` brings those back that --keep wrote into a file.
    """
    from twinlens.app.library.library import Library
    from twinlens.app.marks.mark_file import write_marks
    from twinlens.app.marks.marks import list_marks, remove_marks
    from twinlens.app.marks.pair_file import check_pairs_file

    if keep is not None:
        check_pairs_file(keep)
    if (bool(ids) + every + (filters != EVERY_MARK)) != 1:
        raise click.UsageError(_("Name marks by their ID, or choose them by options, or say --all."))
    with Library.open(session.library) as library:
        chosen = list_marks(library, filters).marks
        if ids:
            chosen = [one for one in chosen if one.id in ids]
        written = None if keep is None else write_marks(chosen, keep)
        result = remove_marks(library, ids or [one.id for one in chosen])
    if written is not None:
        result = result.model_copy(update={"file": written.file})
    give(session, result, lambda out: _gone(out, result))
    return 2 if result.refused else 0


def _gone(out: Console, result: RemovedMarks) -> None:
    for sentence in result.refused:
        out.print(text(sentence))
    if result.removed:
        out.print(_table(result.removed))
    gone = counted(
        "{count} mark removed; {left} left.",
        "{count} marks removed; {left} left.",
        len(result.removed),
        left=result.total,
    )
    kept = NOTHING
    if result.file is not None:
        kept = Message("`{command}` brings them back.", command=f"twinlens marks import {result.file}")
    out.print(text(joined([gone, kept])))


@marks.command(cls=Command, epilog="Example: twinlens marks export marks.csv")
@click.argument("file", type=OUTPUT)
@_filtered
@click.pass_obj
def export(session: Session, file: OutputFile, filters: MarkFilters) -> None:
    """Write marks into FILE, a .csv or .json, with what tells the photos wherever they are moved."""
    from twinlens.app.library.library import Library
    from twinlens.app.marks.mark_file import export_marks
    from twinlens.app.marks.pair_file import check_pairs_file

    check_pairs_file(file)
    with Library.open(session.library) as library:
        result = export_marks(library, file, filters)
    give(
        session,
        result,
        lambda out: out.print(
            _n("{count} mark in {file}.", "{count} marks in {file}.", result.marks, file=result.file)
        ),
    )


@marks.command("import", cls=Command, epilog="Example: twinlens marks import marks.csv")
@click.argument("file", type=click.Path(path_type=Path))
@names_photographs
@click.pass_obj
def import_(session: Session, file: Path) -> int:
    """Take the marks in FILE into the library.

    FILE is an export, or a CSV with the columns first, second and judgement, or a JSON list of objects with these keys.
    Pictures are named by path or id; a judgement is similar or different.
    """
    from twinlens.app.library.library import Library
    from twinlens.app.marks.mark_file import import_marks

    with Library.open(session.library) as library:
        result = import_marks(library, file)
    give(session, result, lambda out: _print_change(out, result))
    return 2 if result.refused else 0
