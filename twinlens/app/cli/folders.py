"""``twinlens add``, ``rescan``, ``forget`` and ``worker``: a library's folders, and the machines that read them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from twinlens.app.cli.main import Command
from twinlens.app.cli.progress import long_work, starting
from twinlens.app.cli.requests import takes
from twinlens.app.cli.session import Session, console, give, say
from twinlens.app.cli.terminal_text import tell
from twinlens.app.language.texts import _, _n, text
from twinlens.app.library.library_results import AddResult
from twinlens.app.library.reading_options import ReadingOptions
from twinlens.core.message import Message, joined

if TYPE_CHECKING:
    from twinlens.app.library.cluster.cluster import Cluster


_pause_on_battery = click.option(
    "--pause-on-battery/--no-pause-on-battery",
    default=None,
    help="Rest while the computer runs on its battery; by default as set in the window.",
)
_WORTH_TELLING_S = 10


def reading_options(command: Callable[..., Any]) -> Any:
    """Add the options of the machines that read, which a command takes as ``workers`` and ``cluster``.

    Afterwards it prints which machines of the cluster were not used, and how many photographs they could not reach.
    """

    @takes("reading", ReadingOptions)
    @wraps(command)
    def with_machines(reading: ReadingOptions, **others: Any) -> Any:
        address, cluster = reading.address(), None
        if address is not None:
            with starting(click.get_current_context().find_object(Session) or Session()):
                from twinlens.app.library.cluster.cluster import Cluster
            cluster = Cluster(address)
        done = command(workers=reading.workers, cluster=cluster, **others)
        if cluster is not None:
            _tell_machines(cluster)
        return done

    return with_machines


def _tell_machines(cluster: Cluster) -> None:
    for why in cluster.not_used.values():
        tell(text(why))
    if cluster.read_here:
        tell(
            _n(
                "{count} photo was read on this machine, since the cluster could not reach it.",
                "{count} photos were read on this machine, since the cluster could not reach them.",
                cluster.read_here,
            )
        )


@click.command(cls=Command, epilog="Example: twinlens add ~/Pictures --exclude '*.tmp.jpg'")
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FOLDER...")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Names to pass over; may be given several times.")
@reading_options
@_pause_on_battery
@click.pass_obj
def add(
    session: Session,
    folders: tuple[Path, ...],
    exclude: tuple[str, ...],
    workers: int | None,
    cluster: Cluster | None,
    pause_on_battery: bool | None,
) -> int:
    """Index the photos in FOLDERs where they are.

    What takes long is estimated first, from a few of the photos. Adding a folder again costs only what has
    changed. Ctrl-C keeps what is done; the next time goes on from there.
    """
    with starting(session):
        from twinlens.app.disposal.move_log import settle_if_possible
        from twinlens.app.library.ingest.adding import Adding
        from twinlens.app.library.ingest.adding import add as add_folders
        from twinlens.app.library.ingest.cost_estimate import estimate_cost
        from twinlens.app.library.library import Library

    with Library.open(session.library, create=True) as library:
        settle_if_possible(library)
        if cluster is None and not (session.quiet or session.as_json):
            with long_work(session) as progress:
                cost = estimate_cost(library, folders, progress, workers, exclude)
            if cost.seconds > _WORTH_TELLING_S:
                say(session, text(cost.sentence()))
        with long_work(session) as progress:
            result = add_folders(library, folders, Adding(exclude, workers, pause_on_battery, cluster), progress)
    return _tell_added(session, result)


def _tell_added(session: Session, result: AddResult) -> int:
    def people(__: object) -> None:
        out = console()
        changes = (
            Message("{count} new", count=result.added),
            Message("{count} changed", count=result.changed),
            Message("{count} moved", count=result.moved),
            Message("{count} gone", count=result.removed),
        )
        done = joined([one for one in changes if one["count"]], ", ") or Message("nothing has changed")
        seconds = Message("{seconds:,.1f} s", seconds=result.seconds)
        if result.added + result.changed:
            rate = Message("{rate:,.1f} a second", rate=result.photographs_per_second)
            seconds = Message("{seconds} ({rate})", seconds=seconds, rate=rate)
        out.print(
            _n(
                "{count} photo: {done}, in {seconds}.",
                "{count} photos: {done}, in {seconds}.",
                result.found,
                done=done,
                seconds=seconds,
            )
        )
        if result.unreadable:
            out.print(_("{count} could not be read: see `twinlens problems`.", count=result.unreadable))
        if result.passed_over:
            out.print(
                _n(
                    "{count} other file is no picture: see `twinlens problems --passed-over`.",
                    "{count} other files are no pictures: see `twinlens problems --passed-over`.",
                    result.passed_over,
                )
            )
        for folder in result.offline:
            out.print(_("{folder} is on a disk that is not connected; its photos can still be found.", folder=folder))
        if result.cancelled:
            out.print(_("Stopped; what was done is kept. The same command goes on from there."))
            if result.pending:
                out.print(
                    _n(
                        "{count} photo is still to be read.",
                        "{count} photos are still to be read.",
                        result.pending,
                    )
                )
            if result.to_prepare:
                out.print(
                    _n(
                        "{count} photo can be searched, but not compared point by point yet.",
                        "{count} photos can be searched, but not compared point by point yet.",
                        result.to_prepare,
                    )
                )

    give(session, result, people)
    return 130 if result.cancelled else 0


@click.command(cls=Command, epilog="Example: twinlens rescan")
@reading_options
@_pause_on_battery
@click.pass_obj
def rescan(
    session: Session,
    workers: int | None,
    cluster: Cluster | None,
    pause_on_battery: bool | None,
) -> int:
    """Look again through every folder of the library, and go on with what was interrupted."""
    with starting(session):
        from twinlens.app.disposal.move_log import settle_if_possible
        from twinlens.app.library.ingest.adding import rescan as rescan_folders
        from twinlens.app.library.library import Library

    with Library.open(session.library) as library, long_work(session) as progress:
        settle_if_possible(library)
        result = rescan_folders(library, progress, workers, pause_on_battery, cluster=cluster)
    return _tell_added(session, result)


@click.command(cls=Command, epilog="Example: twinlens forget ~/Pictures/2019")
@click.argument("folder", type=click.Path(path_type=Path))
@click.pass_obj
def forget(session: Session, folder: Path) -> None:
    """Take FOLDER out of the library. Its files are untouched."""
    from twinlens.app.library.ingest.forgotten_folders import forget as forget_folder
    from twinlens.app.library.library import Library

    with Library.open(session.library) as library:
        result = forget_folder(library, folder)
    give(
        session,
        result,
        lambda out: out.print(
            _n(
                "Forgot {count} photo in {folder}.",
                "Forgot {count} photos in {folder}.",
                result.photographs,
                folder=result.folder,
            )
        ),
    )


@click.command(
    cls=Command,
    epilog="Example: twinlens worker tls://archive:8786 --tls-ca ca.pem --tls-cert me.pem --tls-key me-key.pem",
)
@click.argument("scheduler", metavar="SCHEDULER")
@takes("reading", ReadingOptions, without=("cluster",))
@click.pass_obj
def worker(session: Session, scheduler: str, reading: ReadingOptions) -> None:
    """Let this machine read photos for the cluster of SCHEDULER, until Ctrl-C.

    It reads what `twinlens add --cluster SCHEDULER` asks for, from the same disks and shares, and writes nothing.

    Whoever reaches the scheduler or this machine's worker can run any program here, as you. So an address on another
    machine needs certificates (tls://), unless you insist: then let only people you trust reach them, by a network of
    your own or a firewall.
    """
    address = reading.address_of(scheduler)
    with starting(session):
        from twinlens.app.library.cluster.machine import offer_machine
    say(session, _("This machine reads photos for {address}. Ctrl-C ends that.", address=address.text))
    with long_work(session) as progress:
        result = offer_machine(address, reading.workers, progress)
    if result.scheduler_gone:
        say(session, text(Message("The scheduler at {address} is gone.", address=address.text)))
    give(
        session,
        result,
        lambda out: out.print(_n("Read {count} photo.", "Read {count} photos.", result.photographs)),
    )
