"""``twinlens bench``: the papers' measures for any methods on any vectors."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.main import Command
from app.cli.progress import long_work
from app.cli.session import Session, give, say
from app.cli.tables import plain_table, size
from core.errors import TwinlensError

if TYPE_CHECKING:
    from rich.console import Console

    from app.experiment import Experiment
    from app.results import BenchMethodResult, BenchResult


@click.command(cls=Command, epilog="Example: twinlens bench vectors.npy --method lsh:bits=256 --method itq:bits=64")
@click.argument("base")
@click.option("--queries", help="File of queries; by default some of the base are drawn.")
@click.option("--query-count", type=click.IntRange(1), help="How many queries.")
@click.option("--labels", help="File with a label for each vector of the base.")
@click.option("--query-labels", help="File with a label for each query.")
@click.option("--method", "methods", multiple=True, help="Text form of a method; give it again for another one.")
@click.option("--search", help="Text form of the search structure.")
@click.option("--truth", help="l2, cosine, a kernel's text form, radius:50 or labels.")
@click.option("--seed", "seeds", multiple=True, type=int, help="Give it again to repeat every method with another one.")
@click.option("-k", type=click.IntRange(1), help="Neighbours that vote on the label.")
@click.option("--curves", type=click.Path(path_type=Path), help="Write precision and recall by radius to a CSV.")
@click.option(
    "--write", type=click.Path(path_type=Path), help="Write the experiment as TOML, to be shared, and run it."
)
@click.pass_obj
def bench(
    session: Session,
    base: str,
    queries: str | None,
    query_count: int | None,
    labels: str | None,
    query_labels: str | None,
    methods: tuple[str, ...],
    search: str | None,
    truth: str | None,
    seeds: tuple[int, ...],
    k: int | None,
    curves: Path | None,
    write: Path | None,
) -> None:
    """Measure hash methods on the vectors of BASE, or repeat the experiment of a .toml file.

    BASE is .npy, .npz, .fvecs, .bvecs or ann-benchmarks' .hdf5; FILE::NAME names an array of a file with several.
    """
    from app.benching import bench as run
    from app.experiment import Experiment, read_experiment

    experiment = read_experiment(Path(base)) if base.endswith(".toml") else Experiment(base)
    experiment = experiment.changed(
        queries=queries,
        query_count=query_count,
        labels=labels,
        query_labels=query_labels,
        methods=methods or None,
        search=search,
        truth=truth,
        seeds=seeds or None,
        k=k,
    )
    if write is not None:
        _write(write, experiment)
    with long_work(session) as progress:
        result = run(experiment, progress)
    if curves is not None:
        _write_curves(curves, result)
        say(session, f"The curves are in {curves}.")
    give(session, result, lambda out: _print(out, result))


def _write(file: Path, experiment: Experiment) -> None:
    try:
        file.write_text(experiment.to_toml(), "utf-8")
    except OSError as error:
        raise TwinlensError(f"{file} cannot be written: {error.strerror}.", "Name another file.") from None


def _write_curves(file: Path, result: BenchResult) -> None:
    try:
        with file.open("w", newline="", encoding="utf-8") as target:
            table = csv.writer(target)
            table.writerow(("method", "radius", "recall", "precision"))
            for one in result.results:
                for radius, (recall, precision) in enumerate(one.precision_recall):
                    table.writerow((one.method, radius, f"{recall:.6f}", f"{precision:.6f}"))
    except OSError as error:
        raise TwinlensError(f"{file} cannot be written: {error.strerror}.", "Name another file.") from None


def _print(out: Console, result: BenchResult) -> None:
    data = result.data
    out.print(
        f"{data.n:,} vectors of {data.d:,} dimensions, {data.queries:,} queries, truth by {data.truth}", markup=False
    )
    recalls = [one for one in ("1", "10", "100", "1000") if one in result.results[0].recall]
    heading = (
        "method",
        *(f"R@{one}" for one in recalls),
        "overlap@10",
        "mAP",
        "accuracy",
        "looked at",
        "fit",
        "encode",
    )
    rows = [_row(one, recalls) for one in result.results]
    out.print(plain_table((*heading, "query", "model", "codes"), rows, numbers=range(1, len(heading) + 3)))
    for one in result.results:
        if one.note:
            out.print(f"{one.method}: {one.note}", markup=False)
    out.print(
        f"Exact search takes {1000 * result.results[0].seconds.exact:,.1f} ms a query.", markup=False, style="dim"
    )


def _row(one: BenchMethodResult, recalls: Sequence[str]) -> tuple[str, ...]:
    def figure(name: str, value: float | None) -> str:
        if value is None:
            return ""
        return f"{value:.3f}" + (f" ±{one.deviation[name]:.3f}" if name in one.deviation else "")

    query = one.seconds.encode_query + one.seconds.search
    return (
        one.method,
        *(figure(f"recall@{count}", one.recall[count]) for count in recalls),
        figure("overlap@10", one.overlap.get("10")),
        figure("map", one.map),
        figure("accuracy", one.accuracy),
        f"{one.looked_at:,.0f}",
        f"{one.seconds.fit:,.2f} s",
        f"{one.seconds.encode:,.2f} s",
        f"{1000 * query:,.2f} ms",
        size(one.bytes.model),
        size(one.bytes.codes),
    )
