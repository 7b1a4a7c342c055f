"""The options by which a command names a cluster, and ``twinlens worker``, by which a machine joins one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from app.cli.main import Command
from app.cli.progress import long_work, starting
from app.cli.session import Session, give, say
from app.language.spoken import _, _n, text
from app.library.cluster.address import ClusterAddress
from core.errors import TwinlensError
from core.message import Message

_FILE = click.Path(path_type=Path)


def tls_options(function: Any) -> Any:
    """Add the certificates of a `tls://` address."""
    for option in (
        click.option("--tls-key", type=_FILE, metavar="FILE", help="Key of the certificate."),
        click.option("--tls-cert", type=_FILE, metavar="FILE", help="Certificate of this machine, for tls://."),
        click.option("--tls-ca", type=_FILE, metavar="FILE", help="Authority that signs certificates, for tls://."),
    ):
        function = option(function)
    return function


def cluster_options(function: Callable[..., Any]) -> Any:
    """Add the option of a cluster that reads, and its certificates."""
    cluster = click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Have other machines read: tcp://HOST:8786, tls://HOST:8786, or local:4 for 4 processes of this one.",
    )
    return cluster(tls_options(function))


def named_cluster(
    address: str | None, tls_ca: Path | None, tls_cert: Path | None, tls_key: Path | None
) -> ClusterAddress | None:
    """Return the cluster that the options name, if they name one.

    Raises
    ------
    TwinlensError
        If the address is none, or there are certificates for nothing.
    """
    if address is not None:
        return ClusterAddress(address, tls_ca, tls_cert, tls_key)
    if tls_ca or tls_cert or tls_key:
        raise TwinlensError(
            Message("Certificates are given, but no cluster."), Message("Add `--cluster tls://HOST:8786`.")
        )
    return None


@click.command(cls=Command, epilog="Example: twinlens worker tcp://archive:8786 --workers 8")
@click.argument("scheduler", metavar="SCHEDULER")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes that read; by default one a core.")
@tls_options
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
    Whoever reaches the scheduler can have any program run here: see docs/cluster.md.
    """
    address = ClusterAddress(scheduler, tls_ca, tls_cert, tls_key)
    with starting(session):
        from app.library.cluster.service import offer
    say(session, _("This machine reads photos for {address}. Ctrl-C ends that.", address=address.text))
    with long_work(session) as progress:
        result = offer(address, workers, progress)
    if result.scheduler_gone:
        say(session, text(Message("The scheduler at {address} is gone.", address=address.text)))
    give(
        session,
        result,
        lambda out: out.print(_n("Read {count} photo.", "Read {count} photos.", result.photographs)),
    )
