"""``twinlens duplicates`` and its commands: groups of photographs that are one picture, and the removal of copies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from twinlens.app.cli.main import Command, TranslatedGroup
from twinlens.app.cli.progress import long_work
from twinlens.app.cli.requests import takes
from twinlens.app.cli.session import OUTPUT, Session, give, names_photographs
from twinlens.app.disposal.disposal_results import (
    CleaningPlan,
    DisposalLog,
    DisposalResult,
    LeftFile,
    LoggedFile,
    PlannedPhotograph,
    RestoreResult,
    how_linked,
)
from twinlens.app.duplicates.duplicate_results import (
    DuplicateGroup,
    DuplicateMember,
    DuplicatesResult,
    FolderList,
    RefusedPairs,
)
from twinlens.app.duplicates.groups import (
    KIND_NAMES,
    DuplicateKind,
    DuplicatesQuery,
    GroupFilter,
    LostNote,
    lost_with,
    names_of,
)
from twinlens.app.language.texts import _, _n, text
from twinlens.app.machine.output_file import PAGE, OutputFile
from twinlens.core.message import size

if TYPE_CHECKING:
    from rich.console import Console

    from twinlens.app.duplicates.folder_comparison import FolderPair


class DuplicatesGroup(Command, TranslatedGroup):
    """A command that lists duplicates, and a group of further commands."""


@click.group(
    cls=DuplicatesGroup,
    invoke_without_command=True,
    epilog="Example: twinlens duplicates --kind identical --kind same\n"
    "Example: twinlens duplicates clean --rule largest,oldest --apply",
)
@takes("query", DuplicatesQuery)
@click.option("--csv", "csv", type=OUTPUT, metavar="FILE", help="Write the list as a table.")
@click.option("--html", "html", type=OUTPUT, metavar="FILE", help="Write a web page with pictures.")
@names_photographs
@click.option("--save-rules", is_flag=True, help="Save the rules in the library, for the window, too.")
@click.pass_context
def duplicates(
    ctx: click.Context, query: DuplicatesQuery, csv: OutputFile | None, html: OutputFile | None, save_rules: bool
) -> None:
    """List groups of duplicates: identical files, the same picture, edited versions, series, RAW + JPEG.

    New photos are compared with all others first, and each match is confirmed point by point. The photo to
    keep comes first in each group, copies that the rules would remove are marked “remove”. This command moves nothing:
    see `twinlens duplicates clean`.
    """
    if ctx.invoked_subcommand is None:
        _list(ctx.ensure_object(Session), query, csv, html, save_rules)


def _list(
    session: Session, query: DuplicatesQuery, csv: OutputFile | None, html: OutputFile | None, save_rules: bool
) -> None:
    from twinlens.app.library.library import Library

    if save_rules and query.rules is None:
        raise click.UsageError(_("--save-rules needs rules: add --rule."))
    if csv is not None:
        from twinlens.app.duplicates.decision_files import TABLE

        csv.check(TABLE)
    if html is not None:
        html.check(PAGE)
    with Library.open(session.library) as library, long_work(session) as progress:
        from twinlens.app.duplicates.duplicates import find_duplicates
        from twinlens.app.duplicates.keeper_rules import keep_rules

        if save_rules and query.rules is not None:
            keep_rules(library, query.rules)
        found = find_duplicates(library, query, progress)
        if csv is not None:
            from twinlens.app.duplicates.decision_files import write_groups_table

            write_groups_table(found, csv)
        if html is not None:
            from twinlens.app.duplicates.duplicate_results import write_groups_sheet

            write_groups_sheet(library, found, html, text)

    narrowed = query.model_fields_set & GroupFilter.model_fields.keys()
    filters = [one.opts[0] for one in click.get_current_context().command.params if one.name in narrowed]

    def people(out: Console) -> None:
        out.print(*lines(found, filters), sep="\n")  # at once: there may be 50,000

    give(session, found, people)


def lines(found: DuplicatesResult, filters: Sequence[str] = ()) -> list[str]:
    """Write groups for people; where there are none, say which filters narrowed the list."""
    bounds = [text(one) for one in found.bounds]
    if not found.groups and filters:
        return [_("No group of duplicates passes the filters ({filters}).", filters=", ".join(filters)), *bounds]
    if not found.groups:
        return [_n("No duplicates in {count} photo.", "No duplicates among {count} photos.", found.of), *bounds]
    made = []
    for one in found.groups:
        made += [*_of(one, found.lets_go), ""]
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
    sorts = [f"  {name}: {count}" for name, count in found.sorts.items()]
    if sorts:
        sorts.insert(0, _("Probably the same picture, by sort (`twinlens duplicates clean --likely SORT` moves one):"))
    return [*made, f"{groups}  ({kinds})", f"{goes} {undecided}" if found.undecided else goes, *sorts, *bounds]


def _of(one: DuplicateGroup, lets_go: Callable[[DuplicateMember], bool]) -> list[str]:
    wide = max(len(text(name)) for name in KIND_NAMES.values())
    fate = max(len(_("remove")), len(_("keep")))
    made = [f"{_('keep'):>{fate}}  {'':<{wide}}  {_sides(one.keeper):>13}  {one.keeper.path}"]
    for member in one.members:
        name = text(KIND_NAMES[DuplicateKind(member.kind)])
        goes = _("remove") if lets_go(member) else ""
        differs = ", ".join(text(each) for each in member.differs)
        if member.linked:
            differs = _("takes no space of its own")
        line = f"{goes:>{fate}}  {name:<{wide}}  {_sides(member):>13}  {member.path}"
        made.append(f"{line}  ({differs})" if differs else line)
    return [*made, *(f"{'':>{fate}}  {text(note)}" for note in (one.reason, one.warning) if text(note))]


def _sides(one: Any) -> str:
    return f"{one.width} x {one.height}"


@duplicates.command(
    cls=Command,
    epilog="Example: twinlens duplicates clean --rule largest,never:Backup\n"
    "Example: twinlens duplicates clean --kind identical --to ~/Copies --apply",
)
@takes("query", DuplicatesQuery)
@click.option(
    "--to",
    "destination",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Move the copies to this folder instead of the trash.",
)
@click.option(
    "--take-along",
    is_flag=True,
    help="Also move copies that have what the photo kept lacks. Files beside a copy move to that photo. Its date, "
    "camera, place, rating, label, keywords, title and caption are written into a sidecar file (.xmp) beside it.",
)
@click.option(
    "--likely",
    multiple=True,
    metavar="SORT",
    help="Also move photos of this sort that are probably the same picture as another, such as WebP copies that one "
    "program made: “WebP/JPEG/GIMP 2.10”, as `twinlens duplicates` lists it. Repeat it for several sorts.",
)
@click.option(
    "--link",
    "links",
    is_flag=True,
    help="Replace identical copies by a link to the photo kept instead, which takes no space of its own.",
)
@click.option(
    "--script",
    type=OUTPUT,
    metavar="FILE",
    help="Write a shell script that moves the copies into a folder and does nothing else, to be read and run by you.",
)
@click.option("--apply", "apply", is_flag=True, help="Move the files. Without it, the plan is only printed.")
@names_photographs
@click.pass_obj
def clean(
    session: Session,
    query: DuplicatesQuery,
    destination: Path | None,
    take_along: bool,
    likely: tuple[str, ...],
    links: bool,
    script: OutputFile | None,
    apply: bool,
) -> int:
    """Move copies to the system's trash or to a folder. Prints the plan, and moves with --apply.

    The rules remove identical files and copies of the same picture. Edited versions, series and RAW + JPEG are kept
    unless you chose otherwise in the window. Right before a file moves, its content and that of the photo kept
    instead are checked again. What lies beside a copy, such as the film of a live photo or the edits of another
    program, goes only if an equal file lies beside the photo kept, and a copy with keywords or a rating that the photo
    kept lacks does not go either, unless --take-along carries these to that photo. With --link nothing moves: where
    the disk can, the copy shares its blocks with the photo kept until either is changed, and elsewhere both are one
    file with two names. The exit code is 2 if a file could not be moved.
    """
    from twinlens.app.disposal.disposal import dispose
    from twinlens.app.duplicates.duplicates import proposed
    from twinlens.app.library.library import Library

    if links and (destination is not None or take_along):
        raise click.UsageError(_("--link moves nothing: leave out --to and --take-along."))
    if script is not None and (apply or links or take_along or destination is not None):
        raise click.UsageError(
            _("--script only moves, once you run it: leave out --apply, --to, --link, --take-along.")
        )
    if script is not None:
        from twinlens.app.duplicates.decision_files import SCRIPT, write_script

        script.check(SCRIPT)
    with Library.open(session.library) as library, long_work(session) as progress:
        made = proposed(library, query, destination, progress, take_along, links, likely)
        if not apply:
            if script is not None:
                write_script(made, script)
            result = CleaningPlan.of(made)
            give(session, result, lambda out: _print(out, _planned(result)))
            return 0
        done = dispose(library, made, progress)
    refused = [LeftFile(path=one.path, reason=one.reason) for one in made.refused]
    done = done.model_copy(update={"left": [*refused, *done.left]})
    give(session, done, lambda out: _print(out, _done(done)))
    return 2 if done.left else 0


def _print(out: Console, lines: list[str]) -> None:
    for line in lines:
        out.print(line)


def _planned(result: CleaningPlan) -> list[str]:
    lines = [_plan_line(one) for one in result.files]
    lines += _left(result.refused)
    if result.links:
        count = _n(
            "{count} copy would become a link ({size} freed).",
            "{count} copies would become links ({size} freed).",
            len(result.files),
            size=size(result.bytes),
        )
        apply = _("Nothing was changed. Use --apply to link them.")
    else:
        count = _n(
            "{count} photo would be moved ({size}).",
            "{count} photos would be moved ({size}).",
            len(result.files),
            size=size(result.bytes),
        )
        apply = _("Nothing was moved. Use --apply to move them.")
    undone = _("You can undo this later.") if result.undoable else _("Twinlens cannot undo this.")
    held = [_("Use --take-along to carry what only a copy has to the photo kept.")] if result.held else []
    summary = ["", f"{count} {undone} {apply}"] if result.files else [_("There is nothing to move.")]
    return [*lines, *summary, *held]


def _plan_line(one: PlannedPhotograph) -> str:
    with_it = "".join(f"  + {each}" for each in one.companions)
    with_it += "".join("  + " + _("taken along: {path}", path=each) for each in one.taken_along)
    wide = max(len(text(name)) for name in KIND_NAMES.values())
    name = text(KIND_NAMES[DuplicateKind(one.kind)])
    line = f"{name:<{wide}}  {text(size(one.bytes)):>8}  {one.path}{with_it}  ({_('kept')}: {one.kept})"
    lost = text(lost_with(frozenset(map(LostNote, one.only_here)) - frozenset(map(LostNote, one.carried))))
    notes = [text(name) for name in names_of(frozenset(map(LostNote, one.carried)))]
    if one.carried_to:
        line += "  " + _("carried to {path}: {notes}", path=one.carried_to, notes=", ".join(notes))
    return f"{line}  {lost}" if lost else line


def _left(files: list[LeftFile]) -> list[str]:
    return [_("kept: {path}: {reason}", path=one.path, reason=text(one.reason)) for one in files]


def _done(result: DisposalResult) -> list[str]:
    if result.linked:
        moved = " ".join(map(text, how_linked(result)))
    else:
        moved = _n(
            "{count} photo moved ({size}).", "{count} photos moved ({size}).", result.moved, size=size(result.bytes)
        )
    back = _("`twinlens duplicates undo` brings them back.") if result.undoable and result.moved else ""
    return [*_left(result.left), f"{moved} {back}".strip()]


@duplicates.command("import", cls=Command, epilog="Example: twinlens duplicates import duplicates.csv")
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_obj
def import_(session: Session, file: Path) -> None:
    """Take over what FILE decides about duplicates: a list of --csv or --json in which you changed what is removed.

    In the table 1 in the column “remove” lets a copy go and 0 keeps it; in the document “goes” does. Nothing moves: see
    `twinlens duplicates clean`. What is as the list proposes it changes nothing.
    """
    from twinlens.app.duplicates.decision_files import import_decisions
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        result = import_decisions(library, file)
    changed = _n("{count} photo is decided anew.", "{count} photos are decided anew.", result.changed)
    give(session, result, lambda out: _print(out, [*map(text, result.refused), changed]))


@duplicates.command(cls=Command, epilog="Example: twinlens duplicates undo")
@click.argument("run", type=int, required=False)
@click.pass_obj
def undo(session: Session, run: int | None) -> int:
    """Restore the photos that were moved last, or in the RUN of this number, with their marks."""
    from twinlens.app.disposal.disposal import restore_photographs
    from twinlens.app.disposal.move_log import last_run
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library, long_work(session) as progress:
        result = restore_photographs(library, last_run(library) if run is None else run, progress)
    give(session, result, lambda out: _print(out, _restored(result)))
    return 2 if result.left else 0


def _restored(result: RestoreResult) -> list[str]:
    return [*_left(result.left), _n("{count} photo is back.", "{count} photos are back.", result.restored)]


@duplicates.command(cls=Command, epilog="Example: twinlens duplicates log")
@names_photographs
@click.pass_obj
def log(session: Session) -> None:
    """List all photos moved so far, the latest first."""
    from twinlens.app.disposal.disposal_results import disposal_log as entries
    from twinlens.app.disposal.move_log import settle_if_possible
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        settle_if_possible(library)
        result = DisposalLog(files=[LoggedFile.of(one) for one in entries(library, limit=100_000)])
    nothing = _("No photo has been moved yet.")
    give(session, result, lambda out: _print(out, [_logged(one) for one in result.files] or [nothing]))


def _logged(one: LoggedFile) -> str:
    where = one.destination or (_("link") if one.link is not None else _("trash"))
    return f"{one.when}  {one.run:>4}  {one.state:<8}  {text(size(one.bytes)):>8}  {one.path}  →  {where}"


@duplicates.command(cls=Command, epilog="Example: twinlens duplicates protect ~/Pictures/Archive")
@click.argument("folders", nargs=-1, type=click.Path(path_type=Path))
@click.option("--end", is_flag=True, help="End the protection of these folders.")
@click.pass_obj
def protect(session: Session, folders: tuple[Path, ...], end: bool) -> None:
    """Protect FOLDERS: their photos are always kept. Without a folder, list the protected ones."""
    from twinlens.app.duplicates.decisions import keep_folder, kept_folders, release_folder
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        for folder in folders:
            (release_folder if end else keep_folder)(library, folder)
        result = FolderList(folders=[one.folder for one in kept_folders(library)])
    none = _("No folder is protected.")
    give(session, result, lambda out: _print(out, result.folders or [none]))


@duplicates.command(cls=Command, epilog="Example: twinlens duplicates refused")
@click.option("--take-back", is_flag=True, help="Forget these decisions: all pairs can be duplicates again.")
@names_photographs
@click.pass_obj
def refused(session: Session, take_back: bool) -> None:
    """List the pairs that you marked as not duplicates in the window."""
    from twinlens.app.duplicates.decisions import refused_pairs
    from twinlens.app.duplicates.decisions import take_back_refusals as take_back_pairs
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        rows = refused_pairs(library)
        if take_back:
            take_back_pairs(library, rows)
    result = RefusedPairs(pairs=[(one.first_name, one.second_name) for one in rows], taken_back=take_back)
    none = _("No pair is marked as not duplicates.")
    give(session, result, lambda out: _print(out, [f"{one}  |  {other}" for one, other in result.pairs] or [none]))


@duplicates.command(cls=Command, epilog="Example: twinlens duplicates folders")
@click.pass_obj
def folders(session: Session) -> None:
    """List pairs of folders that hold the same pictures, whole copies of each other first."""
    from twinlens.app.duplicates.folder_comparison import folder_pairs
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library, long_work(session) as progress:
        result = folder_pairs(library, progress)
    none = _("No two folders hold the same picture.")
    give(session, result, lambda out: _print(out, [_pair_line(one) for one in result.pairs] or [none]))


def _pair_line(one: FolderPair) -> str:
    return _(
        "{count} in both: {first} ({only_first} only here) and {second} ({only_second} only here)",
        count=one.in_both,
        first=one.first,
        only_first=one.only_first,
        second=one.second,
        only_second=one.only_second,
    )


@duplicates.command(
    "only-in", cls=Command, epilog="Example: twinlens duplicates only-in ~/Backup --compared-with ~/Pictures"
)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--compared-with",
    "elsewhere",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Only copies in this folder count.  [default: copies in all other folders]",
)
@names_photographs
@click.pass_obj
def only_in(session: Session, folder: Path, elsewhere: Path | None) -> None:
    """List the photos in FOLDER and below that have no copy elsewhere in the library."""
    from twinlens.app.duplicates.folder_comparison import only_in_folder
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library, long_work(session) as progress:
        result = only_in_folder(library, folder, elsewhere, progress)
    sentence = _n(
        "{count} photo of {all} is only there.",
        "{count} photos of {all} are only there.",
        len(result.only_there),
        all=result.photographs,
    )
    give(session, result, lambda out: _print(out, [*result.only_there, sentence]))
