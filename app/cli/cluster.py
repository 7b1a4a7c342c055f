"""The options that choose what reads photographs, and ``twinlens worker``, by which a machine joins a cluster."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.cli.main import Command
from app.cli.plain_text import tell
from app.cli.progress import long_work, starting
from app.cli.session import Session, give, say
from app.language.spoken import _, _n, text
from app.library.cluster.address import ClusterAddress
from core.errors import TwinlensError
from core.message import Message

if TYPE_CHECKING:
    from app.library.cluster.cluster import Cluster

_FILE = click.Path(path_type=Path)
_workers = click.option("--workers", type=click.IntRange(1, 256), help="Processes that read; by default one a core.")
_cluster = click.option(
    "--cluster",
    "address",
    metavar="ADDRESS",
    help="Have other machines read: tcp://HOST:8786, tls://HOST:8786, or local:4 for 4 processes of this one.",
)


def _tls_options(function: Any) -> Any:
    """Add the certificates of a `tls://` address."""
    for option in (
        click.option("--tls-key", type=_FILE, metavar="FILE", help="Key of the certificate."),
        click.option("--tls-cert", type=_FILE, metavar="FILE", help="Certificate of this machine, for tls://."),
        click.option("--tls-ca", type=_FILE, metavar="FILE", help="Authority that signs certificates, for tls://."),
    ):
        function = option(function)
    return function


def reading_options(command: Callable[..., Any]) -> Any:
    """Add the options of what reads photographs, which a command takes as ``workers`` and ``cluster``.

    Afterwards the person is told which machines of the cluster were not used, and what they could not reach.
    """

    @wraps(command)
    def reading(
        address: str | None, tls_ca: Path | None, tls_cert: Path | None, tls_key: Path | None, **others: Any
    ) -> Any:
        cluster = _named_cluster(address, tls_ca, tls_cert, tls_key)
        done = command(cluster=cluster, **others)
        if cluster is not None:
            _tell_machines(cluster)
        return done

    return _workers(_cluster(_tls_options(reading)))


def _named_cluster(
    address: str | None, tls_ca: Path | None, tls_cert: Path | None, tls_key: Path | None
) -> Cluster | None:
    """Return the cluster that the options name, if they name one; it is not connected yet.

    Raises
    ------
    TwinlensError
        If the address is none, or there are certificates for nothing.
    """
    if address is not None:
        named = ClusterAddress(address, tls_ca, tls_cert, tls_key)
        with starting(click.get_current_context().find_object(Session) or Session()):
            from app.library.cluster.cluster import Cluster
        return Cluster(named)
    if tls_ca or tls_cert or tls_key:
        raise TwinlensError(
            Message("Certificates are given, but no cluster."), Message("Add `--cluster tls://HOST:8786`.")
        )
    return None


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


@click.command(cls=Command, epilog="Example: twinlens worker tcp://archive:8786 --workers 8")
@click.argument("scheduler", metavar="SCHEDULER")
@_workers
@_tls_options
@click.pass_obj
def worker(
    session: Session,
    scheduler: str,
    workers: int | None,
    tls_ca: Path | None,
    tls_cert: Path | None,
    tls_key: Path | None,
) -> None:
    """Let this machine read photos for the cluster of SCHEDULER, until Ctrl-C.

    It reads what `twinlens add --cluster SCHEDULER` asks for, from the same disks and shares, and writes nothing.

    Whoever reaches the scheduler or this machine's worker can run any program here, as you. So let only people you
    trust reach them: by a network of your own, a firewall, or certificates (tls://).
    """
    address = ClusterAddress(scheduler, tls_ca, tls_cert, tls_key)
    with starting(session):
        from app.library.cluster.service import offer_machine
    say(session, _("This machine reads photos for {address}. Ctrl-C ends that.", address=address.text))
    with long_work(session) as progress:
        result = offer_machine(address, workers, progress)
    if result.scheduler_gone:
        say(session, text(Message("The scheduler at {address} is gone.", address=address.text)))
    give(
        session,
        result,
        lambda out: out.print(_n("Read {count} photo.", "Read {count} photos.", result.photographs)),
    )
