"""``twinlens status``, ``problems``, ``check``, ``backup``, ``restore`` and ``copy``: the library as a whole."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from twinlens.app.cli.folders import reading_options
from twinlens.app.cli.main import Command
from twinlens.app.cli.progress import long_work
from twinlens.app.cli.session import OUTPUT, Session, give, names_photographs
from twinlens.app.cli.tables import plain_index_table, plain_table
from twinlens.app.language.texts import _, _n, number, remedy_text, text
from twinlens.app.machine.output_file import BACKUP, OutputFile
from twinlens.core.errors import Remedy
from twinlens.core.message import counted, joined, size
from twinlens.storage.database.address import Address

if TYPE_CHECKING:
    from rich.console import Console

    from twinlens.app.library.cluster.cluster import Cluster


@click.command(cls=Command, epilog="Example: twinlens status --json")
@click.pass_obj
def status(session: Session) -> None:
    """Show what the library holds."""
    from twinlens.app.library.library import Library
    from twinlens.app.library.library_status import library_status

    with Library.open(session.library) as library:
        result = library_status(library)

    def people(out: Console) -> None:
        out.print(
            _n(
                "{library}: {count} photo, {size}",
                "{library}: {count} photos, {size}",
                result.photographs,
                library=result.library,
                size=size(result.bytes),
            )
        )
        if result.server is not None:
            server = result.server or _("chosen by the environment or a service file")
            out.print(_("Server: {server}", server=server))
        if result.cluster is not None:
            used = result.cluster
            out.print(_("Cluster: {address} reads photos for {by}", address=used.address, by=used.by))
        if not result.writable:
            out.print(_("It can only be read."))
        for line in (
            counted(
                "{count} waits to be read: run `twinlens rescan`",
                "{count} wait to be read: run `twinlens rescan`",
                result.pending,
            ),
            counted(
                "{count} can be searched, but not compared point by point yet: run `twinlens rescan`",
                "{count} can be searched, but not compared point by point yet: run `twinlens rescan`",
                result.to_prepare,
            ),
            counted(
                "{count} could not be read: see `twinlens problems`",
                "{count} could not be read: see `twinlens problems`",
                result.problems,
            ),
            counted(
                "{count} is missing: its file has vanished, what is known of it is kept",
                "{count} are missing: their files have vanished, what is known of them is kept",
                result.missing,
            ),
            counted(
                "{count} other file is no picture: see `twinlens problems --passed-over`",
                "{count} other files are no pictures: see `twinlens problems --passed-over`",
                result.passed_over,
            ),
        ):
            if line["count"]:
                out.print(text(line))
        if result.folders:
            rows = [
                (folder.path, number(folder.photographs), "" if folder.present else _("not connected"))
                for folder in result.folders
            ]
            out.print(plain_table((_("folder"), _("photos"), ""), rows, numbers=(1,)))
        out.print(plain_index_table(result.indexes))

    give(session, result, people)


@click.command(cls=Command, epilog="Example: twinlens problems --retry")
@click.option("--retry", is_flag=True, help="Read these files again.")
@click.option("--all", "ignored", is_flag=True, help="Show those too that were set aside.")
@names_photographs
@click.option("--passed-over", is_flag=True, help="List the files that are no pictures instead: one path a line.")
@reading_options
@click.pass_obj
def problems(
    session: Session,
    retry: bool,
    ignored: bool,
    passed_over: bool,
    workers: int | None,
    cluster: Cluster | None,
) -> None:
    """List the files that could not be read, and why."""
    from twinlens.app.library.ingest.problem_files import retry_problems
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        if retry:
            with long_work(session) as progress:
                result = retry_problems(library, progress, workers, cluster)
        else:
            result = library.problems(ignored, passed_over)

    def people(out: Console) -> None:
        if result.passed_over is not None:
            for path in result.passed_over or [_("No files were passed over.")]:
                out.print(path, soft_wrap=True)
            return
        if retry:
            out.print(_("Files read again: {retried}. Mended: {mended}.", retried=result.retried, mended=result.mended))
        if not result.problems:
            out.print(_("No problems are left.") if retry else _("No problems."))
        for problem in result.problems:
            out.print(_("{path} (set aside)", path=problem.path) if problem.ignored else problem.path)
            out.print(f"    {text(joined([problem.reason, problem.next_step]))}")

    give(session, result, people)


@click.command(cls=Command, epilog="Example: twinlens check --repair")
@click.option("--repair", is_flag=True, help="Mend what can be mended; a copy of the library as it is now is kept.")
@reading_options
@click.pass_obj
def check(session: Session, repair: bool, workers: int | None, cluster: Cluster | None) -> int:
    """Check whether the library is as it was written, and everything in it fits together.

    The exit code is 0 where nothing is damaged, also while photos wait to be read or compared: the list names them, and
    `add`, `rescan` or `--repair` goes on with them. It is 2 where something is damaged.
    """
    from twinlens.app.library.library import Library
    from twinlens.app.library.maintenance import check_library, repair_at

    if repair:
        with long_work(session) as progress:
            result = repair_at(session.library, progress, workers, cluster)
    else:
        with Library.open(session.library) as library, long_work(session) as progress:
            result = check_library(library, progress)

    def people(out: Console) -> None:
        for sentence in result.repaired:
            out.print(_("Repaired: {what}", what=sentence))
        if result.kept:
            out.print(_("The library as it was before is kept in {kept}.", kept=result.kept))
        for finding in result.findings:
            out.print(text(finding))
        if result.repairable:
            out.print(remedy_text(Remedy("repair library")))
        if result.repairable < len(result.findings):
            out.print(remedy_text(Remedy("restore backup")))
        if not result.findings:
            out.print(_("{library} is whole.", library=result.library))
        elif not result.damaged:
            out.print(_("Nothing is damaged."))

    give(session, result, people)
    return 2 if result.damaged else 0


@click.command(cls=Command, epilog="Example: twinlens backup /media/disk/photographs.twinlens")
@click.argument("file", type=OUTPUT)
@click.pass_obj
def backup(session: Session, file: OutputFile) -> None:
    """Copy the library into FILE, while it is in use."""
    from twinlens.app.library.library import Library

    file.check(BACKUP)
    with Library.open(session.library) as library, long_work(session) as progress:
        result = library.backup(file, progress)
    give(
        session,
        result,
        lambda out: out.print(
            _n(
                "{count} photo kept in {file}.",
                "{count} photos kept in {file}.",
                result.photographs,
                file=result.file,
            )
        ),
    )


@click.command(cls=Command, epilog="Example: twinlens restore /media/disk/photographs.twinlens")
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_obj
def restore(session: Session, file: Path) -> None:
    """Put the backup FILE in the place of the library; the library that is there is kept beside it."""
    from twinlens.app.library.library import Library

    with long_work(session) as progress:
        result = Library.restore(session.library, file, progress)

    def people(out: Console) -> None:
        there = _n(
            "{file} has {count} photo again.",
            "{file} has {count} photos again.",
            result.photographs,
            file=result.file,
        )
        out.print(there)
        if result.kept:
            out.print(_("What was there before is kept in {kept}.", kept=result.kept))

    give(session, result, people)


@click.command(cls=Command, epilog="Example: twinlens copy library.twinlens postgresql://archive/photos")
@click.argument("source", type=Address.of)
@click.argument("target", type=Address.of)
@click.option("--replace", is_flag=True, help="Replace the library that is at the target.")
@click.pass_obj
def copy(session: Session, source: Address, target: Address, replace: bool) -> None:
    """Copy the library SOURCE, while it is in use, to TARGET: each a file, or a database on a server."""
    from twinlens.app.library.maintenance import copy_library

    with long_work(session) as progress:
        result = copy_library(source, target, replace, progress)

    def people(out: Console) -> None:
        out.print(
            _n(
                "{count} photo is in {target} now.",
                "{count} photos are in {target} now.",
                result.photographs,
                target=result.file,
            )
        )
        if result.kept:
            out.print(_("What was there before is kept in {kept}.", kept=result.kept))

    give(session, result, people)
