"""``twinlens bench``: the papers' measures for any methods on any vectors, and of search structures on codes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from app.cli.bench.codes import bench_packed, refuse_with_codes
from app.cli.bench.partitions import print_votes, write_votes
from app.cli.bench.tables import numbered, print_columns
from app.cli.lab.tables import costs_of, quality_of
from app.cli.main import Command
from app.cli.progress import long_work
from app.cli.session import Session, give, say
from app.machine.csv_table import Table
from core.errors import TwinlensError
from core.message import Message

if TYPE_CHECKING:
    from rich.console import Console

    from app.bench.experiment import Experiment
    from app.bench.results import BenchCurve, BenchResult

N = TypeVar("N", int, float)

_EXAMPLE = (
    "Example: twinlens bench vectors.npy --method lsh:bits=256 --method itq:bits=64, "
    "or, of a learned metric, twinlens bench vectors.npy --labels labels.npy --metric itml --partitions 10 -k 4, "
    "or, of codes, twinlens bench codes.npy --codes --search scan --search buckets"
)


@click.command(cls=Command, epilog=_EXAMPLE)
@click.argument("base")
@click.option("--queries", help="File of queries; by default some of the base are drawn.")
@click.option("--query-count", type=click.IntRange(1), help="How many queries.")
@click.option("--labels", help="File with a label for each vector of the base.")
@click.option("--query-labels", help="File with a label for each query.")
@click.option("--method", "methods", multiple=True, help="Text form of a method; give it again for another one.")
@click.option(
    "--search", "searches", multiple=True, help="Text form of a search structure; give several to compare them."
)
@click.option(
    "--metric", help="A metric that every method stands behind: its text form, such as whitening, or a .npy or .npz."
)
@click.option("--pairs", help="Pairs of rows that such a metric as itml is learned from: .csv, .json, or (p, 3) .npy.")
@click.option(
    "--marks",
    metavar="NUMBERS",
    help="Without --pairs: how many are drawn by --labels. Over partitions several numbers: 20,50,200.",
)
@click.option(
    "--partitions",
    type=click.IntRange(1),
    help="Part the base so often by chance into what asks and what is searched, and measure k-NN before and after the "
    "metric, by a linear scan and hashed, with standard errors. 10 where one of the next options is given, or nothing "
    "says of which pairs --metric is learned.",
)
@click.option(
    "--labelled", type=click.IntRange(1), help="Items of each class of which pairs are drawn; 20 unless said."
)
@click.option("--asked", type=click.IntRange(1), help="Items of each class that ask; 30 unless said.")
@click.option("--bits", metavar="NUMBERS", help="Each method with each of these numbers of bits: 32,64,128.")
@click.option("--epsilon", "epsilons", metavar="NUMBERS", help="Permuted lists with each of these epsilons: 0.5,1.5.")
@click.option(
    "--share",
    "shares",
    metavar="NUMBERS",
    help="Each search besides as it is so that it looks at these shares of what is searched: 0.05,0.1. By default 0.1.",
)
@click.option("--scaled", is_flag=True, help="Bring every dimension to mean 0 and variance 1 first.")
@click.option("--table", type=click.Path(path_type=Path), help="Write the rows of the partitions' table to a CSV.")
@click.option(
    "--truth",
    help="l2, cosine, a kernel's text form, metric, labels, or radius:50 (all that is nearer than the average distance "
    "to neighbour 50). By default the metric, or else the first method's kernel, or l2.",
)
@click.option(
    "--map-protocol",
    type=click.Choice(["ranking", "candidates"]),
    help="mAP is that of the whole ranking by Hamming distance. With candidates there is a second one: of the 100 "
    "nearest codes and all that tie with the last, sorted again by the projected data; what is not among them counts "
    "as not found.",
)
@click.option("--seed", "seeds", multiple=True, type=int, help="Give it again to repeat every method with another one.")
@click.option("-k", type=click.IntRange(1), help="Neighbours that vote on the label; with --codes, as --neighbours.")
@click.option("--codes", is_flag=True, help="BASE and the queries are packed codes: search structures are measured.")
@click.option(
    "--neighbours",
    type=click.IntRange(1),
    help="How many nearest each search is asked for; 100 unless said. Fewer let the bounds of exact search spare more.",
)
@click.option("--curves", type=click.Path(path_type=Path), help="Write curves to a CSV: method, seed, curve, x, y.")
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
    searches: tuple[str, ...],
    metric: str | None,
    pairs: str | None,
    marks: str | None,
    partitions: int | None,
    labelled: int | None,
    asked: int | None,
    bits: str | None,
    epsilons: str | None,
    shares: str | None,
    scaled: bool,
    table: Path | None,
    truth: str | None,
    map_protocol: str | None,
    seeds: tuple[int, ...],
    k: int | None,
    codes: bool,
    neighbours: int | None,
    curves: Path | None,
    write: Path | None,
) -> None:
    """Measure hash methods on the vectors of BASE, or repeat the experiment of a .toml or .twinlens-experiment file.

    BASE is .npy, .npz, .fvecs, .bvecs or ann-benchmarks' .hdf5, whose test is asked where it has one; FILE::NAME names
    an array of a file with several. A .npz of scipy.sparse.save_npz is taken by lsh.

    Figures do not depend on the order of what is equally far: recall@R is the probability that the true nearest is
    among the first R codes; overlap@k the share of the true first k among the k that were found and ranked exactly;
    mAP, precision and recall are of the 50 nearest by the truth, of the same label, or within the radius. A query
    that is in the base is never its own answer. With --metric, accuracy is also given as it was without it.

    The curves: recall and precision over the Hamming radius, recall_at over R, and of kernel methods eigenvalue,
    residual and estimation over the rank; seed is mean, or with several seeds also each of them.

    Over --partitions, of each class some items ask and the rest is searched; the metric is learned from pairs of a few
    of these. Told is the mean rate over the classes with which the -k nearest vote rightly, before and after; each
    method searches permuted lists, unless --search names something else.

    With --codes, BASE is uint8 (n, bytes), such as numpy.packbits makes, and each search structure (all, unless
    --search names some) is judged against the exact Hamming neighbours. Codes that take more than an eighth of the
    memory are scanned in blocks from their file, however many they are.
    """
    if base.endswith(".twinlens-experiment"):
        bench_experiment(session, Path(base), click.get_current_context())
        return
    if codes:
        refuse_with_codes(base, click.get_current_context())
        bench_packed(session, base, queries, query_count, searches, neighbours or k)
        return
    from app.bench.bench import bench as run
    from app.bench.experiment import Experiment, read_experiment
    from app.bench.partitions import PARTITIONS, parted

    experiment = read_experiment(Path(base)) if base.endswith(".toml") else Experiment(base)
    experiment = experiment.changed(
        queries=queries,
        query_count=query_count,
        labels=labels,
        query_labels=query_labels,
        methods=methods or None,
        search=searches or None,
        metric=metric,
        pairs=pairs,
        marks=_numbers(marks, int, "--marks"),
        partitions=partitions,
        labelled=labelled,
        asked=asked,
        bits=_numbers(bits, int, "--bits"),
        epsilons=_numbers(epsilons, float, "--epsilon"),
        shares=_numbers(shares, float, "--share"),
        scaled=scaled or None,
        truth=truth,
        map_protocol=map_protocol,
        seeds=seeds or None,
        k=k,
        neighbours=neighbours,
    )
    if table is not None and not experiment.partitions:
        experiment = experiment.changed(partitions=PARTITIONS)
    experiment = parted(experiment)
    if write is not None:
        _write(write, experiment.complete())
    if table is not None:
        write_votes(table, None)  # now: afterwards, the work would have been for nothing
    if curves is not None:
        _write_curves(curves, [])  # now: afterwards, the work would have been for nothing
    with long_work(session) as progress:
        result = run(experiment, progress, curves is not None)
    if curves is not None:
        _write_curves(curves, result.curves)
        say(session, f"The curves are in {curves}.")
    if table is not None and result.partitions is not None:
        write_votes(table, result.partitions)
        say(session, f"The table is in {table}.")
    give(session, result, lambda out: _print(out, result))


def _numbers(text: str | None, kind: Callable[[str], N], option: str) -> tuple[N, ...] | None:
    """Read numbers that commas part."""
    if text is None:
        return None
    try:
        return tuple(kind(word) for word in text.split(","))
    except ValueError:
        raise click.UsageError(f"{option} takes numbers that commas part, such as 20,50,200, not “{text}”.") from None


def bench_experiment(session: Session, file: Path, context: click.Context) -> None:
    """Run an experiment of the Lab again, and say whether its figures are those of the file."""
    from app.lab.experiments.file import open_experiment, run_again
    from app.library.library import Library

    for name, value in context.params.items():
        if name != "base" and value not in {None, (), False}:
            raise click.UsageError(f"An experiment is run as it is: --{name.replace('_', '-')} cannot change it.")
    opened = open_experiment(file)
    with contextlib.ExitStack() as open_ones:
        library = None
        if opened.tables is None and opened.experiment.index:
            library = open_ones.enter_context(Library.open(session.library))
        progress = open_ones.enter_context(long_work(session))
        result, check = run_again(opened, library, progress)

    def people(out: Console) -> None:
        _print(out, result)
        for sentence in check.differing:
            out.print(sentence)
        if not check.differing:
            out.print(f"All {check.figures:,} figures are those of the file; times are this machine's.")

    give(session, result, people)


def _write(file: Path, experiment: Experiment) -> None:
    try:
        file.write_text(experiment.to_toml(), "utf-8")
    except OSError as error:
        raise TwinlensError(
            Message("{file} cannot be written: {strerror}.", file=file, strerror=error.strerror),
            Message("Name another file."),
        ) from None


def _write_curves(file: Path, curves: Sequence[BenchCurve]) -> None:
    from app.bench.curves import COLUMNS, rows_of

    try:
        with file.open("w", newline="", encoding="utf-8") as target:
            table = Table(target)
            table.writerow(COLUMNS)
            table.writerows(rows_of(curves))
    except OSError as error:
        raise TwinlensError(
            Message("{file} cannot be written: {strerror}.", file=file, strerror=error.strerror),
            Message("Name another file."),
        ) from None


def _print(out: Console, result: BenchResult) -> None:
    data = result.data
    if result.partitions is not None:
        print_votes(out, data, result.partitions)
        return
    metric = f", metric {data.metric}" if data.metric else ""
    out.print(
        f"{data.n:,} vectors of {data.d:,} dimensions, {data.queries:,} queries{metric}, truth by {data.truth}.",
    )
    if data.left_out:
        out.print(f"{data.left_out:,} rows are zero throughout and left out.")
    names = _names(out, result)
    print_columns(out, names, [quality_of(one) for one in result.results])
    print_columns(out, names, [costs_of(one) for one in result.results])
    out.print(f"mAP, precision and recall are of {data.relevant}.", style="dim")
    for name, one in zip(names, result.results, strict=True):
        if one.note:
            out.print(f"{name}: {one.note}")
    out.print(f"Exact search takes {1000 * result.results[0].seconds.exact:,.1f} ms a query.", style="dim")


def _names(out: Console, result: BenchResult) -> list[str]:
    """Name the methods in the tables: by number, told first, where their texts would take the room of the figures."""
    several = _several_searches(result)
    return numbered(out, [f"{one.method} · {one.search}" if several else one.method for one in result.results])


def _several_searches(result: BenchResult) -> bool:
    return len({one.search for one in result.results}) > 1
