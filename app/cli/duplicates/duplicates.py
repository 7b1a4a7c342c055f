"""``twinlens duplicates``: groups of photographs that are one picture, or made from one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.cli.duplicates.file_size import FileSize
from app.cli.main import Command
from app.cli.output_files import OUTPUT
from app.cli.progress import long_work
from app.cli.session import Session, give
from app.cli.spoken_help import TranslatedGroup
from app.duplicates.kinds import KIND_NAMES, DuplicateKind
from app.duplicates.results import DuplicateGroup, DuplicatesResult
from app.language.spoken import _, _n, text
from app.machine.output_file import PAGE, OutputFile
from core.amounts import size

if TYPE_CHECKING:
    from rich.console import Console

    from app.duplicates.duplicates import DuplicatesQuery


class DuplicatesGroup(Command, TranslatedGroup):
    """Lists duplicates itself, and has commands."""


def chosen(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say which groups, and what is kept."""
    for option in reversed(
        (
            click.option(
                "--kind",
                "kinds",
                type=click.Choice([kind.value for kind in DuplicateKind]),
                multiple=True,
                help="Only groups with duplicates of this kind. Repeat it for several kinds.",
            ),
            click.option("--folder", type=click.Path(path_type=Path), help="Only groups with a photo in this folder."),
            click.option(
                "--min-size",
                "least_bytes",
                type=FileSize(),
                metavar="SIZE",
                default="0",
                help="Only groups with a file of at least this size: 500kB, 5MB.  [default: any size]",
            ),
            click.option("--undecided", is_flag=True, help="Only groups in which nothing tells which copy to keep."),
            click.option(
                "--rule",
                metavar="RULES",
                help="Which copy to keep, most important rule first: largest, companions, dated, original, finest, "
                "oldest, named, and never:FOLDER for folders to remove copies from first. Put quotes around a whole "
                "rule with a comma in it: 'largest,\"never:Rome, 2019\"'.  [default: the rules saved in the library]",
            ),
            click.option(
                "--index",
                metavar="NAME",
                help="Index that finds similar photos to compare.  [default: Automatic]",
            ),
        )
    ):
        function = option(function)
    return function


def query_of(rule: str | None, index: str | None, **wanted: Any) -> DuplicatesQuery:
    """Return what the options of :func:`chosen` ask for."""
    from app.duplicates.duplicates import DuplicatesQuery
    from app.duplicates.group_filter import GroupFilter
    from app.duplicates.keeper_rules import KeeperRules
    from app.library.library import AUTOMATIC

    rules = None if rule is None else KeeperRules.of_text(rule)
    return DuplicatesQuery(index or AUTOMATIC, rules, GroupFilter.of(**wanted))


@click.group(
    cls=DuplicatesGroup,
    invoke_without_command=True,
    epilog="Example: twinlens duplicates --kind identical --kind same\n"
    "Example: twinlens duplicates clean --rule largest,oldest --apply",
)
@chosen
@click.option("--csv", "csv", type=OUTPUT, metavar="FILE", help="Write the list as a table.")
@click.option("--html", "html", type=OUTPUT, metavar="FILE", help="Write a web page with pictures.")
@click.option("--save-rules", is_flag=True, help="Save the rules in the library, for the window, too.")
@click.pass_context
def duplicates(ctx: click.Context, /, **options: Any) -> None:
    """List groups of duplicates: identical files, the same picture, edited versions, series, RAW + JPEG.

    New photos are compared with all others first, and each match is confirmed point by point. The photo to
    keep comes first in each group, copies that the rules would remove are marked “remove”. This command moves nothing:
    see `twinlens duplicates clean`.
    """
    if ctx.invoked_subcommand is None:
        _list(ctx.ensure_object(Session), **options)


def _list(session: Session, csv: OutputFile | None, html: OutputFile | None, save_rules: bool, **options: Any) -> None:
    from app.library import decoders
    from app.library.library import Library
    from app.machine import waiting

    if save_rules and options["rule"] is None:
        raise click.UsageError(_("--save-rules needs rules: add --rule."))
    if csv is not None:
        from app.duplicates.export import TABLE

        csv.check(TABLE)
    if html is not None:
        html.check(PAGE)
    with Library.open(session.library) as library, long_work(session) as progress:
        with library.store.reading() as r, waiting.in_background():
            if r.comparisons.anything_new():
                decoders.warm()  # the process that compares starts during the imports
        from app.duplicates.duplicates import find_duplicates
        from app.duplicates.keeper_rules import keep_rules

        query = query_of(**options)
        if save_rules and query.rules is not None:
            keep_rules(library, query.rules)
        found = find_duplicates(library, query, progress)
        if csv is not None:
            from app.duplicates.export import write_groups_table

            write_groups_table(found, csv)
        if html is not None:
            from app.duplicates.sheet import write_groups_sheet

            write_groups_sheet(library, found, html, text)

    def people(out: Console) -> None:
        for line in lines(found):
            out.print(line)

    give(session, found, people)


def lines(found: DuplicatesResult) -> list[str]:
    """Write groups for people."""
    bounds = [text(one) for one in found.bounds]
    if not found.groups:
        return [_n("No duplicates in {count} photo.", "No duplicates among {count} photos.", found.of), *bounds]
    made = []
    for one in found.groups:
        made += [*_of(one), ""]
    groups = _n("{count} group", "{count} groups", len(found.groups))
    kinds = ", ".join(
        f"{text(KIND_NAMES[DuplicateKind(kind)])}: {count}" for kind, count in found.counts.items() if count
    )
    goes = _n(
        "{count} copy can be removed ({size}).",
        "{count} copies can be removed ({size}).",
        found.copies,
        size=size(found.bytes),
    )
    undecided = _n("{count} group is undecided.", "{count} groups are undecided.", found.undecided)
    return [*made, f"{groups}  ({kinds})", f"{goes} {undecided}" if found.undecided else goes, *bounds]


def _of(one: DuplicateGroup) -> list[str]:
    made = [f"{_('keep'):>16}  {_sides(one.keeper):>13}  {one.keeper.path}"]
    for member in one.members:
        name = text(KIND_NAMES[DuplicateKind(member.kind)])
        goes = _("remove") if member.goes else ""
        differs = ", ".join(text(each) for each in member.differs)
        made.append(
            f"{goes:>5} {name:>10}  {_sides(member):>13}  {member.path}" + (f"  ({differs})" if differs else "")
        )
    return [*made, *(f"{'':>16}  {text(said)}" for said in (one.reason, one.warning) if text(said))]


def _sides(one: Any) -> str:
    return f"{one.width} x {one.height}"
