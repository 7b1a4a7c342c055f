"""``twinlens duplicates clean``, ``undo``, ``log``, ``protect`` and ``refused``."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.cli.duplicates.duplicates import chosen, duplicates, query_of
from app.cli.main import Command
from app.cli.progress import long_work
from app.cli.session import Session, give
from app.duplicates.disposal_results import DisposalResult, LeftFile, RestoreResult
from app.duplicates.kinds import KIND_NAMES, DuplicateKind
from app.duplicates.results import CleaningPlan, DisposalLog, FolderList, LoggedFile, PlannedPhotograph, RefusedPairs
from app.language.spoken import _, _n, text
from core.amounts import size
from core.errors import TwinlensError

if TYPE_CHECKING:
    from rich.console import Console


@duplicates.command(
    cls=Command,
    epilog="Example: twinlens duplicates clean --rule largest,never:Backup\n"
    "Example: twinlens duplicates clean --kind identical --to ~/Copies --apply",
)
@chosen
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
    help="Also move copies with files beside them that the photo kept lacks: these files move to that photo.",
)
@click.option("--apply", "apply", is_flag=True, help="Move the files. Without it, the plan is only printed.")
@click.pass_obj
def clean(session: Session, /, destination: Path | None, take_along: bool, apply: bool, **options: Any) -> int:
    """Move copies to the system's trash or to a folder. Prints the plan, and moves with --apply.

    The rules remove identical files and copies of the same picture. Edited versions, series and RAW + JPEG are kept
    unless you chose otherwise in the window. Right before a file moves, its content and that of the photo kept
    instead are checked again. What lies beside a copy, such as the film of a live photo or the edits of another
    program, goes only if an equal file lies beside the photo kept. Otherwise the copy is kept, unless --take-along
    moves its files to that photo. The exit code is 2 if a file could not be moved.
    """
    from app.duplicates.cleaning import proposed
    from app.duplicates.disposing import dispose
    from app.library.library import Library

    with Library.open(session.library) as library, long_work(session) as progress:
        made = proposed(library, query_of(**options), destination, progress, take_along)
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
    """Restore the photos that were moved last, or in the RUN of this number, with their marks."""
    from app.duplicates.cleaning import last_run
    from app.duplicates.restoring import restore_photographs
    from app.library.library import Library

    with Library.open(session.library) as library, long_work(session) as progress:
        result = restore_photographs(library, last_run(library) if run is None else run, progress)
    give(session, result, lambda out: _print(out, _restored(result)))
    return 2 if result.left else 0


@duplicates.command(cls=Command, epilog="Example: twinlens duplicates log")
@click.pass_obj
def log(session: Session) -> None:
    """List all photos moved so far, the latest first."""
    from app.duplicates.disposal_log import disposal_log as entries
    from app.duplicates.settling import settle_log
    from app.library.library import Library

    with Library.open(session.library) as library:
        with suppress(TwinlensError):  # another program is moving them now, or the library can only be read
            settle_log(library)
        result = DisposalLog(files=[LoggedFile.of(one) for one in entries(library, limit=100_000)])
    nothing = _("No photo has been moved yet.")
    give(session, result, lambda out: _print(out, [_logged(one) for one in result.files] or [nothing]))


@duplicates.command(cls=Command, epilog="Example: twinlens duplicates protect ~/Pictures/Archive")
@click.argument("folders", nargs=-1, type=click.Path(path_type=Path))
@click.option("--end", is_flag=True, help="End the protection of these folders.")
@click.pass_obj
def protect(session: Session, folders: tuple[Path, ...], end: bool) -> None:
    """Protect FOLDERS: their photos are always kept. Without a folder, list the protected ones."""
    from app.duplicates.kept_folders import keep_folder, kept_folders, release_folder
    from app.library.library import Library

    with Library.open(session.library) as library:
        for folder in folders:
            (release_folder if end else keep_folder)(library, folder)
        result = FolderList(folders=[one.folder for one in kept_folders(library)])
    none = _("No folder is protected.")
    give(session, result, lambda out: _print(out, result.folders or [none]))


@duplicates.command(cls=Command, epilog="Example: twinlens duplicates refused")
@click.option("--take-back", is_flag=True, help="Forget these decisions: all pairs can be duplicates again.")
@click.pass_obj
def refused(session: Session, take_back: bool) -> None:
    """List the pairs that you marked as not duplicates in the window."""
    from app.duplicates.decisions import refused_pairs
    from app.duplicates.decisions import take_back_refusals as take_back_pairs
    from app.library.library import Library

    with Library.open(session.library) as library:
        rows = refused_pairs(library)
        if take_back:
            take_back_pairs(library, rows)
    result = RefusedPairs(pairs=[(one.first_name, one.second_name) for one in rows], taken_back=take_back)
    none = _("No pair is marked as not duplicates.")
    give(session, result, lambda out: _print(out, [f"{one}  |  {other}" for one, other in result.pairs] or [none]))


def _print(out: Console, lines: list[str]) -> None:
    for line in lines:
        out.print(line)


def _planned(result: CleaningPlan) -> list[str]:
    lines = [_plan_line(one) for one in result.files]
    lines += _left(result.refused)
    count = _n(
        "{count} photo would be moved ({size}).",
        "{count} photos would be moved ({size}).",
        len(result.files),
        size=size(result.bytes),
    )
    undone = _("You can undo this later.") if result.undoable else _("Twinlens cannot undo this.")
    apply = _("Nothing was moved. Use --apply to move them.")
    held = [_("Use --take-along to move the files beside a copy to the photo kept.")] if result.held else []
    said = ["", f"{count} {undone} {apply}"] if result.files else [_("There is nothing to move.")]
    return [*lines, *said, *held]


def _plan_line(one: PlannedPhotograph) -> str:
    with_it = "".join(f"  + {each}" for each in one.companions)
    with_it += "".join("  + " + _("taken along: {path}", path=each) for each in one.taken_along)
    name = text(KIND_NAMES[DuplicateKind(one.kind)])
    return f"{name:>14}  {text(size(one.bytes)):>8}  {one.path}{with_it}  ({_('kept')}: {one.kept})"


def _done(result: DisposalResult) -> list[str]:
    moved = _n("{count} photo moved ({size}).", "{count} photos moved ({size}).", result.moved, size=size(result.bytes))
    back = _("`twinlens duplicates undo` brings them back.") if result.undoable and result.moved else ""
    return [*_left(result.left), f"{moved} {back}".strip()]


def _restored(result: RestoreResult) -> list[str]:
    return [*_left(result.left), _n("{count} photo is back.", "{count} photos are back.", result.restored)]


def _left(files: list[LeftFile]) -> list[str]:
    return [_("kept: {path}: {reason}", path=one.path, reason=text(one.reason)) for one in files]


def _logged(one: LoggedFile) -> str:
    where = one.destination or _("trash")
    return f"{one.when}  {one.run:>4}  {one.state:<8}  {text(size(one.bytes)):>8}  {one.path}  →  {where}"
