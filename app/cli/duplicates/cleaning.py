"""``twinlens duplicates clean``, ``undo`` and ``log``: what goes, that it comes back, and what ever went."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.duplicates.duplicates import NAMES, chosen, duplicates, rules_of
from app.cli.main import Command
from app.cli.progress import long_work
from app.cli.session import Session, give
from app.duplicates.disposal_results import DisposalResult, LeftFile, RestoreResult
from app.duplicates.results import CleaningPlan, DisposalLog, FolderList, LoggedFile, PlannedPhotograph, RefusedPairs
from app.language.spoken import _, _n, text
from core.amounts import size

if TYPE_CHECKING:
    from rich.console import Console


@duplicates.command(
    cls=Command,
    epilog="Example: twinlens duplicates clean --rule largest,never:Backup\n"
    "Example: twinlens duplicates clean --sort identical --to ~/Copies --apply",
)
@chosen
@click.option("--to", "destination", type=click.Path(path_type=Path), metavar="FOLDER", help="Move to a folder.")
@click.option("--apply", "apply", is_flag=True, help="Do it; without this it is only printed what would be done.")
@click.pass_obj
def clean(
    session: Session,
    sorts: tuple[str, ...],
    folder: Path | None,
    rule: str | None,
    index: str | None,
    destination: Path | None,
    apply: bool,
) -> int:
    """Move copies to the system's trash, or to a folder: print what would be done, or do it with --apply.

    Only what the rules let go, and what you decided in the window: identical files, and the same picture again. Edited
    versions, series and RAW + JPEG stay. Each file is checked again by its content at the moment of moving, with the
    one that is kept in its place. The exit code is 2 where a file had to stay.
    """
    from app.duplicates.cleaning import proposed
    from app.duplicates.disposing import dispose
    from app.indexes.default_index import DEFAULT
    from app.library.library import Library

    with Library.open(session.library) as library, long_work(session) as progress:
        made = proposed(library, index or DEFAULT, rules_of(rule), folder, sorts, destination, progress)
        if not apply:
            result = CleaningPlan.of(made)
            give(session, result, lambda out: _print(out, _planned(result)))
            return 0
        done = dispose(library, made, progress)
    refused = [LeftFile(path=one.path, reason=one.reason) for one in made.refused]
    done = done.model_copy(update={"left": [*refused, *done.left]})
    give(session, done, lambda out: _print(out, _done(done)))
    return 2 if done.left else 0


@duplicates.command(cls=Command, epilog="Example: twinlens duplicates undo")
@click.argument("run", type=int, required=False)
@click.pass_obj
def undo(session: Session, run: int | None) -> int:
    """Bring back what was moved away last, or in the RUN of a number: files, and all that was known of them."""
    from app.duplicates.cleaning import last_run
    from app.duplicates.restoring import restore
    from app.library.library import Library

    with Library.open(session.library) as library, long_work(session) as progress:
        result = restore(library, last_run(library) if run is None else run, progress)
    give(session, result, lambda out: _print(out, _restored(result)))
    return 2 if result.left else 0


@duplicates.command(cls=Command, epilog="Example: twinlens duplicates log")
@click.pass_obj
def log(session: Session) -> None:
    """List everything that was ever moved away, the newest first."""
    from app.duplicates.disposal_log import log as entries
    from app.library.library import Library

    with Library.open(session.library) as library:
        result = DisposalLog(files=[LoggedFile.of(one) for one in entries(library, limit=100_000)])
    nothing = _("Nothing was ever moved away.")
    give(session, result, lambda out: _print(out, [_logged(one) for one in result.files] or [nothing]))


@duplicates.command(cls=Command, epilog="Example: twinlens duplicates stay ~/Pictures/Archive")
@click.argument("folders", nargs=-1, type=click.Path(path_type=Path))
@click.option("--no-longer", is_flag=True, help="Copies in these folders may go again.")
@click.pass_obj
def stay(session: Session, folders: tuple[Path, ...], no_longer: bool) -> None:
    """Keep all photographs of some FOLDERS, whatever the rules say; without a folder, list those that stay."""
    from app.duplicates.kept_folders import keep_folder, kept_folders, release_folder
    from app.library.library import Library

    with Library.open(session.library) as library:
        for folder in folders:
            (release_folder if no_longer else keep_folder)(library, folder)
        result = FolderList(folders=[one.folder for one in kept_folders(library)])
    none = _("No folder stays as a whole.")
    give(session, result, lambda out: _print(out, result.folders or [none]))


@duplicates.command(cls=Command, epilog="Example: twinlens duplicates refused")
@click.option("--take-back", is_flag=True, help="Let all of them be duplicates again.")
@click.pass_obj
def refused(session: Session, take_back: bool) -> None:
    """List the pairs of which you said in the window that they are no duplicates."""
    from app.duplicates.decisions import refused as refused_pairs
    from app.duplicates.decisions import take_back as take_back_pairs
    from app.library.library import Library

    with Library.open(session.library) as library:
        rows = refused_pairs(library)
        if take_back:
            take_back_pairs(library, rows)
    result = RefusedPairs(pairs=[(one.first_name, one.second_name) for one in rows], taken_back=take_back)
    none = _("There is no such pair.")
    give(session, result, lambda out: _print(out, [f"{one}  |  {other}" for one, other in result.pairs] or [none]))


def _print(out: Console, lines: list[str]) -> None:
    for line in lines:
        out.print(line)


def _planned(result: CleaningPlan) -> list[str]:
    lines = [_plan_line(one) for one in result.files]
    lines += _left(result.refused)
    count = _n(
        "{count} photo would go ({size}).",
        "{count} photos would go ({size}).",
        len(result.files),
        size=size(result.bytes),
    )
    undone = _("It can be undone from here.") if result.undoable else _("It cannot be undone from here.")
    apply = _("Nothing was moved: --apply does it.")
    return [*lines, "", f"{count} {undone} {apply}"] if result.files else [*lines, _("There is nothing to move.")]


def _plan_line(one: PlannedPhotograph) -> str:
    with_it = "".join(f"  + {each}" for each in one.companions)
    return f"{text(NAMES[one.sort]):>14}  {text(size(one.bytes)):>8}  {one.path}{with_it}  ({_('kept')}: {one.kept})"


def _done(result: DisposalResult) -> list[str]:
    moved = _n("{count} photo moved ({size}).", "{count} photos moved ({size}).", result.moved, size=size(result.bytes))
    back = _("`twinlens duplicates undo` brings them back.") if result.undoable and result.moved else ""
    return [*_left(result.left), f"{moved} {back}".strip()]


def _restored(result: RestoreResult) -> list[str]:
    return [*_left(result.left), _n("{count} photo is back.", "{count} photos are back.", result.restored)]


def _left(files: list[LeftFile]) -> list[str]:
    return [_("stays: {path}: {reason}", path=one.path, reason=text(one.reason)) for one in files]


def _logged(one: LoggedFile) -> str:
    where = one.destination or _("trash")
    return f"{one.when}  {one.run:>4}  {one.state:<8}  {text(size(one.bytes)):>8}  {one.path}  →  {where}"
