"""``twinlens metrics``: import, list, rename, delete and export the metrics that indexes may measure by."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.main import Command
from app.cli.session import Session, give
from app.cli.tables import plain_table, size
from app.metric_results import MetricListResult, MetricStatus

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from core.metrics import Ranking


@click.group(epilog="Example: twinlens metrics import G.npy --descriptor compact-vlad --name Mine")
def metrics() -> None:
    """Import, list, rename, delete and export metrics: what makes some differences count more than others."""


@metrics.command(
    "import", cls=Command, epilog="Example: twinlens metrics import G.npy --descriptor compact-vlad --name Mine"
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--descriptor", required=True, metavar="TEXT", help="Whose vectors it measures: colour, vlad, ...")
@click.option("--name", metavar="NAME", help="Its name; by default that of the file.")
@click.option(
    "--ranking",
    type=click.Choice(["distance", "kernel"]),
    default="distance",
    show_default=True,
    help="By what candidates are ranked: the distance, or the cosine, of G x and G z.",
)
@click.pass_obj
def import_(session: Session, file: Path, descriptor: str, name: str | None, ranking: Ranking) -> None:
    """Keep the metric in FILE: a .npy with the matrix G; or a .npz with G, or A, or S and items."""
    from app.library import Library
    from app.metrics import import_metric

    with Library.open(session.library) as library:
        _tell(session, import_metric(library, file, descriptor, name, ranking))


@metrics.command("list", cls=Command, epilog="Example: twinlens metrics list")
@click.pass_obj
def list_(session: Session) -> None:
    """List the metrics: what each measures, what it was learned from, how it was judged, and which indexes use it."""
    from app.library import Library
    from app.metrics import list_metrics

    with Library.open(session.library) as library:
        _list(session, list_metrics(library))


@metrics.command(cls=Command, epilog="Example: twinlens metrics rename Mine Holidays")
@click.argument("old")
@click.argument("new")
@click.pass_obj
def rename(session: Session, old: str, new: str) -> None:
    """Give the metric OLD the name NEW; indexes that measure by it go on doing so."""
    from app.library import Library
    from app.metrics import rename_metric

    with Library.open(session.library) as library:
        _tell(session, rename_metric(library, old, new))


@metrics.command(cls=Command, epilog="Example: twinlens metrics delete Mine")
@click.argument("name")
@click.pass_obj
def delete(session: Session, name: str) -> None:
    """Delete the metric NAME, unless an index measures by it."""
    from app.library import Library
    from app.metrics import delete_metric

    with Library.open(session.library) as library:
        _list(session, delete_metric(library, name))


@metrics.command(cls=Command, epilog="Example: twinlens metrics export Mine mine.npz")
@click.argument("name")
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_obj
def export(session: Session, name: str, file: Path) -> None:
    """Write the metric NAME into FILE: a .npy is its matrix G, a .npz holds it as it is kept."""
    from app.library import Library
    from app.metrics import export_metric

    with Library.open(session.library) as library:
        result = export_metric(library, name, file)
    give(session, result, lambda out: out.print(f"“{result.metric}” is written into {result.file}.", markup=False))


def _tell(session: Session, made: MetricStatus) -> None:
    _list(session, MetricListResult(metrics=[made]))


def _list(session: Session, result: MetricListResult) -> None:
    def people(out: Console) -> None:
        if result.metrics:
            out.print(_table(result.metrics))
        else:
            out.print("The library keeps no metrics.")

    give(session, result, people)


def _table(kept: Iterable[MetricStatus]) -> Table:
    rows = [
        (
            one.name,
            one.descriptor,
            one.learned_by or "given",
            f"{one.dimensions:,} → {one.out_dimensions:,}",
            size(one.bytes),
            ", ".join(one.indexes),
            one.created,
            one.note,
        )
        for one in kept
    ]
    heading = ("metric", "measures", "learned by", "dimensions", "size", "used by", "since", "from")
    return plain_table(heading, rows, numbers=(3, 4))
