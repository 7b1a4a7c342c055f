"""``twinlens index``: create, list, rename and delete indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.cluster import reading_options
from app.cli.main import Command
from app.cli.progress import long_work
from app.cli.session import Session, console, give
from app.cli.spoken_help import TranslatedGroup
from app.cli.tables import index_table
from app.indexes.results import IndexListResult, IndexStatus

if TYPE_CHECKING:
    from app.library.cluster.cluster import Cluster


@click.group(cls=TranslatedGroup, epilog="Example: twinlens index create --descriptor colour --method lsh:bits=512")
def index() -> None:
    """Create, list, rename and delete indexes. A library can have several; a search chooses one."""


@index.command(
    cls=Command, epilog="Example: twinlens index create --descriptor vlad --method itq:bits=512 --name Shapes"
)
@click.option("--descriptor", required=True, metavar="TEXT", help="What is compared: colour, edges, vlad, ...")
@click.option(
    "--metric",
    default="",
    metavar="NAME|TEXT",
    help="Which differences count more: a metric of `twinlens metrics list`, or whitening, which is fitted.",
)
@click.option("--method", default="itq", show_default=True, metavar="TEXT", help="How vectors become bits.")
@click.option(
    "--search", "structure", default="scan", show_default=True, metavar="TEXT", help="How codes are searched."
)
@click.option("--name", metavar="NAME", help="Its name; by default its declarations.")
@reading_options
@click.pass_obj
def create(
    session: Session,
    descriptor: str,
    metric: str,
    method: str,
    structure: str,
    name: str | None,
    workers: int | None,
    cluster: Cluster | None,
) -> None:
    """Create an index and build it. `twinlens methods` lists all choices with their parameters."""
    from app.indexes.indexes import NewIndex, create_index
    from app.library.library import Library

    with Library.open(session.library) as library, long_work(session) as progress:
        _tell_index(
            session,
            create_index(
                library,
                NewIndex(descriptor=descriptor, method=method, search=structure, name=name, metric=metric),
                progress,
                workers,
                cluster,
            ),
        )


@index.command(cls=Command, epilog="Example: twinlens index improve")
@reading_options
@click.pass_obj
def improve(session: Session, workers: int | None, cluster: Cluster | None) -> None:
    """Make the automatic index as good as that of a new library. The old one answers until that is done, and stays."""
    from app.indexes.improvement import improve_index as make
    from app.library.library import Library

    with Library.open(session.library) as library, long_work(session) as progress:
        result = make(library, progress, workers, cluster)
    give(session, result, lambda out: out.print(index_table(result.indexes)))


@index.command("list", cls=Command, epilog="Example: twinlens index list")
@click.pass_obj
def print_indexes(session: Session) -> None:
    """List the indexes."""
    from app.indexes.indexes import list_indexes
    from app.library.library import Library

    with Library.open(session.library) as library:
        result = list_indexes(library)
    give(session, result, lambda out: out.print(index_table(result.indexes)))


@index.command(cls=Command, epilog="Example: twinlens index rename 'colour · itq:bits=256' Colours")
@click.argument("old")
@click.argument("new")
@click.pass_obj
def rename(session: Session, old: str, new: str) -> None:
    """Rename the index OLD to NEW."""
    from app.indexes.indexes import rename_index
    from app.library.library import Library

    with Library.open(session.library) as library:
        _tell_index(session, rename_index(library, old, new))


@index.command(cls=Command, epilog="Example: twinlens index delete Colours")
@click.argument("name")
@click.pass_obj
def delete(session: Session, name: str) -> None:
    """Delete the index NAME. Photos, and descriptors that other indexes use, stay."""
    from app.indexes.indexes import delete_index
    from app.library.library import Library

    with Library.open(session.library) as library:
        result = delete_index(library, name)
    give(session, result, lambda out: out.print(index_table(result.indexes)))


def _tell_index(session: Session, made: IndexStatus) -> None:
    result = IndexListResult(indexes=[made])
    give(session, result, lambda _: console().print(index_table(result.indexes)))
